#include <unistd.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "netmodels/platform/lint/lint.hpp"
#include "netmodels/platform/platform.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

const std::string head =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n";

std::string write(const std::string& text) {
  return tests::write_file("lint-hostile.xml", text);
}

LintReport lint(const std::string& text) {
  return lint_platform(write(text));
}

std::string hostile_platform(const std::string& body) {
  return head + "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">" + body +
         "</zone></platform>";
}

std::string repeat(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

bool has(const LintReport& report, std::string_view rule) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [rule](const LintFinding& f) { return f.rule == rule; });
}

/// Files that lint finds nothing wrong with, or only warnings.
std::vector<std::string> good_texts() {
  std::vector<std::string> texts;
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(tests::source_path("tests/netmodels/platform/lint")))
    if (entry.path().filename().string().starts_with("good.")) files.push_back(entry.path());
  files.emplace_back(tests::source_path("platforms/two-rooms.xml"));
  std::sort(files.begin(), files.end());
  for (const auto& file : files) texts.push_back(tests::read_file(file));
  return texts;
}

using Damages = std::mt19937_64;

std::size_t draw(Damages& random, std::size_t bound) {
  return static_cast<std::size_t>(random() % bound);
}

/// One small damage: bytes, words, lines, attributes.
void damage(Damages& random, std::string& text) {
  const std::size_t at = draw(random, text.size());
  switch (draw(random, 7)) {
    case 0:
      text[at] = static_cast<char>(random() % 256);
      break;
    case 1:
      text.erase(at, 1 + draw(random, 8));
      break;
    case 2:
      text.insert(at, text.substr(draw(random, text.size()), draw(random, 24)));
      break;
    case 3:
      text.resize(at);
      break;
    case 4: {  // a digit
      const auto digit = text.find_first_of("0123456789", at);
      if (digit != std::string::npos) text[digit] = static_cast<char>('0' + draw(random, 10));
      break;
    }
    case 5: {  // a line twice, or gone
      const auto start = text.find('\n', at);
      if (start == std::string::npos) break;
      const auto end = text.find('\n', start + 1);
      if (end == std::string::npos) break;
      const auto line = text.substr(start, end - start);
      random() % 2 == 0 ? text.insert(start, line) : text.erase(start, line.size());
      break;
    }
    default: {  // a value replaced by another of the file
      const auto start = text.find('"', at);
      const auto end = text.find('"', start + 1);
      const auto other = text.find('"', draw(random, text.size()));
      const auto other_end = text.find('"', other + 1);
      if (std::max({start, end, other, other_end}) == std::string::npos) break;
      text.replace(start, end - start, text.substr(other, other_end - other));
    }
  }
  if (text.empty()) text = " ";
}

}  // namespace

TEST_CASE("Entities are not expanded, so an entity bomb is only an error") {
  std::string bomb = "<?xml version='1.0'?>\n<!DOCTYPE platform [\n<!ENTITY a0 \"ha\">\n";
  for (int i = 1; i < 40; ++i)
    bomb += "<!ENTITY a" + std::to_string(i) + " \"" +
            repeat("&a" + std::to_string(i - 1) + ";", 10) + "\">\n";
  bomb += "]>\n<platform version=\"4.1\"><zone id=\"&a39;\" routing=\"Full\"/></platform>";
  const auto report = lint(bomb);
  CHECK(has(report, "doctype"));
  CHECK(has(report, "unknown-entity"));
}

TEST_CASE("Deep nesting is one error and no recursion") {
  for (const int depth : {65, 500, 100000}) {
    const auto report = lint(hostile_platform(repeat("<zone id=\"y\" routing=\"Full\">", depth) +
                                              repeat("</zone>", depth)));
    CHECK(has(report, "nesting"));
  }
}

TEST_CASE("Values of megabytes are shortened in findings") {
  const auto report = lint(hostile_platform(
      "<host id=\"" + std::string(2 << 20, 'a') + "\" speed=\"" + std::string(2 << 20, '1') +
      "q\"/>" + "<host id=\"b\" speed=\"1Gf\" radical=\"" + std::string(2 << 20, '_') + "\"/>"));
  CHECK(report.count(LintSeverity::error) >= 2);
  for (const auto& finding : report.findings) CHECK(finding.sentence.size() < 500);
}

