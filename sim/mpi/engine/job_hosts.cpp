#include "sim/mpi/engine/job_hosts.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "netmodels/fabric/fabric.hpp"
#include "netmodels/host_names.hpp"
#include "sim/mpi/decision/network_of_environment.hpp"
#include "sim/mpi/decision/settings.hpp"
#include "sim/mpi/engine/node_places.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::overlay {

namespace {

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

}  // namespace

JobHosts job_hosts(const vtopo_reorder_question& question) {
  static const std::shared_ptr<const Network> network = network_of_environment();
  if (!network) return nodes_alone(question);
  return {network, hosts_on(*network, question)};
}

}  // namespace vtopo::detail::overlay
