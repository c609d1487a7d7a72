#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include "sim/scenario/placed_json.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/lower_case.hpp"
#include "topology/base/tracking_iterator.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t deepest = 64;

/// Builds the values that the parser reads.
class PlacedBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  using Kind = PlacedJson::Kind;

  PlacedBuilder(const std::string& text, PlacedDocument& document)
      : text_(text), document_(document), end_(text.data()) {}

  const char** read_end() { return &end_; }

  bool null() override { return add(Kind::null, "null", 4); }
  bool boolean(bool value) override {
    return value ? add(Kind::boolean, "true", 4) : add(Kind::boolean, "false", 5);
  }
  bool number_integer(number_integer_t) override { return number(); }
  bool number_unsigned(number_unsigned_t) override { return number(); }
  bool number_float(number_float_t, const string_t&) override { return number(); }
  bool binary(binary_t&) override { return true; }  // not in text
  bool string(string_t& value) override { return add(Kind::string, value, string_length()); }

  bool start_object(std::size_t) override { return open(Kind::object); }
  bool start_array(std::size_t) override { return open(Kind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    PlacedJson& object = *open_.back();
    const FilePosition place = back(string_length());
    const auto [other, is_new] = lines_.back().emplace(name, place.line);
    if (!is_new)
      throw input_error(place, fmt::format("key \"{}\" for the second time; the first is in "
                                           "line {}",
                                           name, other->second));
    object.keys.push_back({name, place.line, place.column});
    return true;
  }

  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& error) override {
    const std::string_view words = error.what();
    if (words.find("end of input") != words.npos || words.find("empty input") != words.npos)
      throw input_error(back(0), "the JSON document ends too early");
    throw input_error(back(1), "this is not what JSON allows here");
  }

 private:
  bool open(Kind kind) {
    if (open_.size() == deepest)
      throw input_error(back(1), fmt::format("nested more than {} deep", deepest));
    PlacedJson& value = place(kind, 1);
    open_.push_back(&value);
    lines_.emplace_back();
    return true;
  }
  bool close() {
    open_.pop_back();
    lines_.pop_back();
    return true;
  }
  bool add(Kind kind, std::string text, std::size_t length) {
    place(kind, length).text = std::move(text);
    return true;
  }

  /// A number has been read up to the character behind it, unless it is the last of the file.
  bool number() {
    const auto is_part = [](char c) {
      return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
    };
    const char* last = end_;
    while (last != text_.data() && !is_part(last[-1])) --last;
    const char* first = last;
    while (first != text_.data() && is_part(first[-1])) --first;
    place(Kind::number, static_cast<std::size_t>(end_ - first)).text.assign(first, last);
    return true;
  }

  /// Bytes of the string that has just been read, with its quotes.
  std::size_t string_length() const {
    const char* quote = end_ - 1;
    bool escaped = true;
    while (escaped) {
      do --quote;
      while (*quote != '"');
      const char* before = quote;
      while (before != text_.data() && before[-1] == '\\') --before;
      escaped = (quote - before) % 2 == 1;
    }
    return static_cast<std::size_t>(end_ - quote);
  }

  PlacedJson& place(Kind kind, std::size_t length) {
    PlacedJson* value = &document_.root;
    if (!open_.empty()) value = &open_.back()->items.emplace_back();
    const FilePosition position = back(length);
    value->kind = kind;
    value->line = position.line;
    value->column = position.column;
    return *value;
  }

  /// Place `length` bytes before the next one to be read.
  FilePosition back(std::size_t length) {
    const char* at =
        end_ - std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(length), end_ - text_.data());
    for (; counted_ < static_cast<std::size_t>(at - text_.data()); ++counted_)
      if (text_[counted_] == '\n') {
        ++line_;
        line_start_ = counted_ + 1;
      }
    const auto offset = static_cast<std::size_t>(at - text_.data());
    return {document_.file, line_, static_cast<int>(offset - std::min(offset, line_start_)) + 1};
  }

  const std::string& text_;
  PlacedDocument& document_;
  const char* end_;  ///< behind what has been read
  std::vector<PlacedJson*> open_;
  std::vector<std::unordered_map<std::string, int>> lines_;  ///< of the keys of each
  std::size_t counted_ = 0, line_start_ = 0;
  int line_ = 1;
};

constexpr std::string_view report_start = R"(<script type="application/json" id="report">)";
constexpr std::string_view report_end = "</script>";

/// Whether a path ends in `.html` or `.htm`, of which case does not count, as for `--output`.
bool names_page(const std::string& path) {
  const std::string extension = lower_case(std::filesystem::path(path).extension().string());
  return extension == ".html" || extension == ".htm";
}

/// The report of a page with blanks around it, so that everything stays in its place.
std::string without_markup(std::string page, const std::string& path) {
  const std::size_t start = page.find(report_start);
  const std::size_t end = start == std::string::npos ? start : page.find(report_end, start);
  if (end == std::string::npos)
    throw InputError(
        fmt::format("\"{}\" is not an HTML page that vtopo wrote: it holds no JSON report", path));
  for (std::size_t i = 0; i < page.size(); ++i)
    if ((i < start + report_start.size() || i >= end) && page[i] != '\n') page[i] = ' ';
  return page;
}

}  // namespace

const PlacedJson* PlacedJson::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i].name == key) return &items[i];
  return nullptr;
}

std::string_view in_words(PlacedJson::Kind kind) {
  switch (kind) {
    case PlacedJson::Kind::null:
      return "null";
    case PlacedJson::Kind::boolean:
      return "a boolean";
    case PlacedJson::Kind::number:
      return "a number";
    case PlacedJson::Kind::string:
      return "a string";
    case PlacedJson::Kind::array:
      return "an array";
    case PlacedJson::Kind::object:
      break;
  }
  return "an object";
}

InputError PlacedDocument::error(const PlacedJson& value, std::string_view sentence) const {
  return input_error({file, value.line, value.column}, sentence);
}

InputError PlacedDocument::error(const PlacedJson::Key& key, std::string_view sentence) const {
  return input_error({file, key.line, key.column}, sentence);
}

PlacedDocument read_placed_json(const std::string& path) {
  return parse_placed_json(read_lines(path), path);
}

PlacedDocument parse_placed_json(const std::string& text, const std::string& file) {
  PlacedDocument document{file, {}};
  PlacedBuilder builder(text, document);
  const TrackingIterator begin(text.data(), builder.read_end());
  const TrackingIterator end(text.data() + text.size(), builder.read_end());
  nlohmann::json::sax_parse(begin, end, &builder);
  return document;
}

PlacedDocument read_scenario_document(const std::string& path) {
  if (!names_page(path)) return read_placed_json(path);
  return parse_placed_json(without_markup(read_lines(path), path), path);
}

}  // namespace vtopo::detail
