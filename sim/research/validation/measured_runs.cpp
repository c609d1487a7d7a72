#include "sim/research/validation/measured_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "netmodels/machines/shipped_machines.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {
namespace {

enum Column {
  machine,
  run,
  nodes,
  collective,
  algorithm,
  library,
  bytes,
  median,
  num_needed,
  tasks = num_needed,
  num_columns
};

constexpr std::array<std::string_view, num_columns> headings{
    "machine", "run",   "nodes",    "collective",    "algorithm",
    "library", "bytes", "median_s", "tasks_per_node"};

/// Places of the columns in a line; nothing for one that is not there and need not be.
using Places = std::array<std::optional<std::size_t>, num_columns>;

Places read_heading(LineFile& file) {
  const auto fields = file.fields(',');
  Places places{};
  for (std::size_t c = 0; c < num_columns; ++c) {
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const Token& field) { return field.text == headings[c]; });
    if (found != fields.end())
      places[c] = static_cast<std::size_t>(found - fields.begin());
    else if (c < num_needed)
      throw input_error(file.at(0),
                        fmt::format("no column \"{}\"; expected {}", headings[c],
                                    join(std::vector<std::string>(headings.begin(),
                                                                  headings.begin() + num_needed),
                                         ", ")));
  }
  return places;
}

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

MeasuredPoint read_point(LineFile& file, const Places& places) {
  const auto fields = file.fields(',');
  const std::size_t needed = **std::max_element(places.begin(), places.end()) + 1;
  if (fields.size() < needed)
    throw input_error(file.line_end(),
                      fmt::format("{} values; expected at least {}", fields.size(), needed));
  const auto field = [&](Column column) { return fields[*places[column]]; };
  const auto text = [&](Column column) { return std::string(field(column).text); };
  MeasuredPoint point{text(machine),   text(run),     text(nodes), text(collective),
                      text(algorithm), text(library), {},          {}};
  for (const Column name : {machine, run})  // they are parts of the names of files
    if (field(name).text.find('/') != std::string_view::npos)
      throw input_error(
          file.at(field(name).column),
          fmt::format("{} \"{}\"; expected a name without '/'", headings[name], field(name).text));
  point.ranks = read_nodes(file, field(nodes));
  if (places[tasks]) point.tasks_per_node = read_tasks(file, field(tasks), point.ranks);
  point.ranks *= point.tasks_per_node;
  point.bytes = Bytes{read_positive(file, field(bytes), "bytes")};
  point.time = Seconds{read_positive(file, field(median), "median_s")};
  return point;
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
  LineFile file(path);
  if (!file.next_content()) throw input_error(file.at(0), "the file is empty");
  const Places places = read_heading(file);
  std::vector<MeasuredPoint> points;
  while (file.next_content()) points.push_back(read_point(file, places));
  return points;
}

std::vector<MeasuredPoint> read_measured_runs(const std::string& folder) {
  return read_measured_points(folder + "/runs.csv");
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

std::vector<MachineFiles> machine_files(const std::string& folder,
                                        const MachineSelection& selection) {
  std::vector<MachineFiles> machines;
  std::vector<std::string> names;
  for (MeasuredPoint& point : read_measured_runs(folder)) {
    const auto known = std::find(names.begin(), names.end(), point.machine);
    if (known == names.end()) names.push_back(point.machine);
    if (!selection.machine.empty() && point.machine != selection.machine) continue;
    const auto of = std::find_if(machines.begin(), machines.end(), [&](const MachineFiles& files) {
      return files.machine == point.machine;
    });
    MachineFiles& files =
        of != machines.end() ? *of : machines.emplace_back(MachineFiles{point.machine, {}, {}});
    files.points.push_back(std::move(point));
  }
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
