#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the checker of reports shares with the verifiers that it calls by its tables.
namespace vtopo::detail::checking {

using Json = nlohmann::json;
using Numbers = std::vector<double>;
using Parts = std::vector<std::pair<std::size_t, double>>;   ///< links and shares of a flow
using Volumes = std::vector<std::map<std::size_t, double>>;  ///< by rank: bytes by other rank

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double rounding = 1e-9;  ///< relative, of sums in another order
inline constexpr std::size_t unknown = std::size_t{1} << 24;

inline constexpr std::size_t max_small_ranks = 14;          ///< all whose sets can be looked at
inline constexpr std::size_t max_listed_tree_ranks = 1024;  ///< above, reports have no trees
inline constexpr std::size_t max_routed_hosts = 256;  ///< above, no bound looks at routes of pairs

/// What is proven; nothing where the evidence does not suffice to say so.
using Proof = std::optional<double>;

inline double count(const auto& list) {
  return static_cast<double>(list.size());
}

inline double sum(const Numbers& list) {
  return std::accumulate(list.begin(), list.end(), 0.0);
}

inline double greatest(const Numbers& list) {
  return list.empty() ? 0 : *std::max_element(list.begin(), list.end());
}

/// Seconds; 0 where nothing limits them.
inline double time_over(double bytes, double bandwidth) {
  return bytes > 0 && bandwidth > 0 ? bytes / bandwidth : 0;
}

/// Discarded for what is not JSON. @throws InputError for what is too deep to be looked at.
Json parse_report(const std::string& text);

/// What the JSON library says is wrong, behind its number of the error.
std::string_view without_number(std::string_view what);

/// null is infinite. @throws InputError for what is not a number.
double real(const Json& value);

/// @throws InputError unless it is a whole number below `below`.
std::size_t whole(const Json& value, std::size_t below = unknown);

Numbers numbers_of(const Json& list);

/// Ends a check: what is wrong and where.
struct WrongFigure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A link of the evidence; vertices are hosts, then routers.
struct Link {
  std::string name;
  std::size_t from = unknown, to = unknown;
  bool is_directed = true;
  double bandwidth = 0, latency = 0, hops = 0;
  bool is_fatpipe = false, is_up = true;
};

/// A fatpipe carries any number of flows.
inline double capacity_of(const Link& link) {
  return link.is_fatpipe ? infinity : link.bandwidth;
}

/// Links of a pair of hosts; shares where its flow splits.
struct Route {
  double distance = 0, mean_hops = 0, latency = 0;
  Parts parts = {};
};

using Routes = std::map<std::pair<std::size_t, std::size_t>, Route>;  ///< by hosts, source first

/// What one rank sends another; ranks of other jobs have numbers above those of the job.
struct Flow {
  std::size_t from = 0, to = 0;  ///< ranks
  std::size_t host = 0;          ///< of the sender
  const Route* route = nullptr;  ///< none inside a host
  double bytes = 0;
  bool is_sent = true, is_of_job = true;
};

/// Messages that start together, as often in a row.
struct Phase {
  std::vector<Flow> flows;
  double repeat = 1;
};

/// A dimension of a grid of ranks or hosts; of ranks: volumes both ways, at least.
struct Side {
  std::size_t size = 2;
  bool wraps = false;
  double volume = 0;
};

/// Slots on one side, links across in bytes per second both ways.
struct Cut {
  std::size_t slots = 0;
  double capacity = 0;
};

/// Cuts of one kind: around disjoint cells, or between consecutive ones.
struct Family {
  std::string name;
  std::vector<Cut> cuts = {};
  bool is_disjoint = false;
  double hops = 0;
};

/// A report and its evidence, as values, and what claims are compared with.
struct Evidence {
  /// @throws InputError for links, hosts or volumes that there are not.
  Evidence(const Json& of_report, const Json& of_evidence);

