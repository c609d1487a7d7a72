// libvtopo_smpi_repairs has the repairs alone.

#include "sim/mpi/smpi_repairs/library.hpp"

namespace vtopo::detail::overlay {

void begin_library() {}
void end_library() {}
std::string topologies_json() {
  return {};
}
void note_opened(void*) {}
bool replaces_profiled(std::string_view) {
  return false;
}

}  // namespace vtopo::detail::overlay
