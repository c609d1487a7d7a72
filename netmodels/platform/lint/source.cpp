#include "netmodels/platform/lint/source.hpp"

#include <algorithm>
#include <optional>

namespace vtopo::detail::lint {

namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(blanks, at), text.size());
}

/// Length of the UTF-8 character at the start of `text`; 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) return 0;
  return length;
}

/// First byte that is not part of a UTF-8 character, or the size of the text.
std::size_t first_invalid(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = character_length(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return at;
}

/// Characters that XML does not allow at all; NUL first of all.
std::size_t first_control(std::string_view text) {
  const auto found = std::find_if(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' && blanks.find(c) == std::string_view::npos;
  });
  return static_cast<std::size_t>(found - text.begin());
}

bool is_wide_text(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ||
         text.starts_with(std::string_view("\0<", 2)) ||
         text.starts_with(std::string_view("<\0", 2));
}

/// False: a finding says why the bytes are not text.
bool check_encoding(const PlatformFile& file, LintReport& report) {
  const std::string_view text = file.text;
  const auto complain = [&](std::size_t at, std::string sentence) {
    add_finding(report, "not-utf8", file.position(at), "", std::move(sentence),
                "save the file as UTF-8 without byte order mark");
    return false;
  };
  if (is_wide_text(text)) return complain(0, "the file is UTF-16 or UTF-32");
  if (const auto at = first_control(text); at < text.size())
    return complain(
        at, fmt::format("the byte 0x{:02x} is not text", static_cast<unsigned char>(text[at])));
  if (const auto at = first_invalid(text); at < text.size())
    return complain(at, fmt::format("the byte 0x{:02x} begins no character of UTF-8",
                                    static_cast<unsigned char>(text[at])));
  return true;
}

/// What stands at a byte, up to the next blank.
std::string_view word_at(std::string_view text, std::size_t at) {
  return text.substr(at, text.find_first_of(blanks, at) - at);
}

bool parse(PlatformFile& file, LintReport& report) {
  const auto result = parse_platform_text(file, pugi::parse_default | pugi::parse_fragment);
  if (result) return true;
  const auto at = std::min(static_cast<std::size_t>(std::max(result.offset, std::ptrdiff_t{0})),
                           file.text.size());
  add_finding(report, "malformed-xml", file.position(at), word_at(file.text, at),
              describe_malformed(file, result),
              "close every tag that is opened, put every value in quotes");
  return false;
}

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

std::vector<RawAttribute> raw_attributes(std::string_view text, std::size_t name_offset) {
  std::vector<RawAttribute> attributes;
  std::size_t at = std::min(text.find_first_of(" \t\r\n/>", name_offset), text.size());
  for (;;) {
    at = skip_blanks(text, at);
    if (at >= text.size() || text[at] == '/' || text[at] == '>' || text[at] == '?')
      return attributes;
    const std::size_t name_end = text.find_first_of(" \t\r\n=", at);
    const std::size_t equals = skip_blanks(text, std::min(name_end, text.size()));
    const std::size_t quote = skip_blanks(text, std::min(equals + 1, text.size()));
    if (quote >= text.size() || text[equals] != '=') return attributes;
    const std::size_t end = text.find(text[quote], quote + 1);
    if (end == std::string_view::npos) return attributes;
    attributes.push_back(
        {at, text.substr(at, name_end - at), text.substr(quote + 1, end - quote - 1)});
    at = end + 1;
  }
}

std::size_t attribute_offset(std::string_view text, pugi::xml_node element,
                             pugi::xml_attribute attribute) {
  const auto name = static_cast<std::size_t>(element.offset_debug());
  auto known = element.first_attribute();
  for (const RawAttribute& raw : raw_attributes(text, name)) {
    if (known == attribute) return raw.offset;
    known = known.next_attribute();
  }
  return name;
}

bool read_source(PlatformFile& file, LintReport& report) {
  try {
    file.text = read_platform_text(file.path);
  } catch (const InputError& error) {
    const std::string_view sentence = error.what();
    add_finding(report, "unreadable-file", {file.path}, "",
                std::string(sentence.substr(std::min(sentence.size(), file.path.size() + 2))),
                "name a regular XML file that you may read");
    return false;
  }
  if (file.text.starts_with(byte_order_mark)) {
    add_finding(report, "byte-order-mark", {file.path, 1, 1}, "",
                "the file begins with a byte order mark, which SimGrid takes for garbage",
                "save the file as UTF-8 without byte order mark");
    file.text.erase(0, byte_order_mark.size());
  }
  file.index_lines();
  return check_encoding(file, report) && parse(file, report);
}

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
