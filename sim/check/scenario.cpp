#include "sim/check/evidence.hpp"

#include "topology/base/error.hpp"
#include "topology/base/random.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

// What the scenario says, against rows and evidence.
namespace vtopo::detail::checking {
namespace {

bool has(const Evidence& e, const char* option) {
  return e.report.at("scenario").contains(option);
}

void vouch_option(const Evidence& e, const char* option) {
  if (has(e, option)) e.vouch(e.report.at("scenario").at(option));
}

/// @throws WrongFigure for what is not a quantity.
template <class Quantity>
double quantity(const Evidence& e, const std::string& option, std::string_view text,
                Quantity (*parse)(std::string_view)) {
  try {
    return parse(text).value;
  } catch (const UsageError& error) {
    e.require(false, fmt::format("scenario.{}: {}", option, error.what()));
  }
  return 0;
}

template <class Quantity>
Numbers quantities(const Evidence& e, const char* option, Quantity (*parse)(std::string_view)) {
  Numbers list;
  const std::string text = e.option(option);
  for (const auto piece : split(text, ',')) list.push_back(quantity(e, option, piece, parse));
  return list;
}

std::size_t whole_in(const Evidence& e, const std::string& option, std::string_view text) {
  const auto value = parse_integer(text);
  e.require(value && *value >= 0, fmt::format("scenario.{}: \"{}\"", option, text));
  return static_cast<std::size_t>(*value);
}

/// Names of grids, tori and meshes without keys are sizes.
void check_specifications(const Evidence& e) {
  const std::string topology = e.option("topology"), network = e.option("network");
  const auto has_blank = [](const std::string& text) {  // but in names of files
    return text.find(' ') != text.npos && text.find('/') == text.npos;
  };
  const bool names_file = topology.find("graph:") != topology.npos ||
                          topology.find("dist:") != topology.npos ||
                          topology.find('=') != topology.npos;
  const bool is_grid = topology.starts_with("cart:") || topology.find(':') == topology.npos;
  e.require(
      topology.empty() || names_file || (!has_blank(topology) && (!is_grid || cart_of(topology))),
      "scenario.topology: \"" + topology + "\"");
  const bool is_torus = network.starts_with("torus:") || network.starts_with("mesh:");
  e.require(network.empty() || network.find('=') != network.npos ||
                (network.find(':') != network.npos && !has_blank(network) &&
                 (!is_torus || network.find(',') != network.npos || torus_of(network))),
            "scenario.network: \"" + network + "\"");
}

/// Kinds of values, as in `torus:8x8`.
const std::map<std::string, std::set<std::string>> kinds{
    {"topology", {"cart", "dist", "graph", "hypercube", "parallel", "rgg", "shuffle", "stencil"}},
    {"network",
     {"distances", "dragonfly", "dragonfly-plus", "fat-tree", "hyperx", "mesh", "slim-fly", "torus",
      "tree"}},
    {"hosts",
     {"all", "block", "cell", "chassis", "file", "first", "group", "leaf", "list", "node", "plane",
      "pod", "random", "router", "slurm", "spaced", "subtree"}}};

/// Whether `--hosts` is names alone, `node1,node7`: what they select only the network knows.
bool names_hosts(const std::string& hosts) {
  return hosts.find(':') == hosts.npos && !parse_integer(hosts) &&
         !kinds.at("hosts").contains(hosts);
}

/// @throws WrongFigure for a value that begins with no kind of its option.
void check_kind(const Evidence& e, const std::string& name) {
  if (!has(e, name.c_str())) return;
  const std::string value = e.option(name.c_str());
  if (name == "hosts" && names_hosts(value)) return;
  const bool is_number = name == "hosts" && parse_integer(value);
  e.require(is_number || kinds.at(name).contains(value.substr(0, value.find(':'))),
            fmt::format("scenario.{}: \"{}\" is of no known kind", name, value));
}

/// Options that every report has.
void check_options(const Evidence& e) {
  const Json& scenario = e.report.at("scenario");
  for (const auto& [name, value] : scenario.items()) {
    e.require(value.is_string() || value.is_array(), fmt::format("scenario.{} is not text", name));
    for (const Json& each : value.is_array() ? value : Json::array({value}))
      e.require(each.is_string() && each != "", fmt::format("scenario.{} is not text", name));
    e.require(!value.is_array() || value.size() > 1, fmt::format("scenario.{} is a list", name));
  }
  const auto one_of = [&](std::initializer_list<const char*> names) {
    const auto given =
        std::count_if(names.begin(), names.end(), [&](const char* name) { return has(e, name); });
    e.require(given > 0, fmt::format("scenario.{} is missing", *names.begin()));
  };
  for (const char* name : {"routing", "hosts", "slots", "seed", "mapper"}) one_of({name});
  one_of({"topology", "traffic", "trace", "schedule"}), one_of({"network", "platform"});
  for (const char* name : {"topology", "network", "hosts"}) check_kind(e, name);
  e.require(has(e, "background") == e.json.contains("background"),
            "scenario.background: the evidence says otherwise");
  e.require(!has(e, "ranks") || parse_integer(e.option("ranks")) == std::int64_t(e.num_ranks),
            "scenario.ranks: the evidence has others");
  if (e.report.contains("noise")) {
    const double noise = real(e.report.at("noise"));
    e.require(noise >= 0 && noise < 1, "noise is not a share");
  }
  if (has(e, "network")) one_of({"bandwidth"}), one_of({"latency"});
  if (has(e, "topology")) one_of({"bytes", "domain"});
  if (has(e, "no-simulate")) return;
  one_of({"network-model"}), one_of({"loopback-bandwidth", "memory-bandwidth"});
}

/// What rows repeat.
void check_rows(const Evidence& e) {
  const Json& rows = e.report.at("rows");
  std::vector<std::string> mappers;
  for (const Json& row : rows) mappers.push_back(row.at("mapper"));
  if (const std::string given = e.option("mapper"); given.find("label=") == std::string::npos) {
    e.equal("scenario.mapper", e.report.at("scenario").at("mapper"), join(mappers, ","));
    for (const Json& row : rows) e.vouch(row.at("mapper"));
  }
  const std::string rule = e.option("routing"), of_rows = rows[0].at("routing");
  const bool is_chosen = rule == "auto" && (of_rows == "simgrid" || has(e, "platform"));
  e.require(rule == of_rows || is_chosen,
            fmt::format("scenario.routing is {}, that of rows is {}", rule, of_rows));
  vouch_option(e, "routing"), vouch_option(e, "seed");
  const auto is_simulated = [](const Json& row) { return !row.at("makespan").is_null(); };
  const bool are_simulated = std::any_of(rows.begin(), rows.end(), is_simulated);
  if (are_simulated) vouch_option(e, "network-model"), vouch_option(e, "solver");
  for (const char* flag : {"no-simulate", "ideal"})
    if (has(e, flag)) e.equal(std::string("scenario.") + flag, e.report["scenario"][flag], "true");
  e.require(!has(e, "barriers") || e.option("barriers") == "true", "scenario.barriers");
  e.require(!has(e, "no-simulate") || !are_simulated, "scenario.no-simulate: rows have makespans");
  if (e.report.contains("sensitivity")) vouch_option(e, "sensitivity");
}

/// Of specifications that have no other sizes; nothing of others.
std::optional<std::size_t> hosts_in(const Evidence& e) {
  const std::string spec = e.option("network");
  if (const auto grid = torus_of(spec)) {
    std::size_t hosts = 1;
    for (const Side& side : *grid) hosts *= side.size;
    return hosts;
  }
  const auto colon = spec.find(':');
  if (spec.find('=') != std::string::npos || colon == std::string::npos) return std::nullopt;
  const std::string kind = spec.substr(0, colon), sizes = spec.substr(colon + 1);
  const auto groups = split(sizes, ';');
  std::size_t hosts = 1;
  if (kind == "fat-tree" && groups.size() == 4)
    for (const auto down : split(groups[1], ',')) hosts *= whole_in(e, "network", down);
  else if (kind == "dragonfly" && groups.size() == 4)
    for (const auto group : groups) hosts *= whole_in(e, "network", split(group, ',')[0]);
  else if (kind == "hyperx")
    for (const auto size : split(sizes, 'x')) hosts *= whole_in(e, "network", size);
  else if (kind == "tree")
    for (const auto arity : split(std::string_view(sizes).substr(0, sizes.find('@')), ':'))
      hosts *= whole_in(e, "network", arity);
  else
    return std::nullopt;
  return hosts;
}

/// Hosts by number that a word selects; nothing where it names files, parts or names.
std::optional<std::vector<std::size_t>> selected(const Evidence& e,
                                                 std::optional<std::size_t> num_hosts) {
  std::string spec = e.option("hosts");
  if (names_hosts(spec)) return std::nullopt;
  if (parse_integer(spec)) spec = "first:" + spec;
  const auto colon = std::min(spec.find(':'), spec.size());
  const std::string kind = spec.substr(0, colon);
  const std::string text = spec.substr(std::min(colon + 1, spec.size()));
  e.require((kind == "all") == (kind == spec) && kind.find(' ') == kind.npos,
            "scenario.hosts: \"" + spec + "\"");
  const auto words = split(text, kind == "random" ? ':' : ',');
  const auto number = [&](std::size_t word) {
    e.require(word < words.size(), "scenario.hosts: \"" + spec + "\"");
    return whole_in(e, "hosts", words[word]);
  };
  std::vector<std::size_t> hosts;
  if (kind == "list") {
    for (std::size_t i = 0; i < words.size(); ++i) hosts.push_back(number(i));
    return hosts;
  }
  if (has(e, "fail-host") || has(e, "fail-link")) return std::nullopt;
  std::vector<std::size_t> all(num_hosts.value_or(0));
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto take = [&](std::size_t first, std::size_t size) {
    for (std::size_t i = 0; i < std::min(size, unknown); ++i) hosts.push_back(first + i);
  };
  if (kind == "first") take(0, number(0));
  if (kind == "block") take(number(0), number(1));
  if (!hosts.empty()) return hosts;
  if (!num_hosts) return std::nullopt;
  if (kind == "all") return all;
  if (kind == "spaced")
    for (std::size_t i = 0; i < number(0); ++i) hosts.push_back(all[i * all.size() / number(0)]);
  if (kind == "random") {
    const std::string seed = words.size() > 1 ? std::string(words[1].substr(5)) : e.option("seed");
    Random random(whole_in(e, "seed", seed));
    shuffle(std::span(all), random);
    hosts.assign(all.begin(),
                 all.begin() + static_cast<std::ptrdiff_t>(std::min(number(0), all.size())));
    std::sort(hosts.begin(), hosts.end());
  }
  return hosts.empty() ? std::nullopt : std::optional(hosts);
}

/// `4,4,3` or `4(x2),3`: one number, or one per host.
std::vector<std::size_t> slots_of(const Evidence& e) {
  std::vector<std::size_t> slots;
  const std::string text = e.option("slots");
  for (const auto piece : split(text, ',')) {
    const auto open = std::min(piece.find("(x"), piece.size());
    const std::size_t times =
        open < piece.size() && piece.ends_with(')')
            ? whole_in(e, "slots", piece.substr(open + 2, piece.size() - open - 3))
            : 1;
    slots.insert(slots.end(), std::min(times, unknown),
                 whole_in(e, "slots", piece.substr(0, open)));
  }
  return slots;
}

void check_allocation(const Evidence& e) {
  const Json& allocation = e.json.at("allocation");
  const auto total = hosts_in(e);
  const auto hosts = selected(e, total);
  if (hosts) {
    e.require(Json(*hosts) == allocation, "scenario.hosts: the evidence has other hosts");
    vouch_option(e, "hosts"), e.vouch(allocation);
  }
  for (const std::size_t host : e.hosts)
    e.require(!total || host < *total, "scenario.network has fewer hosts than the evidence");
  e.require(e.json.at("slots").size() == e.hosts.size(), "evidence: slots of other hosts");
  if (e.option("hosts").starts_with("file:") || has(e, "imbalance")) return;
  std::vector<std::size_t> slots = slots_of(e);
  if (slots.size() == 1) slots.assign(e.hosts.size(), slots[0]);
  e.require(slots == e.slots, "scenario.slots: the evidence has others");
  vouch_option(e, "slots"), e.vouch(e.json.at("slots"));
}

void check_names(const Evidence& e) {
  if (!has(e, "network") || has(e, "host-names") ||
      e.option("network").find("node=") != std::string::npos)
    return;
  Json names = Json::array();
  for (const std::size_t host : e.hosts) names.push_back(fmt::format("host-{}", host));
  e.equal("evidence.host_names", e.json.at("host_names"), names);
}

/// Of messages inside a host.
void check_memory(const Evidence& e) {
  for (const char* option : {"memory-bandwidth", "loopback-bandwidth"}) {
    if (!has(e, option) || has(e, "platform")) continue;
    const double bandwidth = quantity(e, option, e.option(option), parse_bandwidth);
    e.same(std::string("scenario.") + option, e.json.at("memory_bandwidth"), bandwidth);
    return vouch_option(e, option);
  }
}

/// Links that are down are those that the scenario names.
void check_failures(const Evidence& e) {
  if (has(e, "fail-host") || has(e, "platform")) return;
  const std::string text = e.option("fail-link");
  if (text.find_first_of("[:*") != std::string::npos && text.starts_with("random")) return;
  const Json none = Json::array(),
             given = has(e, "fail-link") ? e.report["scenario"]["fail-link"] : none;
  std::set<std::string> names;
  for (const Json& name : given.is_array() ? given : Json::array({given})) {
    const std::string of = name;
    if (of.find('*') != std::string::npos || of.starts_with("random:") || parse_integer(of)) return;
    names.insert(of);
  }
  for (const Link& link : e.links)
    e.require(link.is_up != names.contains(link.name),
              fmt::format("scenario.fail-link: {} is {}", link.name, link.is_up ? "up" : "down"));
  vouch_option(e, "fail-link");
}

/// Rates of specifications without rates of their own: a bundle of cables has as many times one.
void check_link_rates(const Evidence& e) {
  if (!has(e, "network")) return;
  if (const auto& spec = e.option("network"); spec.find('=') != std::string::npos) return;
  Numbers wide = quantities(e, "bandwidth", parse_bandwidth);
  if (has(e, "scale-bandwidth")) {
    const auto factor = parse_number(e.option("scale-bandwidth"));  // else one of a pattern
    if (!factor) return;
    for (double& bandwidth : wide) bandwidth *= *factor;
  }
  const Numbers late = quantities(e, "latency", parse_seconds);
  for (const Link& link : e.links) {
    const auto is_bundle = [&](double one) {
      const double cables = link.bandwidth / one;
      return std::isfinite(cables) ? std::abs(cables - std::round(cables)) < 1e-6 && cables > 0.5
                                   : one == link.bandwidth;
    };
    e.require(std::any_of(wide.begin(), wide.end(), is_bundle),
              "scenario.bandwidth is not that of " + link.name);
    e.require(std::find(late.begin(), late.end(), link.latency) != late.end(),
              "scenario.latency is not that of " + link.name);
  }
  if (wide.size() == 1 && std::any_of(e.links.begin(), e.links.end(),
                                      [&](const Link& link) { return link.bandwidth == wide[0]; }))
    vouch_option(e, "bandwidth");
  if (late.size() == 1) vouch_option(e, "latency");
}

/// Ranks of a topology, by its name alone; nothing for those of files.
std::optional<std::size_t> ranks_in(const Evidence& e, std::string spec) {
  const auto colon = spec.find(':');
  const std::string kind = spec.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : spec.substr(colon + 1);
  if (kind == "shuffle" && rest.find(':') != std::string::npos)
    return ranks_in(e, rest.substr(rest.find(':') + 1));
  if (kind == "rgg") return whole_in(e, "topology", split(rest, ':')[0]);
  if (kind == "hypercube" && rest.size() < 3)
    return std::size_t{1} << std::min<std::size_t>(whole_in(e, "topology", rest), 40);
  if (kind != "cart" && kind != "stencil") return std::nullopt;
  std::size_t ranks = 1;
  for (auto size : split(std::string_view(rest).substr(0, rest.find(':')), 'x')) {
    if (size.ends_with('p')) size.remove_suffix(1);
    if (!parse_integer(size)) return std::nullopt;
    ranks *= whole_in(e, "topology", size);
  }
  return ranks;
}

void check_guest(Evidence& e) {
  if (!has(e, "topology")) return;
  const std::string topology = e.option("topology");
  const auto ranks = ranks_in(e, topology);
  e.require(!ranks || *ranks == e.num_ranks,
            fmt::format("scenario.topology: {} has {} ranks, the evidence {}", topology,
                        ranks.value_or(0), e.num_ranks));
  if (has(e, "pattern") || has(e, "schedule") || has(e, "domain")) return;
  const Numbers bytes = quantities(e, "bytes", parse_bytes);
  const Json& edges = e.json.at("edges");
  const auto sides = cart_of(topology);
  if (sides && (bytes.size() == 1 || bytes.size() == sides->size())) {
    const Json expected = edges_of_grid(*sides, bytes);
    for (std::size_t i = 0; i < std::max(edges.size(), expected.size()); ++i)
      e.require(i < edges.size() && i < expected.size() && edges[i] == expected[i],
                fmt::format("scenario.topology: edge {} is {}, the evidence has {}", i,
                            i < expected.size() ? expected[i].dump() : "none",
                            i < edges.size() ? edges[i].dump() : "none"));
    vouch_option(e, "topology"), vouch_option(e, "bytes"), e.vouch(edges);
    e.is_known_grid = true;
  } else if (ranks && bytes.size() == 1) {
    const bool has_weights = topology.find("rgg:") != std::string::npos;
    for (const Json& edge : edges) {
      const double times = bytes[0] > 0 ? real(edge.at(2)) / bytes[0] : 1;
      e.require(has_weights ? times >= 1 && times == std::floor(times) : edge.at(2) == bytes[0],
                "scenario.bytes: an edge has " + edge.at(2).dump());
    }
    if (!has_weights) vouch_option(e, "bytes");
  }
  for (std::size_t i = 1; i < edges.size(); ++i)
    e.require(edges[i - 1].at(0) <= edges[i].at(0), "evidence: edges are not in their order");
}

/// Whether flows may split follows from the rule; a tree has one route between two hosts.
void check_splits(const Evidence& e) {
  if (!has(e, "network")) return;
  const std::string rule = e.report.at("rows").at(0).at("routing");
  const bool is_tree = e.option("network").starts_with("tree:");
  const bool may =
      rule != "simgrid" && rule != "positive" && rule != "auto" && !(is_tree && rule == "ecmp");
  const Json claim = e.json.value("splits_flows", Json(false));
  e.require(claim == may && e.json.contains("splits_flows") == may,
            "evidence.splits_flows: not as routing " + rule + " has it");
  if (may) e.vouch(e.json.at("splits_flows"));
}

}  // namespace

void check_scenario(Evidence& e) {
  check_options(e), check_specifications(e), check_rows(e), check_guest(e);
  check_allocation(e), check_names(e), check_memory(e), check_failures(e), check_link_rates(e);
  check_splits(e), check_torus(e);
}

}  // namespace vtopo::detail::checking
