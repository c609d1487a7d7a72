#include "sim/report/version.hpp"

#include <vtopo_commit.hpp>

namespace vtopo::detail {

std::string library_version() {
  const std::string commit = VTOPO_COMMIT;
  return commit.empty() ? VTOPO_VERSION : VTOPO_VERSION "+" + commit;
}

}  // namespace vtopo::detail
