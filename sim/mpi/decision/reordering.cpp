#include "sim/mpi/decision/reordering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

#include "sim/evaluation/totals.hpp"
#include "sim/mapping/portfolio/portfolio_members.hpp"
#include "sim/mpi/decision/order_search.hpp"
#include "sim/mpi/smpi_repairs/environment.hpp"
#include "sim/placement/embedding_check.hpp"
#include "topology/base/deadline.hpp"
#include "topology/base/error.hpp"
#include "topology/base/id_vector.hpp"

namespace vtopo::detail::overlay {

namespace {

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

/// What is to be mapped and how.
struct Question {
  const ReorderProblem& asked;
  const Network& network;
  const Allocation& allocation;
  const MappingChoice& choice;
  const Embedding& before;

  MappingProblem problem(const Objective& objective) const;
  SearchControl control() const;
};

MappingProblem Question::problem(const Objective& objective) const {
  MappingProblem result{asked.guest, network, allocation};
  result.grid = asked.grid;
  result.seed = choice.seed;
  result.objective = objective;
  return result;
}

SearchControl Question::control() const {
  SearchControl result{.steps = choice.steps};
  if (choice.time_limit)
    result.deadline = time_point_after(SearchControl::Clock::now(), *choice.time_limit);
  return result;
}

/// Where objective, steps or time are chosen and no mapper is, the usual one.
MapperSpec chosen_mapper(const MappingChoice& choice) {
  return choice.mapper.value_or(MapperSpec{mapper_of(MapperRole::default_choice).name, {}});
}

/// The mapper's embedding if it is better than the old one under the objective of the choice.
std::optional<BetterOrder> better_by_objective(const Question& question,
                                               const Iteration& iteration) {
  const auto& [asked, network, allocation, choice, before] = question;
  Embedding after =
      run_mapper(chosen_mapper(choice), question.problem(*choice.objective), question.control());
  if (!(cost_of(*choice.objective, asked.guest, network, after) <
        cost_of(*choice.objective, asked.guest, network, before)))
    return std::nullopt;
  const double gain = 1 - relative_time(iteration.cost(before), iteration.cost(after));
  return BetterOrder{std::move(after), to_string(chosen_mapper(choice)), gain};
}

/// Processor time for mappers where none is chosen, by the mappers' own estimates: so that equal
/// problems have equal answers.
double mapper_seconds(int num_ranks) {
  return 1e-3 + 8e-6 * num_ranks;
}

/// How many of their answers are looked at closely.
constexpr std::size_t max_answers = 4;

/// An embedding with the metrics by which it is ranked.
struct RankedEmbedding {
  Embedding embedding;
  Cost cost;
  std::string mapper;
};

/// What mappers find that together take milliseconds, the least congestion first; at a tie, the
/// fewest hop-bytes.
std::vector<RankedEmbedding> quick_embeddings(const Question& question) {
  const MappingProblem problem = question.problem(max_congestion_first());
  double left = mapper_seconds(question.asked.guest.num_ranks());
  std::vector<RankedEmbedding> found;
  for (const PortfolioMember& member : portfolio_members(problem, {}, "auto")) {
    if (member.seconds > left && !found.empty()) continue;
    left -= member.seconds;
    Embedding embedding = run_mapper({member.name, {}}, problem);
    Cost cost = cost_of(problem.objective, question.asked.guest, question.network, embedding);
    found.push_back({std::move(embedding), std::move(cost), member.name});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.cost < b.cost; });
  return found;
}

/// Ranks up to which the best answer is refined, and steps for each rank: a tenth of a millisecond.
constexpr int max_refined_ranks = 512;
constexpr std::int64_t hop_steps_per_rank = 800;
constexpr std::int64_t congestion_steps_per_rank = 20;

/// Offers the answers of quick mappers, and what refiners of hop-bytes and of congestion make of
/// the first.
void offer_quick(const Question& question, OrderSearch& search) {
  const std::vector<RankedEmbedding> found = quick_embeddings(question);
  for (std::size_t i = 0; i < std::min(found.size(), max_answers); ++i)
    search.offer(found[i].embedding, found[i].mapper);
  const int ranks = question.asked.guest.num_ranks();
  if (ranks > max_refined_ranks) return;
  const auto offer_refined = [&](MapperRole role, const Objective& objective, std::int64_t steps) {
    SearchControl control{.steps = steps * ranks};
    control.start = &found.front().embedding;
    const std::string& name = mapper_of(role).name;
    search.offer(run_mapper({name, {}}, question.problem(objective), control),
                 fmt::format("{}+{}", found.front().mapper, name));
  };
  offer_refined(MapperRole::hop_refiner, {}, hop_steps_per_rank);
  offer_refined(MapperRole::congestion_refiner, max_congestion_first(), congestion_steps_per_rank);
}

/// The order with the shortest iteration: of the answers of the chosen mapper, else of those that
/// take milliseconds and what exchanges make of them.
std::optional<BetterOrder> better_iteration(const Question& question, const Iteration& iteration) {
  const MappingChoice& choice = question.choice;
  OrderSearch search(iteration, question.before, choice.min_gain);
  if (choice.mapper || choice.steps || choice.time_limit) {
    const MapperSpec mapper = chosen_mapper(choice);
    for (const Objective& objective : {max_congestion_first(), Objective{}})
      search.offer(run_mapper(mapper, question.problem(objective), question.control()),
                   to_string(mapper));
  } else {
    offer_quick(question, search);
    search.improve(question.allocation, choice.seed);
  }
  return search.best();
}

std::string why_kept(const MappingChoice& choice) {
  if (!choice.mapper) return "no other order is better";
  return fmt::format("the order of {} is not better", to_string(*choice.mapper));
}

std::string number_or_null(const std::optional<Bytes>& bytes) {
  return bytes ? fmt::format("{}", bytes->value) : "null";
}

/// New rank of each old one; null for those outside.
std::string new_ranks(int old_size, const std::vector<Rank>& old_ranks) {
  std::vector<std::string> ranks(static_cast<std::size_t>(old_size), "null");
  for (std::size_t r = 0; r < old_ranks.size(); ++r) ranks[index(old_ranks[r])] = std::to_string(r);
  return fmt::format("[{}]", fmt::join(ranks, ","));
}

}  // namespace

