#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Position in a picture, in pixels from the upper left corner.
struct Point {
  double x = 0;
  double y = 0;
};

/// A host, router or switch that is drawn.
struct DrawnVertex {
  int vertex = 0;
  bool is_host = false;
  Point at;
  std::string name;
  std::optional<double> outwards = {};  ///< angle at which it stands from its router, in degrees
};

/// A cable that is drawn: up to two directed links between the same two vertices.
struct DrawnCable {
  LinkId forth{};
  std::optional<LinkId> back;
  int kind = 0;      ///< of `Network::link_classes`
  std::string path;  ///< path data of SVG
  int cables = 1;    ///< that the stroke stands for: between groups, `forth` is of one of them
};

/// Words in a picture.
struct DrawnText {
  Point at;
  std::string text;
  bool centred = true;
};

/// The part of a network that a job uses: pictures draw the rest small, or leave it out where there
/// is much of it. Without entries: all of the network.
struct JobPart {
  std::vector<bool> links;     ///< by id
  std::vector<bool> vertices;  ///< at the ends of these links; may end early

  bool is_all() const { return links.empty(); }
  bool has(int vertex) const {
    return is_all() || (index(vertex) < vertices.size() && vertices[index(vertex)]);
  }
};

/// The vertices at the ends of `links`.
JobPart job_part(const Network& network, std::vector<bool> links);

/// A rectangle around what belongs together.
struct DrawnBox {
  Point corner;  ///< upper left
  double width = 0, height = 0;
};

/// What to draw of a network and where; what is left out because of its size stands in `caption`.
struct NetworkPicture {
  double width = 0;
  double height = 0;
  double scale = 1;  ///< of all that is drawn
  std::vector<DrawnVertex> vertices;
  std::vector<DrawnCable> cables;
  std::vector<DrawnText> texts;
  std::vector<DrawnBox> boxes;       ///< outer ones first
  std::vector<std::string> caption;  ///< lines under the picture
};

/// As the network lays itself out (`Network::layout`): planes of the first two dimensions side by
/// side, groups on a circle, or levels with the hosts at the bottom. Large networks show their
/// first planes, groups as one vertex each, and hosts as a number; what would not fit a large
/// screen is drawn smaller, or as the one without a layout. Platform files: zones as boxes. Without
/// a layout: levels, or forces between vertices; above 500 vertices groups of them with the number
/// of their hosts.
/// @param part what is drawn large.
NetworkPicture lay_out(const Network& network, const JobPart& part = {});

/// The picture as one SVG file that needs nothing else, readable on light and dark ground; vertices
/// and cables carry their names as tooltips.
/// @param title instead of the description of the network.
std::string to_svg(const NetworkPicture& picture, const Network& network, std::string title = {});

/// Any small network for Graphviz: one edge per cable, labelled with its bandwidth.
/// @throws UsageError if the network has more than 2,000 links, or links whose ends are not known.
std::string to_dot(const Network& network);

}  // namespace vtopo::detail
