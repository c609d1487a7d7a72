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

/// What to draw of a network and where; what is left out because of its size stands in `caption`.
struct NetworkPicture {
  double width = 0;
  double height = 0;
  double scale = 1;  ///< of all that is drawn
  std::vector<DrawnVertex> vertices;
  std::vector<DrawnCable> cables;
  std::vector<DrawnText> texts;
  std::vector<std::string> caption;  ///< lines under the picture
  std::vector<std::string>
      colours;  ///< of kinds of links, as SVG names them; empty: the usual ones
};

/// As the network lays itself out (`Network::layout`): planes of the first two dimensions side by
/// side, groups on a circle, or levels with the hosts at the bottom. Large networks show their
/// first planes, groups as one vertex each, and hosts as a number; what would not fit a large
/// screen is drawn smaller, or as the one without a layout. Without a layout: levels, or forces
/// between vertices; above 500 vertices groups of them with the number of their hosts.
NetworkPicture lay_out(const Network& network);

/// The picture as one SVG file that needs nothing else, readable on light and dark ground; vertices
/// and cables carry their names as tooltips.
std::string to_svg(const NetworkPicture& picture, const Network& network);

/// Any small network for Graphviz: one edge per cable, labelled with its bandwidth.
/// @throws UsageError if the network has more than 2,000 links, or links whose ends are not known.
std::string to_dot(const Network& network);

}  // namespace vtopo::detail
