#include "sim/mpi/reordering.hpp"

#include <chrono>
#include <map>
#include <numeric>

#include "sim/mpi/exchange_cost.hpp"

namespace vtopo::overlay {

namespace {

/// The hosts of the processes, each with a slot per process; hosts in the order of ranks.
Allocation allocation_of(std::span<const HostId> hosts) {
  Allocation allocation;
  std::map<HostId, std::size_t> places;
  for (const HostId host : hosts) {
    const auto [found, is_new] = places.emplace(host, allocation.hosts.size());
    if (is_new) {
      allocation.hosts.push_back(host);
      allocation.slots.push_back(0);
    }
    ++allocation.slots[found->second];
  }
  return allocation;
}

/// Processes for an embedding: who can keep the rank keeps it, the others are taken in their order.
std::vector<Rank> processes_for(const Embedding& embedding, std::span<const HostId> hosts) {
  const auto num_ranks = static_cast<std::size_t>(embedding.num_ranks());
  std::vector<std::optional<Rank>> chosen(num_ranks);
  std::map<HostId, std::vector<Rank>> free;  // per host, the last first
  for (std::size_t r = hosts.size(); r-- > 0;) {
    if (r < num_ranks && embedding.host_of(id_at<Rank>(r)) == hosts[r])
      chosen[r] = id_at<Rank>(r);
    else
      free[hosts[r]].push_back(id_at<Rank>(r));
  }
  std::vector<Rank> processes;
  for (std::size_t r = 0; r < num_ranks; ++r) {
    if (!chosen[r]) {
      auto& candidates = free[embedding.host_of(id_at<Rank>(r))];
      chosen[r] = candidates.back();
      candidates.pop_back();
    }
    processes.push_back(*chosen[r]);
  }
  return processes;
}

Embedding old_embedding(const CommGraph& guest, std::span<const HostId> hosts,
                        const Allocation& allocation) {
  return {{hosts.begin(), hosts.begin() + guest.num_ranks()}, allocation};
}

Bytes hop_bytes(const CommGraph& guest, const Network& network, const Embedding& embedding) {
  return evaluate(guest, network, embedding).hop_bytes;
}

std::vector<Rank> old_order(const CommGraph& guest) {
  std::vector<Rank> ranks;
  for (int r = 0; r < guest.num_ranks(); ++r) ranks.push_back(Rank{r});
  return ranks;
}

/// What is to be mapped and how.
struct Question {
  const ReorderRequest& request;
  const Network& network;
  const Allocation& allocation;
  const MappingChoice& choice;
  const Embedding& before;

  MappingProblem problem(const Objective& objective) const;
  SearchControl control() const;
};

MappingProblem Question::problem(const Objective& objective) const {
  MappingProblem result{request.guest, network, allocation};
  result.grid = std::get_if<Cartesian>(&request.topology);
  result.seed = choice.seed;
  result.objective = objective;
  return result;
}

SearchControl Question::control() const {
  using Clock = SearchControl::Clock;
  SearchControl result{.steps = choice.steps};
  if (choice.time_limit)
    result.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                         std::chrono::duration<double>(choice.time_limit->value));
  return result;
}

/// The mapper's embedding if it is better than the old one under the objective of the choice.
std::optional<Embedding> better(const Question& question) {
  const auto& [request, network, allocation, choice, before] = question;
  Embedding after =
      run_mapper(choice.mapper, question.problem(*choice.objective), question.control());
  if (cost_of(*choice.objective, request.guest, network, after) <
      cost_of(*choice.objective, request.guest, network, before))
    return after;
  return std::nullopt;
}

/// Steps of the second question where none are chosen: constructors are to take seconds.
constexpr std::int64_t second_steps = 50'000;

/// The same where no objective was chosen: the first that is a gain.
std::optional<Embedding> better_in_all(const Question& question) {
  const ExchangeCost old = exchange_cost(question.request.guest, question.network, question.before);
  MappingProblem problem = question.problem(Objective{});
  SearchControl control = question.control();
  for (const bool first : {true, false}) {
    if (!first) problem.objective = max_congestion_first();
    if (!first && !control.steps && !control.deadline) control.steps = second_steps;
    Embedding after = run_mapper(question.choice.mapper, problem, control);
    const ExchangeCost cost = exchange_cost(question.request.guest, question.network, after);
    if (is_gain(old, cost)) return after;
    if (!(cost.hop_bytes < old.hop_bytes)) break;
  }
  return std::nullopt;
}

}  // namespace

Reordering keep_order(const ReorderRequest& request, const Network* network,
                      std::span<const HostId> hosts) {
  Reordering result{old_order(request.guest), {}, std::nullopt, std::nullopt};
  if (network == nullptr) return result;
  const Allocation allocation = allocation_of(hosts);
  result.hop_bytes_before = result.hop_bytes_after =
      hop_bytes(request.guest, *network, old_embedding(request.guest, hosts, allocation));
  return result;
}

Reordering reorder(const ReorderRequest& request, const Network& network,
                   std::span<const HostId> hosts, const MappingChoice& choice) {
  const Allocation allocation = allocation_of(hosts);
  const Embedding before = old_embedding(request.guest, hosts, allocation);
  Reordering result{old_order(request.guest), to_string(choice.mapper), {}, {}};
  result.hop_bytes_before = result.hop_bytes_after = hop_bytes(request.guest, network, before);
  const Question question{request, network, allocation, choice, before};
  const auto after = choice.objective ? better(question) : better_in_all(question);
  if (after) {
    result.old_ranks = processes_for(*after, hosts);
    result.hop_bytes_after = hop_bytes(request.guest, network, *after);
  }
  return result;
}

}  // namespace vtopo::overlay
