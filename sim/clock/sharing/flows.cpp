#include "sim/clock/sharing/flows.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "sim/clock/simulate.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

/// Ids marked in `used`, ascending.
template <class Id>
std::vector<Id> marked(const std::vector<bool>& used) {
  std::vector<Id> ids;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) ids.push_back(id_at<Id>(i));
  return ids;
}

}  // namespace

void check_one_route_per_flow(const Network& network) {
  if (const auto sentence = why_not_simulated(network, Solver::simgrid))
    throw UsageError(*sentence);
}

FlowSet make_flows(const CommGraph& guest, const Network& network, const Embedding& embedding,
                   RoutesUsed routes_used) {
  FlowSet set;
  std::vector<bool> used_hosts(static_cast<std::size_t>(network.num_hosts()));
  std::vector<bool> used_links(static_cast<std::size_t>(network.num_links()));
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    const bool local = embedding.host_of(source) == embedding.host_of(edge.destination);
    if (local && edge.volume.value > 0)
      set.local.push_back({source, edge.destination, edge.volume});
  });
  for_each_flow(guest, network, embedding,
                [&](Rank source, const CommEdge& edge, std::vector<LinkId>& route) {
                  const HostId from = embedding.host_of(source),
                               to = embedding.host_of(edge.destination);
                  Flow flow{source, edge.destination, edge.volume, network.flow_latency(from, to)};
                  for (const LinkId link : route) flow.latency += network.link(link).latency;
                  if (routes_used == RoutesUsed::forth_and_back)
                    network.append_route(to, from, route);
                  for (const LinkId link : route) used_links[index(link)] = true;
                  used_hosts[index(from)] = used_hosts[index(to)] = true;
                  set.flows.push_back(flow);
                });
  set.hosts = marked<HostId>(used_hosts);
  set.links = marked<LinkId>(used_links);
  return set;
}

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

struct PhaseSize {
  std::uint64_t flows = 0;
  std::uint64_t hops = 0;
};

/// Calls `visit(source, edge, links)` for every flow; entries are `LinkId` or `LinkShare`.
template <class Visitor>
void for_each_loading(const CommGraph& guest, const Network& network, const Embedding& embedding,
                      Visitor&& visit) {
  if (network.splits_flows())
    for_each_split_flow(guest, network, embedding, visit);
  else
    for_each_flow(guest, network, embedding, visit);
}

/// Of many flows that split, the hops are estimated from every 61st: listing all links of a flow
/// takes long.
PhaseSize size_of(const CommGraph& guest, const Network& network, const Embedding& embedding) {
  PhaseSize size;
  if (!network.splits_flows() || guest.num_edges() < 10'000) {
    for_each_loading(guest, network, embedding, [&](Rank, const CommEdge&, const auto& links) {
      ++size.flows;
      size.hops += links.size() + 1;  // one more for the narrowest fatpipe link
    });
    return size;
  }
  std::uint64_t sampled = 0;
  std::vector<LinkShare> shares;
  for_each_sent(guest, embedding, [&](Rank, const CommEdge&, HostId from, HostId to) {
    if (size.flows++ % 61 != 0) return;
    ++sampled;
    shares.clear();
    network.append_shares(from, to, shares);
    size.hops += shares.size() + 1;
  });
  if (sampled > 0)
    size.hops =
        static_cast<std::uint64_t>(1.03 * static_cast<double>(size.hops) *
                                   static_cast<double>(size.flows) / static_cast<double>(sampled));
  return size;
}

/// Every link of a route is kept from both sides, and every flow and link has a state.
void check_memory(PhaseSize size, const Network& network) {
  const int num_links = network.num_links();
  const double needed = (network.splits_flows() ? 16.0 : 8.0) * static_cast<double>(size.hops) +
                        152.0 * static_cast<double>(size.flows) + 116.0 * num_links;
  const double machine =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  constexpr double gibibyte = 1 << 30;
  if (needed > machine)
    throw SimulationError(
        fmt::format("the solver needs {:.1f} GiB for {} flows over {} links in sum, this machine "
                    "has {:.1f} GiB",
                    needed / gibibyte, size.flows, size.hops, machine / gibibyte));
  if (size.flows + static_cast<std::uint64_t>(num_links) >
      static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()))
    throw SimulationError(fmt::format(
        "the solver numbers flows and links up to 2^31, these are {} flows and {} links",
        size.flows, num_links));
}

/// A link of the network, as soon as some flow uses it.
struct Met {
  static constexpr std::int32_t fatpipe = -1, never = -2;

