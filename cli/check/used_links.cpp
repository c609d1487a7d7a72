#include "cli/check/used_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

namespace vtopo::detail::checking {
namespace {

/// `shared` of the lightest of one flow more than `shared - 1` through each door share one.
double through_doors(Numbers flows, std::size_t kept, std::size_t doors) {
  std::sort(flows.begin(), flows.end(), std::greater<>());
  double most = 0;
  for (std::size_t shared = 1; doors > 0; ++shared) {
    const std::size_t last = kept + (shared - 1) * doors;
    if (last >= flows.size()) break;
    double sum = 0;
    for (std::size_t k = 0; k < shared; ++k) sum += flows[last - k];
    most = std::max(most, sum);
  }
  return most;
}

double time_over(double bytes, double bandwidth) {
  return bytes > 0 && bandwidth > 0 ? bytes / bandwidth : 0;
}

}  // namespace

UsedLinks::UsedLinks(const Job& job, const Routes& routes, const Json& witness,
                     const Claims& claims)
    : job_(job), witness_(witness) {
  for (const Json& number : witness.at("used_links")) used_.insert(whole(number, job.links.size()));
  std::map<std::size_t, std::size_t> position;
  for (std::size_t p = 0; p < job.hosts.size(); ++p) position[job.hosts[p]] = p;
  std::vector<std::set<std::size_t>> out(job.hosts.size()), in(job.hosts.size());
  std::size_t pairs = 0;
  for (const auto& [ends, route] : routes) {
    if (!position.contains(ends.first) || !position.contains(ends.second)) continue;
    pairs += ends.first != ends.second ? 1 : 0;
    for (const auto& [link, share] : route.parts)
      claims.require(takes(link), fmt::format("bounds: a route takes {}, said to have no traffic",
                                              job.links[link].name));
    if (job.splits || route.parts.empty()) continue;
    out[position[ends.first]].insert(route.parts.front().first);
    in[position[ends.second]].insert(route.parts.back().first);
  }
  bool takes_all = true;
  for (std::size_t l = 0; l < job.links.size(); ++l)
    takes_all = takes_all && (!job.links[l].is_up || takes(l));
  const bool all_listed = !job.splits && pairs == job.hosts.size() * (job.hosts.size() - 1);
  is_certain_ = all_listed || takes_all;
  read_doors(out, in, all_listed, claims);
}

UsedLinks::Door UsedLinks::door_of(const std::set<std::size_t>& links) const {
  Door door{count(links), 0};
  for (const std::size_t l : links)
    if (job_.links[l].is_fatpipe)
      door.bandwidth = infinity;
    else
      door.bandwidth += job_.links[l].bandwidth;
  return door;
}

/// No fewer doors than listed routes take, no more than the host has links.
void UsedLinks::read_doors(const std::vector<std::set<std::size_t>>& out,
                           const std::vector<std::set<std::size_t>>& in, bool all_listed,
                           const Claims& claims) {
  std::map<std::size_t, std::set<std::size_t>> leaving, leaving_up, entering, entering_up;
  for (std::size_t l = 0; l < job_.links.size(); ++l) {
    const Link& link = job_.links[l];
    for (const bool back : {false, true}) {
      if (back && link.is_directed) continue;
      const auto [from, to] = back ? std::pair(link.to, link.from) : std::pair(link.from, link.to);
      leaving[from].insert(l), entering[to].insert(l);
      if (link.is_up) leaving_up[from].insert(l), entering_up[to].insert(l);
    }
  }
  const auto covers = [](const Door& more, const Door& fewer) {
    return more.links >= fewer.links && more.bandwidth >= fewer.bandwidth * (1 - rounding);
  };
  const Json& list = witness_.at("doors");
  for (std::size_t p = 0; !list.empty() && p < job_.hosts.size(); ++p) {
    const Json& claim = list.at(p);
    const std::size_t host = job_.hosts[p];
    const Host host_doors{{real(claim.at(0)), real(claim.at(2))},
                          {real(claim.at(1)), real(claim.at(3))}};
    const Host listed{door_of(out[p]), door_of(in[p])};
    const Host all{door_of(leaving[host]), door_of(entering[host])},
        up{door_of(leaving_up[host]), door_of(entering_up[host])};
    const auto fits = [&](const Door& said, const Door& least, const Door& most) {
      return covers(said, least) && (!job_.knows_ends || covers(most, said)) &&
             (!all_listed || covers(least, said));
    };
    claims.require(
        fits(host_doors.out, listed.out, all.out) && fits(host_doors.in, listed.in, all.in),
        fmt::format("bounds: doors of host {}", host));
    is_certain_ =
        is_certain_ && (all_listed || (job_.knows_ends && covers(host_doors.out, up.out) &&
                                       covers(host_doors.in, up.in)));
    doors_.push_back(host_doors);
  }
}

double UsedLinks::time_of_hops(double hop_bytes) const {
  double rate = 0;
  for (const std::size_t l : used_) {
    const Link& link = job_.links[l];
    if (link.hops > 0 && link.is_fatpipe) return 0;
    if (link.hops > 0) rate += link.bandwidth * link.hops;
  }
  return time_over(hop_bytes, rate);
}

double UsedLinks::flows_of_one_rank(std::size_t kept) const {
  double out = 0, in = 0, most = 0;
  for (const Host& host : doors_)
    out = std::max(out, host.out.links), in = std::max(in, host.in.links);
  std::vector<Numbers> sent(job_.num_ranks), received(job_.num_ranks);
  for (std::size_t r = 0; r < job_.num_ranks; ++r)
    for (const auto& [to, bytes] : job_.sent[r])
      sent[r].push_back(bytes), received[to].push_back(bytes);
  for (std::size_t r = 0; r < job_.num_ranks; ++r)
    most = std::max({most, through_doors(sent[r], kept, static_cast<std::size_t>(out)),
                     through_doors(received[r], kept, static_cast<std::size_t>(in))});
  return most;
}

double UsedLinks::time_of_hosts(std::size_t kept, double all) const {
  double most_out = 0, most_in = 0, sum_out = 0, sum_in = 0;
  for (std::size_t p = 0; p < doors_.size(); ++p) {
    const double out = std::min(doors_[p].out.bandwidth, real(witness_.at("injection").at(p)));
    most_out = std::max(most_out, out), sum_out += out;
    most_in = std::max(most_in, doors_[p].in.bandwidth), sum_in += doors_[p].in.bandwidth;
  }
  // Of what the rank that exchanges most has outside, half goes one way at least.
  const double sent = beyond_partners(job_.sent, kept).greatest;
  const double both = beyond_partners(job_.both, kept).greatest;
  return std::max({time_over(sent, most_out), time_over(both / 2, std::max(most_out, most_in)),
                   time_over(all, std::min(sum_out, sum_in))});
}

}  // namespace vtopo::detail::checking
