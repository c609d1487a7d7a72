#include "topology/traffic/traffic.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

#include "topology/base/line_file.hpp"
#include "topology/base/named_entries.hpp"
#include "topology/base/text.hpp"
#include "topology/traffic/formats.hpp"

namespace vtopo {

using namespace detail;

namespace {

bool contains(std::span<const std::string> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether a `.csv` file, or one of an unknown extension, is a matrix and not an edge list.
bool is_matrix(const std::string& path) {
  for (const TrafficFormatInfo& info : traffic_formats())
    if (info.format == TrafficFormat::dense_csv) return info.recognizes(path);
  return false;
}

TrafficFormat detect_format(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return TrafficFormat::openmpi_prof;
  const std::string extension = std::filesystem::path(path).extension().string();
  for (const TrafficFormatInfo& info : traffic_formats())
    if (extension != ".csv" && extension == info.extension) return info.format;
  if (is_vtopo_record(path)) return TrafficFormat::vtopo_record;
  if (extension == ".csv")
    return is_matrix(path) ? TrafficFormat::dense_csv : TrafficFormat::edge_list_csv;
  for (const TrafficFormatInfo& info : traffic_formats())
    if (info.format != TrafficFormat::dense_csv && info.recognizes != nullptr &&
        info.recognizes(path))
      return info.format;
  throw UsageError(fmt::format(
      "no traffic format known for the extension \"{}\" of {}; --traffic-format NAME (of convert "
      "--from NAME) says it: {}{}",
      extension, path, join(traffic_format_names(), ", "),
      is_matrix(path) ? "; rows of numbers, as there, are --traffic-format dense" : ""));
}

Recording read_recording(const std::string& path, const TrafficOptions& options) {
  const TrafficFormat format = options.format ? *options.format : detect_format(path);
  Recording recording = traffic_format_info(format).read(path, options);
  if (options.weights == WeightRule::pattern)
    for (DirectedEdge& edge : recording.edges) edge.volume = Bytes{1};
  return recording;
}

/// Number of ranks of the graph: what the recording names, or more on request.
int chosen_num_ranks(const std::string& path, const TrafficOptions& options, int named) {
  if (!options.num_ranks && named == 0)
    throw input_error({path}, "no rank is named and no number of ranks is given");
  if (!options.num_ranks) return named;
  const int least = std::max(named, 1);
  if (*options.num_ranks < least || *options.num_ranks > max_ranks_in_file)
    throw UsageError(fmt::format("{} ranks for {}, which names {} ranks: accepted are {}..{}",
                                 *options.num_ranks, path, named, least, max_ranks_in_file));
  return *options.num_ranks;
}

}  // namespace

std::vector<double> detail::read_rank_weights(const std::string& path,
                                              const TrafficOptions& options) {
  const auto read =
      traffic_format_info(options.format ? *options.format : detect_format(path)).rank_weights;
  if (read == nullptr) return {};
  std::vector<double> weights = read(path);
  if (std::adjacent_find(weights.begin(), weights.end(), std::not_equal_to<>()) == weights.end())
    return {};
  // Ranks beyond those of the file do nothing.
  if (options.num_ranks) weights.resize(index(Rank{*options.num_ranks}), 0);
  return weights;
}

std::vector<std::string> traffic_format_names() {
  std::vector<std::string> names;
  for (const TrafficFormatInfo& info : traffic_formats()) names.push_back(info.name);
  return names;
}

TrafficFormat parse_traffic_format(std::string_view name) {
  return entry_named("unknown traffic format", name, traffic_formats()).format;
}

std::vector<std::string> parse_prof_kinds(std::string_view list) {
  std::vector<std::string> kinds;
  for (const auto kind : split(list, ',')) {
    if (std::find(prof_traffic_kinds.begin(), prof_traffic_kinds.end(), kind) ==
        prof_traffic_kinds.end())
      throw UsageError(
          fmt::format("line kind \"{}\" in \"{}\" is unknown; accepted are E, I, C, S "
                      "and R between commas",
                      kind, list));
    if (!contains(kinds, kind)) kinds.emplace_back(kind);
  }
  if (contains(kinds, "I") && contains(kinds, "C"))
    throw UsageError(
        fmt::format("line kinds I and C in \"{}\" both count collectives; accepted is "
                    "one of them, such as E,I or E,C",
                    list));
  return kinds;
}

RecordKinds parse_record_kinds(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, RecordKinds>, 3> kinds{
      {{"p2p", RecordKinds::point_to_point},
       {"collective", RecordKinds::collective},
       {"all", RecordKinds::all}}};
  return entry_named("unknown kind of recorded traffic", name, kinds).second;
}

WeightRule parse_weights(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, WeightRule>, 3> rules{
      {{"value", WeightRule::value}, {"abs", WeightRule::abs}, {"pattern", WeightRule::pattern}}};
  return entry_named("unknown rule for weights", name, rules).second;
}

RecordedTraffic read_recorded_traffic(const std::string& path, const TrafficOptions& options) {
  Recording recording = read_recording(path, options);
  for (std::string& sentence : recording.remarks) sentence = fmt::format("{}: {}", path, sentence);
  return {CommGraph(chosen_num_ranks(path, options, recording.num_ranks), recording.edges),
          std::move(recording.remarks)};
}

CommGraph read_traffic(const std::string& path, const TrafficOptions& options) {
  return read_recorded_traffic(path, options).graph;
}

}  // namespace vtopo
