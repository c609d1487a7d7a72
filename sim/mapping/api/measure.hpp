#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/evaluation/metrics.hpp"

namespace vtopo {

struct Bounds;
struct MappingProblem;
class MeasureState;

/// A quantity of an embedding that mapping may minimise: one row of the table of objectives. Each
/// is a file of the folder `sim/mapping/objectives`, from which the table is generated.
struct Measure {
  std::string name;     ///< as in `--objective`
  std::string unit;     ///< of `value`: bytes, seconds, hops or edges
  std::string summary;  ///< what it is, for help
  int position = 0;     ///< in lists; of its tie-breaker among those of others, too
  double (*value)(const Metrics& metrics) = nullptr;
  /// Kept up to date while edges of the guest come and go; the problem must outlive it.
  std::unique_ptr<MeasureState> (*state)(const MappingProblem& problem) = nullptr;
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

}  // namespace vtopo