  Seconds latency;
  std::int32_t number = never;  ///< among shared links
};

/// Links of the network that have been met; where flows use few of many, only these have an entry.
class MetLinks {
 public:
  MetLinks(int num_links, std::uint64_t max_met) {
    constexpr std::uint64_t few = 16;
    if (few * max_met >= static_cast<std::uint64_t>(num_links)) all_.resize(index(num_links));
  }

  Met& operator[](LinkId link) { return all_.empty() ? some_[link] : all_[index(link)]; }

 private:
  std::vector<Met> all_;
  std::unordered_map<LinkId, Met> some_;
};

/// Adds flows one by one; links get their numbers when they are first met.
class PhaseBuilder {
 public:
  PhaseBuilder(const Network& network, PhaseSize size)
      : network_(network), met_(network.num_links(), size.hops) {
    phase_.shared.volume.reserve(size.flows);
    phase_.shared.first.reserve(size.flows + 1);
    phase_.shared.first.push_back(0);
    phase_.shared.links.reserve(size.hops);
    if (network.splits_flows()) phase_.shared.shares.reserve(size.hops);
    phase_.flows.reserve(size.flows);
  }

  void add(Rank source, const CommEdge& edge, const std::vector<LinkId>& route) {
    Flow flow{source, edge.destination, edge.volume, {}};
    double narrowest = unbounded;
    for (const LinkId link : route) {
      const Met& met = meet(link);
      flow.latency += met.latency;
      if (met.number == Met::fatpipe)
        narrowest = std::min(narrowest, network_.link(link).bandwidth.value);
      else
        phase_.shared.links.push_back(met.number);
    }
    if (narrowest < unbounded) phase_.shared.links.push_back(new_link(narrowest));
    end_flow(flow);
  }

  void add(Rank source, const CommEdge& edge, const std::vector<LinkShare>& links) {
    SharedFlows& shared = phase_.shared;
    Flow flow{source, edge.destination, edge.volume, {}};
    double narrowest = unbounded;
    for (const auto& [link, share] : links) {
      const Met& met = meet(link);
      flow.latency += met.latency * share;
      if (met.number == Met::fatpipe) {
        narrowest = std::min(narrowest, network_.link(link).bandwidth.value / share);
      } else {
        shared.links.push_back(met.number);
        shared.shares.push_back(share);
      }
    }
    if (narrowest < unbounded) {
      shared.links.push_back(new_link(narrowest));
      shared.shares.push_back(1);
    }
    end_flow(flow);
  }

  FlowPhase phase() && { return std::move(phase_); }

 private:
  void end_flow(const Flow& flow) {
    SharedFlows& shared = phase_.shared;
    shared.volume.push_back(flow.volume.value);
    shared.first.push_back(shared.links.size());
    phase_.flows.push_back(flow);
  }

  const Met& meet(LinkId link) {
    Met& met = met_[link];
    if (met.number != Met::never) return met;
    const LinkProperties is = network_.link(link);
    met.latency = is.latency;
    met.number = is.sharing == LinkSharing::shared ? new_link(is.bandwidth.value) : Met::fatpipe;
    return met;
  }

  std::int32_t new_link(double capacity) {
    phase_.shared.capacity.push_back(capacity);
    return static_cast<std::int32_t>(phase_.shared.capacity.size() - 1);
  }

  const Network& network_;
  MetLinks met_;
  FlowPhase phase_;
};

}  // namespace

FlowPhase make_flow_phase(const CommGraph& guest, const Network& network,
                          const Embedding& embedding, const std::function<bool()>& stop) {
  const PhaseSize size = size_of(guest, network, embedding);
  check_memory(size, network);
  PhaseBuilder builder(network, size);
  std::size_t added = 0;
  for_each_loading(guest, network, embedding,
                   [&](Rank source, const CommEdge& edge, const auto& links) {
                     if (stop && ++added % 256 == 0 && stop())
                       throw SimulationError("the simulation was stopped");
                     builder.add(source, edge, links);
                   });
  FlowPhase phase = std::move(builder).phase();
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    if (edge.volume.value > 0 && embedding.host_of(source) == embedding.host_of(edge.destination))
      phase.local.push_back({source, edge.destination, edge.volume});
  });
  for (Flow& flow : phase.flows)
    flow.latency +=
        network.flow_latency(embedding.host_of(flow.source), embedding.host_of(flow.destination));
  return phase;
}

}  // namespace vtopo::detail
