#include <algorithm>
#include <array>

#include "tests/fuzz/target.hpp"
#include "topology/guests/guest_topology.hpp"

namespace vtopo::fuzz::targets {

namespace {

constexpr double few_edges = 4096;

/// Files that a specification names have targets of their own.
bool names_a_file(std::string_view spec) {
  return spec.find("graph:") != std::string_view::npos ||
         spec.find("dist:") != std::string_view::npos;
}

void run_guest_spec(std::string_view input) {
  if (names_a_file(input)) return;
  const GuestTopology topology = parse_guest_topology(input);
  require(num_ranks(topology) >= 1, "a virtual topology without ranks");
  if (max_edges(topology) > few_edges || num_ranks(topology) > few_edges) return;
  const std::array volume{Bytes{1}};
  const CommGraph graph = make_comm_graph(topology, volume);
  require(graph.num_ranks() == num_ranks(topology), "the graph has another number of ranks");
  require(std::holds_alternative<RandomGeometric>(topology.kind) ||
              static_cast<double>(graph.num_edges()) <= max_edges(topology),
          "more edges than announced");
}

}  // namespace

Target guest_spec() {
  return {"specifications of virtual topologies", run_guest_spec, {}};
}

}  // namespace vtopo::fuzz::targets
