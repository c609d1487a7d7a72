#include "sim/evaluation/partners.hpp"

#include <algorithm>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

bool counts(Rank source, const CommEdge& edge) {
  return edge.destination != source && edge.volume.value > 0;
}

/// Adds up entries of equal rank in a sorted row; returns the length of what remains.
std::size_t merge_equal(std::span<Partner> row) {
  std::size_t length = 0;
  for (const Partner& partner : row) {
    if (length > 0 && row[length - 1].rank == partner.rank) {
      row[length - 1].sent += partner.sent;
      row[length - 1].received += partner.received;
    } else {
      row[length++] = partner;
    }
  }
  return length;
}

}  // namespace

Partners::Partners(const CommGraph& guest) : offsets_(index(guest.num_ranks()) + 1, 0) {
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    if (!counts(source, edge)) return;
    ++offsets_[index(source) + 1];
    ++offsets_[index(edge.destination) + 1];
  });
  for (std::size_t r = 1; r < offsets_.size(); ++r) offsets_[r] += offsets_[r - 1];
  partners_.resize(offsets_.back());
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    if (!counts(source, edge)) return;
    partners_[next[index(source)]++] = {edge.destination, edge.volume, {}};
    partners_[next[index(edge.destination)]++] = {source, {}, edge.volume};
  });
  std::size_t kept = 0;
  for (std::size_t r = 0; r + 1 < offsets_.size(); ++r) {
    const std::span row(partners_.data() + offsets_[r], offsets_[r + 1] - offsets_[r]);
    // Stable, so that volumes add up in the order of the guest's edges.
    std::stable_sort(row.begin(), row.end(),
                     [](const Partner& a, const Partner& b) { return a.rank < b.rank; });
    const std::size_t length = merge_equal(row);
    std::copy_n(row.begin(), length, partners_.begin() + static_cast<std::ptrdiff_t>(kept));
    offsets_[r] = kept;
    kept += length;
  }
  offsets_.back() = kept;
  partners_.resize(kept);
}

int Partners::max_degree() const {
  std::size_t most = 0;
  for (std::size_t r = 1; r < offsets_.size(); ++r)
    most = std::max(most, offsets_[r] - offsets_[r - 1]);
  return narrow<int>(most);
}

}  // namespace vtopo::detail
