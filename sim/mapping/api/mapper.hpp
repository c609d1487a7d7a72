#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/embedding/allocation.hpp"
#include "sim/embedding/embedding.hpp"
#include "sim/mapping/api/objective.hpp"
#include "topology/base/progress.hpp"
#include "topology/cartesian.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo {

/// Everything a mapper may look at. The guest fits into the allocation (checked before).
struct MappingProblem {
  const CommGraph& guest;
  const Network& host;
  const Allocation& allocation;
  const Cartesian* grid = nullptr;  ///< the virtual topology, if it is a Cartesian grid
  std::uint64_t seed = 1;
  /// Deterministic budget of refiners, in tried exchanges; unlimited if absent.
  std::optional<std::int64_t> steps = std::nullopt;
  /// When refiners stop and return the best so far; with it, equal problems may give other
  /// embeddings on a faster machine.
  std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt;
  /// Refiners stop and return the best so far once it is true (a signal); may be null.
  const std::atomic<bool>* stop = nullptr;
  Objective objective = {};                         ///< what refiners and portfolios lower
  std::map<std::string, std::string> options = {};  ///< checked against MapperInfo::options
  Progress progress = nullptr;                      ///< may be empty
  int threads = 1;  ///< that a mapper may use; never changes the embedding, unless time is short
  /// The embedding that refiners start from instead of that of their option `start`; may be null.
  const Embedding* start = nullptr;
  /// By a simulator, for objectives with simulated time; called by one thread at a time, while the
  /// mapper has no other; empty where there is none.
  std::function<Seconds(const Embedding&)> simulated_time = nullptr;
  /// Told in a sentence how the embedding was found; may be empty.
  std::function<void(const std::string&)> remark = nullptr;
  /// Told the cost of the best embedding so far, by one thread at a time; may be empty.
  std::function<void(const Cost&)> improved = nullptr;
};

/// An option of a mapper as in `--mapper exchange:start=greedy`.
struct MapperOption {
  std::string name;
  std::string summary;
  std::string default_value;
};

/// One row of the table of mappers: what `vtopo mappers` prints and what the engine calls.
/// `map` is a pure function: equal problems give equal embeddings.
struct MapperInfo {
  std::string name;
  std::string summary;
  std::string reference;
  std::function<Embedding(const MappingProblem&)> map;
  std::vector<MapperOption> options;
  /// Why it cannot map a problem ("needs a Cartesian grid"), or nothing; empty: it maps any.
  std::function<std::optional<std::string>(const MappingProblem&)> obstacle = nullptr;
  bool anytime = false;  ///< heeds `deadline` and `stop`
  /// What the obstacle asks for, in general: "a Cartesian guest"; empty: it maps any problem.
  std::string needs = {};
};

/// A mapper with its options, as named in `--mapper`.
struct MapperSpec {
  std::string name;
  std::map<std::string, std::string> options;
  bool if_it_applies = false;  ///< named by `all`: left out where it cannot map the problem
};

/// All mappers, sorted by name: those of the folder `sim/mapping/mappers`, from which the table is
/// generated, and of plugins. References live until the next plugin is loaded.
const std::vector<MapperInfo>& all_mappers();

/// @throws UsageError that names the mapper and the nearest valid name.
const MapperInfo& find_mapper(std::string_view name);

/// Mappers of `NAME[:option=value,...],NAME,...` or `all`, in the order given. After a comma,
/// a word with '=' continues the options of the mapper before it.
/// @throws UsageError for an unknown mapper or option.
std::vector<MapperSpec> parse_mappers(std::string_view list);

/// `exchange:start=greedy` again, for reports.
std::string to_string(const MapperSpec& spec);

/// Value of an option: as given in the problem, else the default of `info`.
std::string option_value(const MapperInfo& info, const MappingProblem& problem,
                         std::string_view name);

/// Why the mapper cannot map the problem, or nothing.
std::optional<std::string> obstacle(const MapperSpec& spec, const MappingProblem& problem);

/// Runs a mapper after checking that the guest fits.
/// @throws FitError if it does not; UsageError if the mapper cannot map such a problem.
Embedding run_mapper(const MapperSpec& spec, MappingProblem problem);

}  // namespace vtopo
