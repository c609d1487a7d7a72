#include "sim/research/validation/measured_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <span>
#include <system_error>
#include <utility>

#include "netmodels/machines/shipped_machines.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {
namespace {

/// A file of values between commas, under the names of its first line.
class NamedColumns {
 public:
  /// @throws InputError for an empty file, or without one of the columns that must be there.
  NamedColumns(const std::string& path, std::span<const std::string_view> needed) : file_(path) {
    if (!file_.next_content()) throw input_error(file_.at(0), "the file is empty");
    int place = 0;
    for (const Token& field : file_.fields(',')) places_.emplace(field.text, place++);
    for (const std::string_view name : needed) {
      if (!places_.contains(name))
        throw input_error(
            file_.at(0),
            fmt::format("no column \"{}\"; expected {}", name,
                        join(std::vector<std::string>(needed.begin(), needed.end()), ", ")));
      least_ = std::max(least_, places_.find(name)->second + 1);
    }
  }

  /// To the next line; false at the end of the file.
  /// @throws InputError for one that lacks values.
  bool next() {
    if (!file_.next_content()) return false;
    fields_ = file_.fields(',');
    if (int_size(fields_) < least_)
      throw input_error(file_.line_end(),
                        fmt::format("{} values; expected at least {}", fields_.size(), least_));
    return true;
  }

  /// Value of a column in this line; nothing where there is no such column, or no value.
  std::optional<Token> find(std::string_view name) const {
    const auto place = places_.find(name);
    if (place == places_.end() || place->second >= int_size(fields_)) return std::nullopt;
    const Token field = fields_[index(place->second)];
    return field.text.empty() ? std::nullopt : std::optional(field);
  }

  /// The same of a column that must have one.
  Token at(std::string_view name) const {
    if (const auto field = find(name)) return *field;
    throw input_error(file_.at(0), fmt::format("no value of {}", name));
  }

  std::string text(std::string_view name) const { return std::string(at(name).text); }
  const LineFile& file() const { return file_; }

