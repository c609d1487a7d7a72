#include "cli/check/check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "topology/base/error.hpp"

// Slow and obvious on purpose: an oracle that shares nothing with what makes reports.
namespace vtopo::detail {
namespace {

using Json = nlohmann::json;
using Numbers = std::vector<double>;
using Parts = std::vector<std::pair<std::size_t, double>>;  // links and shares of a flow

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-9;  // relative, of sums in another order
constexpr double max_work = 2e8;   // steps of the simulated time
constexpr std::size_t unknown = 1 << 24;

struct WrongFigure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Link {
  std::string name;
  std::size_t from = unknown, to = unknown;
  bool is_directed = true;
  double bandwidth = 0, latency = 0, hops = 0;
  bool is_fatpipe = false, is_up = true;
};

struct Route {
  double distance = 0, mean_hops = 0, latency = 0;
  Parts parts = {};
};
using Routes = std::map<std::pair<std::size_t, std::size_t>, Route>;

struct Flow {
  std::size_t source = 0;
  const Route* route = nullptr;  // none inside a host
  double bytes = 0;
  bool is_sent = true, is_of_job = true;
};

struct Load {
  double bytes = 0, seconds = 0, flows = 0;
};

double real(const Json& value) {
  return value.is_null() ? infinity : value.get<double>();
}

std::size_t whole(const Json& value, std::size_t below = unknown) {
  if (value.is_number_integer() && value >= 0 && value < below) return value.get<std::size_t>();
  throw InputError(fmt::format("evidence: {} is not a whole number from 0 to {}",
                               value.dump().substr(0, 40), below - 1));
}

double count(const auto& list) {
  return static_cast<double>(list.size());
}

/// Max-min fair rates by filling: all rates rise together until a link is full.
Numbers max_min_rates(const std::vector<Parts>& flows, Numbers left, std::vector<bool> fixed,
                      double& work) {
  for (Numbers rates(flows.size(), infinity);;) {
    work += count(left);
    for (const Parts& parts : flows) work += count(parts);
    Numbers rising(left.size(), 0.0);
    double level = infinity;
    for (std::size_t f = 0; f < flows.size(); ++f)
      for (const auto& [l, share] : flows[f]) rising[l] += fixed[f] ? 0 : share;
    for (std::size_t l = 0; l < left.size(); ++l)
      if (rising[l] > 0) level = std::min(level, std::max(0.0, left[l]) / rising[l]);
    if (!std::isfinite(level)) return rates;
    const Numbers before = left;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      const auto is_full = [&](const auto& part) {
        return before[part.first] <= rising[part.first] * level * (1 + 1e-12);
      };
      if (fixed[f] || std::none_of(flows[f].begin(), flows[f].end(), is_full)) continue;
      fixed[f] = true, rates[f] = level;
      for (const auto& [l, share] : flows[f]) left[l] -= level * share;
    }
  }
}

class Checker {
 public:
  Checker(const Json& report, const Json& evidence) : report_(report), evidence_(evidence) {}

  CheckResult run() {
    std::optional<std::string> first;
    try {
      read_network();
      read_guest();
      for (std::size_t r = 0; r < report_.at("rows").size(); ++r) check_row(r);
      check_bounds();
      check_best();
    } catch (const WrongFigure& error) {
      first = error.what();
    }
    return {first, {verified_.begin(), verified_.end()}, {open_.begin(), open_.end()}};
  }

 private:
  void require(bool holds, const std::string& sentence) const {
    if (!holds) throw WrongFigure(where_ + sentence);
  }

  void same(const std::string& name, const Json& claimed, double value, double tolerance = 1e-9) {
    const double number = claimed.is_null() || claimed.is_number() ? real(claimed) : -infinity;
    const double most = std::max(std::abs(number), std::abs(value));
    require(number == value || std::abs(number - value) <= tolerance * most,
            fmt::format("{} is {}, the report says {}", name, value, claimed.dump()));
  }

