#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "topology/base/ids.hpp"
#include "topology/traffic/smpi_action.hpp"
#include "topology/traffic/smpi_flows.hpp"

namespace vtopo::detail {

bool SmpiFlows::add_collective(const SmpiAction& action) {
  if (kinds_ != RecordKinds::point_to_point) return add_rooted(action) || add_for_each(action);
  static constexpr std::array<std::string_view, 14> names{
      "bcast",     "reduce",  "allreduce",  "alltoall",      "gather",   "allgather", "scatter",
      "alltoallv", "gatherv", "allgatherv", "reducescatter", "scatterv", "scan",      "exscan"};
  return holds(names, action.name()) || (action.name().starts_with('i') &&
                                         holds(names, std::string_view(action.name()).substr(1)));
}

/// Collectives in which one rank has all of the data.
bool SmpiFlows::add_rooted(const SmpiAction& action) {
  const std::string& name = action.name();
  const auto ranks = index(num_ranks());
  const auto from_root = [&](std::size_t root, std::size_t type) {
    if (action.root(root) == action.rank())
      to_all_[index(action.rank())].add(action.count(0) * action.size(type));
  };
  const auto to_root = [&](std::size_t root, std::size_t type) {
    if (action.root(root) != action.rank())
      add(action.rank(), action.root(root), action.count(0) * action.size(type));
  };
  if (name == "bcast" || name == "ibcast") {
    from_root(1, 2);
  } else if (name == "scatter" || name == "iscatter") {
    from_root(2, 3);
  } else if (name == "reduce" || name == "ireduce" || name == "gather" || name == "igather") {
    to_root(2, 3);
  } else if (name == "gatherv" || name == "igatherv") {
    to_root(1 + ranks, 2 + ranks);
  } else {
    return false;
  }
  return true;
}

/// Collectives in which each rank has data for others.
bool SmpiFlows::add_for_each(const SmpiAction& action) {
  std::string name = action.name();
  if (name.starts_with('i')) name.erase(0, 1);
  const auto ranks = index(num_ranks());
  const auto all = [&](std::size_t type) {
    to_all_[index(action.rank())].add(action.count(0) * action.size(type));
  };
  const auto each = [&](std::size_t first, std::size_t type) {
    const std::vector<double> counts = action.counts(first);
    for (std::size_t d = 0; d < ranks; ++d)
      if (d != index(action.rank()) && counts[d] > 0)
        add(action.rank(), id_at<Rank>(d), counts[d] * action.size(type));
  };
  if (name == "allreduce" || name == "alltoall" || name == "allgather") {
    all(2);
  } else if (name == "allgatherv") {
    all(1 + ranks);
  } else if (name == "alltoallv") {
    each(1, 2 + 2 * ranks);
  } else if (name == "reducescatter") {
    each(0, 1 + ranks);
  } else if (name == "scatterv") {
    if (action.root(1 + ranks) == action.rank()) each(0, 2 + ranks);
  } else if (name == "scan" || name == "exscan") {
    if (number(action.rank()) + 1 < num_ranks())
      add(action.rank(), Rank{number(action.rank()) + 1}, action.count(0) * action.size(2));
  } else {
    return false;
  }
  return true;
}

}  // namespace vtopo::detail
