#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/allocation.hpp"

namespace vtopo::detail {

/// Hops between hosts of a grid of up to `dims` axes with one host per router: coordinates are
/// bytes of a code, one small table per axis.
template <std::size_t dims>
class GridCodes {
 public:
  using Code = std::uint64_t;

  class From {
   public:
    From(const GridCodes& grid, Code code) {
      for (std::size_t d = 0; d < dims; ++d, code >>= 8)
        rows_[d] = grid.tables_[d].data() + (code & 255) * grid.sizes_[d];
    }
    std::int32_t to(Code code) const {
      std::int32_t sum = 0;
      for (std::size_t d = 0; d < dims; ++d, code >>= 8) sum += rows_[d][code & 255];
      return sum;
    }

   private:
    std::array<const std::uint8_t*, dims> rows_;
  };

  Code code(HostId host) const;
  From from(Code code) const { return {*this, code}; }

  /// Whether two hosts are as far from every other one.
  bool alike(Code, Code) const { return false; }
  static constexpr bool shares_routers = false;

  /// Nothing for grids of other sizes.
  static std::optional<GridCodes> of(const GridMetric& metric);

 private:
  std::array<std::size_t, dims> sizes_{};
  std::array<std::vector<std::uint8_t>, dims> tables_;  ///< row: from
};

/// Hops between hosts of a tree: codes agree above the level at which two routes meet.
class TreeCodes {
 public:
  using Code = std::uint64_t;

  class From {
   public:
    From(const TreeCodes& tree, Code code) : hops_(tree.hops_.data()), code_(code) {}
    std::int32_t to(Code code) const { return hops_[std::bit_width(code ^ code_)]; }

   private:
    const std::uint16_t* hops_;
    Code code_;
  };

  Code code(HostId host) const;
  From from(Code code) const { return {*this, code}; }
  bool alike(Code a, Code b) const { return (a ^ b) >> fields_.front().bits == 0; }
  static constexpr bool shares_routers = true;  ///< whether hosts may be as far from all others

  /// Nothing for trees that take more than 63 bits or 65,535 hops.
  static std::optional<TreeCodes> of(const TreeMetric& metric);

 private:
  struct Field {
    std::int64_t size;
    int bits;
  };
  std::vector<Field> fields_;  ///< children per level, leaf level first
  std::array<std::uint16_t, 65> hops_{};
};

/// Hops between hosts of an allocation of which as many are at every router, from a table over
/// routers.
class RouterCodes {
 public:
  using Code = std::uint64_t;

  class From {
   public:
    From(const RouterCodes& routers, Code code)
        : row_(routers.table_.data() + (code >> 32) * routers.num_routers_), code_(code) {}
    std::int32_t to(Code code) const { return code == code_ ? 0 : row_[code >> 32]; }

   private:
    const std::uint8_t* row_;
    Code code_;
  };

  /// Of a host of the allocation.
  Code code(HostId host) const {
    const auto at = static_cast<std::uint64_t>(number(host));
    return Code{rows_[at / per_router_]} << 32 | at % per_router_;
  }
  From from(Code code) const { return {*this, code}; }
  bool alike(Code a, Code b) const { return a >> 32 == b >> 32; }
  static constexpr bool shares_routers = true;

  /// Nothing if the hosts are at more than 4,096 routers.
  static std::optional<RouterCodes> of(const RouterMetric& metric, const Network& network,
                                       const Allocation& allocation);

 private:
  std::uint64_t per_router_ = 1;
  std::size_t num_routers_ = 0;      ///< with hosts of the allocation
  std::vector<std::uint32_t> rows_;  ///< of every router of the network
  std::vector<std::uint8_t> table_;  ///< row: from
};

/// Codes of hosts between which hops are read off at once, by the family of the network's metric.
using HostCodes = std::variant<GridCodes<3>, GridCodes<6>, TreeCodes, RouterCodes>;

/// Nothing for networks without a metric, or of unusual sizes.
std::optional<HostCodes> host_codes(const Network& network, const Allocation& allocation);

/// Whether there are codes; does not make them.
bool has_host_codes(const Network& network, const Allocation& allocation);

}  // namespace vtopo::detail