  const Json &report, &json;
  std::vector<Link> links = {};
  bool knows_ends = true, all_up = true, splits = false;  ///< of all links; of a flow, maybe
  std::map<std::size_t, Parts> neighbours = {};      ///< by vertex: others and hops, over links up
  std::vector<std::size_t> hosts = {}, slots = {};   ///< of the job, by place
  Numbers injection = {};                            ///< bandwidth by place, at most
  std::map<std::size_t, std::size_t> place_of = {};  ///< by host
  std::size_t num_ranks = 0, num_slots = 0, max_slots = 0;
  Volumes sent = {}, both = {};  ///< both: in either direction, of both ranks
  std::vector<Numbers> sent_beyond = {}, both_beyond = {};  ///< by rank: all but the k largest
  std::vector<Side> guest_grid = {}, host_grid = {};
  Routes routes = {};                            ///< of all rows that have none of their own
  const Routes* routes_of_row = nullptr;         ///< of the row that is looked at
  std::set<const Route*> used_routes = {};       ///< by traffic of some row
  std::vector<std::string> kinds_of_links = {};  ///< as the scenario says; empty: not known
  std::size_t best_row = 0, base_row = 0;        ///< as `check_best` has found them
  bool is_known_grid = false;                    ///< whose edges are those of the scenario
  std::size_t num_kinds = 0;                     ///< of `kinds_of_links`
  Numbers least = {};      ///< as proven so far: what k ranks exchange with the others
  std::string where = {};  ///< `row 3 (greedy): `
  std::set<std::string> verified = {}, open = {};
  mutable std::set<const Json*> claimed = {};  ///< values of both that a verifier has vouched for

  const Json& bounds() const { return report.at("bounds"); }
  const Json& witness() const { return json.at("bounds"); }

  /// @throws WrongFigure with the sentence unless it holds.
  void require(bool holds, const std::string& sentence) const;

  /// @throws WrongFigure if what was recomputed is not the number that is claimed.
  void same(const std::string& name, const Json& number, double value,
            double tolerance = rounding) const;

  /// @throws WrongFigure if something else than what follows is claimed: text, a list, null.
  void equal(const std::string& name, const Json& claim, const Json& value) const;

  /// Vouches for a value and all that it holds: see `list_unclaimed`.
  void vouch(const Json& value) const { claimed.insert(&value); }
  void vouch_if(bool holds, const Json& value) const {
    if (holds) vouch(value);
  }

  /// Member of an object of the report. @throws WrongFigure if it is missing.
  const Json& member(const Json& object, const std::string& name) const;

  /// What the scenario says of an option; empty: nothing.
  std::string option(const char* name) const;

  /// False where distances alone are known, without times.
  bool knows_links() const;

  /// Listed routes; each is a walk, or a flow from its source to its destination, of its hops.
  Routes routes_of(const Json& list);

  /// What ranks send each other, parallel edges summed.
  Volumes volumes_of(const Json& edges) const;

  /// Messages of edges between ranks; between hosts, of other jobs, where the embedding is null.
  std::vector<Flow> flows_of(const Json& embedding, const Json& edges, const Routes& listed) const;

  /// Of the rank that has most.
  std::size_t max_partners() const;

  /// Of which all volumes, and all times of links, are multiples; 0 if there is none.
  double unit_of_volume() const;
  double unit_of_time() const;

  /// Places by hops (Dijkstra's search), the nearest first, up to the one that makes it more slots.
  std::vector<std::pair<double, std::size_t>> near(std::size_t from, std::size_t most) const;

  /// To the hosts of the job, by place; infinite where there is no path.
  Numbers hops_from(std::size_t host) const;

  /// The fewest and the most ranks on some slots.
  std::pair<std::size_t, std::size_t> ranks_on(std::size_t some) const;

