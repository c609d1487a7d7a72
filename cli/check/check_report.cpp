#include "cli/check/check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/check/check_bounds.hpp"
#include "cli/check/claims.hpp"
#include "cli/check/evidence.hpp"
#include "cli/check/replay.hpp"
#include "cli/check/routes.hpp"
#include "topology/base/error.hpp"

// Slow and obvious on purpose: an oracle that shares nothing with what makes reports.
namespace vtopo::detail {
namespace checking {
namespace {

struct Load {
  double bytes = 0, seconds = 0, flows = 0;
};

/// Of flows under an embedding.
struct Figures {
  double edges = 0, bytes = 0, inside = 0, hop_bytes = 0, hops = 0, jsum = 0, jmax = 0;
  std::vector<std::int64_t> histogram;
  std::map<std::string, Load> loads;
  Load most, sum;
  double max_dilation() const { return std::max(1.0, static_cast<double>(histogram.size())) - 1; }
};

class Checker : Claims {
 public:
  Checker(const Json& report, const Json& evidence) : report_(report), evidence_(evidence) {}

  CheckResult run() {
    std::optional<std::string> first;
    try {
      if (!job_.knows_ends) open.insert("that routes are walks (the ends of links are not known)");
      routes_ = routes_of(evidence_.at("routes"));
      check_sums_of_phases();
      for (std::size_t r = 0; r < report_.at("rows").size(); ++r) check_row(r);
      check_bounds(job_, routes_, report_.at("bounds"), evidence_.at("bounds"), *this);
      check_best();
    } catch (const WrongFigure& error) {
      first = error.what();
    }
    return {first, {verified_.begin(), verified_.end()}, {open.begin(), open.end()}};
  }

 private:
  Routes routes_of(const Json& list) {
    return read_routes(list, report_.at("rows").at(0).at("routing"), job_, *this);
  }

  /// What phases send is what the job sends.
  void check_sums_of_phases() {
    if (!evidence_.contains("phases")) return;
    Volumes sums(job_.num_ranks);
    for (const Json& phase : evidence_.at("phases")) {
      const Volumes sent = volumes_of(phase.at("edges"), job_.num_ranks);
      for (std::size_t r = 0; r < job_.num_ranks; ++r)
        for (const auto& [to, bytes] : sent[r]) sums[r][to] += bytes * real(phase.at("repeat"));
    }
    for (std::size_t r = 0; r < job_.num_ranks; ++r) {
      require(sums[r].size() == job_.sent[r].size(), fmt::format("phases: partners of rank {}", r));
      for (const auto& [to, bytes] : job_.sent[r])
        same(fmt::format("what phases send from rank {} to {}", r, to), bytes, sums[r][to]);
    }
  }

  /// Each rank has a slot of its own.
  void check_slots(const Json& embedding) {
    std::set<std::pair<std::size_t, std::size_t>> taken;
    for (const Json& entry : embedding) {
      const std::size_t host = whole(entry.at(0)), slot = whole(entry.at(1));
      require(
          job_.slots.contains(host) && slot < job_.slots[host] && taken.emplace(host, slot).second,
          fmt::format("slot {} of host {} is taken or not allocated", slot, host));
    }
    require(embedding.size() == job_.num_ranks, "not every rank has a host");
  }

  /// Of ranks that an embedding places, or of other jobs.
  Flow flow_of(std::size_t from, std::size_t to, const Json& edge, const Routes& routes) const {
    const auto route = routes.find({from, to});
    require(from == to || route != routes.end(), fmt::format("no route {} to {}", from, to));
    const double bytes = real(edge.at(2));
    return {whole(edge[0]), whole(edge[1]),
            from,           from == to ? nullptr : &route->second,
            bytes,          edge.size() < 4 || bytes > 0};
  }

  std::vector<Flow> flows_of(const Json& embedding, const Json& edges, const Routes& routes) const {
    std::vector<Flow> flows;
    for (const Json& edge : edges)
      flows.push_back(flow_of(whole(embedding[whole(edge.at(0), job_.num_ranks)][0]),
                              whole(embedding[whole(edge.at(1), job_.num_ranks)][0]), edge,
                              routes));
    return flows;
  }