  void read_network() {
    const Json& kinds = evidence_.at("link_kinds");
    for (const Json& entry : evidence_.at("links")) {
      const Json& kind = kinds.at(whole(entry.at(3), kinds.size()));
      const bool knows = !entry.at(1).is_null();
      links_.push_back({entry.at(0), knows ? whole(entry.at(1)) : unknown,
                        knows ? whole(entry.at(2)) : unknown, entry.size() < 5, real(kind.at(0)),
                        real(kind.at(1)), real(kind.at(2)), kind.at(3) != 0, kind.at(4) != 0});
      const Link& link = links_.back();
      require(link.bandwidth > 0 && link.latency >= 0 && link.hops >= 0, "link " + link.name);
      knows_ends_ = knows_ends_ && knows;
      all_up_ = all_up_ && link.is_up;
      if (link.is_up) next_[link.from].emplace_back(link.to, link.hops);
      if (link.is_up && !link.is_directed) next_[link.to].emplace_back(link.from, link.hops);
    }
    for (const Json& host : evidence_.at("allocation")) {
      const std::size_t slots = whole(evidence_.at("slots").at(hosts_.size()));
      hosts_.push_back(whole(host));
      require(slots > 0 && slots_.emplace(hosts_.back(), slots).second, "the allocation");
    }
    if (!knows_ends_) open_.insert("that routes are walks (the ends of links are not known)");
    routes_ = read_routes(evidence_.at("routes"));
  }

  Routes read_routes(const Json& list) {
    Routes routes;
    for (const Json& entry : list) {
      const std::size_t from = whole(entry.at(0)), to = whole(entry.at(1));
      const bool splits = entry.size() > 4 && !entry.at(4).is_null();
      Route route{static_cast<double>(whole(entry.at(2))), 0,
                  entry.size() > 5 ? real(entry.at(5)) : 0};
      where_ = fmt::format("route from host {} to host {}: ", from, to);
      std::map<std::size_t, double> flow{{from, 1.0}, {to, -1.0}};  // still to leave a vertex
      for (const Json& l : entry.at(3)) {
        const Link& link = links_[whole(l, links_.size())];
        const double share = splits ? real(entry.at(4).at(route.parts.size())) : 1.0;
        const bool back = !link.is_directed && flow[link.from] < share / 2;
        require(link.is_up && share > 0 && share <= 1 + rounding, "it cannot use " + link.name);
        require(splits || !knows_ends_ || flow[back ? link.to : link.from] > 0.5,
                link.name + " does not begin where the link before ends");
        flow[back ? link.to : link.from] -= share;
        flow[back ? link.from : link.to] += share;
        route.parts.emplace_back(whole(l), share);
        route.mean_hops += link.hops * share, route.latency += link.latency * share;
      }
      for (const auto& [vertex, amount] : flow)
        require(!knows_ends_ || std::abs(amount) < 1e-6, fmt::format("ends at vertex {}", vertex));
      require(splits ? route.distance <= route.mean_hops + 1e-6
                     : std::abs(route.mean_hops - route.distance) < 1e-6,
              fmt::format("it has {} hops and not {}", route.mean_hops, route.distance));
      if (splits) open_.insert("distances where flows split (only that no mean is smaller)");
      require(routes.emplace(std::pair(from, to), route).second, "it is listed twice");
    }
    where_.clear();
    return routes;
  }

  void read_guest() {
    num_ranks_ = evidence_.at("rows").at(0).at("embedding").size();
    sent_.resize(num_ranks_), both_.resize(num_ranks_);
    for (const Json& edge : evidence_.at("edges")) {
      const std::size_t source = whole(edge.at(0), num_ranks_), to = whole(edge.at(1), num_ranks_);
      const double bytes = real(edge.at(2));
      require(bytes >= 0 && std::isfinite(bytes), "a volume is not >= 0");
      if (source == to || bytes == 0) continue;
      sent_[source][to] += bytes, both_[source][to] += bytes, both_[to][source] += bytes;
      const bool is_whole = unit_ >= 0 && bytes == std::floor(bytes) && bytes < 0x1p53;
      unit_ = is_whole ? std::gcd(unit_, static_cast<std::int64_t>(bytes)) : -1;
    }
  }

