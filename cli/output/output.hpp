#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vtopo::detail {

/// How a report is written: for people, for spreadsheets, for programs.
enum class OutputFormat { table, csv, json };

/// Format of `--format`.
/// @throws UsageError for a name other than `table`, `csv`, `json`.
OutputFormat parse_output_format(std::string_view name);

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

/// Writes `vtopo: <sentence>` to standard error as one line: control characters escaped, the middle
/// of very long values left out. Never fails.
void say(std::string_view sentence) noexcept;

/// Checks, before long work, that `write_output` has a chance: the folder is there and writable,
/// the path is no folder.
/// @throws InputError as `write_output`.
void check_output(const std::string& path);

/// Writes all of `text` to a file, or to standard output if `path` is `-`. A file appears or
/// changes as a whole or not at all, keeps its permissions, and is on the disk on return; devices
/// and pipes are written directly.
/// @throws InputError that names the path and what the system says.
void write_output(const std::string& path, std::string_view text);

}  // namespace vtopo::detail
