#pragma once

#include <fmt/format.h>

#include <functional>
#include <map>

#include "sim/draw/network/picture.hpp"

namespace vtopo::detail {

/// Path of a cable between two drawn vertices; nothing to leave it out. Internal to this room.
using CablePath =
    std::function<std::optional<std::string>(const DrawnVertex& from, const DrawnVertex& to)>;

/// Adds every cable of the network whose both ends are drawn.
void draw_cables(const Network& network, const CablePath& path, NetworkPicture& picture);

/// Straight line between two points.
std::string line_path(Point from, Point to);

/// `1,234`.
std::string grouped_digits(std::int64_t count);

/// Planes of the first two axes, as many as fit.
NetworkPicture lay_out(const Network& network, const PlaneLayout& layout);
/// Levels as rows, hosts at the bottom.
NetworkPicture lay_out(const Network& network, const LevelLayout& layout);
/// Groups on a circle, with their routers where the cables of them can be told apart.
NetworkPicture lay_out(const Network& network, const GroupLayout& layout);
/// Groups on a circle, each as one vertex with the number of its routers and hosts.
NetworkPicture lay_out_whole_groups(const Network& network, const GroupLayout& layout);

}  // namespace vtopo::detail
