#include "sim/mpi/decision/reordering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <utility>

#include "sim/evaluation/totals.hpp"
#include "sim/mapping/portfolio/portfolio_members.hpp"
#include "sim/mpi/decision/order_search.hpp"
#include "sim/placement/embedding_check.hpp"
#include "topology/base/environment.hpp"
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
  const ProgramClock& clock;

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
  using Clock = SearchControl::Clock;
  SearchControl result{.steps = choice.steps};
  if (choice.time_limit)
    result.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                         std::chrono::duration<double>(choice.time_limit->value));
  return result;
}

/// What was found: an order to take, and where there is none perhaps one that was refused.
struct Found {
  std::optional<BetterOrder> better;
  std::optional<RefusedOrder> refused = std::nullopt;
};

Found found_by(const OrderSearch& search) {
  return {search.best(), search.refused()};
}

/// The mapper's embedding if it is better than the old one under the objective of the choice.
std::optional<BetterOrder> better(const Question& question) {
  const auto& [asked, network, allocation, choice, before, clock] = question;
  Embedding after =
      run_mapper(choice.mapper, question.problem(*choice.objective), question.control());
  if (!(cost_of(*choice.objective, asked.guest, network, after) <
        cost_of(*choice.objective, asked.guest, network, before)))
    return std::nullopt;
  const Exchange exchange(asked, network, before, clock);
  const double gain = 1 - relative_time(exchange.cost(before), exchange.cost(after));
  return BetterOrder{std::move(after), to_string(choice.mapper), gain};
}

OrderSearch search_of(const Question& question, const ProgramClock& clock) {
  return {question.asked, question.network, question.before, question.choice.min_gain, clock};
}

/// Processor time for mappers of constructors that are to be quick, by the mappers' own estimates:
/// so that equal problems have equal answers.
double quick_seconds(int num_ranks) {
  return 1e-3 + 8e-6 * num_ranks;
}

/// An embedding with the figures by which it is ranked.
struct RankedEmbedding {
  Embedding embedding;
  Cost cost;
  std::string mapper;
};

/// What mappers find that together take milliseconds, the least congestion first; at a tie, the
/// fewest hop-bytes.
std::vector<RankedEmbedding> quick_embeddings(const Question& question) {
  const MappingProblem problem = question.problem(max_congestion_first());
  double left = quick_seconds(question.asked.guest.num_ranks());
  std::vector<RankedEmbedding> found;
  for (const PortfolioMember& member : portfolio_members(problem, {}, "auto")) {
    if (member.seconds > left && !found.empty()) continue;
    left -= member.seconds;
    Embedding embedding = run_mapper({member.name, {}}, problem);
    const Metrics metrics = evaluate_totals(question.asked.guest, question.network, embedding);
    found.push_back({std::move(embedding), cost_of(problem.objective, metrics), member.name});
    if (metrics.max_dilation <= 1) break;  // nothing is nearer
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.cost < b.cost; });
  return found;
}

/// How many of them are looked at closely.
constexpr std::size_t max_quick_checks = 4;

/// The first of the quick ones that is a gain.
Found quickly_better(const Question& question) {
  OrderSearch search = search_of(question, {});
  std::size_t checks = 0;
  for (const RankedEmbedding& after : quick_embeddings(question)) {
    if (++checks > max_quick_checks || search.best()) break;
    search.offer(after.embedding, after.mapper);
  }
  return found_by(search);
}

/// Steps of the further questions where none are chosen and ranks are many: constructors are to
/// take seconds.
constexpr std::int64_t further_steps = 50'000;
constexpr int many_ranks = 64;

/// The same where no objective was chosen: the one of several answers that saves the most time.
Found better_in_all(const Question& question) {
  OrderSearch search = search_of(question, question.clock);
  const std::string mapper = to_string(question.choice.mapper);
  SearchControl control = question.control();
  std::vector<Embedding> answers;
  for (const char* objective :
       {"hop-bytes", "max-congestion,hop-bytes", "max-dilation,hop-bytes"}) {
    answers.push_back(
        run_mapper(question.choice.mapper, question.problem(parse_objective(objective)), control));
    search.offer(answers.back(), mapper);
    if (!control.steps && !control.deadline && question.asked.guest.num_ranks() > many_ranks)
      control.steps = further_steps;
  }
  for (const RankedEmbedding& after : quick_embeddings(question))
    search.offer(after.embedding, after.mapper);
  search.improve(std::move(answers), question.allocation, mapper + "+exchange",
                 question.choice.seed);
  return found_by(search);
}

Found find(const Question& question) {
  if (question.choice.objective) return {better(question)};
  return question.choice.quick ? quickly_better(question) : better_in_all(question);
}

std::string why_kept(const MappingChoice& choice, const std::optional<RefusedOrder>& refused) {
  if (choice.objective) return "no better order was found";
  std::string why = "no order was found that is better in one respect and worse in none";
  if (refused)
    why += fmt::format(
        "; one saves {:.1f} % of the time of an exchange, but {} grows by {:.1f} %: an objective "
        "(--objective, VTOPO_OBJECTIVE) would take it",
        100 * refused->gain, refused->worst.of, 100 * refused->worst.part);
  return why;
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
  // Hosts are in the order of the machine, so that mappers which fill slots in turn have a use.
  const Allocation allocation = allocation_for(hosts);
  const Embedding before = old_embedding(problem.guest, hosts, allocation);
  Reordering result{all_ranks(problem.guest.num_ranks()), to_string(choice.mapper), {}, {}};
  result.hop_bytes_before = result.hop_bytes_after =
      evaluate_totals(problem.guest, network, before).hop_bytes;
  const Found found = find({problem, network, allocation, choice, before, clock});
  if (const auto& after = found.better) {
    result.mapper = after->mapper;
    result.old_ranks = processes_for(after->embedding, hosts);
    result.hop_bytes_after = evaluate_totals(problem.guest, network, after->embedding).hop_bytes;
    result.predicted_gain = after->gain;
  } else {
    result.kept_because = why_kept(choice, found.refused);
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
  const std::string line = fmt::format(
      "{{\"schema\":\"vtopo/constructor/v1\",\"call\":{},\"ranks\":{},\"mapper\":{},"
      "\"hop_bytes_before\":{},\"hop_bytes_after\":{},\"new_ranks\":{},\"kept_because\":{},"
      "\"predicted_gain\":{},\"decision_seconds\":{:.3g}}}\n",
      json_string(call), reordering.old_ranks.size(), text(reordering.mapper),
      number_or_null(reordering.hop_bytes_before), number_or_null(reordering.hop_bytes_after),
      new_ranks(old_size, reordering.old_ranks), text(reordering.kept_because),
      reordering.predicted_gain, seconds);
  // In one piece: other processes may append to the same file.
  std::FILE* file = std::fopen(path.c_str(), "a");
  const bool written = file != nullptr && std::setvbuf(file, nullptr, _IONBF, 0) == 0 &&
                       std::fwrite(line.data(), 1, line.size(), file) == line.size();
  if (file != nullptr) std::fclose(file);
  if (!written) throw InputError(fmt::format("{}: cannot be written (VTOPO_REPORT)", path));
}

}  // namespace vtopo::detail::overlay
