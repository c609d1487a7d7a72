#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/partition/balance.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#ifdef VTOPO_WITH_SCOTCH
#include "sim/mapping/adapters/scotch.hpp"
#endif

namespace vtopo::detail::mappers {

namespace {

std::optional<std::string> scotch_unsupported(const MappingProblem& problem);
Embedding map_scotch(const MappingProblem& problem, const SearchControl&);

}  // namespace

/// Scotch's static mapping by dual recursive bipartitioning and multilevel refinement, where the
/// program is built with the library. A host that takes more ranks than it has slots (which
/// `balance` above 0 allows) gives some to the nearest free slots. F. Pellegrini and J. Roman,
/// "Scotch: A Software Package for Static Mapping by Dual Recursive Bipartitioning of Process and
/// Architecture Graphs" (HPCN 1996).
MapperInfo scotch() {
  return {
      .name = "scotch",
      .summary = "calls the library Scotch; ranks on overfull hosts move to the nearest free slots",
      .reference = "Pellegrini and Roman, HPCN 1996; Scotch 7.0",
      .options = {{"balance", "share by which hosts may be overfull before that, such as 0.01",
                   "0"},
                  {"strategy", "default, quality or speed", "default"}},
      .needs =
          "a build with Debian's libscotch-dev; above 4096 hosts equal slots on a torus, mesh, fat "
          "tree or dragonfly",
      .unsupported_reason = scotch_unsupported,
      .map = map_scotch,
      .uses_seed = true,
      .self_contained = false};
}

namespace {

#ifdef VTOPO_WITH_SCOTCH

double read_balance(const std::string& text) {
  const auto balance = parse_number(text);
  if (!balance || !(*balance >= 0 && *balance <= 1))
    throw UsageError(
        fmt::format("balance \"{}\" of mapper scotch: accepted is a number from 0 to 1", text));
  return *balance;
}

ScotchStrategy read_strategy(const std::string& text) {
  if (text == "default") return ScotchStrategy::standard;
  if (text == "quality") return ScotchStrategy::quality;
  if (text == "speed") return ScotchStrategy::speed;
  throw UsageError(
      fmt::format("strategy \"{}\" of mapper scotch: accepted are default, quality, speed", text));
}

std::optional<std::string> scotch_unsupported(const MappingProblem& problem) {
  return scotch_unsupported_reason(problem);
}

Embedding map_scotch(const MappingProblem& problem, const SearchControl&) {
  const MapperInfo info = scotch();
  const ScotchRequest request{read_balance(option_value(info, problem, "balance")),
                              read_strategy(option_value(info, problem, "strategy"))};
  const Partners partners(problem.guest);
  const HopTable table(problem.network, problem.allocation);
  return without_overfull_hosts(partners, table, problem.allocation,
                                scotch_places(problem, partners, table, request));
}

#else

std::optional<std::string> scotch_unsupported(const MappingProblem& /*problem*/) {
  return "needs a build with Scotch: install Debian's libscotch-dev and build vtopo again";
}

Embedding map_scotch(const MappingProblem& problem, const SearchControl&) {
  throw UsageError("mapper scotch " + *scotch_unsupported(problem));
}

#endif

}  // namespace

}  // namespace vtopo::detail::mappers
