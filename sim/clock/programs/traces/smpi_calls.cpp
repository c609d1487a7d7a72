#include "sim/clock/programs/traces/smpi_calls.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "sim/clock/programs/program.hpp"
#include "topology/base/id_vector.hpp"

namespace vtopo::detail {

void RankCalls::start(Operation operation, const Key& key) {
  if (free_.empty()) free_.insert(num_requests_++);
  operation.request = *free_.begin();
  free_.erase(free_.begin());
  open_[key].push_back(operation.request);
  ++num_open_;
  operations_.push_back(operation);
  end_call();
}

bool RankCalls::wait_for(const Key& key) {
  const auto found = open_.find(key);
  if (found == open_.end()) return false;
  const std::int32_t request = found->second.front();
  found->second.pop_front();
  if (found->second.empty()) open_.erase(found);
  free_.insert(request);
  --num_open_;
  operations_.push_back(wait(request));
  end_call();
  return true;
}

void RankCalls::wait_for_all() {
  if (num_open_ == 0) return;
  for (const auto& [key, requests] : open_) free_.insert(requests.begin(), requests.end());
  open_.clear();
  num_open_ = 0;
  operations_.push_back(wait_all());
  end_call();
}

void RankCalls::move_to(Trace& trace, Rank rank) {
  end_call();
  check_num_operations(static_cast<double>(operations_.size()));
  operations_.shrink_to_fit();
  lines_.shrink_to_fit();
  trace.program.ranks[rank] = std::move(operations_);
  trace.lines[rank] = std::move(lines_);
}

namespace {

/// Point-to-point messages have communicator 0: they never match.
constexpr std::int32_t world_collectives = 1;

/// A collective of equal parts: where its arguments stand.
struct EvenAction {
  std::string_view name, collective;
  std::size_t types = 0;  ///< position of the datatype, of the long form
  std::optional<std::size_t> root = {};
  std::optional<std::size_t> work = {};  ///< position of the number of flops
};

constexpr std::array<EvenAction, 7> even_actions{{
    {"bcast", "bcast", 2, 1, {}},
    {"reduce", "reduce", 3, 2, 1},
    {"allreduce", "allreduce", 2, {}, 1},
    {"alltoall", "alltoall", 2, {}, {}},
    {"allgather", "allgather", 2, {}, {}},
    {"gather", "gather", 3, 2, {}},
    {"scatter", "scatter", 3, 2, {}},
}};

}  // namespace

SmpiCollectives::SmpiCollectives(int num_ranks, const TraceOptions& options)
    : options_(options), collectives_(options.collectives), world_(all_ranks(num_ranks)) {}

bool SmpiCollectives::add(const SmpiAction& action, RankCalls& calls) {
  std::string_view name = action.name();
  if (name.starts_with('i') && name != "init") name.remove_prefix(1);
  return add_even(name, action, calls) || add_uneven(name, action, calls);
}

bool SmpiCollectives::add_even(std::string_view name, const SmpiAction& action, RankCalls& calls) {
  const CallMembers all{world_, number(action.rank()), world_collectives};
  if (name == "barrier") {
    collectives_.append({"barrier", {0}}, all, calls.has_open_requests(), calls.operations());
    return true;
  }
  const auto row = std::find_if(even_actions.begin(), even_actions.end(),
                                [&](const EvenAction& even) { return even.name == name; });
  if (row == even_actions.end()) return false;
  // A count of 0 of the other side is left out of the line by SMPI.
  const std::size_t left_out =
      (name == "gather" || name == "scatter") && action.num_arguments() == row->types + 1 ? 1 : 0;
  const std::size_t side = name == "scatter" && left_out == 0 ? 1 : 0;  // what a rank gets
  const double bytes = action.count(side) * action.size(row->types - left_out + side);
  const int root = row->root ? number(action.root(*row->root - left_out)) : 0;
  collectives_.append({row->collective, {bytes}, root}, all, calls.has_open_requests(),
                      calls.operations());
  if (row->work) add_flops(action.count(*row->work), options_, calls);
  return true;
}

/// Collectives of unequal parts, as messages that go straight to their receivers or around.
bool SmpiCollectives::add_uneven(std::string_view name, const SmpiAction& action,
                                 RankCalls& calls) {
  const std::size_t ranks = world_.size();
  const CallMembers all{world_, number(action.rank()), world_collectives};
  const auto in_bytes = [&](std::size_t first, std::size_t type) {
    std::vector<double> bytes = action.counts(first);
    for (double& count : bytes) count *= action.size(type);
    return bytes;
  };
  std::vector<double> sent(ranks), received(ranks);
  if (name == "alltoallv") {
    sent = in_bytes(1, 2 + 2 * ranks);
    received = in_bytes(2 + ranks, 3 + 2 * ranks);
  } else if (name == "gatherv") {
    const Rank root = action.root(1 + ranks);
    if (root == action.rank())
      received = in_bytes(1, 3 + ranks);
    else
      sent[index(root)] = action.count(0) * action.size(2 + ranks);
  } else if (name == "scatterv") {
    const Rank root = action.root(1 + ranks);
    if (root == action.rank())
      sent = in_bytes(0, 2 + ranks);
    else
      received[index(root)] = action.count(ranks) * action.size(3 + ranks);
  } else if (name == "allgatherv") {
    CollectiveCalls::append_ring(in_bytes(1, 1 + ranks), all, calls.operations());
    return true;
  } else if (name == "reducescatter") {
    const auto parts = in_bytes(0, 1 + ranks);
    const double mean =
        std::accumulate(parts.begin(), parts.end(), 0.0) / static_cast<double>(ranks);
    collectives_.append({"reduce_scatter", {mean}}, all, calls.has_open_requests(),
                        calls.operations());
    add_flops(action.count(ranks), options_, calls);
    return true;
  } else if (name == "scan" || name == "exscan") {
    CollectiveCalls::append_chain({action.count(0) * action.size(2)}, all, calls.operations());
    add_flops(action.count(1), options_, calls);
    return true;
  } else {
    return false;
  }
  CollectiveCalls::append_exchange(sent, received, all, calls.operations());
  return true;
}

void add_flops(double flops, const TraceOptions& options, RankCalls& calls) {
  if (flops > 0)
    calls.operations().push_back(
        compute({flops / options.flops_per_second * options.compute_scale}));
}

}  // namespace vtopo::detail
