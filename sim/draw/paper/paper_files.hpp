#pragma once

#include <string>
#include <vector>

#include "sim/draw/report_figures.hpp"

namespace vtopo::detail {

/// A file of the folder for a paper.
struct PaperFile {
  std::string name;
  std::string text;
};

/// Every picture of a report as SVG with its numbers as CSV, one folder-less name each
/// (`links-greedy.svg`, `links-greedy.csv`), the report as `report.json`, `report.csv` and
/// `report.html`, and `figures.gp`, a gnuplot script that draws the CSV files anew. Pictures of the
/// baseline, the best row and up to ten others.
std::vector<PaperFile> paper_files(const Report& report, const PictureSource& source);

/// One SVG file: the load of links under the baseline and under the best row, side by side on one
/// scale.
std::string paper_overview(const Report& report, const PictureSource& source);

/// Names of the rows for files: letters, digits, `-`, `_` and `.`, each name once.
std::vector<std::string> file_names(const Report& report);

/// The script of `paper_files`. Internal to this folder.
/// @param names of the files of rows.
std::string gnuplot_script(const ReportFigures& figures, const std::vector<std::string>& names);

}  // namespace vtopo::detail
