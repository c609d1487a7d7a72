#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/mapping/grids/grid_problem.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail::mappers {

namespace {

constexpr unsigned gray_code(unsigned position) {
  return position ^ (position >> 1);
}

constexpr unsigned position_of_gray_code(unsigned code) {
  for (unsigned shift = 1; shift < 32; shift *= 2) code ^= code >> shift;
  return code;
}

bool is_power_of_two(int value) {
  return std::has_single_bit(static_cast<unsigned>(value));
}

int num_bits(int power_of_two) {
  return std::countr_zero(static_cast<unsigned>(power_of_two));
}

bool is_hypercube(const CommGraph& guest) {
  if (guest.num_ranks() == 0 || !is_power_of_two(guest.num_ranks())) return false;
  bool one_bit = true;
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    one_bit = one_bit && is_power_of_two(number(source) ^ number(edge.destination));
  });
  return one_bit;
}

bool all_powers_of_two(const HostGrid& host) {
  return is_power_of_two(host.capacity) &&
         std::all_of(host.dimensions.begin(), host.dimensions.end(),
                     [](const HostDimension& d) { return is_power_of_two(d.size); });
}

std::optional<std::string> gray_unsupported_reason(const MappingProblem& problem) {
  const auto is_even = [](const Dimension& d) { return is_power_of_two(d.size); };
  const bool fits = problem.grid ? std::all_of(problem.grid->dimensions().begin(),
                                               problem.grid->dimensions().end(), is_even)
                                 : is_hypercube(problem.guest);
  if (!fits) return "needs a hypercube, or a Cartesian grid whose sizes are powers of two";
  if (auto reason = host_grid_unsupported_reason(problem)) return reason;
  if (!all_powers_of_two(host_grid_of(problem)))
    return "needs hosts of a torus or mesh whose sizes and slots are powers of two";
  return std::nullopt;
}

/// Consecutive bits of a code that make one host coordinate.
struct BitField {
  int most = 0;  ///< bits that the axis has
  int bits = 0;  ///< bits that are used
  bool wraps = false;
  int stride = 1;  ///< in slots

  /// Mean distance per rank that hypercube traffic travels in this axis: W / 2^bits of the
  /// optima of a path and of a cycle.
  double cost(int used) const {
    const double side = std::ldexp(1.0, used);
    if (wraps && used == most && used >= 2) return 3 * side / 8 - 0.5;
    return (side - 1) / 2;
  }
};

std::vector<BitField> bit_fields(const HostGrid& host, int bits) {
  std::vector<BitField> fields;
  int stride = host.capacity;
  for (const HostDimension& dimension : host.dimensions) {
    fields.push_back({num_bits(dimension.size), 0, dimension.wraps, stride});
    stride *= dimension.size;
  }
  bits -= std::min(bits, num_bits(host.capacity));
  for (; bits > 0; --bits) {  // each bit where it adds least
    BitField* best = nullptr;
    const auto growth = [](const BitField& f) { return f.cost(f.bits + 1) - f.cost(f.bits); };
    for (BitField& field : fields)
      if (field.bits < field.most && (!best || growth(field) < growth(*best))) best = &field;
    ++best->bits;
  }
  return fields;
}

/// Code of a rank: the rank itself in a hypercube, the Gray codes of the coordinates in a grid.
class Codes {
 public:
  explicit Codes(const Cartesian* grid) : grid_(grid) {}

  unsigned of(unsigned rank) const {
    if (!grid_) return rank;
    unsigned code = 0;
    for (std::size_t d = 0; d < grid_->dimensions().size(); ++d) {
      const auto stride = static_cast<unsigned>(grid_->strides()[d]);
      const unsigned coordinate =
          rank / stride % static_cast<unsigned>(grid_->dimensions()[d].size);
      code += gray_code(coordinate) * stride;
    }
    return code;
  }

 private:
  const Cartesian* grid_;
};

Embedding map_gray(const MappingProblem& problem, const SearchControl&) {
  const HostGrid host = host_grid_of(problem);
  if (problem.grid && matching_host_axes(*problem.grid, host))
    return map_along(problem, row_major_order);
  const int ranks = problem.guest.num_ranks();
  const int bits = num_bits(ranks);
  const auto fields = bit_fields(host, bits);
  const int slot_bits = std::min(bits, num_bits(host.capacity));
  const Codes codes(problem.grid);
  std::vector<HostId> hosts;
  hosts.reserve(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r) {
    unsigned code = codes.of(static_cast<unsigned>(r));
    std::size_t slot = code & ((1U << slot_bits) - 1);
    code >>= slot_bits;
    for (const BitField& field : fields) {
      const unsigned part = code & ((1U << field.bits) - 1);
      slot += std::size_t{position_of_gray_code(part)} * static_cast<unsigned>(field.stride);
      code >>= field.bits;
    }
    hosts.push_back(host.slot_hosts[slot]);
  }
  return {std::move(hosts), problem.allocation};
}

}  // namespace

/// Binary reflected Gray codes: a grid whose sizes are powers of two is a subgraph of a hypercube,
/// and a hypercube sits on a torus or mesh with its bits dealt to the host dimensions, the rank
/// with bits gray(x) at coordinate x. Hypercube traffic on a full product of paths and cycles of
/// 2^k then has the least possible sum of distances (T. F. Chan and Y. Saad, IEEE Transactions on
/// Computers 1986; optimum: arXiv 2108.08177, 2201.04287, 2302.13237).
MapperInfo gray() {
  return {
      .name = "gray",
      .summary = "Gray codes: hypercubes and power-of-two grids onto power-of-two tori and meshes",
      .reference = "Chan and Saad, IEEE Trans. Computers 1986; arXiv 2302.13237",
      .needs = "sizes that are powers of two, on a torus or mesh",
      .unsupported_reason = gray_unsupported_reason,
      .map = map_gray};
}

}  // namespace vtopo::detail::mappers
