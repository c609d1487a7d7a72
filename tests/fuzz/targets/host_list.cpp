#include "topology/base/host_list.hpp"

#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

void run_host_list(std::string_view input) {
  const auto names = expand_host_list(input);
  require(!names.empty() && names.size() <= max_host_list_names, "an odd number of names");
}

}  // namespace

Target host_list() {
  return {"host lists as Slurm writes them", run_host_list, {256 * max_host_list_names, 64}};
}

}  // namespace vtopo::fuzz::targets
