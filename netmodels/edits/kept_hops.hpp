#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "topology/base/ids.hpp"

namespace vtopo::detail {

/// Hops between hosts that are costly to find, kept row by row. No thread ever waits for another.
class KeptHops {
 public:
  /// Of more hosts rows take too much memory.
  static constexpr int max_hosts = 4096;
  static constexpr std::uint16_t unknown = 65535;  ///< no route, or too long
  using Row = std::vector<std::uint16_t>;          ///< one entry per destination

  explicit KeptHops(int num_hosts) : rows_(static_cast<std::size_t>(num_hosts)) {}
  KeptHops(const KeptHops&) = delete;
  KeptHops& operator=(const KeptHops&) = delete;
  ~KeptHops() {
    for (const auto& row : rows_) delete row.load();
  }

  /// Hops from a host to all, if they are known; else null.
  const Row* row(HostId source) const {
    return rows_[index(source)].load(std::memory_order_acquire);
  }

  /// Keeps a row; of several threads the first.
  const Row* keep(HostId source, Row row) {
    auto made = std::make_unique<const Row>(std::move(row));
    const Row* first = nullptr;
    if (rows_[index(source)].compare_exchange_strong(first, made.get(), std::memory_order_acq_rel))
      first = made.release();
    return first;
  }

 private:
  std::vector<std::atomic<const Row*>> rows_;
};

}  // namespace vtopo::detail