 private:
  LineFile file_;
  std::map<std::string, int, std::less<>> places_;
  int least_ = 0;
  std::span<const Token> fields_;
};

constexpr std::array<std::string_view, 8> point_columns{
    "machine", "run", "nodes", "collective", "algorithm", "library", "bytes", "median_s"};

constexpr std::array<std::string_view, 10> pair_columns{
    "machine", "run",         "nodes",       "collective", "bytes",
    "library", "algorithm_a", "algorithm_b", "median_a_s", "median_b_s"};

/// Product of `8x8x8`.
int read_nodes(const LineFile& file, const Token& token) {
  std::int64_t product = 1;
  for (const std::string_view size : split(token.text, 'x')) {
    const auto number = parse_integer(size);
    if (!number || *number < 1 || *number > max_ranks_in_file / product)
      throw input_error(file.at(token.column),
                        fmt::format("nodes \"{}\"; expected a number or a shape such as 8x8x8, of "
                                    "at most {} nodes",
                                    token.text, max_ranks_in_file));
    product *= *number;
  }
  return static_cast<int>(product);
}

/// Ranks of each node; 1 where no column says so.
int read_tasks(const LineFile& file, const Token& token, int num_nodes) {
  const auto number = parse_integer(token.text);
  if (number && *number >= 1 && *number <= max_ranks_in_file / num_nodes)
    return static_cast<int>(*number);
  throw input_error(
      file.at(token.column),
      fmt::format("tasks_per_node \"{}\"; expected a number >= 1, of at most {} ranks", token.text,
                  max_ranks_in_file));
}

double read_positive(const LineFile& file, const Token& token, std::string_view what) {
  const double value = read_number(file, token, what);
  if (value > 0) return value;
  throw input_error(file.at(token.column),
                    fmt::format("{} {}; expected a number > 0", what, token.text));
}

std::string file_name_part(const NamedColumns& line, std::string_view column) {
  const Token field = line.at(column);
  if (field.text.find('/') == std::string_view::npos) return std::string(field.text);
  throw input_error(line.file().at(field.column),
                    fmt::format("{} \"{}\"; expected a name without '/'", column, field.text));
}

double positive(const NamedColumns& line, std::string_view column) {
  return read_positive(line.file(), line.at(column), column);
}

/// Of a point, or of an algorithm of a pair.
MeasuredPoint read_point(const NamedColumns& line, std::string_view algorithm,
                         std::string_view median) {
  MeasuredPoint point{
      file_name_part(line, "machine"), file_name_part(line, "run"),    line.text("nodes"),
      line.text("collective"),         line.text(algorithm),           line.text("library"),
      Bytes{positive(line, "bytes")},  Seconds{positive(line, median)}};
  point.ranks = read_nodes(line.file(), line.at("nodes"));
  if (const auto tasks = line.find("tasks_per_node"))
    point.tasks_per_node = read_tasks(line.file(), *tasks, point.ranks);
  point.ranks *= point.tasks_per_node;
  return point;
}

/// Half of ln(p90 / p10) of a column pair such as `p10_a_s, p90_a_s`; 0 where they are not there.
double spread_of(const NamedColumns& line, const std::string& low, const std::string& high) {
  if (!line.find(low) || !line.find(high)) return 0;
  const double ratio = positive(line, high) / positive(line, low);
  if (ratio >= 1) return std::log(ratio) / 2;
  throw input_error(
      line.file().at(line.at(high).column),
      fmt::format("{} {} is less than {} {}", high, line.at(high).text, low, line.at(low).text));
}

std::optional<std::int64_t> whole_number(const NamedColumns& line, std::string_view column) {
  const auto field = line.find(column);
  if (!field) return std::nullopt;
  const auto number = parse_integer(field->text);
  if (number && *number >= 0) return number;
  throw input_error(line.file().at(field->column),
                    fmt::format("{} \"{}\"; expected a whole number >= 0", column, field->text));
}

/// `recursive_halving_over` of the library `over` is its `recursive_halving`.
void drop_library(MeasuredPoint& point) {
  const std::string ending = '_' + point.library;
  if (point.algorithm.ends_with(ending))
    point.algorithm.resize(point.algorithm.size() - ending.size());
}

MeasuredPair read_pair(const NamedColumns& line) {
  MeasuredPair pair{read_point(line, "algorithm_a", "median_a_s"),
                    read_point(line, "algorithm_b", "median_b_s"),
                    line.text("algorithm_a"),
                    line.text("algorithm_b"),
                    whole_number(line, "segments"),
                    whole_number(line, "ports")};
  drop_library(pair.a);
  drop_library(pair.b);
  pair.noise =
      std::hypot(spread_of(line, "p10_a_s", "p90_a_s"), spread_of(line, "p10_b_s", "p90_b_s"));
  if (line.find("ratio_a_over_b")) {
    constexpr double rounding = 0.01;
    const double ratio = positive(line, "ratio_a_over_b");
    if (std::abs(std::log(ratio / pair.ratio())) > rounding)
      throw input_error(
          line.file().at(line.at("ratio_a_over_b").column),
          fmt::format("ratio_a_over_b {}, but the medians have {:.6g}", ratio, pair.ratio()));
  }
  return pair;
}

namespace fs = std::filesystem;

std::string shipped_platforms() {
  const std::string folder = shipped_machine_folder();
  if (!folder.empty()) return folder;
  throw InputError(
      "the folder of the shipped platform files is not beside the command; say it with "
      "--platforms DIR");
}

std::string platform_of(const std::string& machine, const std::string& folder) {
  std::string name = machine;
  std::replace(name.begin(), name.end(), '_', '-');
  std::error_code error;
  if (fs::exists(fs::path(folder) / (name + ".xml"), error)) return folder + '/' + name + ".xml";
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string file = entry.path().filename();
    if (file.starts_with(name + '-') && file.ends_with(".xml")) found.push_back(file);
  }
  std::sort(found.begin(), found.end());
  if (found.size() == 1) return folder + '/' + found.front();
  throw InputError(fmt::format(
      "\"{}\": {} for the machine \"{}\"; expected {}.xml, or give one "
      "with --machine and --platform",
      folder,
      found.empty() ? "no platform file" : "several platform files (" + join(found, ", ") + ")",
      machine, name));
}

}  // namespace

