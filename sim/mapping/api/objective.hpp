#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/embedding/embedding.hpp"
#include "sim/evaluation/metrics.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo {

/// A figure of an embedding that a mapper may lower.
enum class Measure { hop_bytes, max_congestion, max_dilation, jsum, jmax };

/// A figure and how much it counts.
struct WeightedMeasure {
  Measure measure = Measure::hop_bytes;
  double weight = 1;

  friend bool operator==(const WeightedMeasure&, const WeightedMeasure&) = default;
};

/// What mapping lowers: weighted sums, compared one after the other (lexicographically). None:
/// hop-bytes.
struct Objective {
  std::vector<std::vector<WeightedMeasure>> sums;
  /// Simulated time comes before the sums. Only a simulator knows it, so refiners and `cost_of` go
  /// by the sums, which stand in for it; see `MappingProblem::simulated_time`.
  bool simulated_time = false;
};

/// Values of the sums of an objective; smaller is better, the first that differs decides.
using Cost = std::vector<double>;

/// Objective of `hop-bytes`, `max-congestion,hop-bytes` (the second decides ties of the first) or
/// `1e9*max-congestion+hop-bytes,jmax` (weighted sums). Measures: hop-bytes (bytes), max-congestion
/// (seconds), max-dilation (hops), jsum, jmax (edges). The list may begin with `simulated-time`; if
/// nothing follows, max-congestion and then hop-bytes stand in for it where no simulator is asked.
/// @throws UsageError for an unknown measure, a weight that is not finite and > 0, or
/// `simulated-time` that is weighted or not the first.
Objective parse_objective(std::string_view text);

/// The text of an objective as above.
std::string to_string(const Objective& objective);

/// Whether a measure is part of an objective.
bool counts(const Objective& objective, Measure measure);

/// Whether only hop-bytes count: then refiners need not know the routes.
bool is_hop_bytes(const Objective& objective);

/// Cost of an embedding whose figures are known.
Cost cost_of(const Objective& objective, const Metrics& metrics);

/// Cost of an embedding, evaluated anew.
Cost cost_of(const Objective& objective, const CommGraph& guest, const Network& network,
             const Embedding& embedding);

}  // namespace vtopo
