#include <algorithm>

#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/text.hpp"
#include "topology/patterns/pattern.hpp"
#include "topology/patterns/permutations.hpp"
#include "topology/patterns/spec_algorithm.hpp"

namespace vtopo {

using namespace detail;

namespace {

std::optional<std::int64_t> number_option(const PatternSpec& spec, std::string_view key) {
  const auto at = spec.options.find(key);
  return at == spec.options.end() ? std::nullopt : parse_integer(at->second);
}

const Cartesian& needed_grid(const PatternCommunicator& communicator) {
  if (communicator.grid == nullptr || communicator.grid->dimensions().empty())
    throw UsageError(
        "the topology is not a Cartesian grid, whose coordinates the pattern is made of");
  return *communicator.grid;
}

std::vector<int> transpose(const PatternSpec& spec, const PatternCommunicator& communicator) {
  const auto dims = spec.options.find("dims");
  if (dims != spec.options.end()) {
    const auto numbers = dashed_numbers(dims->second);
    return grid_transpose(needed_grid(communicator), {numbers[0], numbers[1]});
  }
  const Cartesian* grid = communicator.grid;
  if (grid != nullptr && grid->dimensions().size() > 1) return grid_transpose(*grid, {0, 1});
  return bit_transpose(communicator.num_ranks);
}

std::vector<int> permutation(const PatternSpec& spec, const PatternCommunicator& communicator) {
  const int ranks = communicator.num_ranks;
  if (spec.name == "shift") return rank_shift(ranks, number_option(spec, "offset").value_or(1));
  if (spec.name == "transpose") return transpose(spec, communicator);
  if (spec.name == "tornado") return tornado(needed_grid(communicator));
  if (spec.name == "bit_reversal") return bit_reversal(ranks);
  if (spec.name == "bit_complement") return bit_complement(ranks);
  if (spec.name == "bit_rotation") return bit_rotation(ranks);
  if (spec.name == "bit_shuffle") return bit_shuffle(ranks);
  const auto seed = static_cast<std::uint64_t>(number_option(spec, "seed").value_or(1));
  return random_permutation(ranks, seed);
}

}  // namespace

CommunicationSteps pattern_steps(const PatternSpec& spec, const PatternCommunicator& communicator,
                                 Bytes volume) {
  const int ranks = communicator.num_ranks;
  if (is_automatic(spec) || algorithm_of(spec) != nullptr)
    return collective_steps(with_algorithm(spec, ranks, volume), ranks, volume);
  CommunicationStep step;
  const std::vector<int> destinations = permutation(spec, communicator);
  for (int r = 0; r < ranks; ++r)
    if (const int to = destinations[index(r)]; to != r) step.messages.push_back({r, to});
  CommunicationSteps result;
  result.steps.push_back(std::move(step));
  return result;
}

}  // namespace vtopo
