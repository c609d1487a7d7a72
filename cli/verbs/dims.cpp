#include "topology/mpi/dims_create.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command/scenario_verb.hpp"
#include "cli/command/verb.hpp"
#include "cli/output/output.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/auto_grid.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail::verbs {

namespace {

using Json = nlohmann::ordered_json;

constexpr int max_int = std::numeric_limits<int>::max();
constexpr int max_dimensions = 1000;

struct DimsOptions {
  std::string ranks;
  std::string dimensions;
  std::string fixed;
  std::string rule = "optimal";
  std::string volumes;
  std::string extents;
  std::string slots;
  std::string format = "text";
  Scenario machine;  ///< with a network, or without: sizes for no machine

  bool weighted() const { return !volumes.empty() || !extents.empty() || !slots.empty(); }
  bool has_machine() const { return !machine.network.empty() || !machine.platform.empty(); }
};

/// The options in the form in which they are used.
struct DimsCall {
  int num_ranks = 1;
  std::vector<int> fixed;  // one entry per dimension
  DimsRule rule = DimsRule::optimal;
  std::vector<Bytes> volumes;  // weighted: one entry per dimension
  std::vector<int> extents;    // weighted: one entry per dimension, or none
  int slots = 1;
};

/// Integer in least..most. @throws UsageError that begins with `what`.
int parse_int(std::string_view text, std::string_view what, int least, int most) {
  const auto value = parse_integer(text);
  if (!value || *value < least || *value > most)
    throw UsageError(
        fmt::format("{} \"{}\": accepted are integers in {}..{}", what, text, least, most));
  return narrow<int>(*value);
}

/// Pieces of an option with one value per dimension.
std::vector<std::string_view> per_dimension(std::string_view text, std::string_view option,
                                            char separator, int num_dimensions) {
  auto pieces = split(text, separator);
  if (int_size(pieces) != num_dimensions)
    throw UsageError(fmt::format("{} \"{}\" has {} values: accepted are {}, one per dimension",
                                 option, text, pieces.size(), num_dimensions));
  return pieces;
}

/// Integers of an option with one value per dimension. @throws UsageError that names the option.
std::vector<int> parse_ints(std::string_view text, std::string_view option, char separator,
                            int least, int num_dimensions) {
  std::vector<int> values;
  const auto what = fmt::format("{} \"{}\": value", option, text);
  for (const auto piece : per_dimension(text, option, separator, num_dimensions))
    values.push_back(parse_int(piece, what, least, max_int));
  return values;
}

/// Volume through one cut per dimension: given, of the domain, or all alike.
std::vector<Bytes> volumes_of(const DimsOptions& options, std::span<const int> extents,
                              int num_dimensions) {
  std::vector<Bytes> volumes;
  if (options.volumes.empty()) {
    volumes.assign(static_cast<std::size_t>(num_dimensions), Bytes{1});
    return extents.empty() ? volumes : cut_volumes(extents, Bytes{1});
  }
  for (const auto volume : per_dimension(options.volumes, "--volumes", ',', num_dimensions))
    volumes.push_back(read_option("volumes", [&] { return parse_bytes(volume); }));
  return volumes;
}

DimsCall parse(const DimsOptions& options) {
  DimsCall call;
  call.num_ranks = parse_int(options.ranks, "number of ranks", 1, max_int);
  const int count = parse_int(options.dimensions, "number of dimensions", 0, max_dimensions);
  if (options.fixed.empty())
    call.fixed.assign(static_cast<std::size_t>(count), 0);
  else
    call.fixed = parse_ints(options.fixed, "--fixed", ',', 0, count);
  call.rule = parse_dims_rule(options.rule);
  if (!options.weighted()) return call;
  if (call.rule != DimsRule::optimal)
    throw UsageError(
        fmt::format("--rule {} takes no --volumes, --extents or --slots", options.rule));
  if (!options.extents.empty())
    call.extents = parse_ints(options.extents, "--extents", 'x', 1, count);
  call.volumes = volumes_of(options, call.extents, count);
  if (!options.slots.empty()) call.slots = parse_int(options.slots, "--slots", 1, max_int);
  return call;
}

/// Largest minus smallest size of the free dimensions, if there are any.
std::optional<int> free_spread(const DimsCall& call, const std::vector<int>& dims) {
  std::vector<int> free;
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (call.fixed[i] == 0) free.push_back(dims[i]);
  if (free.empty()) return std::nullopt;
  const auto [least, most] = std::minmax_element(free.begin(), free.end());
  return *most - *least;
}

Json to_json(const DimsCall& call, const std::vector<int>& dims) {
  const auto spread = free_spread(call, dims);
  Json object = Json::object();
  object["schema"] = "vtopo/dims/v1";
  object["ranks"] = call.num_ranks;
  object["fixed"] = call.fixed;
  object["rule"] = to_string(call.rule);
  object["dims"] = dims;
  object["spread"] = spread ? Json(*spread) : Json(nullptr);
  return object;
}

Json to_json(const DimsCall& call, const WeightedDims& result) {
  Json object = to_json(call, result.dims);
  object["rule"] = "weighted";
  object["volumes"] = Json::array();
  for (const Bytes volume : call.volumes) object["volumes"].push_back(volume.value);
  object["extents"] = call.extents.empty() ? Json(nullptr) : Json(call.extents);
  object["slots"] = call.slots;
  object["hosts"] = result.hosts;
  object["tile"] = result.tile;
  object["halo_volume"] = result.halo_volume.value;
  object["inter_host_volume"] = result.inter_host_volume.value;
  return object;
}

/// A grid and the time that its busiest link takes on a machine.
struct GridOnMachine {
  std::string sizes;
  Seconds time;
};

/// The balanced grids on the first nodes of a machine, in the order in which launchers fill them;
/// the one whose busiest link takes least time first.
std::vector<GridOnMachine> grids_on_machine(const DimsOptions& options, const DimsCall& call) {
  if (call.fixed.empty() || call.fixed.size() > 3 || !options.fixed.empty() ||
      !options.volumes.empty() || options.rule != "optimal")
    throw UsageError(
        "sizes for a machine: accepted are 1 to 3 dimensions, --extents, --slots and --bytes; not "
        "--fixed, --volumes and --rule");
  Scenario scenario = options.machine;
  scenario.topology = auto_grid;
  scenario.ranks = call.num_ranks;
  if (!options.slots.empty()) {
    scenario.slots = options.slots;
    if (options.machine.hosts == Scenario().hosts)
      scenario.hosts = fmt::format("first:{}", (call.num_ranks - 1) / call.slots + 1);
  }
  if (!options.extents.empty()) scenario.domain.emplace(options.extents);
  if (options.extents.empty() && call.fixed.size() < 3) {
    const double edge = std::pow(call.num_ranks, 1.0 / static_cast<double>(call.fixed.size()));
    const std::string extent = std::to_string(static_cast<std::int64_t>(std::ceil(edge * 1024)));
    scenario.domain.emplace(call.fixed.size() == 1 ? extent : extent + 'x' + extent);
  }
  scenario.simulate = false;
  std::vector<GridOnMachine> result;
  for (const Scenario& grid : balanced_grids(scenario).scenarios)
    result.push_back({grid.topology.substr(std::string_view("cart:").size()),
                      run(grid).rows.front().metrics.max_congestion});
  std::stable_sort(result.begin(), result.end(),
                   [](const GridOnMachine& a, const GridOnMachine& b) { return a.time < b.time; });
  return result;
}

/// Prints the best sizes; the others go to standard error.
int run_dims_on_machine(const DimsOptions& options) {
  DimsOptions plain = options;
  if (plain.slots.empty()) plain.slots = "1";
  const DimsCall call = parse(plain);
  const auto grids = grids_on_machine(options, call);
  const auto share = [best = grids.front().time.value](const GridOnMachine& grid) {
    return best > 0 ? grid.time.value / best : 1.0;
  };
  if (options.format == "json") {
    Json object{{"schema", "vtopo/dims/v1"}, {"ranks", call.num_ranks}, {"rule", "machine"}};
    for (const GridOnMachine& grid : grids)
      object["grids"].push_back({{"dims", grid.sizes}, {"busiest_link", share(grid)}});
    object["dims"] = Json::array();
    for (const auto size : split(grids.front().sizes, 'x'))
      object["dims"].push_back(*parse_integer(size));
    write_output("-", object.dump(2) + '\n');
    return 0;
  }
  write_output("-", grids.front().sizes + '\n');
  for (const GridOnMachine& grid : std::span(grids).subspan(1))
    say(fmt::format("{}: its busiest link is busy {:.2f} times as long as that of {}", grid.sizes,
                    share(grid), grids.front().sizes));
  return 0;
}

int run_dims(const DimsOptions& options) {
  check_format(options.format, std::array<std::string, 2>{"text", "json"});
  if (options.dimensions.empty())
    throw UsageError(fmt::format("usage: vtopo dims RANKS DIMENSIONS; for example: vtopo dims {} 3",
                                 options.ranks));
  if (options.has_machine()) return run_dims_on_machine(options);
  const DimsCall call = parse(options);
  std::vector<int> dims;
  Json object;
  if (options.weighted()) {
    const auto result = weighted_dims_create({.num_ranks = call.num_ranks,
                                              .volumes = call.volumes,
                                              .fixed = call.fixed,
                                              .extents = call.extents,
                                              .slots = call.slots});
    dims = result.dims;
    object = to_json(call, result);
  } else {
    dims = dims_create(call.num_ranks, call.fixed, call.rule);
    object = to_json(call, dims);
  }
  const std::string text =
      options.format == "json" ? object.dump(2) : fmt::format("{}", fmt::join(dims, "x"));
  write_output("-", text + '\n');
  return 0;
}

}  // namespace

