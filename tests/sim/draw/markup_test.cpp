#include "sim/draw/markup.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("markup characters become entities", "[report][markup]") {
  CHECK(markup_text(R"(<script>alert("x" & 'y')</script>)") ==
        "&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt;");
  CHECK(markup_text("Zürich → München") == "Zürich → München");
}

TEST_CASE("bytes that are no UTF-8 and control characters become U+FFFD", "[report][markup]") {
  const std::string unknown = "\xEF\xBF\xBD";
  CHECK(markup_text("a\xFFz") == "a" + unknown + "z");
  CHECK(markup_text(std::string_view("a\0z", 3)) == "a" + unknown + "z");
  CHECK(markup_text("\x1b[1m") == unknown + "[1m");
  CHECK(markup_text("cut \xE2\x86") == "cut " + unknown + unknown);
  // RFC 3629, section 3: no overlong forms, no surrogates, nothing above U+10FFFF
  CHECK(markup_text("\xC0\xAF") == unknown + unknown);
  CHECK(markup_text("\xED\xA0\x80") == unknown + unknown + unknown);
  CHECK(markup_text("\xF4\x90\x80\x80") == unknown + unknown + unknown + unknown);
}

TEST_CASE("JSON for a script element cannot end it and reads back the same", "[report][markup]") {
  const nlohmann::json names = {"</script><script>alert(1)</script>", "<!--", "a & b"};
  const std::string text = script_json(names.dump());
  CHECK(text.find_first_of("<>&") == std::string::npos);
  CHECK(nlohmann::json::parse(text) == names);
}

TEST_CASE("words of a picture are escaped", "[report][markup]") {
  SvgElement svg(10, 10, "\"><script>");
  svg.put_text(1, 2, "</text><script>");
  CHECK(std::move(svg).text().find("<script") == std::string::npos);
}
