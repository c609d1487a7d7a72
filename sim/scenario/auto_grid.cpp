#include "sim/scenario/auto_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/mpi/dims_create.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t max_grids = 12, max_dimensions = 4;

/// Halo of a grid over that of the best one, up to which it is balanced.
constexpr double balanced_share = 1.5;

struct Grid {
  std::vector<std::int64_t> sizes;
  double halo = 0;  ///< cuts through the domain, each as a share of its volume
};

/// Every grid of so many ranks that divides a domain, of equal extents the larger size first.
class Grids {
 public:
  explicit Grids(const std::vector<std::int64_t>& domain) : domain_(domain) {}

  std::vector<Grid> of(std::int64_t ranks) {
    for (std::int64_t size = 1; size * size <= ranks; ++size) {
      if (ranks % size != 0) continue;
      divisors_.push_back(size);
      if (size * size != ranks) divisors_.push_back(ranks / size);
    }
    add(ranks, 0);
    return std::move(found_);
  }

 private:
  void add(std::int64_t rest, double halo) {
    const std::size_t d = sizes_.size();
    if (d == domain_.size()) {
      if (rest == 1) found_.push_back({sizes_, halo});
      return;
    }
    for (const std::int64_t size : divisors_) {
      if (rest % size != 0 || size > domain_[d] || !is_first_order(size)) continue;
      sizes_.push_back(size);
      add(rest / size, halo + static_cast<double>(size - 1) / static_cast<double>(domain_[d]));
      sizes_.pop_back();
    }
  }

  bool is_first_order(std::int64_t size) const {
    for (std::size_t d = 0; d < sizes_.size(); ++d)
      if (domain_[d] == domain_[sizes_.size()] && sizes_[d] < size) return false;
    return true;
  }

  const std::vector<std::int64_t>& domain_;
  std::vector<std::int64_t> divisors_, sizes_;
  std::vector<Grid> found_;
};

/// A cube that so many cubic blocks fill whose faces have a volume.
std::string cubic_domain(int ranks, Bytes face, Bytes element) {
  const double edge = std::max(1.0, std::round(std::sqrt(face.value / element.value)));
  const auto size = static_cast<std::int64_t>(std::round(edge * std::cbrt(ranks)));
  return fmt::format("{0}x{0}x{0}", size);
}

/// What was assumed.
std::string describe_grids(const Scenario& given, const std::vector<Scenario>& grids) {
  std::vector<std::string> others;
  for (std::size_t i = 1; i < grids.size(); ++i) others.push_back(grids[i].topology.substr(5));
  const std::string faces =
      given.domain ? "" : fmt::format(" (a cubic part has faces of {})", given.bytes.text());
  return fmt::format("{} on a domain of {} elements of {}{}: {}{}",
                     counted(static_cast<std::size_t>(*given.ranks), "rank"),
                     grids.front().domain->text(), given.element.text(), faces,
                     grids.front().topology, others.empty() ? "" : " or " + join(others, ", "));
}

}  // namespace

bool is_bare_grid(std::string_view text) {
  const auto pieces = split(text, 'x');
  const bool is_plain_number = pieces.size() == 1 && !text.ends_with('p');
  return !is_plain_number && std::all_of(pieces.begin(), pieces.end(), [](std::string_view piece) {
    if (piece.ends_with('p')) piece.remove_suffix(1);
    return !piece.empty() && piece.find_first_not_of("0123456789") == std::string_view::npos;
  });
}

std::string cubic_grid(int ranks) {
  return fmt::format("cart:{}", fmt::join(dims_create(ranks, std::array{0, 0, 0}), "x"));
}

BalancedGrids balanced_grids(const Scenario& scenario) {
  if (!scenario.ranks)
    throw UsageError("--topology cart:auto: how many ranks is missing; give --ranks N");
  if (*scenario.ranks < 1) throw UsageError("--ranks 0: accepted are numbers from 1");
  Scenario divided = scenario;
  divided.ranks.reset();
  if (!divided.domain) {
    if ((*scenario.bytes).size() != 1)
      throw UsageError(
          fmt::format("--topology cart:auto takes one volume, not --bytes {}; give "
                      "--domain for different ones",
                      scenario.bytes.text()));
    divided.domain.emplace(
        cubic_domain(*scenario.ranks, (*scenario.bytes).front(), *scenario.element));
    divided.bytes = Scenario().bytes;
  }
  if ((**divided.domain).size() > max_dimensions)
    throw UsageError(fmt::format("--topology cart:auto: --domain {} has more than {} dimensions",
                                 divided.domain->text(), max_dimensions));
  std::vector<Grid> grids = Grids(**divided.domain).of(*scenario.ranks);
  if (grids.empty())
    throw UsageError(fmt::format("--topology cart:auto: no grid of {} ranks divides the domain {}",
                                 *scenario.ranks, divided.domain->text()));
  std::stable_sort(grids.begin(), grids.end(),
                   [](const Grid& a, const Grid& b) { return a.halo < b.halo; });
  std::vector<Scenario> result;
  for (const Grid& grid : grids) {
    if (grid.halo > grids.front().halo * balanced_share || result.size() == max_grids) break;
    divided.topology = fmt::format("cart:{}", fmt::join(grid.sizes, "x"));
    result.push_back(divided);
  }
  std::string assumed = describe_grids(scenario, result);
  return {std::move(result), std::move(assumed)};
}

}  // namespace vtopo::detail
