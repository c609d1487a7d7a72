#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/units.hpp"
#include "topology/comm_graph.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo::detail {

struct Recording;

/// What a format can hold beside who sends how many bytes to whom.
struct TrafficAbilities {
  bool directions = true;      ///< else one volume for both directions of a pair together
  bool parallel_edges = true;  ///< several edges of an ordered pair of ranks, in their order
  bool self_loops = true;
  bool messages = true;        ///< how many, and with it edges of messages without a byte
  double largest_integer = 0;  ///< volumes are whole numbers from 1 to this; 0: any number
};

/// A file format of recorded communication.
struct TrafficFormatInfo {
  TrafficFormat format{};
  std::string name;       ///< of `--traffic-format`
  std::string extension;  ///< with its dot; empty: known by the content
  std::string summary;    ///< human-readable
  TrafficAbilities holds;
  Recording (*read)(const std::string& path, const TrafficOptions& options) = nullptr;
  /// Text of a graph that holds no more than the format can; absent: the format is only read.
  std::string (*write)(const CommGraph& graph) = nullptr;
};

/// All formats, those of vtopo first.
const std::vector<TrafficFormatInfo>& traffic_formats();

/// What is known of a format.
const TrafficFormatInfo& traffic_format_info(TrafficFormat format);

/// Format in which a file called `path` is written: by extension, `.csv` is an edge list.
/// @throws UsageError for an unknown extension.
TrafficFormat traffic_format_to_write(const std::string& path);

/// A graph that a format can hold, and one sentence for each kind of thing that it could not.
struct FittedTraffic {
  CommGraph graph;
  std::vector<std::string> losses;
};

/// Changes what a format cannot hold: parallel edges and, without directions, the two directions of
/// a pair are summed (each direction then has half of the sum), self loops and edges without a byte
/// left out, volumes divided by `unit` and rounded to a whole number of at least 1.
/// @throws UsageError if a volume is above the largest integer of the format.
FittedTraffic fit_traffic(const CommGraph& graph, const TrafficFormatInfo& format,
                          Bytes unit = {1});

/// Text of a file that `read_traffic` reads back as the same graph.
struct TrafficText {
  std::string text;
  std::vector<std::string> losses;  ///< see fit_traffic
};

/// @throws UsageError if the format is only read, a volume is above its largest integer, or the
/// file would be larger than files that are read.
TrafficText write_traffic(const CommGraph& graph, TrafficFormat format, Bytes unit = {1});

}  // namespace vtopo::detail