  /// What hosts send each other. Each rank has a slot of its own.
  std::vector<Flow> flows_of(const Json& embedding, const Routes& routes) {
    std::set<std::pair<std::size_t, std::size_t>> taken;
    for (const Json& entry : embedding) {
      const std::size_t host = whole(entry.at(0)), slot = whole(entry.at(1));
      require(slots_.contains(host) && slot < slots_[host] && taken.emplace(host, slot).second,
              fmt::format("slot {} of host {} is taken or not allocated", slot, host));
    }
    require(embedding.size() == num_ranks_, "not every rank has a host");
    std::vector<Flow> flows;
    const auto add = [&](std::size_t from, std::size_t to, const Json& edge, bool is_of_job) {
      const auto route = routes.find({from, to});
      require(from == to || route != routes.end(), fmt::format("no route {} to {}", from, to));
      flows.push_back({from, from == to ? nullptr : &route->second, real(edge.at(2)),
                       edge.size() < 4, is_of_job});
    };
    for (const Json& edge : evidence_.at("edges"))
      add(embedding[whole(edge[0])][0], embedding[whole(edge[1])][0], edge, true);
    for (const Json& flow : evidence_.value("background", Json::array()))
      add(whole(flow.at(0)), whole(flow.at(1)), flow, false);
    return flows;
  }

  void check_row(std::size_t r) {
    const Json &row = report_.at("rows").at(r), &evidence = evidence_.at("rows").at(r);
    const bool has_own = evidence.contains("routes");
    const Routes own = has_own ? read_routes(evidence.at("routes")) : Routes();
    where_ = fmt::format("row {} ({}): ", r, row.at("mapper").get<std::string>());
    const std::vector<Flow> flows = flows_of(evidence.at("embedding"), has_own ? own : routes_);
    check_figures(row, flows);
    if (evidence.contains("flows"))
      check_clock(row, evidence.at("flows"), flows);
    else if (!row.at("makespan").is_null())
      open_.insert("makespans other than that of one burst under CM02");
    for (const auto& [name, bound] : {std::pair("hop_bytes", "hop_bytes_bound"),
                                      std::pair("max_congestion", "congestion_bound")}) {
      same(bound, row.at(bound), real(report_.at("bounds").at(bound)));
      require(real(row.at(name)) >= real(row.at(bound)) * (1 - rounding),
              fmt::format("{} is below its lower bound", name));
    }
    where_.clear();
  }