  void check_row(std::size_t r) {
    const Json &row = report_.at("rows").at(r), &evidence = evidence_.at("rows").at(r);
    const bool has_own = evidence.contains("routes");
    const Routes own = has_own ? routes_of(evidence.at("routes")) : Routes();
    const Routes& routes = has_own ? own : routes_;
    const std::string row_name =
        fmt::format("row {} ({}): ", r, row.at("mapper").get<std::string>());
    where = row_name;
    const Json& embedding = evidence.at("embedding");
    check_slots(embedding);
    std::vector<Flow> flows = flows_of(embedding, evidence_.at("edges"), routes);
    for (const Json& other : evidence_.value("background", Json::array())) {
      flows.push_back(flow_of(whole(other.at(0)), whole(other.at(1)), other, routes));
      flows.back().is_of_job = false;
      flows.back().from = job_.num_ranks + 2 * flows.size(),
      flows.back().to = flows.back().from + 1;
    }
    const Figures figures = figures_of(flows);
    check_figures(row, figures);
    if (!row.contains("phases")) {
      same("max_congestion", row.at("max_congestion"), figures.most.seconds);
      check_flows_per_link(row, figures);
    } else if (evidence_.contains("phases") && !has_own) {
      check_phases(row, evidence, embedding);
      where = row_name;
    } else {
      open.insert("phases at the same time, beside other jobs or under routes that follow them");
    }
    if (evidence.contains("flows")) {
      require(!row.contains("phases"), "phases of a burst");
      check_rates(evidence.at("flows"), flows);
      check_clock(row, {{flows}}, "burst");
    } else if (!row.at("makespan").is_null() && !evidence.contains("clock")) {
      open.insert("makespans of traces, endpoint costs and other network models than CM02");
    }
    for (const auto& [name, bound] : {std::pair("hop_bytes", "hop_bytes_bound"),
                                      std::pair("max_congestion", "congestion_bound")}) {
      same(bound, row.at(bound), real(report_.at("bounds").at(bound)));
      require(real(row.at(name)) >= real(row.at(bound)) * (1 - rounding),
              fmt::format("{} is below its lower bound", name));
    }
    where.clear();
  }

  Figures figures_of(const std::vector<Flow>& flows) const {
    Figures is;
    std::map<std::size_t, double> leaving;
    for (const Flow& flow : flows) {
      for (const auto& [l, share] : flow.route&& flow.bytes > 0 ? flow.route->parts : Parts()) {
        Load& load = is.loads[job_.links[l].name];
        const double part = flow.bytes * share, time = part / job_.links[l].bandwidth;
        load.bytes += part, load.flows += 1;
        load.seconds =
            job_.links[l].is_fatpipe ? std::max(load.seconds, time) : load.seconds + time;
      }
      if (!flow.is_of_job) continue;
      const double distance = flow.route ? flow.route->distance : 0;
      is.histogram.resize(std::max(is.histogram.size(), static_cast<std::size_t>(distance) + 1));
      ++is.histogram[static_cast<std::size_t>(distance)], ++is.edges;
      is.bytes += flow.bytes, is.hops += distance, is.inside += flow.route ? 0 : flow.bytes;
      is.hop_bytes += flow.route ? flow.bytes * flow.route->mean_hops : 0;
      if (flow.route) is.jsum += 1, is.jmax = std::max(is.jmax, ++leaving[flow.host]);
    }
    for (const auto& [name, load] : is.loads) {
      is.sum.bytes += load.bytes, is.sum.seconds += load.seconds;
      is.most = {std::max(is.most.bytes, load.bytes), std::max(is.most.seconds, load.seconds),
                 std::max(is.most.flows, load.flows)};
    }
    return is;
  }

