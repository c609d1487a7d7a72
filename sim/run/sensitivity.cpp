#include "sim/run/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "netmodels/routing.hpp"
#include "netmodels/wrapped_network.hpp"
#include "sim/evaluation/background.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/evaluation/totals.hpp"
#include "sim/run/job_times.hpp"
#include "sim/run/load_network.hpp"
#include "sim/run/plan.hpp"
#include "sim/run/ranking.hpp"
#include "sim/run/rows.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr double same_time = 1e-9;    ///< relative: rounding, not another order
constexpr std::size_t max_pairs = 4;  ///< of ranks that are named

/// What is varied.
enum class Varied { bandwidth, latency, ends, routing };

/// Links of one kind with other properties.
class VariedLinks final : public WrappedNetwork {
 public:
  VariedLinks(std::shared_ptr<const Network> base, int kind, double bandwidth, double latency)
      : WrappedNetwork(std::move(base)), kind_(kind), bandwidth_(bandwidth), latency_(latency) {}

  LinkProperties link(LinkId link) const override {
    LinkProperties properties = base()->link(link);
    if (base()->link_class(link) != kind_) return properties;
    properties.bandwidth = properties.bandwidth * bandwidth_;
    properties.latency = properties.latency * latency_;
    return properties;
  }

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts = WrappedNetwork::make_facts();
    if (base()->facts().routed)
      facts.routed = [this](std::span<const HostFlow> flows) {
        return std::make_shared<VariedLinks>(base()->routed(flows), kind_, bandwidth_, latency_);
      };
    return facts;
  }

  int kind_;
  double bandwidth_;
  double latency_;
};

/// A variation to try.
struct Trial {
  Varied varied;
  std::string what;
  std::string change;
  bool rises;
  int kind;  ///< of links; -1: none
  Experiment experiment;
};

/// Compares two rows under variations.
class VariedRows {
 public:
  VariedRows(double share, const RunPlan& plan, const PlacedReport& placed, Observer& observer)
      : plan_(plan),
        experiment_(plan.experiment),
        embeddings_(placed.embeddings),
        report_(placed.report),
        observer_(observer),
        simulates_(all_simulated(report_)) {
    result_.share = share;
    choose_rows();
  }

  Sensitivity run() && {
    const auto work = observer_.begin("varying the machine");
    vary_links();
    vary_ends();
    vary_routing();
    return std::move(result_);
  }

 private:
  /// The best row, and the baseline against it, else the next best one.
  void choose_rows() {
    const std::vector<double> times = row_times(report_);
    best_ = report_.verdict.best;
    rival_ = report_.verdict.baseline;
    if (rival_ == best_) {
      rival_ = best_ == 0 ? 1 : 0;
      for (std::size_t r = 0; r < times.size(); ++r)
        if (r != best_ && times[r] < times[rival_]) rival_ = r;
    }
    result_.best = report_.rows[best_].mapper;
    result_.rival = report_.rows[rival_].mapper;
    result_.times = {times[best_], times[rival_]};
  }

  std::string share_text(bool rises) const {
    return fmt::format("{}{:.6g} %", rises ? '+' : '-', 100 * result_.share);
  }

  double factor(bool rises) const { return 1 + (rises ? result_.share : -result_.share); }

