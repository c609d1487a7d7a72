#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <tuple>

#include "sim/formats/traffic/foreign_traffic.hpp"
#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

TrafficFormat traffic_format_to_write(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  std::vector<std::string> known;
  for (const TrafficFormatInfo& info : traffic_formats()) {
    if (info.write == nullptr || info.extension.empty()) continue;
    if (info.extension == extension) return info.format;
    known.push_back(info.extension);
  }
  throw UsageError(
      fmt::format("no traffic format is written by the extension \"{}\" of {}; "
                  "accepted are {}, or the format by its name{}",
                  extension, path, join(known, ", "), suggestion(extension, known)));
}

namespace {

/// @throws UsageError if the file would be larger than those that are read.
void check_matrix_size(int num_ranks) {
  const double bytes = 2.0 * num_ranks * num_ranks;  // a digit and a separator each
  if (bytes > static_cast<double>(LineFile::max_file_bytes) ||
      bytes / num_ranks > LineFile::max_line_bytes)
    throw UsageError(fmt::format(
        "a dense matrix of {} ranks needs {:.3g} bytes or more; accepted are up to {} in a file: "
        "edges and mtx hold only what flows",
        num_ranks, bytes, LineFile::max_file_bytes));
}

}  // namespace

TrafficText write_traffic(const CommGraph& graph, TrafficFormat format, Bytes unit) {
  const TrafficFormatInfo& info = traffic_format_info(format);
  if (info.write == nullptr)
    throw UsageError(
        fmt::format("format {} is only read: the program that is traced writes it", info.name));
  if (format == TrafficFormat::dense_csv || format == TrafficFormat::treematch)
    check_matrix_size(graph.num_ranks());
  FittedTraffic fitted = fit_traffic(graph, info, unit);
  std::string text = info.write(fitted.graph);
  if (text.size() > LineFile::max_file_bytes)
    throw UsageError(fmt::format("format {} needs {} bytes; accepted are files of up to {} bytes",
                                 info.name, text.size(), LineFile::max_file_bytes));
  return {std::move(text), std::move(fitted.losses)};
}

namespace {

using Edges = std::vector<DirectedEdge>;

/// Takes from a graph, step by step, what a format cannot hold.
class Fitting {
 public:
  Fitting(const CommGraph& graph, const TrafficFormatInfo& format, Bytes unit)
      : format_(format), num_ranks_(graph.num_ranks()) {
    edges_.reserve(graph.num_edges());
    graph.for_each_edge([&](Rank source, const CommEdge& edge) {
      edges_.push_back({source, edge.destination, {edge.volume.value / unit.value}, edge.messages});
    });
  }

  FittedTraffic result() && {
    const TrafficAbilities& holds = format_.holds;
    if (!holds.self_loops)
      leave_out([](const DirectedEdge& edge) { return edge.source == edge.destination; },
                "no traffic of a rank with itself");
    if (!holds.messages) drop_messages();
    if (!holds.directions) add_reverse_edges();
    if (!holds.parallel_edges || !holds.directions) merge();
    if (holds.largest_integer > 0) round_volumes();
    if (!holds.directions)
      for (DirectedEdge& edge : edges_) edge.volume.value /= 2;
    return {CommGraph(num_ranks_, edges_), std::move(losses_)};
  }

 private:
  void lose(std::string_view lacks, std::size_t count, std::string_view done) {
    losses_.push_back(fmt::format("format {} holds {}: {} of {} edges {}", format_.name, lacks,
                                  count, edges_.size(), done));
  }

  template <class Condition>
  void leave_out(Condition condition, std::string_view lacks) {
    const auto count = std::count_if(edges_.begin(), edges_.end(), condition);
    if (count == 0) return;
    lose(lacks, index(count), "are left out");
    std::erase_if(edges_, condition);
  }

