#pragma once

#include <optional>
#include <string>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/draw/network/picture.hpp"

namespace vtopo::detail {

/// A host, router, switch, or a group of them, of a network without a layout.
struct SketchNode {
  std::string name;
  bool is_host = false;
  int level = 0;    ///< links to the nearest host; of a group the least
  int hosts = 0;    ///< of a group
  int vertex = -1;  ///< of the network; of a group, or a link, none
};

/// Cables between two nodes.
struct SketchEdge {
  int from = 0;
  int to = 0;
  LinkId link{};                    ///< one of them
  std::optional<LinkId> back = {};  ///< its way back
  int cables = 1;                   ///< directed links stand for one together with their way back
};

/// What a picture shows of any network: at most 500 nodes, of larger networks groups with the
/// number of their hosts. Internal to this room.
struct Sketch {
  std::vector<SketchNode> nodes;
  std::vector<SketchEdge> edges;
  std::vector<std::string> remarks;  ///< what is left out or put together
};

/// Vertices and the cables of which it is known between which vertices they lie.
/// @param part of a large network: its vertices alone, if they are few.
Sketch make_sketch(const Network& network, const JobPart& part = {});

/// Nodes that many cables join, in groups of which most pairs are joined too, such as those of a
/// dragonfly; nothing where there are no such groups, or where there are few nodes.
std::vector<std::vector<int>> joined_groups(const Sketch& sketch);

/// Groups on a circle, each a ring of its nodes with hosts outside of their routers.
std::vector<Point> places_in_groups(const Sketch& sketch,
                                    const std::vector<std::vector<int>>& groups, Point& size);

/// As levels where cables mostly join neighbouring ones, by `joined_groups` if there are some, on a
/// circle where there are very many cables, else by forces (Fruchterman and Reingold, "Graph
/// Drawing by Force-directed Placement", 1991).
/// Parallel cables of a part are drawn apart.
NetworkPicture lay_out(const Network& network, const Sketch& sketch, const JobPart& part = {});

}  // namespace vtopo::detail