  void check_flows_per_link(const Json& row, const Figures& figures) {
    if (report_.at("rows").at(0).at("routing") == "valiant")
      open.insert("flows per link under routing valiant, where both legs count");
    else
      same("max_flows_per_link", row.at("max_flows_per_link"), figures.most.flows);
  }

  void check_figures(const Json& row, Figures figures) {
    const bool has_legs = row.at("routing") == "valiant";
    const auto is = [&](const char* name, double value) { same(name, row.at(name), value); };
    const double edges = std::max(1.0, figures.edges), bytes = figures.bytes;
    is("ranks", static_cast<double>(job_.num_ranks)), is("hosts", count(job_.hosts));
    is("edges", figures.edges), is("total_bytes", bytes), is("intra_host_bytes", figures.inside);
    is("jsum", figures.jsum), is("jmax", figures.jmax), is("hop_bytes", figures.hop_bytes);
    is("max_dilation", figures.max_dilation()), is("mean_dilation", figures.hops / edges);
    is("mean_hops_per_byte", bytes > 0 ? figures.hop_bytes / bytes : 0);
    is("max_link_load", figures.most.bytes);
    is("mean_link_load", figures.sum.bytes / std::max(1.0, count(job_.links)));
    is("mean_congestion", figures.sum.seconds / std::max(1.0, count(figures.loads)));
    require(row.at("hop_histogram") == Json(figures.histogram), "hop_histogram");
    double before = figures.most.seconds;
    for (const Json& top : row.at("top_links")) {
      const std::string name = top.at("name");
      const Load& load = figures.loads[name];
      same("bytes of " + name, top.at("bytes"), load.bytes);
      same("seconds of " + name, top.at("seconds"), load.seconds);
      if (!has_legs) same("flows of " + name, top.at("flows"), load.flows);
      require(load.seconds <= before * (1 + rounding), "order of top_links");
      before = load.seconds;
    }
  }

  /// Figures of one step of each phase, their sums, and when each begins and ends.
  void check_phases(const Json& row, const Json& evidence, const Json& embedding) {
    const Json &phases = evidence_.at("phases"), &claims = row.at("phases");
    require(claims.size() == phases.size(), "not as many phases as the job has");
    std::vector<Phase> steps;
    double congestion = 0;
    Figures most;
    const std::string row_name = where;
    for (std::size_t p = 0; p < phases.size(); ++p) {
      const double repeat = real(phases[p].at("repeat"));
      steps.push_back({flows_of(embedding, phases[p].at("edges"), routes_), repeat});
      const Figures step = figures_of(steps[p].flows);
      where = fmt::format("{}phase {}: ", row_name, p);
      for (const auto& [name, value] :
           {std::pair("repeat", repeat), std::pair("edges", step.edges),
            std::pair("total_bytes", step.bytes), std::pair("hop_bytes", step.hop_bytes),
            std::pair("max_dilation", step.max_dilation()),
            std::pair("max_link_load", step.most.bytes),
            std::pair("max_congestion", step.most.seconds),
            std::pair("static_bound", step.most.seconds * repeat)})
        same(name, claims[p].at(name), value);
      check_flows_per_link(claims[p], step);
      congestion += step.most.seconds * repeat;
      most.most.flows = std::max(most.most.flows, step.most.flows);
    }
    where = row_name;
    same("max_congestion", row.at("max_congestion"), congestion);
    check_flows_per_link(row, most);
    if (evidence.contains("clock")) check_clock(row, steps, evidence.at("clock"));
  }

