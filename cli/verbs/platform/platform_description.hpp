#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "netmodels/fabric/bisection.hpp"
#include "netmodels/graph/distances.hpp"
#include "netmodels/links.hpp"
#include "sim/run/load_network.hpp"
#include "sim/scenario/scenario.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

/// Directed links by what their properties say, each counted once.
struct LinkCounts {
  std::int64_t shared = 0;
  std::int64_t fatpipe = 0;
  std::int64_t loopback = 0;  ///< from a vertex to itself
  std::int64_t limiter = 0;   ///< no hop, but on routes
};

/// Smallest and largest injection bandwidth of working hosts.
struct InjectionRange {
  BytesPerSecond least;
  BytesPerSecond most;
  int hosts_looked_at = 0;

  /// Takes one more host.
  void add(BytesPerSecond bandwidth);
};

/// How random matchings are made.
struct EffectiveBisectionOptions {
  int matchings = 100;
  std::uint64_t seed = 1;
};

/// Effective bisection bandwidth of a network, of the bandwidth of a link.
struct EffectiveBisection {
  EffectiveBisectionOptions options;
  double as_given = 0;           ///< by the routes of the network
  std::optional<double> random;  ///< by one random shortest route per flow; absent: not known
};

/// What `platform describe` says.
struct PlatformDescription {
  std::vector<std::pair<std::string, std::string>> scenario;  ///< option and value, in order
  std::string typed;                                          ///< network, as it was named
  std::string network;                                        ///< human-readable, in full
  std::string routing;
  bool splits_flows = false;
  int hosts = 0;
  int hosts_up = 0;
  int links = 0;
  LinkCounts counts;
  std::vector<LinkRanges> kinds;
  InjectionRange injection;  ///< of places within their nodes where these have several
  int places_per_node = 1;   ///< of `node=`; its places are the hosts
  std::optional<InjectionRange> node_injection;  ///< into the network, where nodes have places
  DistanceSummary routes;
  // What needs the ends of links, absent where only routes are known:
  std::optional<int> switches;
  std::optional<DistanceSummary> shortest;
  std::optional<Bisection> bisection;
  std::optional<BytesPerSecond> bisection_bound;  ///< from below, where there is no closed form
  std::optional<EffectiveBisection> effective;    ///< if asked for
  std::vector<std::vector<HostId>> groups;        ///< see `connected_hosts`; empty if unknown
  std::vector<std::string> group_heads;           ///< names of their first hosts
  std::optional<std::pair<std::string, std::string>> unreached_pair;  ///< a pair without route
};

/// @throws what `load_network` throws.
PlatformDescription describe_platform(const Scenario& scenario);

/// Effective bisection bandwidth by the routing of the scenario and, where its network has routing
/// ecmp, by random shortest routes.
/// @throws what `load_network` throws.
EffectiveBisection describe_matchings(const Scenario& scenario,
                                      const EffectiveBisectionOptions& options);

/// Object of schema `vtopo/platform-describe/v1`, two spaces of indentation, final newline. What is
/// unknown, and the bandwidth of unlimited links, is null; units are bytes and seconds.
std::string render_json(const PlatformDescription& description);

/// Bytes per second; null: unlimited.
nlohmann::ordered_json json_of(BytesPerSecond bandwidth);

/// What a platform's plain argument is, for help.
inline constexpr const char* plain_file_help =
    "machine: a name of vtopo machines, a specification such as torus:8x8x8, or a file";

/// Takes the plain argument of a verb for `--network` or `--platform`; nothing if it is empty.
/// @throws UsageError if the interconnect is given twice.
void use_plain_file(Scenario& scenario, const std::string& file);

}  // namespace vtopo::detail
