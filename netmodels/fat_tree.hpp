#pragma once

#include <memory>
#include <vector>

#include "netmodels/network.hpp"
#include "netmodels/network_spec.hpp"

namespace vtopo {

/// What joins level l and level l+1 of a fat tree; hosts are level 0.
struct FatTreeLevel {
  int children = 1;  ///< m: switches (or hosts) of level l below each switch of level l+1
  int parents = 1;   ///< w: switches of level l+1 above each switch (or host) of level l
  int cables = 1;    ///< p: parallel cables between such a pair
};

/// Parallel generalised fat tree PGFT(h; m; w; p) of Zahavi ("D-Mod-K Routing Providing
/// Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees", 2010), leaf level first.
struct FatTreeSpec {
  std::vector<FatTreeLevel> levels;
  NetworkDefaults defaults;
};

/// Fat tree with SimGrid's routes: up by D-mod-k (port = destination / product of the parents
/// below, modulo parents * cables), down the only way there is. Between parallel cables the way
/// down takes the one that SimGrid 3.32 takes, chosen by the source and not by D-mod-k.
/// @throws UsageError if a number is < 1 or hosts or links exceed 2^31-1.
std::shared_ptr<const Network> make_fat_tree(const FatTreeSpec& spec);

}  // namespace vtopo
