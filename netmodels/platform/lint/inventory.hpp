#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "netmodels/platform/lint/checks.hpp"

namespace vtopo::detail::lint {

enum class PointKind { host, router, zone };

/// What can be the end of a route: a host, a router or a zone.
struct NetPoint {
  std::string name;
  PointKind kind = PointKind::host;
  int zone = -1;  ///< that holds it; -1: none
  pugi::xml_node element;
  bool has_hosts = false;  ///< hosts, and zones with hosts somewhere inside
};

/// A zone or a cluster.
struct Zone {
  pugi::xml_node element;
  std::string routing;  ///< lower case; empty: a cluster, which routes by itself
  int parent = -1;
  int point = -1;                ///< itself, as the end of a route
  std::vector<int> points = {};  ///< netpoints that it holds
  std::vector<pugi::xml_node> routes = {};
  std::vector<pugi::xml_node> host_links = {};
};

/// A link that the file declares, or a half of a split-duplex one.
struct DeclaredLink {
  pugi::xml_node element;
  bool split = false;  ///< the declaration of a split-duplex link: only its halves exist
  bool used = false;
};

/// Names of a platform file, collected in one walk.
struct Inventory {
  std::vector<NetPoint> points;
  std::vector<Zone> zones;
  std::unordered_map<std::string, int> nodes;       ///< hosts and routers by name
  std::unordered_map<std::string, int> zone_names;  ///< points of zones by name
  std::unordered_map<std::string, DeclaredLink> links;
  std::vector<std::string> link_names;       ///< as declared, in the order of the file
  std::unordered_set<std::string> clusters;  ///< ids of clusters and cabinets, which make links
  int suggestions_left = 100;                ///< a misspelt name is compared with many others
  bool complete = true;                      ///< false: a cluster had too many hosts to name them

  /// Point of this name, or -1; routes of hosts look for hosts first, routes of zones for zones.
  int find(std::string_view name, bool zones_first) const;
  /// Whether SimGrid makes a link of this name for some cluster.
  bool may_be_made_link(std::string_view name) const;
};

/// Collects names; reports those that are taken already.
Inventory take_inventory(Findings& findings, pugi::xml_node platform);

/// Numbers first..last of hosts.
struct NumberRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Most hosts that SimGrid is asked to build for one cluster; 5 KiB each.
constexpr std::int64_t max_cluster_hosts = std::int64_t{1} << 22;

/// Hosts of a cluster as its radical names them, up to the first mistake in it.
struct RadicalText {
  std::vector<NumberRange> ranges;  ///< in the order of the text
  std::int64_t count = 0;
  std::string problem;  ///< empty if the radical is good
};

/// Reads `0-63` or `0-3,8-11,20`.
RadicalText read_radical(std::string_view text);

/// Whether a number is in two of the ranges.
bool names_a_host_twice(std::vector<NumberRange> ranges);

}  // namespace vtopo::detail::lint
