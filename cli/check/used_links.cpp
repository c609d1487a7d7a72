#include "cli/check/evidence.hpp"

namespace vtopo::detail::checking {
namespace {

/// Links by which a host sends or receives: how many, and how fast together.
struct Door {
  double links = 0, bandwidth = 0;
};

/// Links that routes between hosts of the job take, and those at their ends.
struct UsedLinks {
  std::set<std::size_t> used = {};
  std::vector<Door> out = {}, in = {};  ///< by place; empty if they are not known
  bool is_certain = true;
};

Door door_of(const Evidence& e, const std::set<std::size_t>& links) {
  Door door{count(links), 0};
  for (const std::size_t l : links)
    door.bandwidth += e.links[l].is_fatpipe ? infinity : e.links[l].bandwidth;
  return door;
}

bool covers(const Door& more, const Door& fewer) {
  return more.links >= fewer.links && more.bandwidth >= fewer.bandwidth * (1 - rounding);
}

/// As the witness says: no link and no door less than listed routes take. Certain, if routes of all
/// pairs are listed or nothing is said to have no traffic.
UsedLinks read_used_links(const Evidence& e) {
  UsedLinks is;
  for (const Json& number : e.witness().at("used_links"))
    is.used.insert(whole(number, e.links.size()));
  std::vector<std::set<std::size_t>> out(e.hosts.size()), in(out), out_up(out), in_up(out);
  std::size_t pairs = 0;
  for (const auto& [ends, route] : e.routes) {
    const auto from = e.place_of.find(ends.first), to = e.place_of.find(ends.second);
    if (from == e.place_of.end() || to == e.place_of.end()) continue;
    pairs += static_cast<std::size_t>(from != to);
    for (const auto& [l, share] : route.parts)
      e.require(is.used.contains(l),
                fmt::format("bounds: a route takes {}, said to have no traffic", e.links[l].name));
    if (e.splits || route.parts.empty()) continue;
    out[from->second].insert(route.parts.front().first);
    in[to->second].insert(route.parts.back().first);
  }
  const bool all_listed = !e.splits && pairs == e.hosts.size() * (e.hosts.size() - 1);
  for (std::size_t l = 0; l < e.links.size(); ++l) {
    const Link& link = e.links[l];
    is.is_certain = is.is_certain && (!link.is_up || is.used.contains(l));
    for (const bool back : {false, true}) {
      const auto from = e.place_of.find(back ? link.to : link.from);
      const auto to = e.place_of.find(back ? link.from : link.to);
      if (!link.is_up || (back && link.is_directed)) continue;
      if (from != e.place_of.end()) out_up[from->second].insert(l);
      if (to != e.place_of.end()) in_up[to->second].insert(l);
    }
  }
  const Json& doors = e.witness().at("doors");
  for (std::size_t p = 0; !doors.empty() && p < e.hosts.size(); ++p) {
    is.out.push_back({real(doors.at(p).at(0)), real(doors.at(p).at(2))});
    is.in.push_back({real(doors.at(p).at(1)), real(doors.at(p).at(3))});
    const Door of_routes[] = {door_of(e, out[p]), door_of(e, in[p])};
    e.require(
        covers(is.out[p], of_routes[0]) && covers(is.in[p], of_routes[1]) &&
            (!all_listed || (covers(of_routes[0], is.out[p]) && covers(of_routes[1], is.in[p]))),
        fmt::format("bounds: doors of host {}", e.hosts[p]));
    is.is_certain = is.is_certain && e.knows_ends && covers(is.out[p], door_of(e, out_up[p])) &&
                    covers(is.in[p], door_of(e, in_up[p]));
  }
  is.is_certain = is.is_certain || all_listed;
  return is;
}

/// A bound hangs on them.
UsedLinks read_for_bound(Evidence& e) {
  UsedLinks is = read_used_links(e);
  if (!is.is_certain)
    e.open.insert("that routes of host pairs without traffic take no other links");
  return is;
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
      rate += e.links[l].is_fatpipe ? infinity : e.links[l].bandwidth * e.links[l].hops;
  return time_over(real(e.bounds().at("hop_bytes_bound")), rate);
}

}  // namespace

void check_used_links(const Evidence& e) {
  if (e.witness().contains("used_links")) read_used_links(e);
}

std::set<std::size_t> used_links(Evidence& e) {
  return read_for_bound(e).used;
}

Proof time_of_hop_bytes(Evidence& e) {
  return time_of_hops(e, nullptr);
}

Proof time_of_hop_bytes_on_used_links(Evidence& e) {
  if (!e.witness().contains("used_links")) return std::nullopt;
  const std::set<std::size_t> used = used_links(e);
  return time_of_hops(e, &used);
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
  for (const Link& link : e.links) widest = std::max(widest, link.hops > 0 ? link.bandwidth : 0);
  return time_over(heaviest, widest);
}

/// A rank with more flows than doors, beside those that stay inside its host.
Proof time_of_flows_of_one_rank(Evidence& e) {
  if (!e.witness().contains("used_links")) return std::nullopt;
  const UsedLinks is = read_for_bound(e);
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
  for (const Link& link : e.links) widest = std::max(widest, link.bandwidth);
  return time_over(most, widest);
}

/// Through the doors of hosts leaves what one rank, and what all of them, exchange with others.
Proof time_of_hosts_by_used_links(Evidence& e) {
  if (!e.witness().contains("used_links")) return std::nullopt;
  const UsedLinks is = read_for_bound(e);
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
