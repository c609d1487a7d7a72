#include "topology/base/line_file.hpp"

#include <cerrno>
#include <cmath>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "topology/base/lower_case.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

void check_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) throw input_error({path}, "no such file");
  if (error) throw input_error({path}, fmt::format("cannot be read: {}", error.message()));
  if (fs::is_directory(status)) throw input_error({path}, "is a folder where a file is needed");
  if (!fs::is_regular_file(status))
    throw input_error({path}, "is not a regular file; accepted are files on disk");
  const auto size = fs::file_size(path, error);
  if (!error && size > LineFile::max_file_bytes)
    throw input_error({path}, fmt::format("has {} bytes; accepted are files of up to {} bytes",
                                          size, LineFile::max_file_bytes));
}

/// `piece`, a part of `line`, without blanks around it.
Token make_token(std::string_view line, std::string_view piece) {
  const std::string_view text = trim(piece);
  const char* start = text.empty() ? piece.data() : text.data();
  return {text, narrow<int>(start - line.data()) + 1};
}

}  // namespace

LineFile::LineFile(std::string path) : path_(std::move(path)) {
  check_file(path_);
  errno = 0;
  stream_.open(path_, std::ios::binary);
  if (!stream_)
    throw input_error({path_},
                      fmt::format("cannot be read: {}", std::generic_category().message(errno)));
}

bool LineFile::fill() {
  constexpr std::size_t chunk = 65536;
  buffer_.erase(0, next_);
  next_ = 0;
  const std::size_t filled = buffer_.size();
  buffer_.resize(filled + chunk);
  stream_.read(buffer_.data() + filled, chunk);
  if (stream_.bad()) throw input_error({path_}, "cannot be read to its end");
  buffer_.resize(filled + static_cast<std::size_t>(stream_.gcount()));
  return stream_.gcount() > 0;
}

std::size_t LineFile::find_line_end() {
  std::size_t length = 0;  // of the part already searched
  for (;;) {
    const std::size_t end = buffer_.find('\n', next_ + length);
    length = (end == std::string::npos ? buffer_.size() : end) - next_;
    if (length > max_line_bytes)
      throw input_error({path_, line_number_ + 1},
                        fmt::format("line of more than {} bytes", max_line_bytes));
    if (end != std::string::npos || !fill()) return end;
  }
}

void LineFile::check_line() const {
  const auto zero = line_.find('\0');
  if (zero != std::string_view::npos)
    throw input_error(at(narrow<int>(zero) + 1), "NUL byte where text is needed: a binary file?");
}

bool LineFile::next() {
  const std::size_t end = find_line_end();
  if (next_ == buffer_.size()) return false;
  has_line_end_ = end != std::string::npos;
  line_ = std::string_view(buffer_).substr(next_, has_line_end_ ? end - next_ : end);
  next_ = has_line_end_ ? end + 1 : buffer_.size();
  ++line_number_;
  if (line_number_ == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.remove_prefix(3);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  check_line();
  return true;
}

bool LineFile::next_content() {
  while (next()) {
    line_ = line_.substr(0, line_.find('#'));
    while (line_.ends_with(' ') || line_.ends_with('\t')) line_.remove_suffix(1);
    const std::string_view text = trim(line_);
    const bool names_separator =
        line_number_ == 1 && text.size() <= 5 && lower_case(text).starts_with("sep=");
    if (!text.empty() && text[0] != '%' && !text.starts_with("//") && !names_separator) return true;
  }
  return false;
}

FilePosition LineFile::line_end() const {
  return at(int_size(line_) + 1);
}

std::span<const Token> LineFile::fields(char separator) {
  tokens_.clear();
  std::size_t start = 0;
  for (;;) {
    const std::size_t end = line_.find(separator, start);
    tokens_.push_back(make_token(line_, line_.substr(start, end - start)));
    if (end == std::string_view::npos) return tokens_;
    start = end + 1;
  }
}

std::span<const Token> LineFile::words(std::size_t skipped) {
  constexpr std::string_view blanks = " \t";
  tokens_.clear();
  std::size_t start = line_.find_first_not_of(blanks, skipped);
  while (start != std::string_view::npos) {
    const std::size_t end = line_.find_first_of(blanks, start);
    tokens_.push_back(make_token(line_, line_.substr(start, end - start)));
    start = line_.find_first_not_of(blanks, end);
  }
  return tokens_;
}

std::string read_lines(const std::string& path) {
  LineFile file(path);
  std::string text;
  while (file.next()) {
    text += file.line();
    text += '\n';
  }
  return text;
}

namespace {

int read_integer(const LineFile& file, const Token& token, std::string_view what, int largest) {
  const auto value = parse_number(token.text);
  if (!value || *value < 0 || *value > largest || *value != std::floor(*value))
    throw input_error(file.at(token.column), fmt::format("{} \"{}\" is not an integer in 0..{}",
                                                         what, token.text, largest));
  return static_cast<int>(*value);
}

}  // namespace

Rank read_rank(const LineFile& file, const Token& token) {
  return Rank{read_integer(file, token, "rank", max_ranks_in_file - 1)};
}

double read_number(const LineFile& file, const Token& token, std::string_view what) {
  const auto value = parse_number(token.text);
  if (!value || *value < 0 || *value > max_volume.value)
    throw input_error(file.at(token.column), fmt::format("{} \"{}\" is not a number in 0..{}", what,
                                                         token.text, max_volume.value));
  return *value;
}

int read_messages(const LineFile& file, const Token& token) {
  return read_integer(file, token, "number of messages", std::numeric_limits<int>::max());
}

}  // namespace vtopo::detail