  void check_figures(const Json& row, const std::vector<Flow>& flows) {
    double bytes = 0, inside = 0, hop_bytes = 0, hops = 0, jsum = 0, jmax = 0;
    std::vector<std::int64_t> histogram;
    std::map<std::size_t, double> leaving;
    std::map<std::string, Load> loads;
    for (const Flow& flow : flows) {
      for (const auto& [l, share] : flow.route&& flow.bytes > 0 ? flow.route->parts : Parts()) {
        Load& load = loads[links_[l].name];
        const double part = flow.bytes * share, time = part / links_[l].bandwidth;
        load.bytes += part, load.flows += 1;
        load.seconds = links_[l].is_fatpipe ? std::max(load.seconds, time) : load.seconds + time;
      }
      if (!flow.is_of_job) continue;
      const double distance = flow.route ? flow.route->distance : 0;
      histogram.resize(std::max(histogram.size(), static_cast<std::size_t>(distance) + 1));
      ++histogram[static_cast<std::size_t>(distance)];
      bytes += flow.bytes, hops += distance, inside += flow.route ? 0 : flow.bytes;
      hop_bytes += flow.route ? flow.bytes * flow.route->mean_hops : 0;
      if (flow.route) jsum += 1, jmax = std::max(jmax, ++leaving[flow.source]);
    }
    Load most, sum;
    for (const auto& [name, load] : loads) {
      sum.bytes += load.bytes, sum.seconds += load.seconds;
      most = {std::max(most.bytes, load.bytes), std::max(most.seconds, load.seconds),
              std::max(most.flows, load.flows)};
    }
    const double edges = count(evidence_.at("edges"));
    const bool has_legs = row.at("routing") == "valiant", has_phases = row.contains("phases");
    if (has_legs) open_.insert("flows per link under routing valiant, where both legs count");
    if (has_phases) open_.insert("phases, their max_congestion and max_flows_per_link");
    const auto is = [&](const char* name, double value) { same(name, row.at(name), value); };
    is("ranks", static_cast<double>(num_ranks_)), is("hosts", count(hosts_)), is("edges", edges);
    is("total_bytes", bytes), is("intra_host_bytes", inside), is("jsum", jsum), is("jmax", jmax);
    is("max_dilation", std::max(1.0, count(histogram)) - 1), is("hop_bytes", hop_bytes);
    is("mean_dilation", hops / std::max(1.0, edges)), is("max_link_load", most.bytes);
    is("mean_hops_per_byte", bytes > 0 ? hop_bytes / bytes : 0);
    is("mean_link_load", sum.bytes / std::max(1.0, count(links_)));
    is("mean_congestion", sum.seconds / std::max(1.0, count(loads)));
    if (!has_phases) is("max_congestion", most.seconds);
    if (!has_phases && !has_legs) is("max_flows_per_link", most.flows);
    require(row.at("hop_histogram") == Json(histogram), "hop_histogram");
    for (const Json& top : row.at("top_links")) {
      const std::string name = top.at("name");
      same("bytes of " + name, top.at("bytes"), loads[name].bytes);
      same("seconds of " + name, top.at("seconds"), loads[name].seconds);
      if (!has_legs) same("flows of " + name, top.at("flows"), loads[name].flows);
      require(loads[name].seconds <= most.seconds * (1 + rounding), "order of top_links");
      most.seconds = loads[name].seconds;
    }
  }

  /// Rates at the start, each with a full link on which no flow is faster, and the last finish.
  void check_clock(const Json& row, const Json& claims, const std::vector<Flow>& flows) {
    std::vector<Parts> shared;
    Numbers capacity, rest, delay;
    double last = 0, time = 0, work = 0;
    for (const Link& link : links_) capacity.push_back(link.is_fatpipe ? infinity : link.bandwidth);
    for (const Flow& flow : flows) {
      const double loopback = flow.bytes / real(evidence_.at("memory_bandwidth"));
      const double latency = flow.route ? flow.route->latency : loopback;
      if (flow.route && flow.bytes > 0) {
        double rate = infinity;  // by fatpipes, as if by a link of this flow alone
        for (const auto& [l, share] : flow.route->parts)
          if (links_[l].is_fatpipe) rate = std::min(rate, links_[l].bandwidth / share);
        shared.push_back(flow.route->parts), shared.back().emplace_back(capacity.size(), 1.0);
        capacity.push_back(rate), rest.push_back(flow.bytes);
        delay.push_back(flow.is_of_job ? latency : -infinity);
      } else if (flow.is_sent && flow.is_of_job) {
        last = std::max(last, latency);
      }
    }
    std::vector<bool> over(shared.size());
    Numbers rates = max_min_rates(shared, capacity, over, work), fill(capacity.size()),
            fastest(fill);
    require(claims.size() == shared.size(), "not every flow has a rate");
    for (std::size_t f = 0; f < shared.size(); ++f)
      for (const auto& [l, share] : shared[f])
        fill[l] += rates[f] * share, fastest[l] = std::max(fastest[l], rates[f]);
    for (std::size_t f = 0; f < shared.size(); ++f) {
      const auto limits = [&](const auto& part) {
        const auto l = part.first;
        return fill[l] >= capacity[l] * (1 - 1e-6) && rates[f] >= fastest[l] * (1 - 1e-6) &&
               (l >= links_.size() || claims[f].at(0) == l);
      };
      same(fmt::format("rate of flow {}", f), claims[f].at(1), rates[f], 1e-6);
      require(!std::isfinite(rates[f]) || std::any_of(shared[f].begin(), shared[f].end(), limits),
              fmt::format("flow {} is not limited by link {}", f, claims[f].at(0).dump()));
    }
    for (std::size_t ended = 0; ended < rest.size();) {
      double step = infinity;
      for (std::size_t f = 0; f < rest.size(); ++f)
        if (!over[f]) step = std::min(step, rest[f] / rates[f]);
      time += step;
      for (std::size_t f = 0; f < rest.size(); ++f) {
        if (over[f]) continue;
        if (rest[f] / rates[f] <= step * (1 + 1e-11))
          over[f] = true, ++ended, last = std::max(last, time + delay[f]);
        else
          rest[f] -= step * rates[f];
      }
      if (work > max_work) return void(open_.insert("makespans of very many flows"));
      rates = max_min_rates(shared, capacity, over, work);
    }
    same("makespan", row.at("makespan"), last, 1e-6);
    verified_.insert("makespans");
  }

