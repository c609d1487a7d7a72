#include "sim/study/choose_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/placement/host_sets/host_sets.hpp"
#include "sim/run/job_times.hpp"
#include "sim/run/plan.hpp"
#include "sim/scenario/auto_grid.hpp"
#include "sim/scenario/scenario_options.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

constexpr int random_sets = 10;

/// Sets tried by default: so many steps over edges and links, as far as these limits permit.
constexpr double default_work = 6e7;
constexpr double least_sets = 200, most_sets = 200000;

/// Of a network: each set that is tried takes time for all of its links.
constexpr int most_hosts = 1 << 20;

/// @throws UsageError for a network on which a search would not end soon.
void check_size(const Network& network) {
  if (network.num_hosts() > most_hosts)
    throw UsageError(
        fmt::format("the network has {} hosts: a search of hosts accepts networks of up to {}; "
                    "give that part of the machine on which the job can run",
                    network.num_hosts(), most_hosts));
}

Scenario completed(const HostRequest& request) {
  Scenario scenario = request.scenario;
  if (scenario.topology.empty() && scenario.traffic.empty() && scenario.schedule.empty()) {
    if (!request.ranks) throw UsageError("how large the job is, is missing: give --ranks");
    if (*request.ranks < 1)
      throw UsageError(fmt::format("--ranks {}: accepted are numbers from 1", *request.ranks));
    scenario.topology = cubic_grid(*request.ranks);
  }
  if (!scenario.traffic.empty() || scenario.topology == auto_grid) scenario.ranks = request.ranks;
  if (parse_mappers(scenario.mappers).size() != 1)
    throw UsageError(
        fmt::format("one mapper places the ranks, \"{}\" names several", scenario.mappers));
  return scenario;
}

/// What a job costs on a set.
class SetTimes {
 public:
  SetTimes(MapperSpec mapper, RowSetup setup, const Experiment& experiment, const FreeHosts& from,
           bool simulates)
      : mapper_(std::move(mapper)), setup_(std::move(setup)), experiment_(experiment), from_(from) {
    if (simulates) times_.emplace(experiment, *setup_.clock);
  }

  /// Ranks in the order of the hosts.
  std::optional<SetCost> in_order(const HostSet& set, const SetCost* limit) const {
    std::vector<HostId> hosts = slot_hosts(allocation_of(from_, set));
    hosts.resize(index(experiment_.guest.num_ranks()));
    return cost(Embedding(std::move(hosts), experiment_.allocation), limit);
  }

  /// Whether the mapper has a say.
  bool maps() const { return find_mapper(mapper_.name).role != MapperRole::baseline; }

  /// Ranks where the mapper puts them.
  SetCost mapped(const HostSet& set, Observer& observer) const {
    if (!maps()) return *in_order(set, nullptr);
    Experiment part = experiment_;
    part.allocation = allocation_of(from_, set);
    return *cost(map_ranks(part, mapper_, setup_, observer).embedding, nullptr);
  }

 private:
  std::optional<SetCost> cost(const Embedding& embedding, const SetCost* limit) const {
    const Metrics metrics = evaluate(experiment_.guest, *experiment_.network, embedding);
    const SetCost bound{metrics.max_congestion.value, metrics.hop_bytes.value};
    if (!times_) return bound;
    // rounding must not hide a set that is as good
    constexpr double certainly_above = 1 + 1e-9;
    if (limit != nullptr && bound.seconds > limit->seconds * certainly_above) return std::nullopt;
    const auto time = times_->time(embedding);
    return SetCost{time->makespan.value, bound.hop_bytes};
  }

  MapperSpec mapper_;
  RowSetup setup_;
  const Experiment& experiment_;
  const FreeHosts& from_;
  std::optional<PredictedTimes> times_;
};

std::int64_t sets_by_size(const Experiment& experiment) {
  const auto edges =
      static_cast<double>(experiment.guest.num_edges()) + experiment.guest.num_ranks();
  const double step = 100 + 10 * edges + 0.5 * experiment.network->num_links();
  return static_cast<std::int64_t>(std::clamp(default_work / step, least_sets, most_sets));
}

