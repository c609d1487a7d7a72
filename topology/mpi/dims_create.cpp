#include "topology/mpi/dims_create.hpp"

#include <array>
#include <string>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/mpi/balanced_factors.hpp"
#include "topology/mpi/fixed_dims.hpp"
#include "topology/mpi/library_dims.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr std::array<std::pair<std::string_view, DimsRule>, 4> rules{{
    {"optimal", DimsRule::optimal},
    {"mpich", DimsRule::mpich},
    {"openmpi", DimsRule::openmpi},
    {"smpi", DimsRule::smpi},
}};

/// Sizes of the free dimensions, non-increasing.
std::vector<int> free_sizes(const FreeDims& free, DimsRule rule) {
  switch (rule) {
    case DimsRule::mpich:
      return mpich_factors(free.num_ranks, free.count);
    case DimsRule::openmpi:
      return openmpi_factors(free.num_ranks, free.count);
    case DimsRule::smpi:
      return smpi_factors(free.num_ranks, free.count);
    case DimsRule::optimal:
      break;
  }
  return balanced_factors(free.num_ranks, free.count, SpreadTie::smallest_maximum);
}

}  // namespace

DimsRule parse_dims_rule(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& [known, rule] : rules) {
    if (known == name) return rule;
    names.emplace_back(known);
  }
  throw UsageError(fmt::format("unknown rule \"{}\"; accepted: {}{}", name, join(names, ", "),
                               suggestion(name, names)));
}

std::string_view to_string(DimsRule rule) {
  return rules[static_cast<std::size_t>(rule)].first;
}

std::vector<int> dims_create(int num_ranks, std::span<const int> fixed, DimsRule rule) {
  const FreeDims free = free_dims(num_ranks, fixed);
  std::vector<int> dims(fixed.begin(), fixed.end());
  if (free.count == 0) return dims;
  const auto sizes = free_sizes(free, rule);
  auto next = sizes.begin();
  for (int& size : dims)
    if (size == 0) size = *next++;
  return dims;
}

}  // namespace vtopo
