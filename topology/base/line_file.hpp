#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/input_limits.hpp"

namespace vtopo::detail {

/// Piece of a line without blanks around it; `column` counts bytes from 1.
struct Token {
  std::string_view text;
  int column = 1;
};

/// Text file read line by line, with the place for error messages. Accepts CRLF line ends, a UTF-8
/// byte order mark and a last line without line end. Views live until the next line is read.
class LineFile {
 public:
  static constexpr std::uintmax_t max_file_bytes = 2147483647;
  static constexpr std::size_t max_line_bytes = 16777216;

  /// @throws InputError unless `path` is a readable regular file of at most `max_file_bytes`.
  explicit LineFile(std::string path);

  /// Reads the next line as it stands; false at the end of the file.
  /// @throws InputError for a NUL byte or a line of more than `max_line_bytes`.
  bool next();

  /// Reads up to the next line that is more than blanks and a `#` comment, and cuts the comment
  /// off; false at the end of the file. Lines that begin with `%` or `//` are comments, too, and so
  /// is what Excel reads in the first one, `sep=;`.
  /// @throws InputError as next().
  bool next_content();

  /// The line without its line end.
  std::string_view line() const { return line_; }

  /// Whether the line ended in a line end, and not in the end of the file.
  bool has_line_end() const { return has_line_end_; }

  /// Pieces between separators, at least one; pieces may be empty.
  std::span<const Token> fields(char separator);

  /// Pieces between blanks and tabs behind the first `skipped` bytes of the line; may be none.
  std::span<const Token> words(std::size_t skipped = 0);

  /// Place in the current line; column 0 stands for the whole line.
  FilePosition at(int column) const { return {path_, line_number_, column}; }

  /// Place just behind the last character of the line.
  FilePosition line_end() const;

  const std::string& path() const { return path_; }

 private:
  std::size_t find_line_end();
  bool fill();
  void check_line() const;

  std::string path_;
  std::ifstream stream_;
  std::string buffer_;    ///< read from the file, from the current line on
  std::size_t next_ = 0;  ///< start of the next line in the buffer
  std::string_view line_;
  int line_number_ = 0;
  bool has_line_end_ = false;
  std::vector<Token> tokens_;
};

/// The whole text of a file, lines ended by '\n', under the same checks.
/// @throws InputError as LineFile does.
std::string read_lines(const std::string& path);

/// The most ranks that a file may name: a slip such as rank 2000000000 in a file of one line must
/// not allocate gigabytes.
inline constexpr int max_ranks_in_file = input_limit(16777216, 4096);

/// Rank written in `token` of the current line, also as `3.0`.
/// @throws InputError unless it is an integer in 0..max_ranks_in_file-1.
Rank read_rank(const LineFile& file, const Token& token);

/// Number of `what` written in `token`, decimal or such as `1e6`.
/// @throws InputError unless it is finite and >= 0.
double read_number(const LineFile& file, const Token& token, std::string_view what);

/// Number of messages written in `token`.
/// @throws InputError unless it is an integer in 0..2147483647.
int read_messages(const LineFile& file, const Token& token);

}  // namespace vtopo::detail
