#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/mapping/api/problem.hpp"

namespace vtopo {

/// An option of a mapper as in `--mapper exchange:start=greedy`.
struct MapperOption {
  std::string name;           ///< in front of the `=`
  std::string summary;        ///< what it chooses, for help
  std::string default_value;  ///< value where the option is not given
};

/// What the rest of vtopo asks of a mapper whose name it does not know; one mapper for each.
enum class MapperRole {
  none,
  baseline,            ///< the order of most launchers, which others are compared with
  default_choice,      ///< where nobody names a mapper
  embedding_file,      ///< reads the file of its option `path`
  grid_layout,         ///< lays out grids on grids
  mainstay,            ///< the quickest that is good whatever the guest
  hop_refiner,         ///< refines hop-bytes with millions of steps a second
  congestion_refiner,  ///< refines the largest congestion
  descent              ///< brings an embedding to a local optimum
};

/// About what a mapper takes: per rank and for each doubling of the ranks, alone and per edge of a
/// rank, and per pair of ranks. Measured on random geometric graphs and shuffled stencils of 4,096
/// to 262,144 ranks on tori and fat trees, on one core of 2.5 GHz; a mapper without an estimate is
/// taken to need these.
struct WorkEstimate {
  double microseconds_per_rank = 1;    ///< for each rank and doubling of the ranks
  double microseconds_per_edge = 0.1;  ///< for each edge and doubling of the ranks
  double nanoseconds_per_pair = 0;     ///< for each ordered pair of ranks
  double min_share = 1;                ///< with a smaller share of this time it is of no use
  double quick_share = 1;  ///< of this time with its option `effort=quick`, if it has it
};

/// What a portfolio knows of a refiner, a mapper with the option `start`.
struct RefinerTraits {
  /// About what a step takes, in seconds of processor time; nothing, or empty: as a step of others.
  std::function<std::optional<double>(const MappingProblem&)> seconds_per_step = nullptr;
  /// Whether it is of use with so many of its steps; empty: always.
  std::function<bool(const MappingProblem&, const SearchControl&, double steps)> is_useful =
      nullptr;
};

/// One row of the table of mappers: what `vtopo mappers` prints and all that others know of a
/// mapper. Equal problems and equal steps give equal embeddings.
struct MapperInfo {
  std::string name;                        ///< as in `--mapper`, unique
  std::string summary;                     ///< what it does, one sentence for help
  std::string reference;                   ///< paper or program that it follows
  std::vector<MapperOption> options = {};  ///< accepted after the name
  /// What kind of problem it maps: "a Cartesian guest"; empty: any.
  std::string needs = {};
  /// Why it cannot map a problem ("needs a Cartesian grid"), or nothing; empty: it maps any.
  std::function<std::optional<std::string>(const MappingProblem&)> unsupported_reason = nullptr;
  /// Maps a problem that fits and that it supports: `run_mapper` checks both first.
  std::function<Embedding(const MappingProblem&, const SearchControl&)> map = nullptr;

  MapperRole role = MapperRole::none;  ///< what others need it for
  bool uses_seed = false;              ///< other seeds, other embeddings, on problems of any size
  bool anytime = false;                ///< honours `deadline` and `stop`
  bool runs_mappers = false;           ///< runs others, on all threads
  bool runs_program = false;           ///< runs a program that one of its options names
  bool self_contained = true;          ///< needs no file, program or library: portfolios run it
  bool ignores_traffic = false;        ///< looks at hosts and slots alone
  WorkEstimate work = {};              ///< expected time on any network
  /// On networks whose hosts have coordinates, where it takes another time there.
  std::optional<WorkEstimate> work_on_grids = std::nullopt;
  RefinerTraits refiner = {};  ///< of use only if it is a refiner
  /// Whether it is another member and then the annealing of hops that a portfolio does itself, for
  /// longer; empty: never.
  std::function<bool(const MappingProblem&)> ends_in_annealing = nullptr;
};

/// Whether a mapper starts from an embedding and improves it.
bool is_refiner(const MapperInfo& info);

/// A mapper with its options, as named in `--mapper`.
struct MapperSpec {
  std::string name;                            ///< of a row in `all_mappers`
  std::map<std::string, std::string> options;  ///< name and value; others keep their defaults
  bool if_it_applies = false;  ///< named by `all`: left out where it cannot map the problem
  std::string label = {};      ///< of `label=NAME`, what its rows are called; empty: the above
};

/// All mappers, sorted by name: those of the folder `sim/mapping/mappers`, from which the table is
/// generated, and of plugins loaded so far. References live as long as the program.
const std::vector<MapperInfo>& all_mappers();

/// @throws UsageError that names the mapper and the nearest valid name.
const MapperInfo& find_mapper(std::string_view name);

/// The mapper of a role other than `none`; every role has one.
const MapperInfo& mapper_of(MapperRole role);

/// Mappers of `NAME[:option=value,...],NAME,...` or `all`, in the order given. After a comma,
/// a word with '=' continues the options of the mapper before it. Any mapper takes `label=NAME`.
/// @throws UsageError for an unknown mapper or option.
std::vector<MapperSpec> parse_mappers(std::string_view list);

/// `exchange:start=greedy` again, for reports.
std::string to_string(const MapperSpec& spec);

/// What rows of the mapper are called: its label, or without one its name and options.
std::string row_label(const MapperSpec& spec);

/// Value of an option: as given in the problem, else the default of `info`.
std::string option_value(const MapperInfo& info, const MappingProblem& problem,
                         std::string_view name);

/// Why the mapper cannot map the problem, or nothing.
std::optional<std::string> unsupported_reason(const MapperSpec& spec,
                                              const MappingProblem& problem);

/// What a mapper minimises that is run by itself under an objective: but for those that run others
/// it tries too many changes to simulate each, so of `time` it has a static proxy, or the
/// hop-bytes.
Objective objective_of(const MapperInfo& info, const Objective& objective);

/// Runs a mapper after checking that the guest fits.
/// @throws FitError if it does not; UsageError if the mapper cannot map such a problem.
Embedding run_mapper(const MapperSpec& spec, MappingProblem problem,
                     const SearchControl& control = {});

}  // namespace vtopo
