#include <array>
#include <optional>

#include "netmodels/platform/lint/source.hpp"

namespace vtopo::detail::lint {

namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view this_doctype =
    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">";

std::string_view skip_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text;
}

/// Takes `word` off the front of `text`, with at least one blank in front of it if `apart`.
bool take(std::string_view& text, std::string_view word, bool apart) {
  const auto rest = skip_blanks(text);
  if ((apart && rest.size() == text.size()) || !rest.starts_with(word)) return false;
  text = rest.substr(word.size());
  return true;
}

std::optional<std::string_view> take_quoted(std::string_view& text) {
  const auto rest = skip_blanks(text);
  if (rest.empty() || (rest[0] != '"' && rest[0] != '\'')) return std::nullopt;
  const auto end = rest.find(rest[0], 1);
  if (end == std::string_view::npos) return std::nullopt;
  text = rest.substr(end + 1);
  return rest.substr(1, end - 1);
}

/// `<?xml version="1.0"?>`, perhaps with an encoding, and not a blank more.
bool is_good_declaration(std::string_view text) {
  if (!take(text, "<?xml", false) || !take(text, "version", true) || !take(text, "=", false) ||
      !take_quoted(text))
    return false;
  if (text == "?>") return true;
  return take(text, "encoding", true) && take(text, "=", false) && take_quoted(text) &&
         text == "?>";
}

/// Address of the DTD in a document type of the one form that SimGrid knows.
std::optional<std::string_view> dtd_address(std::string_view text) {
  if (!take(text, "<!DOCTYPE", false) || !take(text, "platform", true) ||
      !take(text, "SYSTEM", true))
    return std::nullopt;
  const auto address = take_quoted(text);
  return take(text, ">", false) && text.empty() ? address : std::nullopt;
}

void check_doctype(Findings& findings, std::size_t offset, std::string_view text) {
  const auto address = dtd_address(text);
  if (address == "https://simgrid.org/simgrid.dtd") return;
  if (address == "http://simgrid.gforge.inria.fr/simgrid/simgrid.dtd")
    findings.add_at("old-doctype", offset, *address, "the address of the DTD is an old one",
                    std::string(this_doctype));
  else
    findings.add_at("doctype", offset, text,
                    fmt::format("SimGrid does not know the document type {}", in_quotes(text)),
                    std::string(this_doctype));
}

/// One item of the prolog: comment, declaration or document type. 0 at the first element.
std::size_t item_length(std::string_view text) {
  const auto up_to = [text](std::string_view end) {
    const auto found = text.find(end);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  if (text.starts_with("<!--")) return up_to("-->");
  if (text.starts_with("<?")) return up_to("?>");
  if (!text.starts_with("<!")) return 0;
  const auto end = text.find_first_of("[>");  // an internal subset holds declarations of its own
  return end != std::string_view::npos && text[end] == '[' ? up_to("]>") : up_to(">");
}

}  // namespace

void check_prolog(Findings& findings) {
  std::string_view rest = skip_blanks(findings.file().text);
  int doctypes = 0;
  const auto offset = [&] { return findings.file().text.size() - rest.size(); };
  for (std::size_t length = 1; !rest.empty() && length > 0;) {
    length = item_length(rest);
    const auto item = rest.substr(0, length);
    if (item.starts_with("<?xml") && !is_good_declaration(item))
      findings.add_at("xml-declaration", offset(), item,
                      fmt::format("SimGrid does not know the XML declaration {}", in_quotes(item)),
                      "<?xml version='1.0'?>");
    if (item.starts_with("<!DOCTYPE") || item.starts_with("<!doctype")) {
      if (doctypes++ == 0)
        check_doctype(findings, offset(), item);
      else
        findings.add_at("doctype", offset(), item, "a second document type",
                        "one document type in front of <platform>");
    }
    if (length > 0) rest = skip_blanks(rest.substr(length));
  }
  if (doctypes == 0)
    findings.add_at("doctype", offset(), "", "SimGrid wants a document type in front of <platform>",
                    std::string(this_doctype));
}

}  // namespace vtopo::detail::lint
