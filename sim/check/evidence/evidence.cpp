#include "sim/check/evidence/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/check/evidence/bound_witnesses.hpp"
#include "sim/clock/sharing/max_min.hpp"
#include "sim/evaluation/totals.hpp"
#include "sim/run/job_times.hpp"

namespace vtopo::detail {

namespace {

/// Appends the pairs of different hosts between which the guest has an edge: source in the upper
/// half of a number, destination in the lower one.
void append_pairs(const CommGraph& guest, const Embedding& embedding,
                  std::vector<std::uint64_t>& pairs) {
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    const HostId from = embedding.host_of(source), to = embedding.host_of(edge.destination);
    if (from != to) pairs.push_back(std::uint64_t{index(from)} << 32U | index(to));
  });
}

/// Sorts and keeps one of each.
void keep_each_once(std::vector<std::uint64_t>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

/// Adds all pairs of different hosts, each once.
void append_all_pairs(const Allocation& allocation, std::vector<std::uint64_t>& pairs) {
  for (const HostId from : allocation.hosts)
    for (const HostId to : allocation.hosts)
      if (from != to) pairs.push_back(std::uint64_t{index(from)} << 32U | index(to));
  keep_each_once(pairs);
}

/// `[[source,destination,distance,[links]],...]`: where a flow splits `,[shares]` follows, where it
/// has a latency of its own that, behind the shares or null.
/// @returns false, with an unfinished list, where there are more than `most` numbers.
bool write_routes(const Network& network, const std::vector<std::uint64_t>& pairs, std::size_t most,
                  JsonLists& json) {
  const std::size_t end = json.numbers() + most;
  std::vector<LinkShare> shares;
  json.raw("[");
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (json.numbers() > end) return false;
    const auto from = id_at<HostId>(pairs[p] >> 32U), to = id_at<HostId>(pairs[p] & 0xffffffffU);
    shares.clear();
    network.append_shares(from, to, shares);
    json.raw(p == 0 ? "[" : ",\n[").number(number(from)).raw(",").number(number(to));
    json.raw(",").number(network.hops(from, to)).raw(",");
    json.list(shares, [&](const LinkShare& part) { json.number(number(part.link)); });
    const bool splits = std::any_of(shares.begin(), shares.end(),
                                    [](const LinkShare& part) { return part.share != 1; });
    const double latency = network.flow_latency(from, to).value;
    if (splits)
      json.raw(",").list(shares, [&](const LinkShare& part) { json.number(part.share); });
    else if (latency != 0)
      json.raw(",null");
    if (latency != 0) json.raw(",").number(latency);
    json.raw("]");
  }
  json.raw("]");
  return true;
}

constexpr double rounding = 1e-9;

/// What the flows put on a link.
struct Filled {
  double rate = 0;     ///< sum, by shares
  double fastest = 0;  ///< flow of all
};

/// Rates and links of the flows that the solver has, in its order, without those without a volume.
class FlowLinks {
 public:
  FlowLinks(FlowPhase phase, const Network& network, const Embedding& embedding)
      : flows_(std::move(phase.flows)),
        network_(network),
        embedding_(embedding),
        sharing_(std::move(phase.shared)) {
    sharing_.solve();
    std::vector<std::int32_t> over_at_once;
    for (std::size_t f = 0; f < flows_.size(); ++f)
      if (!has_volume(f)) over_at_once.push_back(static_cast<std::int32_t>(f));
    sharing_.remove(over_at_once);
    sharing_.solve();
    filled_.resize(index(network.num_links()));
    for (std::size_t f = 0; f < flows_.size(); ++f)
      for_each_share(f, [&](const LinkShare& part) {
        Filled& on = filled_[index(part.link)];
        on.rate += rate(f) * part.share;
        on.fastest = std::max(on.fastest, rate(f));
      });
  }

  std::size_t size() const { return flows_.size(); }
  bool has_volume(std::size_t flow) const { return flows_[flow].volume.value > 0; }
  double rate(std::size_t flow) const { return sharing_.rate(static_cast<std::int32_t>(flow)); }

  /// The link that limits a flow; the first of several.
  std::optional<LinkId> limit(std::size_t flow) {
    std::optional<LinkId> found;
    for_each_share(flow, [&](const LinkShare& part) {
      const LinkProperties link = network_.link(part.link);
      const Filled& on = filled_[index(part.link)];
      const bool alone = link.sharing == LinkSharing::fatpipe;
      const double fills = alone ? rate(flow) * part.share : on.rate;
      const bool is_full = fills >= link.bandwidth.value * (1 - rounding);
      if (!found && is_full && (alone || rate(flow) >= on.fastest * (1 - rounding)))
        found = part.link;
    });
    return found;
  }