  void drop_messages() {
    leave_out([](const DirectedEdge& edge) { return edge.volume.value == 0; },
              "no messages without a byte");
    std::size_t count = 0;
    for (DirectedEdge& edge : edges_) {
      if (edge.messages != 1) ++count;
      edge.messages = 1;
    }
    if (count > 0) lose("no numbers of messages", count, "count as one message");
  }

  /// Sum of both directions in each direction, as long as whole numbers are asked for.
  void add_reverse_edges() {
    merge();
    const std::size_t count = count_one_sided();
    if (count > 0)
      lose("no directions", count, "differ from the opposite one; each gets half of their sum");
    const std::size_t size = edges_.size();
    edges_.reserve(2 * size);
    for (std::size_t i = 0; i < size; ++i) {
      const DirectedEdge edge = edges_[i];
      edges_.push_back({edge.destination, edge.source, edge.volume, edge.messages});
    }
    sum_up();
    for (DirectedEdge& edge : edges_) edge.messages = 1;
  }

  /// Edges, sorted by ends, whose opposite one has another volume or is missing.
  std::size_t count_one_sided() const {
    return static_cast<std::size_t>(
        std::count_if(edges_.begin(), edges_.end(), [&](const DirectedEdge& edge) {
          const DirectedEdge opposite{edge.destination, edge.source, {}};
          const auto found = std::lower_bound(edges_.begin(), edges_.end(), opposite, by_ends);
          return found == edges_.end() || by_ends(opposite, *found) || found->volume != edge.volume;
        }));
  }

  static bool by_ends(const DirectedEdge& a, const DirectedEdge& b) {
    return std::tie(a.source, a.destination) < std::tie(b.source, b.destination);
  }

  void merge() {
    const std::size_t before = edges_.size();
    sum_up();
    if (edges_.size() == before) return;
    losses_.push_back(
        fmt::format("format {} holds one edge per pair of ranks: {} edges are summed up to {}",
                    format_.name, before, edges_.size()));
    if (!format_.holds.messages)
      for (DirectedEdge& edge : edges_) edge.messages = 1;
  }

  /// Sorts by ends and adds up what has the same; sums of messages end at the largest int.
  void sum_up() {
    std::stable_sort(edges_.begin(), edges_.end(), by_ends);
    Edges sums;
    for (const DirectedEdge& edge : edges_) {
      if (sums.empty() || by_ends(sums.back(), edge)) {
        sums.push_back(edge);
        continue;
      }
      sums.back().volume += edge.volume;
      const std::int64_t messages = std::int64_t{sums.back().messages} + edge.messages;
      sums.back().messages =
          narrow<int>(std::min<std::int64_t>(messages, std::numeric_limits<int>::max()));
    }
    edges_ = std::move(sums);
  }

  void round_volumes() {
    std::size_t count = 0;
    for (DirectedEdge& edge : edges_) {
      const double whole = std::max(1.0, std::round(edge.volume.value));
      if (whole > format_.holds.largest_integer)
        throw UsageError(fmt::format(
            "volume {} between ranks {} and {} is above {}, the largest of format {}: divide all "
            "by a larger unit, such as --unit {}",
            whole, number(edge.source), number(edge.destination), format_.holds.largest_integer,
            format_.name, unit_that_fits()));
      if (whole != edge.volume.value) ++count;
      edge.volume.value = whole;
    }
    if (count > 0) lose("whole numbers from 1", count, "are rounded");
  }

  /// The smallest power of 1024 by which the largest volume fits.
  std::string unit_that_fits() const {
    double largest = 0, unit = 1;
    for (const DirectedEdge& edge : edges_) largest = std::max(largest, edge.volume.value);
    for (; largest / unit > format_.holds.largest_integer;) unit *= 1024;
    return fmt::format("{}", unit);
  }

  const TrafficFormatInfo& format_;
  int num_ranks_;
  Edges edges_;
  std::vector<std::string> losses_;
};

}  // namespace

FittedTraffic fit_traffic(const CommGraph& graph, const TrafficFormatInfo& format, Bytes unit) {
  return Fitting(graph, format, unit).result();
}

}  // namespace vtopo::detail
