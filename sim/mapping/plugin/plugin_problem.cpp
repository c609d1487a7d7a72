#include "sim/mapping/plugin/plugin_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/mapping/search/budget.hpp"
#include "topology/base/narrow.hpp"

namespace {

using namespace vtopo;
using namespace vtopo::detail;

const MappingProblem& of(const vtopo_problem* problem) {
  return *problem->problem;
}

bool is_host(const vtopo_problem* problem, std::int32_t host) {
  return host >= 0 && host < of(problem).allocation.num_hosts();
}

HostId host_at(const vtopo_problem* problem, std::int32_t host) {
  return of(problem).allocation.hosts[static_cast<std::size_t>(host)];
}

/// No exception leaves a function that C calls: hosts without a route give `otherwise`.
template <class Value, class Function>
Value guarded(Value otherwise, Function&& function) noexcept {
  try {
    return function();
  } catch (...) {
    return otherwise;
  }
}

std::int32_t num_ranks(vtopo_problem* problem) {
  return of(problem).guest.num_ranks();
}

std::int64_t out_edges(vtopo_problem* problem, std::int32_t rank, const vtopo_edge** edges) {
  if (rank < 0 || rank >= num_ranks(problem) || edges == nullptr) return -1;
  const auto row = static_cast<std::size_t>(rank);
  *edges = problem->edges.data() + problem->offsets[row];
  return static_cast<std::int64_t>(problem->offsets[row + 1] - problem->offsets[row]);
}

std::int32_t grid(vtopo_problem* problem, std::int32_t capacity, std::int32_t* sizes,
                  std::int32_t* periodic) {
  if (of(problem).grid == nullptr) return 0;
  const auto& dimensions = of(problem).grid->dimensions();
  for (std::size_t d = 0; d < dimensions.size() && static_cast<std::int64_t>(d) < capacity; ++d) {
    if (sizes != nullptr) sizes[d] = dimensions[d].size;
    if (periodic != nullptr) periodic[d] = dimensions[d].periodicity == Periodicity::periodic;
  }
  return int_size(dimensions);
}

std::int32_t num_hosts(vtopo_problem* problem) {
  return of(problem).allocation.num_hosts();
}

std::int32_t slots(vtopo_problem* problem, std::int32_t host) {
  if (!is_host(problem, host)) return -1;
  return of(problem).allocation.slots[static_cast<std::size_t>(host)];
}

std::int32_t host_number(vtopo_problem* problem, std::int32_t host) {
  return is_host(problem, host) ? number(host_at(problem, host)) : -1;
}

const char* network(vtopo_problem* problem) {
  return problem->network.c_str();
}

std::int32_t hops(vtopo_problem* problem, std::int32_t from, std::int32_t to) {
  if (!is_host(problem, from) || !is_host(problem, to)) return -1;
  if (from == to) return 0;
  return guarded(std::int32_t{-1}, [&] {
    return of(problem).network.hops(host_at(problem, from), host_at(problem, to));
  });
}

std::int64_t route(vtopo_problem* problem, std::int32_t from, std::int32_t to,
                   std::int64_t capacity, std::int32_t* links) {
  if (!is_host(problem, from) || !is_host(problem, to)) return -1;
  const auto count = guarded(std::int64_t{-1}, [&] {
    problem->route.clear();
    of(problem).network.append_route(host_at(problem, from), host_at(problem, to), problem->route);
    return static_cast<std::int64_t>(problem->route.size());
  });
  if (links != nullptr)
    for (std::int64_t i = 0; i < std::min(count, capacity); ++i)
      links[i] = number(problem->route[static_cast<std::size_t>(i)]);
  return count;
}

std::int32_t num_links(vtopo_problem* problem) {
  return of(problem).network.num_links();
}

double link_bandwidth(vtopo_problem* problem, std::int32_t link) {
  if (link < 0 || link >= num_links(problem)) return -1;
  return of(problem).network.link(LinkId{link}).bandwidth.value;
}

std::uint64_t seed(vtopo_problem* problem) {
  return of(problem).seed;
}

std::int64_t steps(vtopo_problem* problem) {
  return problem->control->steps.value_or(-1);
}

double seconds_left(vtopo_problem* problem) {
  const auto left = time_left(*problem->control);
  return left ? std::max(0.0, left->count()) : std::numeric_limits<double>::infinity();
}

std::int32_t should_stop(vtopo_problem* problem) {
  return problem->control->must_stop();
}

const char* option(vtopo_problem* problem, const char* name) {
  if (name == nullptr) return nullptr;
  const auto found = problem->option_values.find(std::string_view(name));
  return found == problem->option_values.end() ? nullptr : found->second.c_str();
}

void report_progress(vtopo_problem* problem, double share) {
  const Progress& progress = problem->control->progress;
  if (progress && share >= 0 && share <= 1) progress(share);
}

void set_error(vtopo_problem* problem, const char* sentence) {
  problem->error = sentence == nullptr ? "" : sentence;
}

void report_value(vtopo_problem* problem, double value, std::int64_t steps) {
  if (std::isfinite(value) && steps >= 0) problem->control->report_value(value, steps);
}

}  // namespace

vtopo_problem::vtopo_problem(const vtopo::MappingProblem& given, const vtopo::SearchControl& search,
                             const std::vector<vtopo::MapperOption>& options)
    : problem(&given), control(&search), network(given.network.description()) {
  edges.reserve(given.guest.num_edges());
  for (int r = 0; r < given.guest.num_ranks(); ++r) {
    for (const vtopo::CommEdge& edge : given.guest.out_edges(vtopo::Rank{r}))
      edges.push_back({edge.volume.value, vtopo::number(edge.destination), edge.messages});
    offsets.push_back(edges.size());
  }
  for (const vtopo::MapperOption& each : options) option_values[each.name] = each.default_value;
  for (const auto& [name, value] : given.options) option_values[name] = value;
}

namespace vtopo::detail {

const vtopo_api& plugin_api() {
  static const vtopo_api api{VTOPO_PLUGIN_ABI,
                             sizeof(vtopo_api),
                             ::num_ranks,
                             out_edges,
                             grid,
                             num_hosts,
                             slots,
                             host_number,
                             network,
                             hops,
                             route,
                             num_links,
                             link_bandwidth,
                             seed,
                             steps,
                             seconds_left,
                             should_stop,
                             option,
                             report_progress,
                             set_error,
                             report_value};
  return api;
}

}  // namespace vtopo::detail
