#include "sim/check/evidence.hpp"

namespace vtopo::detail::checking {
namespace {

Door door_of(const Evidence& e, const std::set<std::size_t>& links) {
  Door door{count(links), 0};
  for (const std::size_t l : links) door.bandwidth += capacity_of(e.links[l]);
  return door;
}

/// Of the heaviest flows that do not split, `kept` left out: `shared` of the lightest of one flow
/// more than `shared - 1` through each door share one.
double through_doors(Numbers flows, std::size_t kept, double doors) {
  std::sort(flows.rbegin(), flows.rend());
  double most = 0;
  for (std::size_t shared = 1; doors >= 1; ++shared) {
    const std::size_t last = kept + (shared - 1) * static_cast<std::size_t>(doors);
    if (last >= flows.size()) break;
    most = std::max(most,
                    std::accumulate(flows.begin() + static_cast<std::ptrdiff_t>(last + 1 - shared),
                                    flows.begin() + static_cast<std::ptrdiff_t>(last + 1), 0.0));
  }
  return most;
}

/// Hop-bytes over what links carry times hops; a fatpipe carries anything.
double time_of_hops(const Evidence& e, const std::set<std::size_t>* used) {
  double rate = 0;
  for (std::size_t l = 0; l < e.links.size(); ++l)
    if (e.links[l].hops > 0 && (used == nullptr || used->contains(l)))
      rate += capacity_of(e.links[l]) * e.links[l].hops;
  return time_over(real(e.bounds().at("hop_bytes_bound")), rate);
}

}  // namespace

UsedLinks used_links(const Evidence& e) {
  UsedLinks is;
  std::vector<std::set<std::size_t>> out(e.hosts.size()), in(out);
  const auto add_doors = [&](const Link& ends, std::size_t first, std::size_t last) {
    if (e.place_of.contains(ends.from)) out[e.place_of.at(ends.from)].insert(first);
    if (e.place_of.contains(ends.to)) in[e.place_of.at(ends.to)].insert(last);
  };
  std::size_t pairs = 0;
  for (const auto& [ends, route] : e.routes) {
    if (!e.place_of.contains(ends.first) || !e.place_of.contains(ends.second)) continue;
    for (const auto& [l, share] : route.parts) is.used.insert(l);
    if (!route.parts.empty())
      add_doors({"", ends.first, ends.second}, route.parts.front().first, route.parts.back().first);
    ++pairs;
  }
  is.are_listed = !e.splits && pairs == e.hosts.size() * (e.hosts.size() - 1);
  bool knows_doors = is.are_listed || e.knows_ends;
  if (!is.are_listed) out.assign(out.size(), {}), in = out, is.used.clear();
  for (std::size_t l = 0; !is.are_listed && l < e.links.size(); ++l) {
    if (e.links[l].is_up) is.used.insert(l);
    add_doors(e.links[l], l, l);
    knows_doors = knows_doors && e.links[l].is_directed;
  }
  for (std::size_t p = 0; knows_doors && p < e.hosts.size(); ++p)
    is.out.push_back(door_of(e, out[p])), is.in.push_back(door_of(e, in[p]));
  return is;
}

Proof time_of_hop_bytes(Evidence& e) {
  return time_of_hops(e, nullptr);
}

Proof time_of_hop_bytes_on_used_links(Evidence& e) {
  const UsedLinks is = used_links(e);
  return time_of_hops(e, &is.used);
}

/// Of the flows of a rank, the heaviest that has no place in its host.
Proof time_of_one_flow(Evidence& e) {
  double heaviest = 0, widest = 0;
  for (std::size_t r = 0; r < e.num_ranks; ++r) {
    Numbers flows;
    for (const auto& [other, bytes] : e.both[r])
      flows.push_back(std::max(volume_of(e.sent, r, other), volume_of(e.sent, other, r)));
    std::sort(flows.rbegin(), flows.rend());
    if (e.max_slots <= flows.size()) heaviest = std::max(heaviest, flows[e.max_slots - 1]);
  }
  for (const Link& link : e.links)
    if (link.hops > 0 || link.is_fatpipe) widest = std::max(widest, capacity_of(link));
  return time_over(heaviest, widest);
}

/// A rank with more flows than doors, beside those that stay inside its host.
Proof time_of_flows_of_one_rank(Evidence& e) {
  const UsedLinks is = used_links(e);
  double out = 0, in = 0, most = 0, widest = 0;
  for (const Door& door : is.out) out = std::max(out, door.links);
  for (const Door& door : is.in) in = std::max(in, door.links);
  for (std::size_t r = 0; r < e.num_ranks; ++r) {
    Numbers sent, received;
    for (const auto& [other, bytes] : e.both[r]) {
      sent.push_back(volume_of(e.sent, r, other)), received.push_back(volume_of(e.sent, other, r));
    }
    most = std::max({most, through_doors(sent, e.max_slots - 1, out),
                     through_doors(received, e.max_slots - 1, in)});
  }
  for (const Link& link : e.links) widest = std::max(widest, capacity_of(link));
  return time_over(most, widest);
}

/// Through the doors of hosts leaves what one rank, and what all of them, exchange with others.
Proof time_of_hosts_by_used_links(Evidence& e) {
  const UsedLinks is = used_links(e);
  Numbers out, in;
  for (std::size_t p = 0; p < is.out.size(); ++p)
    out.push_back(std::min(is.out[p].bandwidth, e.injection.at(p))),
        in.push_back(is.in[p].bandwidth);
  const Numbers sent = beyond(e.sent_beyond, e.max_slots - 1);
  // Of what the rank that exchanges most has outside, half goes one way at least.
  const double both = greatest(beyond(e.both_beyond, e.max_slots - 1));
  const double all = std::max(sum(sent), e.least.empty() ? 0 : between_hosts(e));
  return std::max({time_over(greatest(sent), greatest(out)),
                   time_over(both / 2, std::max(greatest(out), greatest(in))),
                   time_over(all, std::min(sum(out), sum(in)))});
}

}  // namespace vtopo::detail::checking
