#include <optional>

#include "tests/sim/check/check_reports.hpp"

namespace vtopo::mutants {
namespace {

/// A factor from 0.5 to 2 that changes a figure by 1 % at least.
double factor(Random& random) {
  const double factors[] = {0.5, 0.8, 0.9, 0.99, 1.01, 1.1, 1.25, 2};
  return factors[below(random, std::size(factors))];
}

void scale(Json& value, double by) {
  if (value.is_number()) value = value.get<double>() * by;
}

/// All numbers of lists.
void scale_all(Json& value, double by) {
  scale(value, by);
  if (value.is_structured())
    for (Json& each : value) scale_all(each, by);
}

/// The entry for a guest edge between two hosts in row `row`; nothing where there is none.
std::optional<std::size_t> edge_between_hosts(const Json& evidence, std::size_t row,
                                              Random& random) {
  const Json& embedding = evidence["rows"][row]["embedding"];
  const Json& edges = evidence["edges"];
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::size_t e = below(random, edges.size());
    if (embedding[edges[e][0].get<std::size_t>()][0] !=
        embedding[edges[e][1].get<std::size_t>()][0])
      return e;
  }
  return std::nullopt;
}

/// Consistent lies, each repeated in all places that repeat it.
using Mutation = bool (*)(Json&, std::size_t row, Random&);

/// Hop-bytes and their mean, the histogram's mean, and the gain.
bool hop_bytes_and_mean(Json& report, std::size_t row, Random& random) {
  const double by = factor(random);
  scale(report["rows"][row]["hop_bytes"], by);
  scale(report["rows"][row]["mean_hops_per_byte"], by);
  return report["rows"][row]["hop_bytes"] != 0;
}

bool loads_and_congestion(Json& report, std::size_t row, Random& random) {
  const double by = factor(random);
  for (const char* name : {"max_link_load", "mean_link_load", "max_congestion", "mean_congestion"})
    scale(report["rows"][row][name], by);
  for (Json& link : report["rows"][row]["top_links"])
    scale(link["bytes"], by), scale(link["seconds"], by);
  return report["rows"][row]["max_link_load"] != 0;
}

bool volumes(Json& report, std::size_t, Random& random) {  // of all rows, and of all edges but one
  const double by = factor(random);
  for (Json& row : report["rows"])
    for (const char* name : {"total_bytes", "intra_host_bytes", "hop_bytes", "max_link_load",
                             "mean_link_load", "max_congestion", "mean_congestion"})
      scale(row[name], by);
  Json& edges = report["evidence"]["edges"];
  const std::size_t spared = below(random, edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (e != spared) scale(edges[e][2], by);
  return edges[spared][2] != 0;
}

/// Two ranks swap their slots, the figures stay.
bool moved_rank(Json& report, std::size_t row, Random& random) {
  Json& embedding = report["evidence"]["rows"][row]["embedding"];
  const std::size_t a = below(random, embedding.size()), b = below(random, embedding.size());
  if (embedding[a][0] == embedding[b][0]) return false;
  std::swap(embedding[a], embedding[b]);
  return true;
}

bool shared_slot(Json& report, std::size_t row, Random& random) {
  Json& embedding = report["evidence"]["rows"][row]["embedding"];
  const std::size_t a = below(random, embedding.size()), b = below(random, embedding.size());
  embedding[a] = embedding[b];
  return a != b;
}

/// A link of a route in use gets a kind of its own; evidence also lists routes without traffic, on
/// whose links no figure hangs.
bool capacity(Json& report, std::size_t row, Random& random) {
  Json& evidence = report["evidence"];
  const auto edge = edge_between_hosts(evidence, row, random);
  if (!edge) return false;
  const Json& embedding = evidence["rows"][row]["embedding"];
  const auto host_of = [&](std::size_t end) {
    return embedding[evidence["edges"][*edge][end].get<std::size_t>()][0];
  };
  for (const Json& route : evidence["routes"]) {
    if (route[0] != host_of(0) || route[1] != host_of(1)) continue;
    Json& link = evidence["links"][route[3][below(random, route[3].size())].get<std::size_t>()];
    Json kind = evidence["link_kinds"][link[3].get<std::size_t>()];
    scale(kind[0], factor(random));
    evidence["link_kinds"].push_back(kind);
    link[3] = evidence["link_kinds"].size() - 1;
    return true;
  }
  return false;
}

bool dropped_link(Json& report, std::size_t, Random& random) {
  Json& route = report["evidence"]["routes"][below(random, report["evidence"]["routes"].size())];
  if (route[3].empty()) return false;
  const std::size_t at = below(random, route[3].size());
  route[3].erase(at);
  if (route.size() > 4 && !route[4].is_null()) route[4].erase(at);
  if (route[2] != 0) route[2] = route[2].get<int>() - 1;  // so that the hops agree
  return true;
}

/// The route of a pair for another, with its hops.
bool other_route(Json& report, std::size_t, Random& random) {
  Json& routes = report["evidence"]["routes"];
  const std::size_t a = below(random, routes.size()), b = below(random, routes.size());
  if (routes[a][3] == routes[b][3]) return false;
  const Json ends[] = {routes[a][0], routes[a][1]};
  routes[a] = routes[b];
  routes[a][0] = ends[0];
  routes[a][1] = ends[1];
  return true;
}

bool dropped_edge(Json& report, std::size_t row, Random& random) {
  const auto edge = edge_between_hosts(report["evidence"], row, random);
  if (!edge) return false;
  report["evidence"]["edges"].erase(*edge);
  for (Json& each : report["rows"]) {
    each["edges"] = each["edges"].get<int>() - 1;
    each["jsum"] = each["jsum"].get<int>() - 1;
  }
  return true;
}

bool dilation(Json& report, std::size_t row, Random& random) {
  Json& histogram = report["rows"][row]["hop_histogram"];
  const std::size_t from = below(random, histogram.size());
  if (histogram[from] == 0) return false;
  histogram[from] = histogram[from].get<int>() - 1;
  histogram.push_back(1);  // an edge became the longest
  Json& figures = report["rows"][row];
  const double edges = figures["edges"];
  const double more = static_cast<double>(histogram.size() - 1) - static_cast<double>(from);
  figures["max_dilation"] = histogram.size() - 1;
  figures["mean_dilation"] = figures["mean_dilation"].get<double>() + more / edges;
  return true;
}

bool counts(Json& report, std::size_t row, Random& random) {
  const char* names[] = {"jsum", "jmax", "max_flows_per_link", "ranks", "hosts", "edges"};
  Json& value = report["rows"][row][names[below(random, std::size(names))]];
  value = value.get<int>() + (random() % 2 == 0 ? 1 : -1);
  return true;
}

/// A bound that an argument proves, in all places.
bool bound(Json& report, std::size_t, Random& random) {
  const std::string name = random() % 2 == 0 ? "hop_bytes_bound" : "congestion_bound";
  const Json kind = report["bounds"][name + "_kind"];
  if (kind != "nearest slots" && kind != "one rank" && kind != "one flow") return false;
  if (report["bounds"][name] == 0) return false;
  const double by = factor(random);
  scale(report["bounds"][name], by);
  for (Json& row : report["rows"]) scale(row[name], by);
  return true;
}

/// Nearer or farther slots, and the bound that follows.
bool profile(Json& report, std::size_t, Random& random) {
  if (report["bounds"]["hop_bytes_bound_kind"] != "nearest slots") return false;
  Json& profiles = report["evidence"]["bounds"]["profiles"];
  for (Json& each : profiles)
    for (Json& hops : each) hops = hops.get<int>() * 2;
  scale(report["bounds"]["hop_bytes_bound"], 2);
  for (Json& row : report["rows"]) scale(row["hop_bytes_bound"], 2);
  return random() % 2 == 0;
}

bool rate(Json& report, std::size_t row, Random& random) {
  Json& flows = report["evidence"]["rows"][row]["flows"];
  if (flows.empty()) return false;
  scale(flows[below(random, flows.size())][1], factor(random));
  return true;
}

/// Another link of the machine holds a flow back.
bool bottleneck(Json& report, std::size_t row, Random& random) {
  Json& flows = report["evidence"]["rows"][row]["flows"];
  if (flows.empty()) return false;
  Json& flow = flows[below(random, flows.size())];
  flow[0] = report["evidence"]["links"].size() + below(random, 5);
  return true;
}

bool makespan_and_best(Json& report, std::size_t row, Random& random) {
  scale(report["rows"][row]["makespan"], factor(random));
  return report["rows"][row]["makespan"] != 0;
}

bool gain(Json& report, std::size_t, Random& random) {
  const char* names[] = {"hop_bytes", "max_congestion", "makespan"};
  Json& value = report["best"]["gain"][names[below(random, std::size(names))]];
  if (!value.is_number()) return false;
  value = value.get<double>() + 0.01 * static_cast<double>(1 + random() % 9);
  return true;
}

bool other_best(Json& report, std::size_t row, Random&) {
  if (report["best"]["row"] == row) return false;
  const std::string before = report["best"]["mapper"];
  const std::string after = report["rows"][row]["mapper"];
  report["best"]["row"] = row;
  report["best"]["mapper"] = after;
  std::string sentence = report["verdict"];
  if (const auto at = sentence.find(before); at != std::string::npos)
    sentence.replace(at, before.size(), after);
  report["verdict"] = sentence;
  return true;
}

/// The lower bound of a kind, in all places.
void scale_bound(Json& report, const std::string& name, double by) {
  scale(report["bounds"][name], by);
  for (Json& row : report["rows"]) scale(row[name], by);
}

double larger(Random& random) {
  const double factors[] = {1.01, 1.1, 1.25, 2};
  return factors[below(random, std::size(factors))];
}

/// Ranks pay more, and so do their pairs, and the bound rises by what they pay.
bool price(Json& report, std::size_t, Random& random) {
  const Json& kind = report["bounds"]["hop_bytes_bound_kind"];
  if (kind != "assignment" && kind != "stars") return false;
  const double by = larger(random);
  scale_all(report["evidence"]["bounds"][kind == "stars" ? "stars" : "prices"], by);
  scale_bound(report, "hop_bytes_bound", by);
  return true;
}

/// All sets of ranks exchange more, and the bounds that follow rise.
bool least_volumes(Json& report, std::size_t, Random& random) {
  const double by = larger(random);
  Json& witness = report["evidence"]["bounds"];
  for (Json& each : witness["least_volumes"]) scale(each, by);
  if (random() % 2 == 0 && witness.contains("grid"))
    for (Json& side : witness["grid"]) scale(side[2], by);
  if (report["bounds"]["hop_bytes_bound_kind"] == "cuts")
    scale_bound(report, "hop_bytes_bound", by);
  for (const Json& cells : witness["cells"])
    if (report["bounds"]["congestion_bound_kind"] == cells["name"]) {
      scale_bound(report, "congestion_bound", by);
      break;
    }
  return true;
}

/// A wrap that the guest has or has not.
bool grid(Json& report, std::size_t, Random& random) {
  Json& witness = report["evidence"]["bounds"];
  if (!witness.contains("grid")) return false;
  Json& side = witness["grid"][below(random, witness["grid"].size())];
  if (side[0] == 2 || side[1] == 1) return false;
  side[1] = 1;
  return true;
}

/// Crossing a cut counts more hops than its links have.
bool hops_of_cuts(Json& report, std::size_t, Random& random) {
  Json& cells = report["evidence"]["bounds"]["cells"];
  if (report["bounds"]["hop_bytes_bound_kind"] != "cuts") return false;
  const double by = larger(random);
  for (Json& each : cells) scale(each["hops"], by);
  scale_bound(report, "hop_bytes_bound", by);
  return true;
}

/// Some hosts are said to be in no cell, so that the others are fewer.
bool cells_without_hosts(Json& report, std::size_t, Random& random) {
  for (Json& cells : report["evidence"]["bounds"]["cells"]) {
    if (cells["joined"] != "complete") continue;
    const Json& hosts = report["evidence"]["allocation"];
    cells["cell_of"][hosts[below(random, hosts.size())].get<std::size_t>()] = -1;
    return true;
  }
  return false;
}

/// Hosts send by slower links than they have.
bool injection(Json& report, std::size_t, Random& random) {
  const Json& kind = report["bounds"]["congestion_bound_kind"];
  if (kind != "one rank" && kind != "hosts") return false;
  const double by = larger(random);
  for (Json& each : report["evidence"]["bounds"]["injection"]) scale(each, 1 / by);
  scale_bound(report, "congestion_bound", by);
  return true;
}

/// All routes of a host are said to begin with the same link, so that more flows share one.
bool doors(Json& report, std::size_t, Random& random) {
  if (report["bounds"]["congestion_bound_kind"] != "flows of one rank") return false;
  Json& routes = report["evidence"]["routes"];
  const Json chosen = routes[below(random, routes.size())];
  for (Json& route : routes)
    if (route[0] == chosen[0]) route[3][0] = chosen[3][0];
  scale_bound(report, "congestion_bound", larger(random));
  return true;
}

/// A link that a route takes is said to be down, so that nothing goes over it.
bool used_link(Json& report, std::size_t, Random& random) {
  if (report["bounds"]["congestion_bound_kind"] != "flows of one rank") return false;
  Json& evidence = report["evidence"];
  const Json& route = evidence["routes"][below(random, evidence["routes"].size())];
  Json& link = evidence["links"][route[3][0].get<std::size_t>()];
  Json kind = evidence["link_kinds"][link[3].get<std::size_t>()];
  kind[4] = 0;
  evidence["link_kinds"].push_back(kind);
  link[3] = evidence["link_kinds"].size() - 1;
  scale_bound(report, "congestion_bound", larger(random));
  return true;
}

/// A torus is said to be a mesh, over which a hypercube sends more.
bool axes(Json& report, std::size_t, Random&) {
  if (report["bounds"]["hop_bytes_bound_kind"] != "hypercube") return false;
  for (Json& axis : report["evidence"]["bounds"]["axes"]) axis[1] = 0;
  scale_bound(report, "hop_bytes_bound", 28.0 / 20);  // s^2/2 - s/2 for 3s^2/8 - s/2 at s = 8
  return true;
}

/// Everything takes longer or less long, phase after phase.
bool times_of_phases(Json& report, std::size_t r, Random& random) {
  Json& row = report["rows"][r];
  if (!row.contains("phases")) return false;
  const double by = factor(random);
  scale(row["makespan"], by);
  for (Json& phase : row["phases"])
    for (const char* name : {"start", "end", "makespan", "step_makespan"}) scale(phase[name], by);
  return true;
}

/// One phase ends later and the next one begins as much later, within the same makespan.
bool span_of_phase(Json& report, std::size_t r, Random& random) {
  Json& row = report["rows"][r];
  if (!row.contains("phases")) return false;
  const double later = row["makespan"].get<double>() * 0.01 * static_cast<double>(1 + random() % 9);
  Json &first = row["phases"][0], &second = row["phases"][1];
  first["end"] = first["end"].get<double>() + later;
  first["makespan"] = first["makespan"].get<double>() + later;
  first["step_makespan"] = first["makespan"].get<double>() / first["repeat"].get<double>();
  second["start"] = second["start"].get<double>() + later;
  return true;
}

/// One step more of a phase, in its sums too.
bool repeat_of_phase(Json& report, std::size_t, Random& random) {
  Json& evidence = report["evidence"];
  if (!evidence.contains("phases")) return false;
  const std::size_t p = below(random, evidence["phases"].size());
  evidence["phases"][p]["repeat"] = evidence["phases"][p]["repeat"].get<int>() + 1;
  for (Json& row : report["rows"]) {
    Json& phase = row["phases"][p];
    phase["repeat"] = phase["repeat"].get<int>() + 1;
    const double step = phase["max_congestion"];
    phase["static_bound"] = phase["static_bound"].get<double>() + step;
    row["max_congestion"] = row["max_congestion"].get<double>() + step;
  }
  return true;
}

/// Figures of one phase, and the sums that follow.
bool figures_of_phase(Json& report, std::size_t r, Random& random) {
  Json& row = report["rows"][r];
  if (!row.contains("phases")) return false;
  Json& phase = row["phases"][below(random, row["phases"].size())];
  if (phase["max_congestion"] == 0) return false;
  const double by = factor(random), before = phase["static_bound"];
  for (const char* name : {"hop_bytes", "max_link_load", "max_congestion", "static_bound"})
    scale(phase[name], by);
  row["max_congestion"] =
      row["max_congestion"].get<double>() + phase["static_bound"].get<double>() - before;
  return true;
}

/// Ranks that go on by themselves are said to wait for each other, or the other way round.
bool clock_of_phases(Json& report, std::size_t, Random&) {
  if (!report["rows"][0].contains("phases")) return false;
  const char* other = report["rows"][0]["clock"] == "program" ? "phases" : "program";
  for (Json& row : report["rows"]) row["clock"] = other;
  for (Json& row : report["evidence"]["rows"]) row["clock"] = other;
  return true;
}

constexpr Mutation mutations[] = {hop_bytes_and_mean,
                                  loads_and_congestion,
                                  volumes,
                                  moved_rank,
                                  shared_slot,
                                  capacity,
                                  dropped_link,
                                  other_route,
                                  dropped_edge,
                                  dilation,
                                  counts,
                                  bound,
                                  profile,
                                  rate,
                                  bottleneck,
                                  makespan_and_best,
                                  gain,
                                  other_best,
                                  price,
                                  least_volumes,
                                  grid,
                                  hops_of_cuts,
                                  cells_without_hosts,
                                  injection,
                                  doors,
                                  used_link,
                                  axes,
                                  times_of_phases,
                                  span_of_phase,
                                  repeat_of_phase,
                                  figures_of_phase,
                                  clock_of_phases};

// A swap of two ranks in equal positions changes no figure, and is a true report of another
// embedding: such a mutant is one only if the figures of the evidence differ.
TEST_CASE("the checker accepts reports and rejects consistent lies about them", "[mutants]") {
  const std::vector<Json>& originals = reports();
  for (const Json& report : originals) {
    const CheckResult result = check_report(report, report["evidence"]);
    INFO(report["scenario"].dump() << ": " << result.wrong.value_or(""));
    REQUIRE(!result.wrong);
  }
  Random random(1);
  const int wanted = wanted_mutants(25, 10'000);
  int made = 0, rejected = 0;
  std::vector<std::pair<int, int>> of_mutation(std::size(mutations));
  while (made < wanted) {
    Json mutant = originals[below(random, originals.size())];
    const std::size_t which = below(random, std::size(mutations));
    if (!mutations[which](mutant, below(random, mutant["rows"].size()), random)) continue;
    ++made;
    ++of_mutation[which].first;
    if (is_rejected(mutant)) {
      ++rejected;
      ++of_mutation[which].second;
    }
  }
  for (std::size_t m = 0; m < of_mutation.size(); ++m) {
    CHECK((of_mutation[m].first > 0 || wanted < 1000));  // each is possible somewhere
    INFO("mutation " << m << ": " << of_mutation[m].second << " of " << of_mutation[m].first);
    CHECK(of_mutation[m].first == of_mutation[m].second);
  }
  WARN(rejected << " of " << made << " mutants rejected");
}

/// A report of one mapper, `block`, that the checker accepts.
Json accepted(Scenario scenario) {
  scenario.mappers = "block";
  Json report = report_of(scenario);
  const CheckResult result = check_report(report, report["evidence"]);
  INFO(report["scenario"].dump() << ": " << result.wrong.value_or(""));
  CHECK(!result.wrong);
  return report;
}

TEST_CASE("the checker accepts reports of machines with changes and of small ones") {
  for (const char* routing : {"simgrid", "ecmp", "valiant"}) {
    Scenario slower = scenario_of("cart:4", "mesh:2x2", routing);
    slower.scale_bandwidth = {"0.5"};
    accepted(slower);
    Scenario of_one_kind = scenario_of("cart:4", "torus:4x1", routing);  // the other has no links
    of_one_kind.scale_bandwidth = {"0.5"};
    accepted(of_one_kind);
  }
  Scenario failed = scenario_of("cart:4", "torus:5");
  failed.fail_links = {"d0+:1->2"};
  accepted(failed);
  accepted(scenario_of("cart:4", "tree:2:2@1:18", "ecmp"));
  accepted(scenario_of("cart:2px2", "torus:2x2"));
  Scenario alone = scenario_of("cart:1", "torus:4x4");
  alone.hosts = "first:1";
  accepted(alone);
}

// Two hosts at the ends of three cables: each of the two messages of 1 MiB crosses three links.
TEST_CASE("adaptive routing counts each link of a path between two hosts once") {
  for (const char* network :
       {"dragonfly:1,1;1,1;2,1;1", "dragonfly:1,1;1,1;2,1;1,injection=6GBps"}) {
    const Json row = accepted(scenario_of("cart:2", network, "adaptive"))["rows"][0];
    CHECK(row["hop_bytes"] == 6 << 20);
    CHECK(row["max_link_load"] == 1 << 20);
    CHECK(row["max_flows_per_link"] == 1);
  }
}

// Routes that follow from the traffic are one answer to that of all jobs; the checker takes those
// of the evidence.
TEST_CASE("adaptive routing beside other jobs is one routing of all") {
  Scenario scenario = scenario_of("cart:20", "torus:10", "adaptive", "2");
  scenario.bytes = "123457";
  scenario.background = "alltoall:hosts=list:0,1,bytes=1MiB";
  accepted(scenario);
}

}  // namespace
}  // namespace vtopo::mutants