Reordering keep_order(const ReorderProblem& problem, const Network* network,
                      std::span<const HostId> hosts, std::string_view because) {
  Reordering result{
      all_ranks(problem.guest.num_ranks()), {}, std::nullopt, std::nullopt, std::string(because)};
  if (network == nullptr || hosts.empty()) return result;
  const Allocation allocation = allocation_for(hosts);
  const Embedding before = old_embedding(problem.guest, hosts, allocation);
  result.hop_bytes_before = result.hop_bytes_after =
      evaluate_totals(problem.guest, *network, before).hop_bytes;
  return result;
}

Reordering reorder(const ReorderProblem& problem, const Network& network,
                   std::span<const HostId> hosts, const MappingChoice& choice,
                   const ProgramClock& clock) {
  // One process has no neighbours; a grid of no dimensions has one.
  if (problem.guest.num_ranks() < 2) return keep_order(problem, &network, hosts, why_kept(choice));
  // Hosts are in the order of the machine, so that mappers which fill slots in turn have a use.
  const Allocation allocation = allocation_for(hosts);
  const Embedding before = old_embedding(problem.guest, hosts, allocation);
  const Question question{problem, network, allocation, choice, before};
  const Iteration iteration(problem, network, choice.message, clock);
  Reordering result{.old_ranks = all_ranks(problem.guest.num_ranks())};
  result.hop_bytes_before = result.hop_bytes_after =
      evaluate_totals(problem.guest, network, before).hop_bytes;
  const std::optional<BetterOrder> after = choice.objective
                                               ? better_by_objective(question, iteration)
                                               : better_iteration(question, iteration);
  if (after) {
    result.mapper = after->mapper;
    result.old_ranks = processes_for(after->embedding, hosts);
    result.hop_bytes_after = evaluate_totals(problem.guest, network, after->embedding).hop_bytes;
    result.predicted_gain = after->gain;
    result.worst_collective = iteration.worst_collective(before, after->embedding);
  } else {
    result.mapper = choice.mapper ? to_string(*choice.mapper) : "";
    result.kept_because = why_kept(choice);
  }
  return result;
}

void report_constructor(std::string_view call, int old_size, const Reordering& reordering,
                        double seconds) {
  const std::string& path = settings().report;
  if (path.empty()) return;
  const auto text = [](const std::string& words) {
    return words.empty() ? "null" : json_string(words);
  };
  const auto& collective = reordering.worst_collective;
  const std::string worst = collective
                                ? fmt::format("{{\"operation\":{},\"change\":{}}}",
                                              json_string(collective->operation), collective->part)
                                : "null";
  const std::string line = fmt::format(
      "{{\"schema\":\"vtopo/constructor/v1\",\"call\":{},\"ranks\":{},\"mapper\":{},"
      "\"hop_bytes_before\":{},\"hop_bytes_after\":{},\"new_ranks\":{},\"kept_because\":{},"
      "\"predicted_gain\":{},\"worst_collective\":{},\"decision_seconds\":{:.3g}}}\n",
      json_string(call), reordering.old_ranks.size(), text(reordering.mapper),
      number_or_null(reordering.hop_bytes_before), number_or_null(reordering.hop_bytes_after),
      new_ranks(old_size, reordering.old_ranks), text(reordering.kept_because),
      reordering.predicted_gain, worst, seconds);
  // In one piece: other processes may append to the same file.
  std::FILE* file = std::fopen(path.c_str(), "a");
  const bool written = file != nullptr && std::setvbuf(file, nullptr, _IONBF, 0) == 0 &&
                       std::fwrite(line.data(), 1, line.size(), file) == line.size();
  if (file != nullptr) std::fclose(file);
  if (!written) throw InputError(fmt::format("{}: cannot be written (VTOPO_REPORT)", path));
}

}  // namespace vtopo::detail::overlay
