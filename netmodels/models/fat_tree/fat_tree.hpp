#pragma once

#include <memory>
#include <vector>

#include "netmodels/network.hpp"
#include "netmodels/network_table.hpp"

namespace vtopo::detail {

/// What joins level l and level l+1 of a fat tree; hosts are level 0.
struct FatTreeLevel {
  int children = 1;      ///< m: switches (or hosts) of level l below each switch of level l+1
  int parents = 1;       ///< w: switches of level l+1 above each switch (or host) of level l
  int cables = 1;        ///< p: parallel cables between such a pair
  LinkRates rates = {};  ///< of each cable; else the defaults
};

/// How a fat tree chooses between parallel cables on the way down.
enum class DownCables {
  simgrid,  ///< as SimGrid 3.32: from cable (source modulo cables) on, by a search with a memory
  dmodk,    ///< the cable by which D-mod-k leads up from the destination: shifts do not collide
};

/// Parallel generalised fat tree PGFT(h; m; w; p) of Zahavi ("D-Mod-K Routing Providing
/// Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees", 2010), leaf level first.
struct FatTreeSpec {
  std::vector<FatTreeLevel> levels;       ///< from the hosts up
  NetworkDefaults defaults;               ///< rates of links and names of hosts
  RoutingOptions routing = {};            ///< rule that chooses among routes
  DownCables down = DownCables::simgrid;  ///< choice between parallel cables
};

/// Fat tree with SimGrid's routes (rule `simgrid`): up by D-mod-k (port = destination / product of
/// the parents below, modulo parents * cables), down the only way there is. Between parallel cables
/// the way down takes the one that SimGrid 3.32 takes, or that of D-mod-k (`spec.down`). With rule
/// `ecmp` a flow splits evenly over all parents and cables up to the lowest common switches, and
/// over the parallel cables down.
/// @throws UsageError if a number is < 1, hosts or links exceed 2^31-1, a rate is out of range, or
/// the routing rule is one of tori.
std::shared_ptr<const Network> make_fat_tree(const FatTreeSpec& spec);

/// What a specification says.
/// @throws UsageError that names the value, the specification and what is accepted.
FatTreeSpec parse_fat_tree(const SpecText& spec, const NetworkDefaults& defaults,
                           const RoutingOptions& routing);

}  // namespace vtopo::detail
