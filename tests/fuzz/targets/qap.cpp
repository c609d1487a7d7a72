#include "netmodels/network_spec.hpp"
#include "sim/research/bench/qaplib.hpp"
#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

void run_qap(std::string_view input) {
  static const auto network = make_network("mesh:2x2", {});
  const MemoryFile file(input);
  const QapFile qap = read_qap(file.path());
  const auto entries = static_cast<std::size_t>(qap.size) * static_cast<std::size_t>(qap.size);
  require(qap.first.size() == entries && qap.second.size() == entries, "no square matrices");
  require(qap_guest(file.path(), *network).num_ranks() == 4, "another number of ranks");
}

}  // namespace

Target qap() {
  return {"quadratic assignment problems of QAPLIB", run_qap, {}};
}

}  // namespace vtopo::fuzz::targets