TEST_CASE("More findings than a person can read are counted") {
  const auto report = lint(hostile_platform(repeat("<host id=\"a\" speed=\"-1Gf\"/>\n", 20000)));
  CHECK(report.findings.size() == 10000);
  // By hand: 20,000 negative speeds and 19,999 hosts of a name that is taken.
  CHECK(report.left_out == 20000 + 19999 - 10000);
}

TEST_CASE("An error is listed although warnings fill the list") {
  const auto report =
      lint(hostile_platform("<host id=\"a\" speed=\"1Gf\"/>" +
                            repeat("<backbone id=\"k\" bandwidth=\"1\" latency=\"0\"/>\n", 20000) +
                            "<host id=\"a\" speed=\"1Gf\"/>"));
  CHECK(report.count(LintSeverity::error) > 0);
}

TEST_CASE("Many attributes, links and clusters take no quadratic time") {
  std::string attributes;
  for (int i = 0; i < 50000; ++i) attributes += " x" + std::to_string(i) + "='1'";
  CHECK(has(lint(hostile_platform("<host id='a' speed='1Gf'" + attributes + "/>")),
            "unknown-attribute"));
  std::string clusters;
  for (int i = 0; i < 20000; ++i)
    clusters += "<cluster id='c" + std::to_string(i) + "' prefix='p' suffix='' radical='0-x' " +
                "speed='1Gf' bw='1GBps' lat='0' topology='TORUS' topo_parameters='y'/>\n";
  CHECK(has(lint(hostile_platform(clusters)), "bad-radical"));
  std::string links = "<host id='a' speed='1Gf'/>";
  for (int i = 0; i < 20000; ++i)
    links += "<link id='l" + std::to_string(i) + "' bandwidth='1GBps' latency='0'/>";
  for (int i = 0; i < 20000; ++i) links += "<route src='a' dst='b'><link_ctn id='m_m'/></route>";
  CHECK(has(lint(hostile_platform(links)), "unknown-link"));
}

TEST_CASE("A Floyd zone of thousands of hosts is a warning, not a search of all pairs") {
  std::string body = "<host id='h0' speed='1Gf'/>", routes;
  for (int i = 1; i < 5000; ++i) {
    body += "<host id='h" + std::to_string(i) + "' speed='1Gf'/>";
    routes += "<route src='h0' dst='h" + std::to_string(i) + "'><link_ctn id='l'/></route>";
  }
  std::string text =
      hostile_platform(body + "<link id='l' bandwidth='1GBps' latency='0'/>" + routes);
  text.replace(text.find("Full"), 4, "Floyd");
  const auto report = lint(text);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].rule == "slow-floyd");
}

TEST_CASE("Text that is damaged at random never ends lint") {
  const auto texts = good_texts();
  Damages random(1);
  int with_errors = 0;
  for (int i = 0; i < 600; ++i) {
    std::string text = texts[draw(random, texts.size())];
    for (std::size_t n = 1 + draw(random, 3); n > 0; --n) damage(random, text);
    with_errors += lint(text).count(LintSeverity::error) > 0 ? 1 : 0;
  }
  CHECK(with_errors > 300);
}

TEST_CASE("SimGrid loads every damaged file in which lint finds no error") {
  const auto texts = good_texts();
  Damages random(2);
  int loaded = 0;
  while (loaded < 40) {
    std::string text = texts[draw(random, texts.size())];
    damage(random, text);
    const std::string path = write(text);
    const LintReport report = lint_platform(path);
    if (report.count(LintSeverity::error) > 0) continue;
    INFO(text);
    const bool pairs_may_fail = has(report, "missing-route") || has(report, "unreachable-host") ||
                                has(report, "isolated-host") || has(report, "no-routing") ||
                                has(report, "missing-coordinates");
    const auto network = load_platform(path, {.simgrid_compatible = true});
    for (int a = 0; a < std::min(network->num_hosts(), 8); ++a)
      for (int b = 0; b < network->num_hosts(); ++b)
        if (pairs_may_fail) try {
            network->hops(HostId{a}, HostId{b});
          } catch (const InputError&) {
            CHECK(a != b);
          }
        else
          CHECK((network->hops(HostId{a}, HostId{b}) > 0) == (a != b));
    ++loaded;
  }
}
