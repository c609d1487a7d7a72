#include "sim/mapping/api/tables.hpp"

namespace vtopo::detail {

namespace mappers {

MapperInfo external();
MapperInfo scotch();

}  // namespace mappers

namespace {

std::vector<MapperInfo> adapters() {
  return {mappers::external(), mappers::scotch()};
}

}  // namespace

/// Named by the link options of vtopo::adapters: without them the linker would leave out this
/// object, which the core does not name.
constinit const MapperLibrary vtopo_mapper_adapters{adapters};

}  // namespace vtopo::detail
