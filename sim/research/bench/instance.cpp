#include "sim/research/bench/instance.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "netmodels/network_spec.hpp"
#include "sim/placement/embedding.hpp"
#include "sim/research/bench/graph_guests.hpp"
#include "sim/research/bench/instances/families.hpp"
#include "sim/research/bench/qaplib.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"
#include "topology/guests/guest_topology.hpp"
#include "topology/mpi/dims_create.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo::detail {
namespace {

std::vector<std::filesystem::path> recordings_of(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  if (error) throw input_error({folder}, "cannot be read: " + error.message());
  if (files.empty())
    throw input_error({folder}, "no recording: accepted are .csv files of volumes");
  std::sort(files.begin(), files.end());
  return files;
}

Instance recorded(const std::filesystem::path& file, std::string description, std::string network,
                  Routing routing) {
  std::string name =
      fmt::format("{}-{}", file.stem().string(), network.substr(0, network.find(':')));
  return {.name = std::move(name),
          .description = "recorded traffic onto " + std::move(description),
          .guest = "traffic:" + file.string(),
          .network = std::move(network),
          .routing = routing,
          .sets = {"real"}};
}

/// Recordings of a folder, each onto a torus of three dimensions that it fills (`NAME-torus`) and a
/// fat tree of 16 hosts per switch with half as many cables up (`NAME-fat-tree`): every `.csv` file
/// of volumes, sorted by name.
/// @throws InputError for a folder without such files, or one that cannot be read.
std::vector<Instance> recorded_instances(const std::string& folder) {
  constexpr int hosts_per_switch = 16;
  std::vector<Instance> instances;
  for (const auto& file : recordings_of(folder)) {
    const int ranks = read_traffic(file.string(), {}).num_ranks();
    const auto sizes = dims_create(ranks, std::array{0, 0, 0});
    instances.push_back(recorded(file, "a torus that it fills",
                                 fmt::format("torus:{}x{}x{}", sizes[0], sizes[1], sizes[2]),
                                 Routing::automatic));
    const int switches = (ranks + hosts_per_switch - 1) / hosts_per_switch;
    instances.push_back(recorded(file, "16 hosts per switch, tapered 2:1",
                                 fmt::format("fat-tree:2;16,{};1,8;1,1", switches),
                                 Routing::simgrid));
  }
  return instances;
}

constexpr std::string_view traffic_prefix = "traffic:";
constexpr std::string_view qap_prefix = "qap:";
constexpr std::string_view real_prefix = "real:";

/// Volumes of generated guests are small numbers, which alone would be all latency.
constexpr double generated_unit = 65536;

/// A family and the sets that its instances are in.
struct Family {
  std::vector<std::string> sets;
  std::vector<Instance> (*list)();
};

const std::vector<Family>& all_of_families() {
  static const std::vector<Family> table{{{"hypercubes"}, families::hypercubes},
                                         {{"stencils"}, families::stencils_on_tori},
                                         {{"irregular"}, families::random_geometric},
                                         {{"irregular", "walshaw"}, families::finite_elements},
                                         {{"irregular"}, families::irregular_guests},
                                         {{"hierarchy", "stencils"}, families::stencils_on_trees},
                                         {{"hierarchy"}, families::hosts_with_slots},
                                         {{"hierarchy", "partitions"}, families::partitions}};
  return table;
}

std::vector<Instance> all_families() {
  std::vector<Instance> all;
  for (const Family& family : all_of_families())
    for (Instance& instance : family.list()) {
      instance.sets = family.sets;
      all.push_back(std::move(instance));
    }
  return all;
}

/// `GUEST@NETWORK`; names may hold an `@`, networks do not.
Instance given_instance(std::string_view text) {
  const std::size_t at = text.rfind('@');
  const std::string guest(text.substr(0, at)), network(text.substr(at + 1));
  if (guest.starts_with(qap_prefix)) return qap_instance(guest.substr(qap_prefix.size()), network);
  Instance instance;
  instance.name = text;
  instance.description = "given by its specification";
  instance.guest = guest;
  instance.network = network;
  instance.routing = make_network(network, {}, {Routing::automatic})->routing();
  return instance;
}

/// Instances of a folder that is given, or named by a variable of the environment.
using FolderReader = std::vector<Instance> (*)(const std::string& folder);

std::vector<Instance> of_environment(const char* variable, std::string_view set,
                                     FolderReader reader) {
  const char* folder = std::getenv(variable);
  if (folder != nullptr && *folder != '\0') return reader(folder);
  throw UsageError(
      fmt::format("set \"{0}\" is a folder of files: accepted is {0}:FOLDER, or {0} "
                  "where the environment's {1} names the folder",
                  set, variable));
}

/// Of words that name files; nothing for others.
std::optional<std::vector<Instance>> of_files(std::string_view word) {
  if (word == "qap") return of_environment("VTOPO_QAPLIB", word, qap_folder);
  if (word == "real") return of_environment("VTOPO_MATRICES", word, recorded_instances);
  if (word.starts_with(real_prefix))
    return recorded_instances(std::string(word.substr(real_prefix.size())));
  if (!word.starts_with(qap_prefix)) return std::nullopt;
  const std::string path(word.substr(qap_prefix.size()));
  if (std::filesystem::is_directory(path)) return qap_folder(path);
  return std::vector{qap_instance(path, "")};
}

bool is_in(const Instance& instance, const std::string& set) {
  return std::find(instance.sets.begin(), instance.sets.end(), set) != instance.sets.end();
}

void add_matching(const std::string& pattern, std::vector<Instance>& chosen) {
  bool found = false;
  std::vector<std::string> names;
  for (const Instance& instance : built_in_instances()) {
    names.push_back(instance.name);
    const bool named = pattern == "all" || (pattern == "quick" && instance.quick) ||
                       is_in(instance, pattern) ||
                       fnmatch(pattern.c_str(), instance.name.c_str(), 0) == 0;
    if (!named) continue;
    found = true;
    const bool twice = std::any_of(chosen.begin(), chosen.end(), [&](const Instance& other) {
      return other.name == instance.name;
    });
    if (!twice) chosen.push_back(instance);
  }
  if (found) return;
  const std::vector<std::string> sets = instance_sets();
  names.insert(names.end(), sets.begin(), sets.end());
  names.insert(names.end(), {"all", "quick", "qap", "real"});
  throw UsageError(fmt::format(
      "instance \"{}\" is unknown: accepted are all, quick, {}, the names and patterns of names of "
      "vtopo bench --list, qap:FILE, qap:FOLDER, real:FOLDER and GUEST@NETWORK{}",
      pattern, join(sets, ", "), suggestion(pattern, names)));
}

CommGraph make_guest(const Instance& instance, const Network& network,
                     std::optional<Cartesian>& grid) {
  if (instance.guest.starts_with(qap_prefix))
    return qap_guest(instance.guest.substr(qap_prefix.size()), network);
  if (instance.guest.starts_with(traffic_prefix))
    return read_traffic(instance.guest.substr(traffic_prefix.size()), {});
  if (instance.guest.starts_with(finite_elements_prefix))
    return finite_elements_guest(instance.guest);
  if (auto graph = make_graph_guest(instance.guest)) return std::move(*graph);
  const GuestTopology topology = parse_guest_topology(instance.guest);
  std::vector<Bytes> volumes;
  for (const auto piece : split(instance.volumes, ',')) volumes.push_back(parse_bytes(piece));
  if (const Cartesian* cartesian = grid_of(topology)) grid = *cartesian;
  return make_comm_graph(topology, volumes);
}

}  // namespace