  /// Hops to the nearest other slots over links that are up (Dijkstra's search).
  Numbers nearest_slots(std::size_t from, std::size_t count) {
    std::set<std::size_t> found;
    std::set<std::pair<double, std::size_t>> next{{0, from}};
    Numbers slots;
    while (!next.empty() && slots.size() <= count) {
      const auto [hops, at] = *next.begin();
      next.erase(next.begin());
      if (!found.insert(at).second) continue;
      if (slots_.contains(at)) slots.insert(slots.end(), slots_[at], hops);
      for (const auto& [to, more] : next_[at]) next.emplace(hops + more, to);
    }
    slots.resize(count + 1, infinity);
    return {slots.begin() + 1, slots.end()};
  }

  /// What an argument proves, in whole units, must be what the report claims by it.
  void prove(const std::string& name, const char* kind, double value, double bandwidth) {
    const Json& claimed = report_.at("bounds").at(name);
    if (report_.at("bounds").at(name + "_kind") != kind) return;
    const double units = value * bandwidth / static_cast<double>(unit_);
    if (real(claimed) > value * (1 + rounding)) value *= std::ceil(units * (1 - rounding)) / units;
    same(name, claimed, value);
  }

  /// Bounds follow from the partners of each rank, distances of slots, prices and bandwidths.
  void check_bounds() {
    const Json &bounds = report_.at("bounds"), &witness = evidence_.at("bounds");
    const Json &profiles = witness.at("profiles"), &places = witness.at("profile_of");
    for (std::size_t p = 0; knows_ends_ && p < hosts_.size() && !profiles.empty(); ++p) {
      const Json& profile = profiles.at(places.empty() ? 0 : whole(places.at(p)));
      const Numbers near = nearest_slots(hosts_[p], profile.size());
      for (std::size_t k = 0; k < near.size(); ++k) {
        require(places.empty() || !all_up_ || real(profile[k]) >= near[k], "profiles of slots");
        if (real(profile[k]) > near[k]) open_.insert("slots farther away than by a shortest path");
      }
    }
    std::size_t kept = 0;  // partners in the host of a rank
    for (const auto& [host, slots] : slots_) kept = std::max(kept, slots - 1);
    double nearest = 0, one_rank = 0, one_flow = 0, injection = 0, rate = 0, widest = 0;
    for (std::size_t r = 0; r < num_ranks_; ++r) {
      Numbers both, sent, flows, costs(profiles.size());
      for (const auto& [other, bytes] : both_[r]) {
        both.push_back(bytes), sent.push_back(sent_[r][other]);
        flows.push_back(std::max(sent_[r][other], sent_[other][r]));
      }
      for (Numbers* list : {&both, &sent, &flows}) std::sort(list->rbegin(), list->rend());
      for (std::size_t i = 0; i < both.size() * costs.size(); ++i)
        costs[i % costs.size()] +=
            both[i / costs.size()] * real(profiles[i % costs.size()].at(i / costs.size()));
      if (!costs.empty()) nearest += *std::min_element(costs.begin(), costs.end()) / 2;
      double leaving = 0;
      for (std::size_t k = kept; k < sent.size(); ++k) leaving += sent[k];
      one_rank = std::max(one_rank, leaving);
      if (kept < flows.size()) one_flow = std::max(one_flow, flows[kept]);
    }
    for (const Json& out : witness.at("injection")) injection = std::max(injection, real(out));
    for (const Link& link : links_) {
      rate += link.bandwidth * link.hops;
      if (link.hops > 0) widest = std::max(widest, link.bandwidth);
    }
    const std::set<std::string> known{"nearest slots", "hop-bytes", "one rank", "one flow"};
    for (const std::string name : {"hop_bytes_bound", "congestion_bound"})
      if (const Json& by = bounds.at(name + "_kind"); by.is_string() && !known.contains(by))
        open_.insert(name + " by argument " + by.dump());
    const double hop_bytes = real(bounds.at("hop_bytes_bound"));
    prove("hop_bytes_bound", "nearest slots", nearest, 1);
    prove("congestion_bound", "hop-bytes", hop_bytes / rate, links_.at(0).bandwidth);
    prove("congestion_bound", "one rank", one_rank / injection, links_.at(0).bandwidth);
    prove("congestion_bound", "one flow", one_flow / widest, links_.at(0).bandwidth);
  }

