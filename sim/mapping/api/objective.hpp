#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo {

struct Bounds;
struct MappingProblem;

/// A quantity of an embedding that mapping may minimise: one row of the table of objectives.
struct Measure {
  std::string name;     ///< as in `--objective`
  std::string unit;     ///< of `value`: bytes, seconds, hops or edges
  std::string summary;  ///< what it is, for help
  int position = 0;     ///< in lists; of its tie-breaker among those of others, too
  /// Its value for an embedding with these metrics; smaller is better.
  double (*value)(const Metrics& metrics) = nullptr;
  /// No embedding has a smaller value; 0 where nothing better is known. Empty: always 0.
  double (*floor)(const MappingProblem& problem, const Bounds& bounds) = nullptr;
};

/// All measures in the order of lists. References live as long as the program.
const std::vector<Measure>& all_measures();

/// Their names.
std::vector<std::string> measure_names();

/// The measure of a name, or null.
const Measure* find_measure(std::string_view name);

/// What mappers minimise if nobody says what.
const Measure& hop_bytes_measure();

/// The static bound on the time of an exchange.
const Measure& max_congestion_measure();

/// A measure of the table and how much it counts.
struct WeightedMeasure {
  const Measure* measure = &hop_bytes_measure();  ///< never null
  double weight = 1;                              ///< factor of its value, finite and > 0

  friend bool operator==(const WeightedMeasure&, const WeightedMeasure&) = default;  ///< memberwise
};

/// Whether, and how, time comes before the sums of an objective. Only a simulator knows it, so
/// refiners and `cost_of` go by the sums, which are a proxy for it; see `SearchControl::time`.
enum class TimeFirst {
  no,
  predicted,  ///< `time`: at a tie the hop-bytes; where nobody predicts it, the sums alone
  simulated   ///< `simulated-time`: of no use without a simulator
};

/// What mapping minimises: weighted sums, compared one after the other (lexicographically). None:
/// hop-bytes.
struct Objective {
  std::vector<std::vector<WeightedMeasure>> sums;  ///< the first sum that differs decides
  TimeFirst time = TimeFirst::no;                  ///< what comes before them

  friend bool operator==(const Objective&, const Objective&) = default;  ///< memberwise
};

/// Values of the sums of an objective; smaller is better, the first that differs decides.
using Cost = std::vector<double>;

/// Objective of `hop-bytes`, `max-congestion,hop-bytes` (the second decides ties of the first) or
/// `1e9*max-congestion+hop-bytes,jmax` (weighted sums) of the measures in the table. The list may
/// begin with `time` or `simulated-time`; if nothing follows, max-congestion and then hop-bytes
/// are a proxy for it where no simulator is asked. Names may be those of reports: `hop_bytes`,
/// `makespan`.
/// @throws UsageError for an unknown measure, a weight that is not finite and > 0, or a time that
/// is weighted or not the first.
Objective parse_objective(std::string_view text);

/// The text of an objective as above.
std::string to_string(const Objective& objective);

/// The largest congestion, at a tie the hop-bytes.
const Objective& max_congestion_first();

/// What is minimised where nobody says what: `time`. Mappers that refine by exchanges, run by
/// themselves, lower hop-bytes then; a portfolio looks at the time.
const Objective& default_objective();

/// The same without the time: a proxy for it.
Objective static_part(Objective objective);

/// All words of objectives: `time`, the measures, `simulated-time`.
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
