#include "sim/check/check_report.hpp"
#include "sim/check/evidence.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

// The core: slow and obvious on purpose, an oracle that shares nothing with what makes reports.
namespace vtopo::detail {
namespace checking {
namespace {

struct Load {
  double bytes = 0, seconds = 0, flows = 0;
  bool is_of_job = false;  ///< carries traffic of the job, not of others alone
};

/// Of flows under an embedding.
struct Figures {
  Values values;  ///< by their names in rows and phases
  std::vector<std::int64_t> histogram = {};
  std::map<std::string, Load> loads = {};
};

Figures figures_of(const Evidence& e, const std::vector<Flow>& flows) {
  Figures is{{{"ranks", static_cast<double>(e.num_ranks)}, {"hosts", count(e.hosts)}}};
  auto& v = is.values;
  double &edges = v["edges"], &bytes = v["total_bytes"], &inside = v["intra_host_bytes"],
         &hop_bytes = v["hop_bytes"], &farthest = v["max_dilation"], &hops = v["mean_dilation"],
         &jsum = v["jsum"], &jmax = v["jmax"], &most = v["max_link_load"],
         &mean = v["mean_link_load"], &longest = v["max_congestion"], &time = v["mean_congestion"],
         &most_flows = v["max_flows_per_link"];
  std::map<std::size_t, double> leaving;
  for (const Flow& flow : flows) {
    for (const auto& [l, share] : flow.route&& flow.bytes > 0 ? flow.route->parts : Parts()) {
      Load& load = is.loads[e.links[l].name];
      const double part = flow.bytes * share, seconds = part / e.links[l].bandwidth;
      load.bytes += part, load.flows += 1, load.is_of_job |= flow.is_of_job;
      load.seconds =
          e.links[l].is_fatpipe ? std::max(load.seconds, seconds) : load.seconds + seconds;
    }
    if (!flow.is_of_job) continue;
    const double distance = flow.route ? flow.route->distance : 0;
    farthest = std::max(farthest, distance), hops += distance, edges += 1;
    is.histogram.resize(static_cast<std::size_t>(farthest) + 1);
    ++is.histogram[static_cast<std::size_t>(distance)];
    (flow.route ? jsum : inside) += flow.route ? 1 : flow.bytes;
    bytes += flow.bytes, hop_bytes += flow.route ? flow.bytes * flow.route->mean_hops : 0;
    if (flow.route) jmax = std::max(jmax, ++leaving[flow.host]);
  }
  for (const auto& [name, load] : is.loads) {
    mean += load.bytes / count(e.links), time += load.seconds / count(is.loads);
    if (!load.is_of_job) continue;
    most = std::max(most, load.bytes), longest = std::max(longest, load.seconds);
    most_flows = std::max(most_flows, load.flows);
  }
  hops /= std::max(1.0, edges);
  v["mean_hops_per_byte"] = bytes > 0 ? hop_bytes / bytes : 0;
  return is;
}

/// The busiest first; of equal ones that with the smaller number, and none is left out.
void check_top_links(const Evidence& e, const Json& row, const Figures& figures) {
  const Json& list = row.at("top_links");
  std::map<std::string, std::size_t> number_of;
  for (std::size_t l = 0; l < e.links.size(); ++l) number_of.emplace(e.links[l].name, l);
  std::size_t last = 0, loaded = 0;
  double before = infinity;
  std::set<std::string> listed;
  const Figures others = figures_of(e, e.flows_of({}, e.json.value("background", Json::array()),
                                                  e.routes_of_row ? *e.routes_of_row : e.routes));
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Json& top = list[i];
    const std::string name = top.at("name"), of = " of " + name;
    e.require(figures.loads.contains(name), "top_links: nothing goes over " + name);
    const Load& load = figures.loads.at(name);
    e.require(load.is_of_job, "top_links: nothing of the job goes over " + name);
    const std::size_t number = number_of.at(name);
    const double seconds = real(top.at("seconds"));
    e.same("bytes" + of, top.at("bytes"), load.bytes);
    e.same("seconds" + of, top.at("seconds"), load.seconds);
    if (row.at("routing") != "valiant") e.same("flows" + of, top.at("flows"), load.flows);
    if (!e.kinds_of_links.empty())
      e.equal("kind" + of, top.at("kind"),
              e.num_kinds > 1 ? Json(e.kinds_of_links[number]) : Json());
    if (e.json.contains("background")) {
      const auto found = others.loads.find(name);
      e.same("background_bytes" + of, e.member(top, "background_bytes"),
             found == others.loads.end() ? 0 : found->second.bytes);
    }
    e.require(seconds < before || (seconds == before && (i == 0 || number > last)),
              "order of top_links");
    e.require(listed.insert(name).second, "top_links: " + name + " is listed twice");
    e.vouch(top.at("name"));
    before = seconds, last = number;
  }
  for (const auto& [name, load] : figures.loads) {
    if (!load.is_of_job) continue;
    loaded += load.bytes > 0 ? 1 : 0;
    if (list.empty() || listed.contains(name)) continue;
    const Load& least = figures.loads.at(list.back().at("name"));
    e.require(load.seconds <= least.seconds * (1 + rounding) &&
                  (e.splits || load.seconds != least.seconds || number_of.at(name) > last),
              "top_links: " + name + " is left out");
  }
  const std::string wanted = e.option("top-links");
  constexpr std::size_t unasked = 5;  // of evaluate; compare lists none
  const Json& rows = e.report.at("rows");
  const bool have_lists = std::any_of(
      rows.begin(), rows.end(), [](const Json& other) { return !other.at("top_links").empty(); });
  std::size_t count = have_lists ? unasked : 0;
  const auto number = parse_integer(wanted);
  e.require(wanted.empty() || (number && *number >= 0), "scenario.top-links: \"" + wanted + "\"");
  if (number) count = static_cast<std::size_t>(*number);
  e.require(list.size() == std::min(count, loaded), "top_links: not as many as asked for");
  e.vouch_if(list.empty(), list);
  if (!wanted.empty() && count <= loaded) e.vouch(e.report.at("scenario").at("top-links"));
}

/// Max-min fairness (Bertsekas and Gallager 1987): rates that fill no link above its bandwidth,
/// each with a full link on which no flow is faster, are the only ones.
void check_rates(const Evidence& e, const Json& claims, std::vector<Flow> flows) {
  constexpr double near = 1e-6;
  std::erase_if(flows, [](const Flow& flow) { return !flow.route || flow.bytes == 0; });
  e.require(claims.size() == flows.size(), "not every flow has a rate");
  Numbers fill(e.links.size()), fastest(e.links.size());
  for (std::size_t f = 0; f < flows.size(); ++f)
    for (const auto& [l, share] : flows[f].route->parts) {
      const double rate = real(claims[f].at(1));
      fill[l] = e.links[l].is_fatpipe ? std::max(fill[l], rate * share) : fill[l] + rate * share;
      fastest[l] = std::max(fastest[l], e.links[l].is_fatpipe ? 0 : rate);
    }
  for (std::size_t l = 0; l < e.links.size(); ++l)
    e.require(fill[l] <= e.links[l].bandwidth * (1 + near), e.links[l].name + " is too full");
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const double rate = real(claims[f].at(1));
    const auto is_full = [&](const auto& part, double within) {
      const auto& [l, share] = part;
      const double filled = e.links[l].is_fatpipe ? rate * share : fill[l];
      return rate >= fastest[l] * (1 - within) && filled >= e.links[l].bandwidth * (1 - within);
    };
    const auto limits = [&](const auto& part) {
      return claims[f].at(0) == part.first && is_full(part, near);
    };
    const auto is_surely_full = [&](const auto& part) { return is_full(part, 1e-10); };
    const Parts& parts = flows[f].route->parts;
    const auto limit = std::find_if(parts.begin(), parts.end(), limits);
    e.require(parts.empty() ? rate == infinity && claims[f].at(0).is_null() : limit != parts.end(),
              fmt::format("flow {} is not limited by link {}", f, claims[f].at(0).dump()));
    e.require(std::none_of(parts.begin(), limit, is_surely_full),
              fmt::format("flow {} is limited by a link before {}", f, claims[f].at(0).dump()));
    e.require(claims[f].size() == 2, fmt::format("flow {} has more than a link and a rate", f));
  }
  e.vouch(claims);
}

/// Each rank on a slot of its own, of an allocated host, whose ranks take its slots in their order;
/// of the mapper `block` one host after the other.
void check_embedding_of(const Evidence& e, const Json& row, const Json& embedding) {
  std::set<std::pair<std::size_t, std::size_t>> taken;
  std::map<std::size_t, std::size_t> next;
  std::size_t rank = 0;
  for (const Json& entry : embedding) {
    const std::size_t host = whole(entry.at(0)), slot = whole(entry.at(1));
    const bool exists = e.place_of.contains(host) && slot < e.slots[e.place_of.at(host)];
    e.require(exists && taken.emplace(host, slot).second && entry.size() == 2,
              fmt::format("slot {} of host {} is taken or not allocated", slot, host));
    e.require(slot == next[host]++,
              fmt::format("rank {} is not on the next slot of its host", rank));
    ++rank;
  }
  e.require(taken.size() == e.num_ranks, "not every rank has a host");
  if (row.at("mapper") != "block") return;
  for (std::size_t place = rank = 0, slot = 0; rank < e.num_ranks; ++rank, ++slot) {
    if (slot == e.slots[place]) ++place, slot = 0;
    e.require(embedding[rank].at(0) == e.hosts[place],
              fmt::format("block places rank {} on host {}", rank, e.hosts[place]));
  }
  e.vouch(embedding);
}

/// Names and settings that the row repeats.
void check_labels(const Evidence& e, const Json& row, const Json& of_row) {
  const Json& first = e.report.at("rows").at(0);
  const bool is_simulated = !row.at("makespan").is_null();
  for (const char* name : {"solver", "network_model", "simulation_seconds", "mapping_seconds"})
    e.vouch_if(row.at(name).is_null(), row.at(name));
  e.require(row.at("solver").is_null() != is_simulated, "solver: not that of a makespan");
  e.require(row.at("network_model").is_null() != is_simulated, "network_model: not of a makespan");
  e.require(is_simulated || row.at("simulation_seconds").is_null(), "nothing was simulated");
  e.require(is_simulated || !(of_row.contains("flows") || of_row.contains("clock")),
            "makespan is missing");
  // Nothing but links takes time: then the evidence says how to find it.
  bool is_fluid = row.value("network_model", Json()) == "CM02";
  for (const char* option :
       {"platform", "trace", "overhead", "gap", "eager-limit", "handshake", "reduction-bandwidth"})
    is_fluid = is_fluid && e.option(option).empty();
  const bool is_replayed = e.json.contains("phases") && row.value("clock", "") != "steps";
  e.require(!is_fluid || !is_replayed || of_row.contains("clock"), "evidence: clock is missing");
  e.require(!is_fluid || row.contains("phases") || of_row.contains("flows"),
            "evidence: flows are missing");
  e.vouch_if(!is_simulated, row.at("makespan"));
  for (const char* name : {"mapping_seconds", "simulation_seconds"})
    e.require(row.at(name).is_null() || row.at(name) >= 0, std::string(name) + " is below 0");
  if (is_simulated && e.option("network-model") != "")
    e.equal("network_model", row.at("network_model"), e.option("network-model"));
  if (const std::string solver = e.option("solver"); is_simulated && solver != "")
    e.equal("solver", row.at("solver"), solver);
  e.equal("routing", row.at("routing"), first.at("routing"));
  if (const std::string seed = e.option("seed"); seed != "")
    e.equal("seed", row.at("seed"), parse_integer(seed).value_or(-1));
  for (const char* name : {"hop_bytes_bound_kind", "congestion_bound_kind"})
    e.equal(name, row.at(name), e.bounds().at(name));
  e.require(row.contains("clock") == (row.contains("phases") && is_simulated) ||
                row.value("clock", "") == "trace",
            "clock: of a row without phases");
}

void check_row(Evidence& e, std::size_t r) {
  const Json &row = e.report.at("rows").at(r), &of_row = e.json.at("rows").at(r);
  const Routes own = of_row.contains("routes") ? e.routes_of(of_row.at("routes")) : Routes();
  const Routes& routes = of_row.contains("routes") ? own : e.routes;
  e.routes_of_row = &routes;
  e.where = fmt::format("row {} ({}): ", r, row.at("mapper").get<std::string>());
  check_embedding_of(e, row, of_row.at("embedding"));
  check_labels(e, row, of_row);
  std::vector<Flow> flows = e.flows_of(of_row.at("embedding"), e.json.at("edges"), routes);
  for (const Flow& other : e.flows_of({}, e.json.value("background", Json::array()), routes))
    flows.push_back(other);
  for (const Flow& flow : flows) e.used_routes.insert(flow.route);
  for (const auto& [ends, route] : own)
    e.require(e.used_routes.contains(&route), "routes that no flow of the row takes");
  const Figures figures = figures_of(e, flows);
  Values values = figures.values;
  const bool has_phases = row.contains("phases");
  if (has_phases) values.erase("max_congestion"), values.erase("max_flows_per_link");
  check_values(e, row, values);
  e.equal("hop_histogram", row.at("hop_histogram"), figures.histogram);
  check_top_links(e, row, figures);
  if (has_phases && e.json.contains("phases") && !of_row.contains("routes"))
    check_phases(e, row, of_row);
  else if (has_phases)
    e.open.insert("phases at the same time, beside other jobs or under routes that follow them");
  if (of_row.contains("flows")) {
    e.require(!has_phases, "phases of a burst");
    check_rates(e, of_row.at("flows"), flows);
    check_clock(e, row, {{flows}}, "burst");
  } else if (!row.at("makespan").is_null() && !of_row.contains("clock")) {
    e.open.insert("makespans of traces, endpoint costs and other network models than CM02");
  }
  for (const auto& [name, bound] : {std::pair("hop_bytes", "hop_bytes_bound"),
                                    std::pair("max_congestion", "congestion_bound")}) {
    e.same(bound, row.at(bound), real(e.bounds().at(bound)));
    e.require(real(row.at(name)) >= real(row.at(bound)) * (1 - rounding),
              fmt::format("{} is below its lower bound", name));
  }
  check_ideal(e, row, of_row);
  e.where.clear();
}

constexpr int max_depth = 16;  // of lists within lists

/// @throws InputError for what a conversion would round or cut.
std::int64_t whole_number(const Json& entry, const char* name) {
  const Json& value = entry.at(name);
  if (value.is_number_integer()) return value.get<std::int64_t>();
  throw InputError(
      fmt::format("not an embedding: {} {}; expected a whole number", name, value.dump()));
}

std::optional<std::string> wrong_rank(const Json& embedding) {
  std::set<std::pair<std::int64_t, std::int64_t>> taken;
  std::map<std::int64_t, std::string> names;
  std::map<std::int64_t, std::int64_t> slots;  // of each host, that have been taken
  std::int64_t next = 0;
  for (const Json& entry : embedding.at("ranks")) {
    const auto rank = whole_number(entry, "rank"), host = whole_number(entry, "host_id");
    const auto slot = whole_number(entry, "slot");
    if (rank != next++)
      return fmt::format("rank {} stands where rank {} is expected", rank, next - 1);
    if (host < 0 || slot < 0 || !taken.emplace(host, slot).second)
      return fmt::format("rank {}: slot {} of host {} is taken", rank, slot, host);
    if (slot != slots[host]++)
      return fmt::format("rank {}: slot {} of host {} is not the next one", rank, slot, host);
    const auto name = entry.at("host").get<std::string>();
    if (names.emplace(host, name).first->second != name)
      return fmt::format("rank {}: host {} is called \"{}\" and \"{}\"", rank, host, names[host],
                         name);
  }
  if (embedding.at("num_ranks") != next)
    return fmt::format("num_ranks is {}, there are {}", embedding.at("num_ranks").dump(), next);
  return std::nullopt;
}

/// What the file says of where the embedding comes from, and members of ranks that are not known.
std::vector<std::string> unverified(const Json& embedding) {
  std::set<std::string> open{"that the network has these hosts and slots"};
  for (const auto& [key, value] : embedding.items()) {
    if (key != "scenario" && key != "schema" && key != "num_ranks" && key != "ranks")
      open.insert(key);
    if (key != "scenario") continue;
    for (const auto& [name, option] : value.items()) open.insert("scenario." + name);
  }
  for (const Json& entry : embedding.at("ranks"))
    for (const auto& [key, value] : entry.items())
      if (key != "rank" && key != "host" && key != "host_id" && key != "slot")
        open.insert("ranks[]." + key);
  return {open.begin(), open.end()};
}

}  // namespace

