#include "sim/formats/launchers/axis_order.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Whether rank r sits in the slot that it is numbered as by the order.
bool is_block_in(const ParallelProgram& program, const std::vector<std::size_t>& order,
                 const Embedding& embedding, const std::vector<HostId>& slots) {
  std::vector<int> stride(program.axes.size());
  int ranks = 1;
  for (const std::size_t a : order) {
    stride[a] = ranks;
    ranks *= program.axes[a].size;
  }
  for (int r = 0; r < embedding.num_ranks(); ++r) {
    int rest = r, slot = 0;
    for (std::size_t a = 0; a < program.axes.size(); ++a) {
      slot += rest % program.axes[a].size * stride[a];
      rest /= program.axes[a].size;
    }
    if (slots[index(slot)] != embedding.host_of(Rank{r})) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> block_axis_order(const ParallelProgram& program,
                                            const Embedding& embedding,
                                            const Allocation& allocation) {
  constexpr std::size_t most_axes = 8;
  const std::vector<HostId> slots = slot_hosts(allocation);
  std::vector<std::size_t> order(program.axes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() > most_axes) return std::nullopt;
  do {
    if (!is_block_in(program, order, embedding, slots)) continue;
    std::vector<std::string> names;
    names.reserve(order.size());
    for (const std::size_t a : order) names.push_back(program.axes[a].name);
    return join(names, "-");
  } while (std::next_permutation(order.begin(), order.end()));
  return std::nullopt;
}

}  // namespace vtopo::detail
