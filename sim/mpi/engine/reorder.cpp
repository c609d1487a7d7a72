// What libvtopo_mpi.so asks: a question in plain C becomes one of `reorder`.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "sim/mpi/decision/reordering.hpp"
#include "sim/mpi/decision/report_line.hpp"
#include "sim/mpi/decision/settings.hpp"
#include "sim/mpi/engine/job_hosts.hpp"
#include "sim/mpi/preload/vtopo_reorder.h"
#include "topology/base/error.hpp"
#include "topology/mpi/c_binding.hpp"
#include "topology/mpi/virtual_topology.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using namespace vtopo::detail::overlay;

namespace {

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

vtopo_reorder_answer answer(const vtopo_reorder_question& question, int* new_ranks) {
  if (question.version != VTOPO_REORDER_VERSION)
    throw UsageError("libvtopo_mpi.so and libvtopo_reorder.so are of different versions of vtopo");
  const auto start = std::chrono::steady_clock::now();
  if (!settings().reorder) return VTOPO_ORDER_KEPT;
  const Reordering result = answer_to(question);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  report_constructor(question.call, question.processes, result, taken.count());
  if (!result.kept_because.empty()) return VTOPO_ORDER_KEPT;
  write_new_ranks(result.old_ranks, new_ranks, question.processes);
  return VTOPO_REORDERED;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int vtopo_reorder(
    const vtopo_reorder_question* question, int* new_ranks, char* sentence, size_t length) {
  try {
    return answer(*question, new_ranks);
  } catch (const std::exception& error) {
    std::snprintf(sentence, length, "%s", error.what());
    return VTOPO_NOT_DONE;
  }
}
