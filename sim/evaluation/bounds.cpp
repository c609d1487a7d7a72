#include "sim/evaluation/bounds.hpp"

#include "sim/evaluation/bounds_library.hpp"
#include "sim/placement/embedding.hpp"

namespace vtopo {

detail::JobBounds detail::bounds_of_job(const Network& network, const Allocation& allocation) {
  if (&vtopo_lower_bounds != nullptr) return vtopo_lower_bounds.of_job(network, allocation);
  return [&allocation](const CommGraph& guest, const Progress&) {
    check_fit(guest.num_ranks(), allocation);
    return Bounds();
  };
}

Bounds lower_bounds(const CommGraph& guest, const Network& network, const Allocation& allocation,
                    const Progress& progress) {
  return detail::bounds_of_job(network, allocation)(guest, progress);
}

}  // namespace vtopo
