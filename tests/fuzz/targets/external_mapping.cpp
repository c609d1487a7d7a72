#include "netmodels/network_spec.hpp"
#include "sim/mapping/adapters/problem_files.hpp"
#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

void run_external_mapping(std::string_view input) {
  static const auto network = make_network("mesh:3x2", {});
  static const std::vector<int> two{2};
  static const Allocation allocation = make_allocation(*network, "first:4", two, 1);
  static const CommGraph guest(5);
  const MappingProblem problem{guest, *network, allocation};
  const MemoryFile file(input);
  require(read_mapping(problem, file.path(), "mapping").num_ranks() == guest.num_ranks(),
          "an embedding of another number of ranks");
}

}  // namespace

Target external_mapping() {
  return {"what a program of the mapper external writes", run_external_mapping, {}};
}

}  // namespace vtopo::fuzz::targets
