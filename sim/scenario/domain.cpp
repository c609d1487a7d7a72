#include "sim/scenario/domain.hpp"

#include <fmt/format.h>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

std::vector<std::int64_t> parse_domain(const std::string& text) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  std::vector<std::int64_t> domain;
  for (const auto piece : split(text, 'x')) {
    const auto size = parse_integer(piece);
    if (!size || *size < 1 || *size > most)
      throw UsageError(
          fmt::format("domain size \"{}\" in \"{}\"; accepted are whole numbers from "
                      "1 to {}, as in 1024x1024x512",
                      piece, text, most));
    domain.push_back(*size);
  }
  return domain;
}

std::vector<Bytes> detail::halo_volumes(const Cartesian& grid,
                                        const std::vector<std::int64_t>& domain, Bytes element) {
  const auto dimensions = grid.dimensions();
  if (dimensions.size() > domain.size())
    throw UsageError(
        fmt::format("a grid of {} dimensions divides a domain of {}: accepted is at "
                    "least one size of --domain per dimension",
                    dimensions.size(), domain.size()));
  std::vector<double> block;
  for (std::size_t d = 0; d < domain.size(); ++d) {
    const std::int64_t parts = d < dimensions.size() ? dimensions[d].size : 1;
    if (parts > domain[d])
      throw UsageError(
          fmt::format("{} ranks along dimension {} divide {} elements: some would "
                      "have none",
                      parts, d, domain[d]));
    const std::int64_t most = (domain[d] + parts - 1) / parts;
    block.push_back(static_cast<double>(most));
  }
  std::vector<Bytes> volumes;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    double face = element.value;
    for (std::size_t other = 0; other < block.size(); ++other)
      if (other != d) face *= block[other];
    volumes.push_back({face});
  }
  return volumes;
}

}  // namespace vtopo