Verb dims() {
  auto options = std::make_shared<DimsOptions>();
  Verb verb{"dims", "sizes of a grid, as MPI_Dims_create, for a domain or for a machine"};
  verb.listed = {VerbHeading::others, 6};
  verb.examples =
      "Examples:\n"
      "  vtopo dims 72 2                         # 9x8\n"
      "  vtopo dims 72 3 --fixed 0,4,0           # 6x4x3\n"
      "  vtopo dims 72 2 --rule openmpi          # 12x6, as Open MPI 4.1.4 returns\n"
      "  vtopo dims 96 3 --extents 1000x200x50   # for a domain of 1000x200x50 points\n"
      "  vtopo dims 96 3 --volumes 4,2,1 --slots 8 --format json\n"
      "  vtopo dims 64 3 --slots 4 --network torus:4x4   # for that machine";
  verb.add("RANKS", &options->ranks, "number of ranks")->required();
  verb.add("DIMENSIONS", &options->dimensions, "number of dimensions");
  verb.add("--fixed", &options->fixed,
           "sizes given, one per dimension: 2,0,0 (0: free; default: all free)");
  verb.offer(
      verb.add("--rule", &options->rule,
               "optimal (as close to each other as possible), mpich, openmpi or smpi (what MPICH "
               "4.0.2, Open MPI 4.1.4, SMPI 3.32 return)"),
      {"mpich", "openmpi", "optimal", "smpi"});
  verb.add("--format", &options->format, "text or json");
  verb.group("Smallest halo volume instead of sizes close to each other");
  verb.add("--extents", &options->extents,
           "points of the domain per dimension, 1000x200x50: the volume through a cut is "
           "the product of the other extents, and no size is above its extent");
  verb.add("--volumes", &options->volumes,
           "bytes through one cut of the whole domain, per dimension: 4MiB,2MiB,1MiB");
  verb.add("--slots", &options->slots,
           "ranks per host, in a box: the volume between hosts comes first");
  verb.group("Sizes for a machine");
  for (const auto name : {"network", "platform", "hosts", "bytes"})
    add_scenario_option(verb, options->machine, name);
  verb.run = [options](const Invocation&) { return run_dims(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