  /// The row that takes the least time; within a thousandth of it the fewest hop-bytes.
  void check_best() {
    const Json &rows = report_.at("rows"), &best = report_.at("best");
    const auto hop_bytes = [&](std::size_t r) { return real(rows[r].at("hop_bytes")); };
    const bool by_clock = std::none_of(
        rows.begin(), rows.end(), [](const Json& row) { return row.at("makespan").is_null(); });
    const char* time = by_clock ? "makespan" : "max_congestion";
    double least = infinity;
    std::size_t base = rows.size(), chosen = rows.size();
    for (std::size_t r = 0; r < rows.size(); ++r) {
      least = std::min(least, real(rows[r].at(time)));
      if (base == rows.size() && rows[r].at("mapper") == best.at("baseline")) base = r;
    }
    require(base < rows.size(), "best: no row is of the baseline");
    for (std::size_t i = 0; i <= rows.size(); ++i) {
      const std::size_t r = i == 0 ? base : i - 1;
      if (real(rows[r].at(time)) > least * (1 + 1e-3)) continue;
      if (chosen == rows.size() || hop_bytes(r) < hop_bytes(chosen) * (1 - rounding)) chosen = r;
    }
    same("best: row", best.at("row"), static_cast<double>(chosen));
    require(best.at("mapper") == rows[chosen].at("mapper"), "best: mapper");
    require(best.at("by") == (by_clock ? "simulated time" : "static time"), "best: by");
    for (const auto& [name, gain] : best.at("gain").items()) {
      const double from = real(rows[base].at(name)), to = real(rows[chosen].at(name));
      const bool knows = std::isfinite(from) && std::isfinite(to) && from != 0;
      require(
          knows ? gain.is_number() && std::abs(real(gain) - 1 + to / from) < 1e-9 : gain.is_null(),
          "best: gain of " + name);
    }
    const std::string verdict = report_.at("verdict"), mapper = best.at("mapper");
    require(verdict.find(mapper) != std::string::npos, "verdict: it is about another mapper");
  }

  const Json &report_, &evidence_;
  std::string where_;
  std::set<std::string> verified_{"embeddings, routes, hops, volumes, loads, bounds, best row"};
  std::set<std::string> open_;
  std::vector<Link> links_;
  std::map<std::size_t, std::vector<std::pair<std::size_t, double>>> next_;
  bool knows_ends_ = true, all_up_ = true;
  std::vector<std::size_t> hosts_;
  std::map<std::size_t, std::size_t> slots_;
  Routes routes_;
  std::size_t num_ranks_ = 0;
  std::vector<std::map<std::size_t, double>> sent_, both_;
  std::int64_t unit_ = 0;
};

}  // namespace

CheckResult check_report(const Json& report, const Json& evidence) {
  try {
    return Checker(report, evidence).run();
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("not a report with all of its evidence: {}", error.what()));
  }
}

}  // namespace vtopo::detail
