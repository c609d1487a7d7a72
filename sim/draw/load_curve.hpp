#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/evaluation/metrics.hpp"
#include "sim/draw/figure.hpp"

namespace vtopo::detail {

/// How the loads of links are distributed: entry i of n is the load in seconds that a share i/(n-1)
/// of the links does not exceed. Exact for up to 257 links.
std::vector<double> load_quantiles(std::span<const LinkLoad> links);

/// Links from the lightest to the heaviest, with another embedding for comparison.
/// @param other quantiles of that one; empty: none. @param other_name human-readable.
/// @param most of all pictures that are compared, seconds.
Figure draw_load_curve(const std::vector<double>& quantiles, const std::vector<double>& other,
                       const std::string& other_name, double most);

}  // namespace vtopo::detail
