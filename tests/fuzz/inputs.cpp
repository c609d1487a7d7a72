#include "tests/fuzz/inputs.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace vtopo::fuzz {

namespace {

constexpr std::string_view first_line = "vtopo-inputs 1";
constexpr std::string_view digits = "0123456789abcdef";

/// Printable ASCII stays, so that the differences of texts can be read.
void append_escaped(char c, std::string& text) {
  const auto byte = static_cast<unsigned char>(c);
  if (c == '\\') {
    text += "\\\\";
  } else if (c == '\t') {
    text += "\\t";
  } else if (byte >= 0x20 && byte < 0x7f) {
    text += c;
  } else {
    text += "\\x";
    text += digits[byte / 16];
    text += digits[byte % 16];
  }
}

/// The byte whose escape follows the backslash at `at`, which goes on to the escape's last
/// character.
char unescaped(std::string_view line, std::size_t& at) {
  const std::string_view rest = line.substr(at + 1);
  if (rest.starts_with('\\') || rest.starts_with('t')) {
    ++at;
    return rest[0] == 't' ? '\t' : '\\';
  }
  const auto digit = [&](std::size_t i) {
    return i < rest.size() ? digits.find(rest[i]) : digits.npos;
  };
  if (!rest.starts_with('x') || digit(1) == digits.npos || digit(2) == digits.npos)
    throw std::runtime_error("an escape is none of \\\\, \\t and \\xHH");
  at += 3;
  return static_cast<char>(digit(1) * 16 + digit(2));
}

void append_unescaped(std::string_view line, std::string& bytes) {
  for (std::size_t at = 0; at < line.size(); ++at)
    bytes += line[at] == '\\' ? unescaped(line, at) : line[at];
}

bool fits(std::string_view name) {
  return !name.empty() && name.find_first_of(" \t\r\n/") == std::string_view::npos;
}

/// `|` before a line of the input, `:` before the last one if no newline ends it.
std::string as_lines(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    text += end == std::string_view::npos ? ':' : '|';
    for (const char c : bytes.substr(0, end)) append_escaped(c, text);
    text += '\n';
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
  }
  return text;
}

/// Takes in one line after the other.
class Reader {
 public:
  void take(std::string_view line) {
    if (ended_) throw std::runtime_error("a line after the end");
    if (line.starts_with("input ")) return start(line.substr(6));
    if (line.starts_with("end ")) return end(line.substr(4));
    const bool is_line = line.starts_with('|');
    if ((!is_line && !line.starts_with(':')) || inputs_.empty() || is_complete_)
      throw std::runtime_error("neither a line of an input nor the start of one");
    append_unescaped(line.substr(1), inputs_.back().bytes);
    if (is_line) inputs_.back().bytes += '\n';
    is_complete_ = !is_line;
  }

  std::vector<Input> result() && {
    if (!ended_) throw std::runtime_error("the file is cut off before \"end\"");
    return std::move(inputs_);
  }

 private:
  void start(std::string_view name) {
    if (!fits(name)) throw std::runtime_error("no name of an input");
    if (!inputs_.empty() && inputs_.back().name >= name)
      throw std::runtime_error("names that do not ascend");
    inputs_.push_back({std::string(name), {}});
    is_complete_ = false;
  }

  void end(std::string_view count) {
    if (count != std::to_string(inputs_.size()))
      throw std::runtime_error(std::to_string(inputs_.size()) + " inputs where the end counts " +
                               std::string(count));
    ended_ = true;
  }

  std::vector<Input> inputs_;
  bool is_complete_ = false;  ///< no line of the input can follow
  bool ended_ = false;
};

}  // namespace

bool is_inputs_file(std::string_view path) {
  return path.ends_with(".inputs");
}

std::vector<Input> read_inputs(const std::string& path) {
  std::istringstream file(bytes_of_file(path));
  Reader reader;
  std::size_t number = 1;
  try {
    std::string line;
    if (!std::getline(file, line) || line != first_line)
      throw std::runtime_error("the first line is not \"" + std::string(first_line) + '"');
    for (++number; std::getline(file, line); ++number) reader.take(line);
    return std::move(reader).result();
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(path + ':' + std::to_string(number) + ": " + error.what());
  }
}

void write_inputs(const std::string& path, std::vector<Input> inputs) {
  std::sort(inputs.begin(), inputs.end(),
            [](const Input& a, const Input& b) { return a.name < b.name; });
  std::string text = std::string(first_line) + '\n';
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!fits(inputs[i].name) || (i > 0 && inputs[i].name == inputs[i - 1].name))
      throw std::runtime_error("the name \"" + inputs[i].name + "\" does not fit or stands twice");
    text += "input " + inputs[i].name + '\n' + as_lines(inputs[i].bytes);
  }
  text += "end " + std::to_string(inputs.size()) + '\n';
  std::ofstream file(path, std::ios::binary);
  if (!file.write(text.data(), static_cast<std::streamsize>(text.size())).flush())
    throw std::runtime_error("cannot write " + path);
}

std::string bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace vtopo::fuzz