const std::vector<Instance>& built_in_instances() {
  static const std::vector<Instance> all = all_families();
  return all;
}

std::vector<std::string> instance_sets() {
  std::vector<std::string> names;
  for (const Family& family : all_of_families())
    for (const std::string& set : family.sets)
      if (std::find(names.begin(), names.end(), set) == names.end()) names.push_back(set);
  return names;
}

std::vector<Instance> choose_instances(std::string_view list) {
  if (list.find('@') != std::string_view::npos) return {given_instance(list)};
  std::vector<Instance> chosen;
  for (const std::string_view word : split(list, ',')) {
    if (auto files = of_files(word))
      chosen.insert(chosen.end(), files->begin(), files->end());
    else
      add_matching(std::string(word), chosen);
  }
  return chosen;
}

BenchProblem build(const Instance& instance) {
  BenchProblem problem;
  problem.network = make_network(instance.network, {}, {.rule = instance.routing});
  problem.allocation =
      make_allocation(*problem.network, instance.hosts, std::vector{instance.slots}, 1);
  if (!instance.guest.starts_with(traffic_prefix)) problem.unit = generated_unit;
  problem.guest = make_guest(instance, *problem.network, problem.grid);
  check_fit(problem.guest.num_ranks(), problem.allocation);
  return problem;
}

}  // namespace vtopo::detail
