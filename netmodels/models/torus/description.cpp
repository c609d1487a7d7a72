#include "netmodels/models/torus/description.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <vector>

#include "netmodels/link_rates.hpp"

namespace vtopo::detail {

std::string describe(const TorusSpec& spec) {
  std::string result = "torus:";
  std::vector<LinkRates> rates;
  for (std::size_t d = 0; d < spec.dimensions.size(); ++d) {
    const TorusDimension& dimension = spec.dimensions[d];
    result += fmt::format("{}{}{}", d == 0 ? "" : "x", dimension.size, dimension.wraps ? "" : "m");
    rates.push_back(dimension.rates);
  }
  if (spec.hosts_per_router > 1) result += fmt::format(",per_router={}", spec.hosts_per_router);
  if (spec.twist > 0) result += fmt::format(",twist={}", spec.twist);
  result += rate_keys(rates, spec.defaults);
  if (spec.hosts_per_router > 1) result += rate_keys({&spec.host_rates, 1}, spec.defaults, "host_");
  return result;
}

}  // namespace vtopo::detail