  /// Rates at the start, each with a full link on which no flow is faster.
  void check_rates(const Json& claims, const std::vector<Flow>& flows) {
    std::vector<SharedFlow> all;
    std::vector<const SharedFlow*> pointers;
    std::vector<const Route*> routes;
    Numbers bandwidths, fill(job_.links.size()), fastest(job_.links.size());
    for (const Link& link : job_.links) bandwidths.push_back(link.bandwidth);
    for (const Flow& flow : flows)
      if (flow.route && flow.bytes > 0)
        all.push_back(shared(flow, job_.links)), routes.push_back(flow.route);
    pointers.reserve(all.size());
    for (const SharedFlow& flow : all) pointers.push_back(&flow);
    double work = 0;
    const Numbers rates = max_min_rates(pointers, bandwidths, work);
    require(claims.size() == all.size(), "not every flow has a rate");
    for (std::size_t f = 0; f < all.size(); ++f)
      for (const auto& [l, share] : all[f].parts)
        fill[l] += rates[f] * share, fastest[l] = std::max(fastest[l], rates[f]);
    for (std::size_t f = 0; f < all.size(); ++f) {
      const auto limits = [&](const auto& part) {
        const auto& [l, share] = part;
        const bool alone = job_.links[l].is_fatpipe;
        return claims[f].at(0) == l && rates[f] >= fastest[l] * (1 - 1e-6) &&
               (alone ? rates[f] * share : fill[l]) >= bandwidths[l] * (1 - 1e-6);
      };
      const Parts& parts = routes[f]->parts;
      same(fmt::format("rate of flow {}", f), claims[f].at(1), rates[f], 1e-6);
      require(!std::isfinite(rates[f]) || std::any_of(parts.begin(), parts.end(), limits),
              fmt::format("flow {} is not limited by link {}", f, claims[f].at(0).dump()));
    }
  }

  /// Everything replayed, flow after flow: ranks go on by themselves, or with `phases` together.
  void check_clock(const Json& row, std::vector<Phase> steps, const Json& clock) {
    std::size_t num_ranks = job_.num_ranks;
    for (Phase& step : steps) {
      std::erase_if(step.flows, [](const Flow& flow) { return !flow.is_sent; });
      for (const Flow& flow : step.flows)
        num_ranks = std::max({num_ranks, flow.from + 1, flow.to + 1});
    }
    const double memory = real(evidence_.at("memory_bandwidth"));
    double makespan = 0;
    std::vector<PhaseSpan> spans;
    for (std::size_t p = 0; p < steps.size(); ++p) {
      std::vector<Phase> part = steps;
      if (clock == "phases") part = {{steps[p].flows, 1}};
      const auto times = replay(part, num_ranks, job_.links, memory);
      if (!times) return void(open.insert("makespans of very many flows"));
      const double last =
          *std::max_element(times->finish.begin(),
                            times->finish.begin() + static_cast<std::ptrdiff_t>(job_.num_ranks));
      if (clock != "phases") {
        makespan = last, spans = times->phases;
        break;
      }
      spans.push_back({makespan, makespan + last * steps[p].repeat});
      makespan = spans.back().end;
    }
    same("makespan", row.at("makespan"), makespan, 1e-6);
    for (std::size_t p = 0; clock != "burst" && p < steps.size(); ++p) {
      const Json& claim = row.at("phases").at(p);
      const double start = std::isfinite(spans[p].start) ? spans[p].start : 0;
      const double time = spans[p].end - start, tolerance = 1e-6;
      const std::string phase = fmt::format("phase {}: ", p);
      same(phase + "end", claim.at("end"), spans[p].end, tolerance);
      require(std::abs(real(claim.at("start")) - start) <= tolerance * makespan, phase + "start");
      require(std::abs(real(claim.at("makespan")) - time) <= tolerance * makespan,
              phase + "makespan");
      require(std::abs(real(claim.at("step_makespan")) * steps[p].repeat - time) <=
                  tolerance * makespan,
              phase + "step_makespan");
    }
    require(clock == "burst" || row.at("clock") == clock, "clock");
    verified_.insert("makespans");
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
  std::set<std::string> verified_{"embeddings, routes, hops, volumes, loads, bounds, best row"};
  Job job_ = job_of(evidence_);
  Routes routes_;
};

}  // namespace
}  // namespace checking

CheckResult check_report(const nlohmann::json& report, const nlohmann::json& evidence) {
  try {
    return checking::Checker(report, evidence).run();
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("not a report with all of its evidence: {}",
                                 checking::without_number(error.what())));
  }
}

}  // namespace vtopo::detail
