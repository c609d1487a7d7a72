#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/allocation.hpp"
#include "topology/comm_graph.hpp"

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
        : row_(routers.table_.get() + (code >> 32) * routers.num_routers_), code_(code) {}
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
  std::size_t num_routers_ = 0;                  ///< with hosts of the allocation
  std::vector<std::uint32_t> rows_;              ///< of every router of the network
  std::shared_ptr<const std::uint8_t[]> table_;  ///< row: from
};

/// Codes of hosts between which hops are read off at once, by the family of the network's metric.
using HostCodes = std::variant<GridCodes<3>, GridCodes<6>, TreeCodes, RouterCodes>;

/// Nothing for networks without a metric, or of unusual sizes.
std::optional<HostCodes> host_codes(const Network& network, const Allocation& allocation);

/// Whether there are codes; does not make them.
bool has_host_codes(const Network& network, const Allocation& allocation);

/// Position of a host in `Allocation::hosts`, from 0.
enum class Place : std::int32_t {};

/// Hops between the hosts of an allocation. Up to 4,096 hosts they are asked of the network once
/// and kept (two bytes per ordered pair); above, every question goes to the codes of the hosts or,
/// if they have none, to the network. Where hosts have codes and are more than 1,024, a row is kept
/// from the first question for it on: a table is for one thread at a time.
class HopTable {
 public:
  /// The network and the allocation must outlive the table.
  HopTable(const Network& network, const Allocation& allocation);

  int num_places() const { return num_places_; }

  /// `Network::hops`; 0 within a host.
  int hops(Place from, Place to) const {
    if (keeps_all_) return rows_[index(from) * row_length() + index(to)];
    return asked(from, to);
  }

  /// Hops of the opposite direction, `hops(to, from)`: from the same row where the network allows.
  int hops_back(Place from, Place to) const { return symmetric_ ? hops(from, to) : hops(to, from); }

  /// Hops from a place to every place, if they are kept; else null.
  const std::uint16_t* kept_row(Place from) const {
    if (!rows_) return nullptr;
    if (!keeps_all_ && !row_known_[index(from)]) learn_row(from);
    return rows_.get() + index(from) * row_length();
  }

  /// Calls `visit(hops)`, where `hops(Place)` are those from a place, in the fastest form there is.
  /// On grids of few axes that is one small table per axis: unlike rows these stay in the nearest
  /// cache.
  /// @returns what `visit` returns.
  template <class Visit>
  auto visit_from(Place from, Visit&& visit) const {
    if (codes_) {
      if (const auto* grid = std::get_if<GridCodes<3>>(&*codes_)) return coded(*grid, from, visit);
      if (!rows_)
        return std::visit([&](const auto& codes) { return coded(codes, from, visit); }, *codes_);
    }
    if (const std::uint16_t* const row = kept_row(from))
      return visit([row](Place to) { return int{row[index(to)]}; });
    return visit([this, from](Place to) { return asked(from, to); });
  }

  /// Whether the hops between all places are known from the beginning.
  bool keeps_all() const { return keeps_all_; }

  /// Whether hops are known to be the same in both directions.
  bool symmetric() const { return symmetric_; }

  /// Whether two places are known to be as far from every other one.
  bool alike(Place a, Place b) const {
    return codes_ && std::visit(
                         [&](const auto& codes) {
                           return codes.alike(place_codes_[index(a)], place_codes_[index(b)]);
                         },
                         *codes_);
  }

  /// Adds to entry p the hop-bytes of `sent` from place p to `partner` and of `received` back.
  /// @param sums one entry per place.
  void add_hop_bytes(Place partner, Bytes sent, Bytes received, std::span<double> sums) const;

 private:
  template <class Codes, class Visit>
  auto coded(const Codes& codes, Place from, Visit& visit) const {
    const auto hops = codes.from(place_codes_[index(from)]);
    return visit([&](Place to) { return int{hops.to(place_codes_[index(to)])}; });
  }

  std::size_t row_length() const { return hosts_.size(); }
  bool fill();
  void learn_row(Place from) const;
  int asked(Place from, Place to) const;
  bool is_symmetric() const;

  const Network* network_;
  std::span<const HostId> hosts_;
  int num_places_;
  std::optional<HostCodes> codes_;
  std::vector<std::uint64_t> place_codes_;  ///< empty if hosts have no codes
  std::unique_ptr<std::uint16_t[]> rows_;   ///< row: from; null if not kept
  mutable std::vector<char> row_known_;     ///< empty if all are, or none
  bool keeps_all_ = false;
  bool symmetric_ = false;  ///< known only where hops are kept or have codes
};

}  // namespace vtopo::detail