  /// What any set of `fewest` to `most` ranks exchanges with the others at least, as proven.
  double least_of(std::size_t fewest, std::size_t most) const;
};

double volume_of(const Volumes& volumes, std::size_t from, std::size_t to);

/// By rank, what it has with partners but its `kept` heaviest.
Numbers beyond(const std::vector<Numbers>& of_ranks, std::size_t kept);

/// Prices of ranks and slots, none of a slot above 0, that are no more than what each rank costs on
/// each slot: their sum is no more than what all ranks cost on slots of their own.
/// @param kinds of places; `costs` are by kind.
double sum_of_prices(const Evidence& e, const Json& prices, const std::vector<std::size_t>& kinds,
                     Numbers (*costs)(const Evidence&, std::size_t rank));

/// By names in rows and phases.
using Values = std::map<std::string, double>;
Values values_of(const Evidence& e, const std::vector<Flow>& flows);
void check_values(Evidence& e, const Json& claims, Values values);

// Verifiers that the core calls; their files have the theorems.

/// What a report must have, as numbers, text or lists. What nobody has vouched for is not verified.
void check_shape(const Evidence& e);
void list_unclaimed(Evidence& e);

/// The scenario against rows and evidence; lists of the evidence are as reports write them.
void check_scenario(Evidence& e);
void check_lists(const Evidence& e);

/// Sides of `cart:4x4p` or `hypercube:3`, the slowest first; nothing for other topologies.
std::optional<std::vector<Side>> cart_of(const std::string& topology);

/// Edges `[source, destination, bytes]` of a grid, neighbours as MPI lists them.
/// @param bytes of all, or by dimension.
Json edges_of_grid(const std::vector<Side>& sides, const Numbers& bytes);

/// Sides of `torus:4x4x2m` or `mesh:4x4` without keys, the fastest first; nothing for others.
std::optional<std::vector<Side>> torus_of(const std::string& network);
void check_torus(Evidence& e);  ///< links, cells, axes and routes

/// Distances and bandwidths that bounds begin with.
void check_bounds(Evidence& e);
void check_distances(Evidence& e);
bool are_links_steps(const Evidence& e);  ///< in the grid of hosts

/// Figures of the phases of a row; times, by a replay of all messages; the best row.
void check_sums_of_phases(const Evidence& e);
void check_phases(Evidence& e, const Json& row, const Json& of_row);
void check_clock(Evidence& e, const Json& row, std::vector<Phase> steps, const Json& clock);
void check_best(Evidence& e);

/// What a row takes as the links of the evidence are now, by the clock of the report; nothing where
/// that takes too many steps.
std::optional<double> time_of_row(const Evidence& e, std::size_t row, bool is_simulated);

/// The busiest link under the best routing, from both sides.
void check_ideal(Evidence& e, const Json& row, const Json& of_row);

/// Whether the best row stays so under variations; the sentence is made anew from the numbers.
void check_sensitivity(Evidence& e);

/// What any k ranks exchange with the others at least, in bytes both ways; 0: nothing is proven.
void check_grid(const Evidence& e);
void check_trees(const Evidence& e);
double cut_of_grid(const Evidence& e, std::size_t k);
double cut_by_partners(const Evidence& e, std::size_t k);
double cut_of_any_set(const Evidence& e, std::size_t k);
/// Whether any k of n ranks exchange so much times k (n - k) / n.
bool has_connectivity(const Evidence& e, double value);

/// Disjoint sets of `first` to `most` ranks that hold all ranks; what flows between two counts
/// once.
double between_parts_of_grid(const Evidence& e, std::size_t first, std::size_t most);
/// Disjoint cells with all slots: what leaves each of them, summed, and the least time.
std::pair<double, double> between_cells(const Evidence& e, const Family& family);
double between_hosts(const Evidence& e);

/// Links on routes between hosts of the job, and those at their ends; where not all routes are
/// listed, all links that are up and all at a host.
struct UsedLinks {
  std::set<std::size_t> used = {};
  double out = 0, in = 0;  ///< most links at the ends of a host's routes; 0: not known
  bool are_listed = false;
};
UsedLinks used_links(const Evidence& e);

/// What the cuts of a family must let through, and how long the worst of them takes.
std::pair<double, double> across(const Evidence& e, const Family& family);

// Bounds.
Proof hop_bytes_by_stars(Evidence& e);
Proof hop_bytes_by_spectrum(Evidence& e);
Proof hop_bytes_of_hypercube(Evidence& e);
Proof hop_bytes_between_hosts(Evidence& e);
Proof time_of_hosts(Evidence& e);
Proof time_of_hop_bytes(Evidence& e);
Proof time_of_one_flow(Evidence& e);
Proof time_of_flows_of_one_rank(Evidence& e);
Proof time_over_cheapest_cuts(Evidence& e);
Proof time_of_cells(Evidence& e);

}  // namespace vtopo::detail::checking
