#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/text_columns.hpp"

namespace vtopo::detail {

/// How a report is written: to be read, for spreadsheets, for programs.
enum class OutputFormat { table, csv, json };

/// @throws UsageError unless a format is one of those accepted.
void check_format(const std::string& name, std::span<const std::string> accepted);

/// Format of `--format`.
/// @throws UsageError for a name other than `table`, `csv`, `json`.
OutputFormat parse_output_format(const std::string& name);

/// Options of a verb that lists: `--format` and `--output`.
struct ListOutput {
  std::optional<std::string> format = {};  ///< absent: by the extension of `output`
  std::string output = "-";
};

/// Format of `-o`: `.txt` is the table, `.csv` and `.json` are themselves, in small or capital
/// letters; standard output (`-`) takes the table.
/// @throws UsageError for any other name.
OutputFormat output_format_of(std::string_view path);

/// What both options say together: `--format` wins, then the extension, then the table.
/// @param name of `--format`, if given.
/// @param path of `-o`, if given.
/// @throws UsageError as above.
OutputFormat choose_output_format(const std::optional<std::string>& name,
                                  const std::optional<std::string>& path);

/// As wide as the variable COLUMNS says, from 40 to 500, else 80 columns, whether or not there is a
/// terminal; without colour.
TextStyle text_style();

/// The text of a format, by the function that makes it from `what`; that of tables also takes the
/// style.
template <class Table, class Csv, class Json, class... What>
std::string in_format(OutputFormat format, Table&& table, Csv&& csv, Json&& json,
                      const What&... what) {
  switch (format) {
    case OutputFormat::csv:
      return csv(what...);
    case OutputFormat::json:
      return json(what...);
    case OutputFormat::table:
      break;
  }
  return table(what..., text_style());
}

/// Writes `vtopo: <sentence>` to standard error as one line: control characters escaped, the middle
/// of very long values left out. Never fails.
void say(std::string_view sentence) noexcept;

/// The text in quotes as a POSIX shell takes it.
std::string shell_quoted(const std::string& text);

/// A word as a person would type it for a shell: quoted only where that is needed.
std::string shell_word(const std::string& text);

/// Checks, before long work, that `write_output` has a chance: the folder is there and writable,
/// the path is not a folder.
/// @throws InputError as `write_output`.
void check_output(const std::string& path);

/// The same for the file of another option, such as `--rank-times`; empty: none.
/// @throws UsageError if it is the output, too.
void check_side_file(std::string_view option, const std::string& path, const std::string& output);

/// @param inputs paths of files, empty ones are none.
/// @throws UsageError if one of the outputs is one of them, by whatever name: it would be lost.
void check_not_input(const std::vector<std::string>& outputs,
                     const std::vector<std::string>& inputs);

/// Writes all of `text` to a file, or to standard output if `path` is `-`. A file appears or
/// changes as a whole or not at all, keeps its permissions, and is on the disk on return; devices
/// and pipes are written directly.
/// @throws InputError that names the path and what the system says.
void write_output(const std::string& path, std::string_view text);

/// Writes all of a text, which may take several calls of the system.
/// @return whether it could; if not, `errno` says why.
bool write_all(int descriptor, std::string_view text);

}  // namespace vtopo::detail
