#include "topology/mpi/communicator.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo {

using namespace detail;

namespace {

/// Old ranks of each colour, in the order that they take in the new communicator.
std::map<int, std::vector<Rank>> ranks_by_colour(std::span<const SplitChoice> choices) {
  std::map<int, std::vector<Rank>> ranks;
  for (std::size_t r = 0; r < choices.size(); ++r) {
    const auto& colour = choices[r].colour;
    if (!colour) continue;
    if (*colour < 0) throw mpi_error<TopologyCondition::negative_colour>(*colour, r);
    ranks[*colour].push_back(id_at<Rank>(r));
  }
  for (auto& [colour, members] : ranks)
    std::stable_sort(members.begin(), members.end(),
                     [&](Rank a, Rank b) { return choices[index(a)].key < choices[index(b)].key; });
  return ranks;
}

ProcessGroup group_of(const Communicator& communicator, std::span<const Rank> ranks) {
  std::vector<ProcessId> processes;
  processes.reserve(ranks.size());
  for (const Rank rank : ranks) processes.push_back(communicator.process(rank));
  return ProcessGroup(std::move(processes));
}

}  // namespace

Communicator::Communicator(ProcessGroup group, std::optional<VirtualTopology> topology)
    : group_(std::move(group)), context_(std::make_shared<const Context>()) {
  if (!topology) return;
  if (num_ranks(*topology) != group_.size())
    throw mpi_error<TopologyCondition::ranks_of_topology>(num_ranks(*topology), group_.size());
  topology_ = std::make_shared<const VirtualTopology>(*std::move(topology));
}

Communicator Communicator::dup() const {
  return with_group(group_);
}

Communicator Communicator::with_group(ProcessGroup group) const {
  if (topology_ && num_ranks(*topology_) != group.size())
    throw mpi_error<TopologyCondition::ranks_of_topology>(num_ranks(*topology_), group.size());
  Communicator other(std::move(group));
  other.topology_ = topology_;
  return other;
}

Communicator world(int size) {
  return Communicator(ProcessGroup::consecutive(ProcessId{0}, size));
}

Communicator self(ProcessId process) {
  return Communicator(ProcessGroup::consecutive(process, 1));
}

Comparison compare(const Communicator& a, const Communicator& b) {
  if (a.same_context(b)) return Comparison::identical;
  const Comparison groups = compare(a.group(), b.group());
  return groups == Comparison::identical ? Comparison::congruent : groups;
}

std::optional<Communicator> Partition::of(Rank rank) const {
  if (number(rank) < 0 || index(rank) >= part_of_.size())
    throw mpi_error<TopologyCondition::rank_outside>(number(rank), int_size(part_of_) - 1);
  const auto part = part_of_[index(rank)];
  if (!part) return std::nullopt;
  return parts_[index(*part)];
}

Partition split(const Communicator& communicator, std::span<const SplitChoice> choices) {
  if (choices.size() != index(communicator.size()))
    throw mpi_error<TopologyCondition::one_choice_per_rank>(choices.size(), "colours and keys",
                                                            communicator.size());
  std::vector<Communicator> parts;
  std::vector<std::optional<std::int32_t>> part_of(choices.size());
  for (const auto& [colour, members] : ranks_by_colour(choices)) {
    for (const Rank rank : members) part_of[index(rank)] = int_size(parts);
    parts.emplace_back(group_of(communicator, members));
  }
  return {std::move(parts), std::move(part_of)};
}

}  // namespace vtopo
