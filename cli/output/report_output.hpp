#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "cli/output/output.hpp"
#include "sim/draw/paper/paper_files.hpp"
#include "sim/draw/row_pictures.hpp"
#include "sim/report/report.hpp"

namespace vtopo::detail {

/// How a report on embeddings is written: as text, or with pictures.
enum class ReportForm { table, csv, json, html, svg, folder };

/// Form by `--format` (`table`, `csv`, `json`, `html`, `svg`), else by the extension of `-o`; a
/// path that ends in `/` is a folder of pictures, data and a gnuplot script.
/// @throws UsageError for any other, and for `svg` to a standard stream or a file of another kind.
ReportForm choose_report_form(const std::optional<std::string>& format, const std::string& path);

/// The same of reports without files of pictures.
/// @throws UsageError also for `svg` and folders.
ReportForm choose_page_form(const std::optional<std::string>& format, const std::string& path);

/// Whether pictures are drawn: then the source gathers them while rows are made.
bool has_pictures(ReportForm form);

/// Checks, before long work, that `write_report` has a chance, as `check_output`.
void check_report_output(ReportForm form, const std::string& path);

/// All files of a folder or none; it is there after `check_folder`.
/// @throws InputError as `write_output`.
void write_folder(const std::string& folder, std::span<const PaperFile> files);

/// Makes the folder unless it is there, and checks that `write_folder` has a chance.
/// @throws InputError as `write_output`.
void check_folder(const std::string& folder);

/// What a report is as a table.
using TableWriter = std::function<std::string(const Report&, const TableStyle&)>;

/// How a table is written to a path: in colour on a terminal that has it.
TableStyle table_style(const std::string& path, const std::string& columns);

/// Renders the report and writes it.
/// @param pictures of its rows, if the form has any.
/// @param columns of the table, as `--columns`; empty: the usual ones.
/// @param table instead of `render_table`, if not empty.
/// @throws InputError as `write_output`.
void write_report(ReportForm form, const std::string& path, const Report& report,
                  const std::optional<PictureSource>& pictures, const std::string& columns = {},
                  const TableWriter& table = {});

}  // namespace vtopo::detail