Json parse_report(const std::string& text) {
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  return Json::parse(
      text,
      [&](int depth, Json::parse_event_t event, const Json& value) {
        using Event = Json::parse_event_t;
        if (depth > max_depth)
          throw InputError("not a report: lists within lists within lists, more than 16 of them");
        if (event == Event::object_start) keys.emplace_back();
        if (event == Event::object_end) keys.pop_back();
        if (event == Event::key && !keys.back().insert(value.get<std::string>()).second)
          throw WrongFigure("there are two members " + value.dump() + " in one object");
        return true;
      },
      false);
}

Values values_of(const Evidence& e, const std::vector<Flow>& flows) {
  return figures_of(e, flows).values;
}

void check_values(Evidence& e, const Json& claims, Values values) {
  if (e.report.at("rows").at(0).at("routing") == "valiant" && values.erase("max_flows_per_link"))
    e.open.insert("flows per link under routing valiant, where both legs count");
  for (const auto& [name, value] : values) e.same(name, claims.at(name), value);
}

}  // namespace checking

CheckResult check_report(const nlohmann::json& report, const nlohmann::json& evidence) {
  using namespace checking;
  try {
    Evidence e(report, evidence);
    std::optional<std::string> wrong;
    e.verified.insert("embeddings, routes, hops, volumes, loads, bounds, best row, verdict");
    try {
      check_shape(e);
      check_scenario(e);
      e.routes = e.routes_of(evidence.at("routes"));
      check_sums_of_phases(e);
      for (std::size_t r = 0; r < report.at("rows").size(); ++r) check_row(e, r);
      check_lists(e);
      check_bounds(e);
      check_best(e), check_sensitivity(e);
      list_unclaimed(e);
    } catch (const WrongFigure& error) {
      wrong = error.what();
    }
    return {wrong, {e.verified.begin(), e.verified.end()}, {e.open.begin(), e.open.end()}};
  } catch (const nlohmann::json::exception& error) {
    throw InputError(
        fmt::format("not a report with all of its evidence: {}", without_number(error.what())));
  } catch (const std::out_of_range&) {
    throw InputError("not a report with all of its evidence: a list ends early");
  }
}

CheckResult check_embedding(const nlohmann::json& embedding) {
  try {
    return {checking::wrong_rank(embedding),
            {"each rank is on a slot of its own"},
            checking::unverified(embedding)};
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("not an embedding: {}", checking::without_number(error.what())));
  }
}

}  // namespace vtopo::detail