/// What was found, and the sets that the answer is compared with: a mapper may place the ranks
/// better on these.
std::vector<FoundSet> sets_to_map(const FreeHosts& from, std::vector<FoundSet> found) {
  for (const auto& [set, origin] :
       {std::pair{first_hosts(from), "first"}, std::pair{scheduled_hosts(from), "scheduler"}})
    if (std::none_of(found.begin(), found.end(),
                     [&hosts = set](const FoundSet& other) { return other.hosts == hosts; }))
      found.push_back({set, {}, origin});
  return found;
}

/// The best of the found sets, placed by the mapper if it has a say.
FoundSet best_of(const FreeHosts& from, const SetSearchResult& result, const SetTimes& times,
                 Observer& observer) {
  FoundSet best = result.best.front();
  if (!times.maps()) return best;
  const auto work = observer.begin("mapping onto the best sets");
  const std::vector<FoundSet> sets = sets_to_map(from, result.best);
  bool is_first = true;
  double done = 0;
  for (const FoundSet& found : sets) {
    const SetCost cost = times.mapped(found.hosts, observer);
    if (is_first || cost < best.cost) best = {found.hosts, cost, found.origin};
    is_first = false;
    work->update(++done / static_cast<double>(sets.size()));
  }
  return best;
}

void compare(const FreeHosts& from, const SetTimes& times, std::uint64_t seed, Observer& observer,
             HostChoice& choice) {
  const auto add = [&](const std::string& name, double seconds) {
    constexpr double rounding = 1e-12;  // of the mean of equal times
    const double gain = seconds > 0 ? 1 - choice.time.value / seconds : 0;
    choice.compared.push_back({name, Seconds{seconds}, std::abs(gain) < rounding ? 0 : gain});
  };
  add("first", times.mapped(first_hosts(from), observer).seconds);
  double sum = 0;
  for (std::uint64_t i = 0; i < random_sets; ++i)
    sum += times.mapped(random_hosts(from, seed + i), observer).seconds;
  add("random", sum / random_sets);
  add("scheduler", times.mapped(scheduled_hosts(from), observer).seconds);
}

}  // namespace

HostChoice choose_hosts(const HostRequest& request, Observer& observer) {
  const Scenario scenario = completed(request);
  const auto [mapping, clock] = checked(scenario);
  Experiment experiment = build_experiment(scenario, observer);
  const int ranks = experiment.guest.num_ranks();
  if (request.ranks && *request.ranks != ranks)
    throw UsageError(fmt::format("--ranks {}: the job given has {} ranks", *request.ranks, ranks));
  check_size(*experiment.network);
  const FreeHosts from = make_free_hosts(*experiment.network, experiment.allocation, ranks);
  HostChoice choice;
  choice.scenario = described(scenario);
  choice.guest_text = experiment.guest_text;
  // Nothing is allocated yet; how many hosts are free stands with the answer.
  choice.network_text =
      experiment.network_text.substr(0, experiment.network_text.rfind("; allocated"));
  if (experiment.background) choice.background_text = experiment.background->text;
  choice.ranks = ranks;
  choice.free_hosts = from.size();
  choice.network = experiment.network;
  choice.all_sets = number_of_sets(from);
  choice.simulated = simulates(clock, mapping.objective, *experiment.network);
  RowSetup setup{mapping.objective, budget_of(scenario), clock.how};
  if (scenario.simulate == false) setup.clock.reset();
  if (choice.simulated)
    settle_endpoint_costs(network_source(scenario), setup.clock->solver, observer, experiment);
  const SetTimes times(mapping.mappers.front(), std::move(setup), experiment, from,
                       choice.simulated);
  const SetSearchBudget budget{.sets = request.most_sets.value_or(sets_by_size(experiment)),
                               .every_set = request.every_set,
                               .seed = scenario.seed};
  SetSearchResult result;
  {
    const auto work = observer.begin("searching hosts");
    result = search_host_sets(
        from, [&](const HostSet& set, const SetCost* limit) { return times.in_order(set, limit); },
        budget, work->callback());
  }
  const FoundSet best = best_of(from, result, times, observer);
  choice.hosts = allocation_of(from, best.hosts);
  choice.origin = best.origin;
  choice.time = Seconds{best.cost.seconds};
  choice.tried = result.tried;
  choice.complete = result.complete;
  compare(from, times, scenario.seed, observer, choice);
  return choice;
}

}  // namespace vtopo::detail
