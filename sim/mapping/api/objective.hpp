#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/embedding/embedding.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/measure.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo {

/// A measure of the table and how much it counts.
struct WeightedMeasure {
  const Measure* measure = &hop_bytes_measure();
  double weight = 1;

  friend bool operator==(const WeightedMeasure&, const WeightedMeasure&) = default;
};

/// What mapping minimises: weighted sums, compared one after the other (lexicographically). None:
/// hop-bytes.
struct Objective {
  std::vector<std::vector<WeightedMeasure>> sums;
  /// Simulated time comes before the sums. Only a simulator knows it, so refiners and `cost_of` go
  /// by the sums, which stand in for it; see `SearchControl::simulated_time`.
  bool simulated_time = false;
};

/// Values of the sums of an objective; smaller is better, the first that differs decides.
using Cost = std::vector<double>;

/// Objective of `hop-bytes`, `max-congestion,hop-bytes` (the second decides ties of the first) or
/// `1e9*max-congestion+hop-bytes,jmax` (weighted sums) of the measures in the table. The list may
/// begin with `simulated-time`; if nothing follows, max-congestion and then hop-bytes stand in for
/// it where no simulator is asked.
/// @throws UsageError for an unknown measure, a weight that is not finite and > 0, or
/// `simulated-time` that is weighted or not the first.
Objective parse_objective(std::string_view text);

/// The text of an objective as above.
std::string to_string(const Objective& objective);

/// The largest congestion, at a tie the hop-bytes.
const Objective& max_congestion_first();

/// What an objective may begin with, apart from the measures.
inline constexpr std::string_view simulated_time_objective = "simulated-time";

/// All words of objectives: the measures, then `simulated-time`.
std::vector<std::string> objective_names();

/// `what refining mappers minimise: hop-bytes, max-congestion, ...`, the measures of the table.
std::string objective_help();

/// Whether a measure is part of an objective.
bool counts(const Objective& objective, const Measure& measure);

/// The measure that comes first.
const Measure& first_measure(const Objective& objective);

/// Whether only hop-bytes count: then refiners need not know the routes.
bool is_hop_bytes(const Objective& objective);

/// Cost of an embedding whose metrics are known.
Cost cost_of(const Objective& objective, const Metrics& metrics);

/// Cost of an embedding, evaluated anew.
Cost cost_of(const Objective& objective, const CommGraph& guest, const Network& network,
             const Embedding& embedding);

}  // namespace vtopo