  void vary_links() {
    const auto kinds = experiment_.network->link_classes();
    std::vector<bool> has_any(kinds.size());  // that are up
    for (int l = 0; l < experiment_.network->num_links(); ++l)
      if (experiment_.network->link_is_up(LinkId{l}))
        has_any[static_cast<std::size_t>(experiment_.network->link_class(LinkId{l}))] = true;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if (!has_any[k]) continue;
      for (const bool rises : {false, true}) {
        const int kind = static_cast<int>(k);
        Trial trial{
            Varied::bandwidth, "bandwidth of " + kinds[k].name, share_text(rises), rises, kind,
            experiment_};
        trial.experiment.network =
            std::make_shared<VariedLinks>(experiment_.network, kind, factor(rises), 1);
        compare(trial);
        if (!simulates_ || kinds[k].latency.value <= 0) continue;
        trial.varied = Varied::latency;
        trial.what = "latency of " + kinds[k].name;
        trial.experiment.network =
            std::make_shared<VariedLinks>(experiment_.network, kind, 1, factor(rises));
        compare(trial);
      }
    }
  }

  void vary_ends() {
    if (!simulates_) return;
    const auto vary = [&](const char* what, auto member) {
      const double value = (experiment_.endpoint.*member).value;
      if (!(value > 0) || !std::isfinite(value)) return;
      for (const bool rises : {false, true}) {
        Trial trial{Varied::ends, what, share_text(rises), rises, -1, experiment_};
        (trial.experiment.endpoint.*member).value = value * factor(rises);
        compare(trial);
      }
    };
    vary("overhead", &EndpointCosts::overhead);
    vary("gap", &EndpointCosts::gap);
    vary("eager limit", &EndpointCosts::eager_limit);
    vary("handshake", &EndpointCosts::handshake);
    vary("memory bandwidth", &EndpointCosts::memory_bandwidth);
    vary("reduction bandwidth", &EndpointCosts::reduction_bandwidth);
  }

  void vary_routing() {
    if (plan_.network.routing.simgrid_compatible) return;  // no other rule goes with that
    for (const Routing rule : all_routings()) {
      if (rule == experiment_.network->routing()) continue;
      NetworkSource source = plan_.network;
      source.routing.rule = rule;
      Observer nobody;
      Trial trial{Varied::routing, "routing", to_string(rule), true, -1, experiment_};
      try {
        trial.experiment.network = load_network(source, nobody).network;
        if (trial.experiment.network->routing() != rule) continue;  // `auto` is another of them
        if (simulates_ && why_not_simulated(*trial.experiment.network, plan_.setup.clock->solver))
          continue;
        compare(trial);
      } catch (const UsageError&) {
        continue;  // the network does not offer it
      }
    }
  }

  double time_under(const Experiment& experiment, std::size_t row) const {
    const Embedding& embedding = embeddings_[row];
    if (simulates_)
      return simulate_job(experiment, embedding, *plan_.setup.clock).total.makespan.value;
    Row varied;
    varied.metrics = metrics_of(experiment, embedding, 1);
    if (experiment.schedule)
      evaluate_phases(*experiment.schedule, *experiment.network, embedding, 1,
                      experiment.background.has_value(), varied);
    return varied.metrics.max_congestion.value;
  }

  void compare(const Trial& trial) {
    VerdictVariation variation{
        trial.what,
        trial.change,
        {time_under(trial.experiment, best_), time_under(trial.experiment, rival_)}};
    if (variation.rival_wins()) put_cause(trial, variation);
    result_.variations.push_back(std::move(variation));
  }

  /// Whose traffic explains a changed order: what a fall costs the row that was best, what a rise
  /// gives to the other.
  void put_cause(const Trial& trial, VerdictVariation& variation) const {
    const bool was_best = trial.varied == Varied::routing ||
                          (trial.varied == Varied::bandwidth ? !trial.rises : trial.rises);
    const Embedding& embedding = embeddings_[was_best ? best_ : rival_];
    const CommGraph& guest = trial.experiment.guest;
    const auto routed = routed_for(guest, *trial.experiment.network, embedding);
    const Network& network = routed ? *routed : *trial.experiment.network;
    const auto link = trial.varied == Varied::ends ? std::nullopt
                      : trial.varied == Varied::latency
                          ? slowest_link(trial.kind, guest, network, embedding)
                          : busiest_link(trial.kind, guest, network, embedding);
    if (link) variation.link = network.link_name(*link);
    variation.ranks = ranks_over(link, guest, network, embedding);
  }

  static std::optional<LinkId> busiest_link(int kind, const CommGraph& guest,
                                            const Network& network, const Embedding& embedding) {
    const Metrics metrics = evaluate(guest, network, embedding);
    std::optional<LinkId> busiest;
    for (std::size_t l = 0; l < metrics.links.size(); ++l) {
      const auto link = id_at<LinkId>(l);
      if (metrics.links[l].flows == 0 || (kind >= 0 && network.link_class(link) != kind)) continue;
      if (!busiest || metrics.links[l].congestion > metrics.links[index(*busiest)].congestion)
        busiest = link;
    }
    return busiest;
  }

  /// The first link of the kind on the route that has most latency of it.
  static std::optional<LinkId> slowest_link(int kind, const CommGraph& guest,
                                            const Network& network, const Embedding& embedding) {
    std::optional<LinkId> slowest;
    double most = 0;
    std::vector<LinkShare> shares;
    for_each_flow_between_hosts(guest, embedding, [&](Rank, Rank, HostId from, HostId to, Bytes) {
      shares.clear();
      network.append_shares(from, to, shares);
      double latency = 0;
      std::optional<LinkId> first;
      for (const LinkShare& part : shares) {
        if (network.link_class(part.link) != kind) continue;
        latency += network.link(part.link).latency.value * part.share;
        if (!first) first = part.link;
      }
      if (latency > most) most = latency, slowest = first;
    });
    return slowest;
  }

  /// Calls `visit(source, destination, from, to, volume)`.
  template <class Visitor>
  static void for_each_flow_between_hosts(const CommGraph& guest, const Embedding& embedding,
                                          const Visitor& visit) {
    guest.for_each_edge([&](Rank source, const CommEdge& edge) {
      const HostId from = embedding.host_of(source), to = embedding.host_of(edge.destination);
      if (from != to && edge.volume.value > 0)
        visit(source, edge.destination, from, to, edge.volume);
    });
  }

  /// Pairs that send most over a link, or without a link most at all, heaviest first.
  static std::vector<std::pair<Rank, Rank>> ranks_over(std::optional<LinkId> link,
                                                       const CommGraph& guest,
                                                       const Network& network,
                                                       const Embedding& embedding) {
    std::vector<std::pair<double, std::pair<Rank, Rank>>> senders;
    std::vector<LinkShare> shares;
    for_each_flow_between_hosts(
        guest, embedding, [&](Rank source, Rank destination, HostId from, HostId to, Bytes volume) {
          double share = link ? 0 : 1;
          shares.clear();
          if (link) network.append_shares(from, to, shares);
          for (const LinkShare& part : shares)
            if (part.link == *link) share += part.share;
          if (share > 0) senders.push_back({-volume.value * share, {source, destination}});
        });
    std::stable_sort(senders.begin(), senders.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::pair<Rank, Rank>> pairs;
    for (std::size_t i = 0; i < std::min(max_pairs, senders.size()); ++i)
      pairs.push_back(senders[i].second);
    return pairs;
  }

  const RunPlan& plan_;
  const Experiment& experiment_;
  const std::vector<Embedding>& embeddings_;
  const Report& report_;
  Observer& observer_;
  bool simulates_;
  std::size_t best_ = 0, rival_ = 0;
  Sensitivity result_;
};