 private:
  template <class Visitor>
  void for_each_share(std::size_t flow, Visitor&& visit) {
    if (!has_volume(flow)) return;
    const Flow& of = flows_[flow];
    shares_.clear();
    network_.append_shares(embedding_.host_of(of.source), embedding_.host_of(of.destination),
                           shares_);
    for (const LinkShare& part : shares_) visit(part);
  }

  std::vector<Flow> flows_;
  const Network& network_;
  const Embedding& embedding_;
  MaxMinSharing sharing_;
  std::vector<Filled> filled_;
  std::vector<LinkShare> shares_;
};

/// `[[link,rate],...]` of the flows of a burst at its start, in the order of the edges with a
/// volume between two hosts: bytes per second under max-min sharing, and a link of the flow that is
/// full and on which no flow is faster; null where no link limits the flow.
void write_flow_rates(const CommGraph& guest, const Network& network, const Embedding& embedding,
                      JsonLists& json) {
  FlowLinks flows(make_flow_phase(guest, network, embedding), network, embedding);
  bool first = true;
  json.raw("[");
  for (std::size_t f = 0; f < flows.size(); ++f) {
    if (!flows.has_volume(f)) continue;
    json.raw(first ? "[" : ",[");
    first = false;
    if (const auto link = flows.limit(f))
      json.number(number(*link));
    else
      json.raw("null");
    json.raw(",").number(flows.rate(f)).raw("]");
  }
  json.raw("]");
}

/// File names may hold any bytes.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// `[source,destination,bytes]`, and `,0` where it only says who the neighbours are.
/// @param sends_empty whether all edges are messages.
void write_edges(const CommGraph& guest, bool sends_empty, JsonLists& json) {
  bool first = true;
  json.raw("[");
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    json.raw(first ? "[" : ",[").number(number(source)).raw(",");
    first = false;
    json.number(number(edge.destination)).raw(",").number(edge.volume.value);
    json.raw(edge.messages == 0 && !sends_empty ? ",0]" : "]");
  });
  json.raw("]");
}

/// Kinds `[bandwidth,latency,hops,fatpipe,up]`, and links `[name,from,to,kind]`, `,0` behind those
/// whose ends are not directed.
void write_links(const Network& network, JsonLists& json) {
  std::map<std::array<double, 5>, std::size_t> number_of;
  std::vector<std::array<double, 5>> kinds;
  JsonLists links;
  links.raw("[");
  for (int l = 0; l < network.num_links(); ++l) {
    const LinkProperties link = network.link(LinkId{l});
    const std::array<double, 5> kind{link.bandwidth.value, link.latency.value, link.hops,
                                     link.sharing == LinkSharing::fatpipe ? 1.0 : 0.0,
                                     network.link_is_up(LinkId{l}) ? 1.0 : 0.0};
    const auto [at, is_new] = number_of.emplace(kind, kinds.size());
    if (is_new) kinds.push_back(kind);
    const auto ends = network.link_ends(LinkId{l});
    const auto sides = ends ? ends : network.link_sides(LinkId{l});
    links.raw(l == 0 ? "[" : ",\n[").raw(quoted(network.link_name(LinkId{l}))).raw(",");
    if (sides)
      links.number(sides->from).raw(",").number(sides->to);
    else
      links.raw("null,null");
    links.raw(",").number(at->second).raw(ends ? "]" : ",0]");
  }
  json.raw("\"link_kinds\":").list(kinds, [&](const auto& kind) { json.list(kind); });
  json.raw(",\n\"links\":").raw(links.raw("]").text());
}

void write_allocation(const Experiment& experiment, JsonLists& json) {
  const Allocation& allocation = experiment.allocation;
  json.raw("\"allocation\":").list(allocation.hosts, [&](HostId host) {
    json.number(number(host));
  });
  json.raw(",\n\"slots\":").list(allocation.slots);
  json.raw(",\n\"host_names\":").list(allocation.hosts, [&](HostId host) {
    json.raw(quoted(experiment.network->host_name(host)));
  });
}

/// Ranks of a host take its slots in their order.
void write_embedding(const Embedding& embedding, JsonLists& json) {
  std::map<HostId, int> slots;
  json.raw("\"embedding\":").list(embedding.hosts(), [&](HostId host) {
    json.raw("[").number(number(host)).raw(",").number(slots[host]++).raw("]");
  });
}

void write_background(const PlacedTraffic& traffic, JsonLists& json) {
  bool first = true;
  json.raw(",\n\"background\":[");
  traffic.guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    json.raw(first ? "[" : ",[").number(number(traffic.embedding.host_of(source))).raw(",");
    first = false;
    json.number(number(traffic.embedding.host_of(edge.destination))).raw(",");
    json.number(edge.volume.value).raw("]");
  });
  json.raw("]");
}

