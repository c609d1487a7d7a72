#include "topology/mpi/fixed_dims.hpp"

#include <cstdint>

#include "topology/base/ids.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo::detail {

namespace {

using enum TopologyCondition;

void check_entries(int num_ranks, std::span<const int> fixed) {
  if (num_ranks < 1) throw mpi_error<dims_ranks_below_one>(num_ranks);
  for (std::size_t i = 0; i < fixed.size(); ++i)
    if (fixed[i] < 0) throw mpi_error<dims_negative>(fixed[i], i);
}

/// Product of the sizes that are not 0.
/// @throws MpiError (MPI_ERR_DIMS) if it does not divide `num_ranks`.
int fixed_product(int num_ranks, std::span<const int> fixed) {
  std::int64_t product = 1;
  for (const int size : fixed) {
    if (size > 0) product *= size;
    if (product > max_id) throw mpi_error<dims_product_above_int>(num_ranks);
  }
  if (num_ranks % product != 0) throw mpi_error<dims_not_divisible>(num_ranks, product);
  return static_cast<int>(product);
}

}  // namespace

FreeDims free_dims(int num_ranks, std::span<const int> fixed) {
  check_entries(num_ranks, fixed);
  FreeDims result{0, num_ranks / fixed_product(num_ranks, fixed)};
  for (const int size : fixed) result.count += size == 0 ? 1 : 0;
  if (result.count > 0 || result.num_ranks == 1) return result;
  if (fixed.empty()) throw mpi_error<dims_none>(num_ranks);
  throw mpi_error<dims_all_fixed>(num_ranks, num_ranks / result.num_ranks);
}

}  // namespace vtopo::detail