/// `link d0+:0->1, where ranks 3->4 and 5->6 send most`.
std::string cause_text(const VerdictVariation& variation) {
  std::vector<std::string> pairs;
  for (const auto& [source, destination] : variation.ranks)
    pairs.push_back(fmt::format("{}->{}", number(source), number(destination)));
  const std::string ranks = "ranks " + join(pairs, ", ");
  return variation.link.empty() ? ranks : "link " + variation.link + " with " + ranks;
}

std::string percent_of(double share) {
  return fmt::format("{:.2g} %", 100 * share);
}

}  // namespace

bool VerdictVariation::rival_wins() const {
  return times[1] < times[0] * (1 - same_time);
}

double VerdictVariation::lead() const {
  return times[1] > 0 ? 1 - times[0] / times[1] : 0;
}

std::optional<Sensitivity> detail::sensitivity_of(double share, const RunPlan& plan,
                                                  const PlacedReport& placed, Observer& observer) {
  const bool has_times = !plan.experiment.network->facts().distances_only;
  if (placed.report.rows.size() < 2 || plan.experiment.trace || !has_times) return std::nullopt;
  return VariedRows(share, plan, placed, observer).run();
}

std::string detail::describe(const Sensitivity& sensitivity) {
  const auto& variations = sensitivity.variations;
  std::string flips;
  for (const VerdictVariation& variation : variations)
    if (variation.rival_wins())
      flips += fmt::format("\n  {} {}: {} takes {} less than {}, by {}", variation.what,
                           variation.change, sensitivity.rival,
                           percent_of(1 - variation.times[1] / variation.times[0]),
                           sensitivity.best, cause_text(variation));
  if (!flips.empty())
    return fmt::format("{} does not beat {} under every variation:{}", sensitivity.best,
                       sensitivity.rival, flips);
  const auto closest =
      std::min_element(variations.begin(), variations.end(),
                       [](const auto& a, const auto& b) { return a.lead() < b.lead(); });
  if (closest == variations.end()) return {};
  if (closest->lead() <= same_time)
    return fmt::format(
        "{} is not beaten by {} under any of {} variations; they are equal under {} {}",
        sensitivity.best, sensitivity.rival, variations.size(), closest->what, closest->change);
  return fmt::format("{} beats {} under every variation ({}), by {} at least: {} {}",
                     sensitivity.best, sensitivity.rival, variations.size(),
                     percent_of(closest->lead()), closest->what, closest->change);
}

}  // namespace vtopo