/// Whether phases follow each other, none beside others, are few enough to be listed, and no rank
/// takes time to copy before one.
bool follows_phases(const Experiment& experiment) {
  constexpr std::size_t max_edges = 300'000;
  if (!experiment.schedule || experiment.background || experiment.schedule->num_lanes() > 1)
    return false;
  std::size_t edges = 0;
  for (const SchedulePhase& phase : experiment.schedule->phases) {
    if ((phase.copied / experiment.endpoint.memory_bandwidth).value > 0) return false;
    edges += phase.traffic.num_edges() + 1;
  }
  return edges <= max_edges;
}

void write_phases(const Schedule& schedule, JsonLists& json) {
  json.raw(",\n\"phases\":").list(schedule.phases, [&](const SchedulePhase& phase) {
    json.raw("{\"repeat\":").number(phase.repeat).raw(",\"edges\":");
    write_edges(phase.traffic, phase.sends_empty, json);
    json.raw("}");
  });
}

/// Whether times follow from the phases and the network alone.
bool is_fluid_schedule(const Experiment& experiment, const Row& row) {
  return row.simulation && follows_phases(experiment) && row.network_model == "CM02" &&
         costs_nothing_between_hosts(experiment.endpoint) &&
         (row.clock == "phases" || row.clock == "program");
}

/// Whether the simulated time is that of one burst under max-min sharing and nothing else.
bool is_fluid_burst(const Row& row) {
  return row.simulation && row.clock == "burst" && row.network_model == "CM02";
}

}  // namespace

bool EvidenceSource::is_too_large(std::size_t more) {
  too_large_ = too_large_ || numbers_ + more > max_numbers;
  return too_large_;
}

void EvidenceSource::add(const Experiment& experiment, const Embedding& embedding, const Row& row) {
  const std::size_t edges = experiment.guest.num_edges();
  if (is_too_large(3 * edges + 2 * index(embedding.num_ranks()) +
                   4 * index(experiment.network->num_links())))
    return;
  PlacedTraffic all{experiment.guest, embedding};
  if (experiment.background) all = beside(all.guest, all.embedding, experiment.background->traffic);
  const auto routed = routed_for(all.guest, *experiment.network, all.embedding);
  JsonLists json;
  write_embedding(embedding, json.raw("{"));
  if (routed) {
    std::vector<std::uint64_t> pairs;
    append_pairs(all.guest, all.embedding, pairs);
    keep_each_once(pairs);
    json.raw(",\n\"routes\":");
    too_large_ = !write_routes(*routed, pairs, max_numbers - numbers_, json);
    if (too_large_) return;
  } else {
    append_pairs(all.guest, all.embedding, pairs_);
    keep_each_once(pairs_);
  }
  if (is_fluid_burst(row))
    write_flow_rates(all.guest, routed ? *routed : *experiment.network, all.embedding,
                     json.raw(",\n\"flows\":"));
  if (is_fluid_schedule(experiment, row)) json.raw(",\n\"clock\":").raw(quoted(row.clock));
  numbers_ += json.numbers();
  rows_.push_back(json.raw("}").text());
}

void EvidenceSource::finish(const Experiment& experiment, const Report& report) {
  JsonLists json;
  json.raw("{\n");
  if (!too_large_) {
    write_allocation(experiment, json);
    json.raw(",\n\"memory_bandwidth\":").number(experiment.endpoint.memory_bandwidth.value);
    if (experiment.network->splits_flows()) json.raw(",\n\"splits_flows\":true");
    json.raw(",\n\"edges\":");
    write_edges(experiment.guest, false, json);
    if (follows_phases(experiment)) write_phases(*experiment.schedule, json);
    if (experiment.background) write_background(experiment.background->traffic, json);
    write_links(*experiment.network, json.raw(",\n"));
    const std::size_t used = numbers_ + json.numbers();
    std::vector<std::uint64_t> all = pairs_;
    if (needs_all_routes(experiment, report.rows.front().bounds))
      append_all_pairs(experiment.allocation, all);
    too_large_ = true;
    for (const auto* pairs : {&all, &pairs_}) {  // at least those that rows use
      JsonLists routes;
      if (used > max_numbers ||
          !write_routes(*experiment.network, *pairs, max_numbers - used, routes))
        continue;
      json.raw(",\n\"routes\":").raw(routes.text());
      too_large_ = false;
      break;
    }
  }
  if (too_large_) {
    text_ = fmt::format("{{\"left_out\": \"more than {} numbers\"}}", max_numbers);
    return;
  }
  write_bound_witnesses(experiment, report.rows.front().bounds, json.raw(",\n\"bounds\":"));
  json.raw(",\n\"rows\":").list(rows_, [&](const std::string& row) { json.raw(row); });
  text_ = json.raw("\n}").text();
}

}  // namespace vtopo::detail
