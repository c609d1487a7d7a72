#pragma once

#include <memory>

#include "netmodels/network.hpp"
#include "netmodels/network_shape.hpp"

namespace vtopo {

/// Fat tree with SimGrid's routes: up by D-mod-k (port = destination / product of the parents
/// below, modulo parents * cables), down the only way there is. Between parallel cables the way
/// down takes the one that SimGrid 3.32 takes, chosen by the source and not by D-mod-k.
/// @throws UsageError if a number is < 1 or hosts or links exceed 2^31-1.
std::shared_ptr<const Network> make_fat_tree(const FatTreeSpec& spec);

}  // namespace vtopo
