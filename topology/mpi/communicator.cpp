#include "topology/mpi/communicator.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "topology/base/narrow.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo {

using namespace detail;

/// Processes by rank, and ranks in ascending order of their processes for the way back.
struct ProcessGroup::Listed {
  std::vector<ProcessId> processes;
  std::vector<Rank> by_process;

  explicit Listed(std::vector<ProcessId> listed)
      : processes(std::move(listed)), by_process(processes.size()) {
    for (std::size_t r = 0; r < by_process.size(); ++r) by_process[r] = id_at<Rank>(r);
    std::sort(by_process.begin(), by_process.end(), [&](Rank a, Rank b) {
      return std::pair(processes[index(a)], a) < std::pair(processes[index(b)], b);
    });
  }
};

namespace {

bool are_consecutive(const std::vector<ProcessId>& processes) {
  return std::adjacent_find(processes.begin(), processes.end(), [](ProcessId a, ProcessId b) {
           return std::int64_t{number(a)} + 1 != number(b);
         }) == processes.end();
}

void check_size(std::int64_t size) {
  if (size < 1) throw mpi_error<TopologyCondition::empty_group>(size);
}

/// Whether all processes of `a` belong to `b`.
bool contained(const ProcessGroup& a, const ProcessGroup& b) {
  for (int r = 0; r < a.size(); ++r)
    if (!b.rank_of(a.process(Rank{r}))) return false;
  return true;
}

}  // namespace

ProcessGroup ProcessGroup::consecutive(ProcessId first, int size) {
  check_size(size);
  const std::int64_t last = std::int64_t{number(first)} + size - 1;
  if (last > max_id) throw mpi_error<TopologyCondition::process_above_int>(last);
  return {first, size};
}

ProcessGroup::ProcessGroup(std::vector<ProcessId> processes) : size_(int_size(processes)) {
  check_size(size_);
  first_ = processes[0];
  if (are_consecutive(processes)) return;
  listed_ = std::make_shared<const Listed>(std::move(processes));
  const auto& by_process = listed_->by_process;
  for (std::size_t i = 1; i < by_process.size(); ++i) {
    const ProcessId twice = process(by_process[i]);
    if (process(by_process[i - 1]) == twice)
      throw mpi_error<TopologyCondition::process_twice>(number(twice), number(by_process[i - 1]),
                                                        number(by_process[i]));
  }
}

ProcessId ProcessGroup::process(Rank rank) const {
  if (number(rank) < 0 || number(rank) >= size_)
    throw mpi_error<TopologyCondition::rank_outside>(number(rank), size_ - 1);
  return listed_ ? listed_->processes[index(rank)] : ProcessId{number(first_) + number(rank)};
}

std::optional<Rank> ProcessGroup::rank_of(ProcessId process) const {
  if (!listed_) {
    const std::int64_t rank = std::int64_t{number(process)} - number(first_);
    if (rank < 0 || rank >= size_) return std::nullopt;
    return Rank{narrow<int>(rank)};
  }
  const auto& processes = listed_->processes;
  const auto& by_process = listed_->by_process;
  const auto at = std::lower_bound(
      by_process.begin(), by_process.end(), process,
      [&](Rank rank, ProcessId sought) { return processes[index(rank)] < sought; });
  if (at == by_process.end() || processes[index(*at)] != process) return std::nullopt;
  return *at;
}

ProcessGroup ProcessGroup::first(int size) const {
  check_size(size);
  if (size > size_) throw mpi_error<TopologyCondition::first_above_group>(size, size_);
  if (!listed_) return {first_, size};
  const auto begin = listed_->processes.begin();
  return ProcessGroup(std::vector(begin, begin + size));
}

bool same_order(const ProcessGroup& a, const ProcessGroup& b) {
  if (a.size_ != b.size_ || a.first_ != b.first_) return false;
  if (!a.listed_ || !b.listed_) return !a.listed_ && !b.listed_;
  return a.listed_ == b.listed_ || a.listed_->processes == b.listed_->processes;
}

Comparison compare(const ProcessGroup& a, const ProcessGroup& b) {
  if (same_order(a, b)) return Comparison::identical;
  if (a.size() == b.size() && contained(a, b)) return Comparison::similar;
  return Comparison::unequal;
}

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
