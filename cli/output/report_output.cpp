#include "cli/output/report_output.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "cli/output/console.hpp"
#include "netmodels/process/temporary_files.hpp"
#include "sim/draw/page/page.hpp"
#include "topology/base/error.hpp"
#include "topology/base/lower_case.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, ReportForm>, 5> formats{
    {{"table", ReportForm::table},
     {"csv", ReportForm::csv},
     {"json", ReportForm::json},
     {"html", ReportForm::html},
     {"svg", ReportForm::svg}}};

constexpr std::array<std::pair<std::string_view, ReportForm>, 6> extensions{
    {{".txt", ReportForm::table},
     {".csv", ReportForm::csv},
     {".json", ReportForm::json},
     {".html", ReportForm::html},
     {".htm", ReportForm::html},
     {".svg", ReportForm::svg}}};

bool names_folder(std::string_view path) {
  return path.ends_with('/');
}

ReportForm form_named(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, form] : formats) names.emplace_back(known);
  check_format(name, names);
  return std::find_if(formats.begin(), formats.end(),
                      [&](const auto& known) { return known.first == name; })
      ->second;
}

std::optional<ReportForm> form_of_extension(const std::string& path) {
  const std::string extension = lower_case(fs::path(path).extension().string());
  for (const auto& [known, form] : extensions)
    if (known == extension) return form;
  return std::nullopt;
}

/// @throws UsageError if the file has the extension of another form; any text may be .txt.
void check_agreement(const std::string& format, ReportForm form, const std::string& path) {
  const auto other = form_of_extension(path);
  if (!other || *other == form || *other == ReportForm::table) return;
  throw UsageError(fmt::format(
      "--format {} and the name of the file \"{}\" do not agree: leave out --format or name the "
      "file .{}",
      format, path, form == ReportForm::table ? "txt" : format));
}

ReportForm form_of(const std::string& path) {
  if (path == "-" || path == "/dev/stderr") return ReportForm::table;
  if (const auto form = form_of_extension(path)) return *form;
  const std::string extension = fs::path(path).extension().string();
  throw UsageError(fmt::format(
      "output file \"{}\" has {}; accepted: .txt, .csv, .json, .html, .svg, or a folder with / at "
      "its end",
      path,
      extension.empty() ? "no extension that names a format"
                        : fmt::format("the unknown extension \"{}\"", extension)));
}

[[noreturn]] void fail(const std::string& folder, const std::string& reason) {
  throw InputError(fmt::format("cannot write to the folder \"{}\": {}", folder, reason));
}

/// Makes the folder unless it is there.
void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) fail(folder, error ? error.message() : "it is not a folder");
}

/// Moves all files of a folder into another, or the folder itself to where an empty one is.
void move_files(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::permissions(from, fs::status(to).permissions(), error);
  fs::rename(from, to, error);
  if (!error) return;
  for (const auto& entry : fs::directory_iterator(from)) {
    fs::rename(entry.path(), to / entry.path().filename(), error);
    if (error) fail(to.string(), error.message());
  }
  fs::remove(from, error);
}

}  // namespace

ReportForm choose_report_form(const std::optional<std::string>& format, const std::string& path) {
  if (names_folder(path)) {
    if (format && *format != "svg")
      throw UsageError(
          fmt::format("the folder \"{}\" takes pictures; accepted: --format svg", path));
    return ReportForm::folder;
  }
  if (!format) return form_of(path);
  const ReportForm form = form_named(*format);
  check_agreement(*format, form, path);
  return form;
}

ReportForm choose_page_form(const std::optional<std::string>& format, const std::string& path) {
  const auto named = path == "-" ? ReportForm::table : form_of_extension(path);
  if (format == "svg" || path.ends_with('/') || (!format && (!named || named == ReportForm::svg)))
    throw UsageError(fmt::format(
        "output \"{}\": accepted are .txt, .csv, .json and .html, or - for stdout, and --format "
        "table, csv, json and html",
        path));
  return choose_report_form(format, path);
}

bool has_pictures(ReportForm form) {
  return form == ReportForm::html || form == ReportForm::svg || form == ReportForm::folder;
}

void check_report_output(ReportForm form, const std::string& path) {
  if (form == ReportForm::folder) {
    check_folder(path);
  } else {
    check_output(path);
  }
}

/// All files or none: they are written alongside and moved.
void write_folder(const std::string& folder, std::span<const PaperFile> files) {
  const fs::path target = (fs::path(folder) / "").parent_path();
  std::string beside = (target.parent_path() / ".vtopo-XXXXXX").string();
  std::optional<TemporaryPath> removed_at_end;
  {
    const SignalPause pause;
    if (mkdtemp(beside.data()) == nullptr) fail(folder, std::strerror(errno));
    removed_at_end.emplace(beside);
  }
  try {
    for (const PaperFile& file : files)
      write_output((fs::path(beside) / file.name).string(), file.text);
    move_files(beside, target);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(beside, ignored);
    throw;
  }
}

void check_folder(const std::string& folder) {
  make_folder(folder);
  check_output((fs::path(folder) / "report").string());
}

TableStyle table_style(const std::string& path, const std::string& columns) {
  return {{text_style().width, path == "-" && stdout_may_have_colour()}, columns};
}

void write_report(ReportForm form, const std::string& path, const Report& report,
                  const std::optional<PictureSource>& pictures, const std::string& columns,
                  const TableWriter& table) {
  switch (form) {
    case ReportForm::csv:
      return write_output(path, render_csv(report));
    case ReportForm::json:
      return write_output(path, render_json(report));
    case ReportForm::html:
      return write_output(path, render_page(report, pictures.value()));
    case ReportForm::svg:
      return write_output(path, paper_overview(report, pictures.value()));
    case ReportForm::folder:
      return write_folder(path, paper_files(report, pictures.value()));
    case ReportForm::table:
      break;
  }
  const TableStyle style = table_style(path, columns);
  write_output(path, table ? table(report, style) : render_table(report, style));
}

}  // namespace vtopo::detail
