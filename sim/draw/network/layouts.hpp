#pragma once

#include <fmt/format.h>

#include <functional>
#include <vector>

#include "sim/draw/network/picture.hpp"

namespace vtopo::detail {

/// Path of a cable between two drawn vertices; nothing to leave it out. Internal to this room.
using CablePath =
    std::function<std::optional<std::string>(const DrawnVertex& from, const DrawnVertex& to)>;

/// Adds every cable of the network whose both ends are drawn; of a part of a large network only its
/// own cables.
void draw_cables(const Network& network, const JobPart& part, const CablePath& path,
                 NetworkPicture& picture);

/// Adds the hosts of a part, and what lies between them and their routers, around the routers that
/// are drawn; nothing where there are more than 256 of them.
void attach_hosts(const Network& network, const JobPart& part, NetworkPicture& picture);

/// Room for a router and the hosts of a part around it; at least `least`.
double starred_pitch(const Network& network, const JobPart& part, int first_router, double least);

/// Places along a line: `pitch` for each of `used`, a little for the others.
class Places {
 public:
  Places(const std::vector<bool>& used, double pitch) {
    constexpr double small = 0.14;
    for (const bool is_used : used) {
      const double step = is_used ? pitch : small * pitch;
      middles_.push_back(length_ + step / 2);
      length_ += step;
    }
  }
  double operator[](int position) const { return middles_[index(position)]; }
  double length() const { return length_; }

 private:
  std::vector<double> middles_;
  double length_ = 0;
};

/// Straight line between two points.
std::string line_path(Point from, Point to);

/// Bent aside by that share of its length.
std::string arc_path(Point from, Point to, double bend);

/// `1,234`.
std::string grouped_digits(std::int64_t count);

/// Planes of the first two axes, as many as fit.
NetworkPicture lay_out(const Network& network, const PlaneLayout& layout, const JobPart& part);
/// Levels as rows, hosts at the bottom.
NetworkPicture lay_out(const Network& network, const LevelLayout& layout, const JobPart& part);
/// Groups on a circle, with their routers where the cables of them can be told apart.
NetworkPicture lay_out(const Network& network, const GroupLayout& layout, const JobPart& part);
/// Zones of a platform file as boxes; nothing for other networks, or where the file is not there.
std::optional<NetworkPicture> lay_out_zones(const Network& network, const JobPart& part);
/// Groups on a circle, each as one vertex with the number of its routers and hosts.
NetworkPicture lay_out_whole_groups(const Network& network, const GroupLayout& layout);

}  // namespace vtopo::detail
