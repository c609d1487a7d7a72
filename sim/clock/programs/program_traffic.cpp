#include "sim/clock/programs/program_traffic.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

namespace vtopo::detail {

namespace {

struct PairTraffic {
  double bytes = 0, messages = 0;
};

}  // namespace

CommGraph traffic_of(const Program& program) {
  constexpr double max_messages = std::numeric_limits<int>::max();
  std::vector<DirectedEdge> edges;
  for (int r = 0; r < program.num_ranks(); ++r) {
    std::map<std::int32_t, PairTraffic> sent;
    std::vector<double> times{1};
    for (const Operation& operation : program.ranks[Rank{r}]) {
      if (operation.kind == Operation::Kind::repeat)
        times.push_back(times.back() * operation.amount);
      if (operation.kind == Operation::Kind::end_repeat) times.pop_back();
      if (!is_send(operation.kind)) continue;
      PairTraffic& pair = sent[operation.peer];
      pair.bytes += operation.amount * times.back();
      pair.messages += times.back();
    }
    for (const auto& [peer, pair] : sent)
      edges.push_back({Rank{r},
                       Rank{peer},
                       {pair.bytes},
                       static_cast<int>(std::min(pair.messages, max_messages))});
  }
  return {program.num_ranks(), edges};
}

}  // namespace vtopo::detail
