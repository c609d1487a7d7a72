#include "sim/draw/traffic_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "topology/base/id_vector.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr int finest = 256, coarser = 128;
constexpr std::ptrdiff_t many_cells = 16384;

/// Sums over squares of ranks, `side` x `side`.
/// @param positions of ranks along both axes.
std::vector<double> sums(const CommGraph& guest, const std::vector<int>& positions, int block,
                         int side) {
  std::vector<double> cells(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0);
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    const int row = positions[index(source)] / block;
    const int column = positions[index(edge.destination)] / block;
    cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(side) +
          static_cast<std::size_t>(column)] += edge.volume.value;
  });
  return cells;
}

/// What the ranks at positions [first, last] are called.
using Label = std::function<std::string(int first, int last)>;

CellPicture matrix(const CommGraph& guest, const std::vector<int>& positions, const Label& label) {
  CellPicture picture;
  const int ranks = guest.num_ranks();
  int block = 1, side = 1;
  std::vector<double> cells;
  for (const int most : {finest, coarser}) {
    block = std::max((ranks + most - 1) / most, 1);
    side = std::max((ranks + block - 1) / block, 1);
    cells = sums(guest, positions, block, side);
    if (std::count_if(cells.begin(), cells.end(), [](double x) { return x > 0; }) <= many_cells)
      break;
  }
  for (int i = 0; i < side; ++i)
    picture.row_names.push_back(label(i * block, std::min((i + 1) * block, ranks) - 1));
  picture.column_names = picture.row_names;
  if (block > 1) picture.caption = fmt::format("A cell is the sum over {0} x {0} ranks.", block);
  picture.panels.push_back({"", side, side, std::move(cells), {}});
  picture.row_axis = "sender";
  picture.column_axis = "receiver";
  return picture;
}

std::string range_text(const std::string& first, const std::string& last) {
  return first == last ? first : fmt::format("{} \xE2\x80\xA6 {}", first, last);
}

}  // namespace

CellPicture traffic_by_rank(const CommGraph& guest) {
  std::vector<int> positions(static_cast<std::size_t>(guest.num_ranks()));
  std::iota(positions.begin(), positions.end(), 0);
  CellPicture picture = matrix(guest, positions, [](int first, int last) {
    return first == last ? fmt::format("rank {}", first)
                         : fmt::format("ranks {}\xE2\x80\x93{}", first, last);
  });
  picture.name = "traffic-by-rank";
  picture.title = "Traffic in the order of ranks";
  return picture;
}

CellPicture traffic_by_host(const CommGraph& guest, const Network& network,
                            const Embedding& embedding) {
  std::vector<Rank> order = all_ranks(guest.num_ranks());
  std::stable_sort(order.begin(), order.end(),
                   [&](Rank a, Rank b) { return embedding.host_of(a) < embedding.host_of(b); });
  std::vector<int> positions(order.size());
  for (std::size_t p = 0; p < order.size(); ++p) positions[index(order[p])] = narrow<int>(p);
  CellPicture picture = matrix(guest, positions, [&](int first, int last) {
    const auto name = [&](int position) {
      const Rank rank = order[static_cast<std::size_t>(position)];
      return fmt::format("{} (rank {})", network.host_name(embedding.host_of(rank)), number(rank));
    };
    return range_text(name(first), name(last));
  });
  picture.name = "traffic-by-host";
  picture.title = "Traffic in the order of hosts";
  return picture;
}

}  // namespace vtopo::detail
