#pragma once

#include <string>
#include <vector>

#include "sim/research/bench/instance.hpp"

namespace vtopo::detail {

/// Recordings of a folder, each onto a torus of three dimensions that it fills (`NAME-torus`) and a
/// fat tree of 16 hosts per switch with half as many cables up (`NAME-fat-tree`): every `.csv` file
/// of volumes, sorted by name.
/// @throws InputError for a folder without such files, or one that cannot be read.
std::vector<Instance> recorded_instances(const std::string& folder);

}  // namespace vtopo::detail