std::vector<MeasuredPoint> read_measured_points(const std::string& path) {
  NamedColumns line(path, point_columns);
  std::vector<MeasuredPoint> points;
  while (line.next()) {
    points.push_back(read_point(line, "algorithm", "median_s"));
    points.back().noise = spread_of(line, "p10_s", "p90_s");
  }
  return points;
}

std::vector<MeasuredPair> read_measured_pairs(const std::string& path) {
  NamedColumns line(path, pair_columns);
  std::vector<MeasuredPair> pairs;
  while (line.next()) pairs.push_back(read_pair(line));
  return pairs;
}

std::string_view library_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> libraries{
      {{"ompi", "openmpi"}, {"mpich", "cray"}, {"fjmpi", "fujitsu"}, {"over", "pico"}}};
  for (const auto& [theirs, ours] : libraries)
    if (theirs == name) return ours;
  return name;
}

std::string allocation_file(const std::string& folder, const MeasuredPoint& point) {
  const std::string name = fmt::format("{}/allocations/{}-{}", folder, point.machine, point.run);
  const std::string of_ranks = fmt::format("{}-{}.csv", name, point.ranks);
  std::error_code none;
  return std::filesystem::exists(of_ranks, none) ? of_ranks : name + ".csv";
}

std::string place_key(const MeasuredPoint& point) {
  return fmt::format("{} {} {}", point.run, point.nodes, point.tasks_per_node);
}

namespace {

/// Points and pairs of a folder by machine, in the order of the files.
std::vector<MachineFiles> machines_of(const std::string& folder) {
  const std::string runs = folder + "/runs.csv", pairs = folder + "/pairs.csv";
  std::error_code none;
  const bool has_pairs = fs::exists(pairs, none);
  std::vector<MachineFiles> machines;
  const auto of = [&](const std::string& name) -> MachineFiles& {
    const auto known =
        std::find_if(machines.begin(), machines.end(),
                     [&](const MachineFiles& files) { return files.machine == name; });
    return known != machines.end() ? *known : machines.emplace_back(MachineFiles{name, {}, {}, {}});
  };
  if (!has_pairs || fs::exists(runs, none))
    for (MeasuredPoint& point : read_measured_points(runs)) {
      MachineFiles& files = of(point.machine);
      files.points.push_back(std::move(point));
    }
  if (has_pairs)
    for (MeasuredPair& pair : read_measured_pairs(pairs)) {
      MachineFiles& files = of(pair.a.machine);
      files.pairs.push_back(std::move(pair));
    }
  return machines;
}

}  // namespace

std::vector<MachineFiles> machine_files(const std::string& folder,
                                        const MachineSelection& selection) {
  std::vector<MachineFiles> machines = machines_of(folder);
  std::vector<std::string> names;
  for (const MachineFiles& files : machines) names.push_back(files.machine);
  if (!selection.machine.empty())
    std::erase_if(machines,
                  [&](const MachineFiles& files) { return files.machine != selection.machine; });
  if (machines.empty())
    throw InputError(fmt::format("{}/runs.csv has no points of the machine \"{}\"; it has {}",
                                 folder, selection.machine,
                                 names.empty() ? "none" : join(names, ", ")));
  if (!selection.platform.empty() && machines.size() > 1)
    throw UsageError(fmt::format("--platform is of one machine; say with --machine which of {}",
                                 join(names, ", ")));
  for (MachineFiles& files : machines)
    files.platform =
        !selection.platform.empty()
            ? selection.platform
            : platform_of(files.machine,
                          selection.platforms.empty() ? shipped_platforms() : selection.platforms);
  return machines;
}

}  // namespace vtopo::detail
