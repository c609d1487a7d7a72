#include "sim/mapping/api/tables.hpp"

namespace vtopo::detail {

namespace mappers {

MapperInfo axes();
MapperInfo geometric();
MapperInfo gray();
MapperInfo hyperplane();
MapperInfo kdtree();
MapperInfo nodecart();
MapperInfo rcm();
MapperInfo stencil_strips();
MapperInfo tile();
MapperInfo tree_grouping();

}  // namespace mappers

namespace {

std::vector<MapperInfo> more_mappers() {
  using namespace mappers;
  return {axes(),     geometric(), gray(),           hyperplane(), kdtree(),
          nodecart(), rcm(),       stencil_strips(), tile(),       tree_grouping()};
}

}  // namespace

/// Named by the link options of vtopo::mappers: without them the linker would leave out this
/// object, which the core does not name.
constinit const MapperLibrary vtopo_more_mappers{more_mappers};

}  // namespace vtopo::detail
