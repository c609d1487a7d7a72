#include "sim/research/bench/instances/families.hpp"

namespace vtopo::detail::families {

namespace {

Instance on_tree(std::string name, std::string machine, std::string network,
                 std::optional<BestKnown> best) {
  return {.name = std::move(name),
          .description = "open 7-point stencil, ranks shuffled, onto " + std::move(machine),
          .guest = "shuffle:1:cart:16x16x16",
          .network = std::move(network),
          .routing = Routing::simgrid,
          .best = std::move(best)};
}

}  // namespace

/// Hierarchies: what counts is who shares a switch. The two records are blocks of 4x4x4, and of
/// 8x8x4 in blocks of 4x2x2: 23040 edges, of which 4608 leave a block, or 2560 and 8704.
std::vector<Instance> stencils_on_trees() {
  std::vector<Instance> list{
      on_tree("7pt-4096-tree2", "64 leaf switches of 64 hosts", "fat-tree:2;64,64;1,1;1,1",
              BestKnown{&hop_bytes_measure(), 55296, true,
                        "blocks of 4x4x4 ranks, and no 64 ranks of a grid send less"}),
      on_tree("7pt-4096-tree3", "a tree of three levels of 16", "fat-tree:3;16,16,16;1,1,1;1,1,1",
              BestKnown{&hop_bytes_measure(), 68608, false,
                        "blocks of 8x8x4 ranks in blocks of 4x2x2"}),
      on_tree("7pt-4096-dragonfly", "16 groups of 16 routers of 16 hosts",
              "dragonfly:16,1;1,1;16,1;16",
              BestKnown{&hop_bytes_measure(), 58928, false, "multilevel of vtopo 0.1"})};
  list.front().quick = true;
  list.back().quick = true;
  return list;
}

}  // namespace vtopo::detail::families
