#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/embedding/allocation.hpp"

namespace vtopo {

/// For every place of an allocation some places close to it, nearest first, at most `most`: on
/// grids those around it, else those next to it by number, which share its router or switch.
class NearHosts {
 public:
  static constexpr std::size_t most = 16;

  NearHosts(const Network& network, const Allocation& allocation);

  /// Positions in the allocation; on small allocations fewer than `most`.
  std::span<const std::int32_t> of(std::int32_t place) const {
    return {near_.data() + static_cast<std::size_t>(place) * count_, count_};
  }

 private:
  std::size_t count_;
  std::vector<std::int32_t> near_;
};

}  // namespace vtopo
