// What libvtopo_mpi.so asks: a question in plain C, and the hosts of its processes, become a
// question of `reorder`.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/endpoints/endpoint_spec.hpp"
#include "netmodels/fabric/fabric.hpp"
#include "netmodels/host_names.hpp"
#include "sim/formats/machines/hwloc_file.hpp"
#include "sim/mpi/decision/c_binding.hpp"
#include "sim/mpi/decision/reordering.hpp"
#include "sim/mpi/decision/settings.hpp"
#include "sim/mpi/preload/vtopo_reorder.h"
#include "sim/mpi/smpi_repairs/environment.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/mpi/virtual_topology.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using namespace vtopo::detail::overlay;

namespace {

/// The file that says what is inside of a node; empty where none does.
std::string node_file() {
  const std::string network = environment("VTOPO_NETWORK");
  return network.empty() ? "" : node_file_of(network);
}

/// Place of each processor; empty where no file says it.
const std::vector<int>& places_of_processors() {
  static const std::vector<int> places =
      node_file().empty() ? std::vector<int>{} : read_hwloc_processors(node_file());
  return places;
}

int place_of(int processor) {
  const auto& places = places_of_processors();
  return processor >= 0 && processor < int_size(places)
             ? places[static_cast<std::size_t>(processor)]
             : -1;
}

/// Whether VTOPO_NETWORK has the inside of its nodes from a file of hwloc: then processors, to
/// which processes are bound, are known to be in places.
bool knows_places() {
  return !places_of_processors().empty();
}

/// Whether all hosts are places of one machine.
bool is_one_machine(const Network& network) {
  const HostPlace first = network.host_place(HostId{0});
  return first.core && first.node == network.host_place(HostId{network.num_hosts() - 1}).node;
}

/// Place of a process among those of its node, by the processors that it may run on.
/// @throws InputError if these are unknown or in several places, or VTOPO_NETWORK does not say
/// which processor is where.
HostId place_of_process(const NamedHosts& places, const vtopo_reorder_question& question,
                        int rank) {
  const std::string who =
      fmt::format("rank {} on node \"{}\"", question.world_ranks[rank], question.nodes[rank]);
  if (!knows_places())
    throw InputError(fmt::format(
        "{}: VTOPO_NETWORK does not say which processor is which of its {} places; accepted is "
        "node=FILE.xml, a file that lstopo writes",
        who, places.count));
  const int* const processors = question.processors == nullptr
                                    ? nullptr
                                    : question.processors + 2 * static_cast<std::ptrdiff_t>(rank);
  if (processors == nullptr || processors[0] < 0)
    throw InputError(fmt::format("{}: it is not known which processors it may run on", who));
  const int place = place_of(processors[0]);
  if (place < 0 || place >= places.count)
    throw InputError(fmt::format("{}: {} has no processor {}", who, node_file(), processors[0]));
  if (place != place_of(processors[1]))
    throw InputError(
        fmt::format("{}: it may run on processors {} to {}, which are in several places; accepted "
                    "are processes that are bound to one core",
                    who, processors[0], processors[1]));
  return HostId{number(places.first) + place};
}

constexpr const char* host_of_rank = "VTOPO_HOST_OF_RANK";

/// Host number of each rank of MPI_COMM_WORLD; empty if the variable is not set.
std::vector<int> listed_hosts() {
  std::vector<int> hosts;
  const std::string text = environment(host_of_rank);
  if (text.empty()) return hosts;
  for (const std::string_view word : split(text, ',')) {
    const auto number = parse_number(trim(word));
    if (!number || *number < 0 || *number > 1e9 || *number != static_cast<int>(*number))
      throw UsageError(fmt::format(
          "{}: \"{}\" is not a host number; accepted are whole numbers >= 0, one per rank of "
          "MPI_COMM_WORLD, with commas between them",
          host_of_rank, word));
    hosts.push_back(static_cast<int>(*number));
  }
  return hosts;
}

/// The numbers of the list for the processes of the question, by rank.
std::vector<int> numbers_of(const vtopo_reorder_question& question, const std::vector<int>& list) {
  std::vector<int> numbers;
  for (int r = 0; r < question.processes; ++r) {
    const int rank = question.world_ranks[r];
    if (rank < 0 || rank >= int_size(list))
      throw UsageError(fmt::format("{} has {} host numbers, none for rank {} of MPI_COMM_WORLD",
                                   host_of_rank, list.size(), rank));
    numbers.push_back(list[static_cast<std::size_t>(rank)]);
  }
  return numbers;
}

bool on_one_node(const vtopo_reorder_question& question) {
  const std::string_view first = question.nodes[0];
  return std::all_of(question.nodes, question.nodes + question.processes,
                     [&](const char* node) { return node == first; });
}

/// Whether all of MPI_COMM_WORLD runs on one node: seen, or as launchers say.
bool job_has_one_node(const vtopo_reorder_question& question) {
  static std::optional<bool> seen;
  if (!on_one_node(question)) return false;
  if (question.processes == question.world_size) seen = true;
  if (seen) return *seen;
  constexpr std::array variables{"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PMI_LOCAL_SIZE"};
  const std::string size = std::to_string(question.world_size);
  return std::any_of(variables.begin(), variables.end(),
                     [&](const char* name) { return environment(name) == size; });
}

/// Another name for each node, as the file VTOPO_NODE_NAMES says: lines `node host`.
std::map<std::string, std::string, std::less<>> read_node_names() {
  std::map<std::string, std::string, std::less<>> names;
  const std::string path = environment("VTOPO_NODE_NAMES");
  if (path.empty()) return names;
  LineFile file(path);
  while (file.next_content()) {
    const auto words = file.words();
    if (words.size() != 2)
      throw input_error(file.at(0), "expected a node and a host, with a space between them");
    names.emplace(words[0].text, words[1].text);
  }
  return names;
}

/// Host that the node of a process is, or the places inside, by the names of the node.
std::optional<NamedHosts> named_hosts(const HostNames& hosts,
                                      const vtopo_reorder_question& question, int rank) {
  static const auto other_names = read_node_names();
  const char* const node = question.nodes[rank];
  if (const auto other = other_names.find(node); other != other_names.end())
    return hosts.find_all(other->second);
  if (const auto host = hosts.find_all(node)) return host;
  const std::string_view place = question.places[rank];
  return place.empty() ? std::nullopt : hosts.find_all(place);
}

HostId checked_host(int number, const Network& network, const char* of) {
  if (number < network.num_hosts()) return HostId{number};
  throw UsageError(fmt::format("{} {}: {} has hosts 0 to {}", of, number, network.description(),
                               network.num_hosts() - 1));
}

/// Each rank of MPI_COMM_WORLD as a host: of a job on one node.
std::vector<HostId> hosts_by_rank(const Network& network, const vtopo_reorder_question& question) {
  std::vector<HostId> hosts;
  hosts.reserve(static_cast<std::size_t>(question.processes));
  for (int r = 0; r < question.processes; ++r)
    hosts.push_back(checked_host(question.world_ranks[r], network,
                                 "all processes run on one node, so that each rank of "
                                 "MPI_COMM_WORLD counts as a host; rank"));
  return hosts;
}

std::vector<HostId> hosts_on(const Network& network, const vtopo_reorder_question& question) {
  std::vector<HostId> hosts;
  if (const auto list = listed_hosts(); !list.empty()) {
    for (const int number : numbers_of(question, list))
      hosts.push_back(checked_host(number, network, host_of_rank));
    return hosts;
  }
  static const HostNames names(network);  // of the one network of the environment
  for (int r = 0; r < question.processes; ++r) {
    auto host = named_hosts(names, question, r);
    if (!host && job_has_one_node(question)) {
      if (!knows_places() || !is_one_machine(network)) return hosts_by_rank(network, question);
      host = NamedHosts{HostId{0}, network.num_hosts()};
    }
    if (!host)
      throw InputError(fmt::format("rank {} runs on node \"{}\", which {} does not have; {}",
                                   question.world_ranks[r], question.nodes[r],
                                   network.description(), names.accepted(question.nodes[r])));
    hosts.push_back(host->count == 1 ? host->first : place_of_process(*host, question, r));
  }
  return hosts;
}

/// Number of each name, in the order of their first processes.
std::vector<int> numbered_nodes(const vtopo_reorder_question& question) {
  std::map<std::string_view, int> numbers;
  std::vector<int> nodes;
  nodes.reserve(static_cast<std::size_t>(question.processes));
  for (int r = 0; r < question.processes; ++r)
    nodes.push_back(numbers.emplace(question.nodes[r], int_size(numbers)).first->second);
  return nodes;
}

std::shared_ptr<const Network> one_switch(int num_nodes) {
  FabricSpec spec{.description = "nodes alone", .hosts = {}, .switches = {"switch"}, .cables = {}};
  for (int n = 0; n < num_nodes; ++n) {
    spec.hosts.push_back(fmt::format("node {}", n));
    spec.cables.push_back({n, num_nodes, BytesPerSecond{1e9}, Seconds{1e-6}});
  }
  return make_fabric(std::move(spec));
}

/// Where the processes of a communicator run.
struct JobHosts {
  std::shared_ptr<const Network> network;
  std::vector<HostId> hosts;  ///< by rank; empty: all run on one node, of which nothing is known
};

/// Without a network the nodes hang on one switch: then traffic between nodes counts.
JobHosts nodes_alone(const vtopo_reorder_question& question) {
  const auto list = listed_hosts();
  if (list.empty() && on_one_node(question)) return {};
  JobHosts result;
  std::map<int, int> numbers;
  for (const int node : list.empty() ? numbered_nodes(question) : numbers_of(question, list))
    result.hosts.push_back(HostId{numbers.emplace(node, int_size(numbers)).first->second});
  result.network = one_switch(int_size(numbers));
  return result;
}

/// Hosts on the network of the environment: by VTOPO_HOST_OF_RANK, else by the names of the nodes.
/// If the whole job runs on one node that the network does not have, rank r of MPI_COMM_WORLD is on
/// host r.
/// @throws UsageError or InputError that names the variable or the node.
JobHosts job_hosts(const vtopo_reorder_question& question) {
  static const std::shared_ptr<const Network> network = network_of_environment();
  if (!network) return nodes_alone(question);
  return {network, hosts_on(*network, question)};
}

CommGraph graph_of(const vtopo_reorder_question& question) {
  const auto count = static_cast<std::size_t>(question.edges);
  std::vector<DirectedEdge> edges;
  edges.reserve(count);
  for (const int* triple = question.triples; edges.size() < count; triple += 3)
    edges.push_back({Rank{triple[0]}, Rank{triple[1]}, Bytes{static_cast<double>(triple[2])}});
  return CommGraph(question.vertices, edges);
}

Info hints_of(const vtopo_reorder_question& question) {
  Info hints;
  if (question.mapper != nullptr) hints["vtopo_mapper"] = question.mapper;
  if (question.objective != nullptr) hints["vtopo_objective"] = question.objective;
  if (question.time_limit != nullptr) hints["vtopo_time_limit"] = question.time_limit;
  return hints;
}

bool share_a_host(const std::vector<HostId>& hosts) {
  return std::all_of(hosts.begin(), hosts.end(), [&](HostId host) { return host == hosts[0]; });
}

Reordering answer_to(const vtopo_reorder_question& question) {
  const auto [network, hosts] = job_hosts(question);
  std::optional<Cartesian> grid;
  if (question.ndims > 0) grid = c::grid_of(question.ndims, question.dims, question.periods);
  const Bytes one_byte[] = {Bytes{1}};
  const CommGraph guest = grid ? make_comm_graph(*grid, one_byte) : graph_of(question);
  const ReorderProblem problem{guest, grid ? &*grid : nullptr};
  if (hosts.empty() || share_a_host(hosts))
    return keep_order(problem, network.get(), hosts, "all processes run on one node");
  return reorder(problem, *network, hosts, mapping_choice(hints_of(question)));
}

void write_new_ranks(const std::vector<Rank>& old_ranks, int* new_ranks, int processes) {
  std::fill(new_ranks, new_ranks + processes, -1);
  for (std::size_t r = 0; r < old_ranks.size(); ++r)
    new_ranks[index(old_ranks[r])] = static_cast<int>(r);
}

/// What was decided, in one sentence.
std::string described(const vtopo_reorder_question& question, const Reordering& result) {
  const std::string of = fmt::format("{} of {} processes: ", question.call, question.processes);
  if (!result.kept_because.empty()) return of + "order kept: " + result.kept_because;
  return fmt::format("{}reordered by {}, hop-bytes {} -> {}, time of an iteration {:+.1f} %", of,
                     result.mapper, result.hop_bytes_before->value, result.hop_bytes_after->value,
                     -100 * result.predicted_gain);
}

vtopo_reorder_answer answer(const vtopo_reorder_question& question, int* new_ranks,
                            std::string& sentence) {
  if (question.version != VTOPO_REORDER_VERSION)
    throw UsageError("libvtopo_mpi.so and libvtopo_reorder.so are of different versions of vtopo");
  const auto start = std::chrono::steady_clock::now();
  if (!settings().reorder) return VTOPO_ORDER_KEPT;
  const Reordering result = answer_to(question);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  report_constructor(question.call, question.processes, result, taken.count());
  sentence = described(question, result);
  if (!result.kept_because.empty()) return VTOPO_ORDER_KEPT;
  write_new_ranks(result.old_ranks, new_ranks, question.processes);
  return VTOPO_REORDERED;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int vtopo_reorder(
    const vtopo_reorder_question* question, int* new_ranks, char* sentence, size_t length) {
  vtopo_reorder_answer result = VTOPO_NOT_DONE;
  std::string said;
  try {
    result = answer(*question, new_ranks, said);
  } catch (const std::exception& error) {
    said = error.what();
  }
  std::snprintf(sentence, length, "%s", said.c_str());
  return result;
}
