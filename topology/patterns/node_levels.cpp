#include <fmt/format.h>

#include <limits>

#include "topology/base/error.hpp"
#include "topology/patterns/algorithms.hpp"

namespace vtopo::detail::collectives {

CommunicationSteps over_trees(const std::vector<Tree>& trees, const TreeFlow& flow) {
  const auto slots = static_cast<std::int64_t>(trees.size()) * flow.segments;
  if (slots > std::numeric_limits<int>::max())
    throw UsageError(fmt::format("{} segments in each of {} trees: at most {}", flow.segments,
                                 trees.size(),
                                 std::numeric_limits<int>::max() / static_cast<int>(trees.size())));
  return {1.0 / static_cast<double>(slots), static_cast<int>(slots), down_the_trees(trees, flow)};
}

namespace {

/// Up the trees and down again; those of a channel are rooted at its rank of each node.
CommunicationSteps up_and_down(int ranks, const Options& options, bool both) {
  const Channels channels = channels_of(ranks, options);
  std::vector<Tree> trees;
  for (int c = 0; c < channels.count; ++c) {
    trees.push_back(node_tree(ranks, channels.per_node, c, false));
    if (both) trees.push_back(node_tree(ranks, channels.per_node, c, true));
  }
  CommunicationSteps result = over_trees(trees, {ranks, 0, options.segments, true});
  const StepSequence down = result.steps;
  result.steps = named("reduce", reversed(down, StepEffect::combine));
  result.steps.append(named("broadcast", down));
  return result;
}

/// Nodes of equally many ranks, which follow each other. The ranks of the same number inside of
/// their nodes are a rail.
struct Levels {
  int nodes, per_node;
};

Levels levels_of(int ranks, const Options& options) {
  const int per_node = channels_of(ranks, options).per_node;
  return {ranks / per_node, per_node};
}

/// A ring in every node, whose blocks are those of the ranks of a rail.
CommunicationStep ring_in_nodes(const Levels& levels, int start) {
  const auto [nodes, per_node] = levels;
  CommunicationStep step{"inside nodes", per_node - 1, StepEffect::replace, {}, nullptr};
  for (int r = 0; r < nodes * per_node; ++r)
    step.messages.push_back({r, moved_in_node(r, 1, per_node), nodes});
  step.slots = [=, nodes = nodes, per_node = per_node](std::int64_t round,
                                                       const StepMessage& message) {
    std::vector<int> slots;
    for (int node = 0; node < nodes; ++node)
      slots.push_back(node * per_node +
                      modulo(message.source % per_node + start - round, per_node));
    return slots;
  };
  return step;
}

/// A ring along every rail, whose blocks are those of its ranks.
CommunicationStep ring_along_rails(const Levels& levels, int start) {
  const auto [nodes, per_node] = levels;
  CommunicationStep step{"along rails", nodes - 1, StepEffect::replace, {}, nullptr};
  for (int r = 0; r < nodes * per_node; ++r)
    step.messages.push_back({r, (r + per_node) % (nodes * per_node)});
  step.slots = [=, nodes = nodes, per_node = per_node](std::int64_t round,
                                                       const StepMessage& message) {
    const int node = modulo(message.source / per_node + start - round, nodes);
    return std::vector{node * per_node + message.source % per_node};
  };
  return step;
}

void append(CommunicationStep step, StepEffect effect, StepSequence& steps) {
  step.effect = effect;
  if (step.rounds > 0) steps.push_back(std::move(step));
}

StepSequence reduce_scatter_levels(const Levels& levels) {
  StepSequence steps;
  append(ring_in_nodes(levels, -1), StepEffect::combine, steps);
  append(ring_along_rails(levels, -1), StepEffect::combine, steps);
  return named("reduce-scatter", steps);
}

StepSequence allgather_levels(const Levels& levels) {
  StepSequence steps;
  append(ring_along_rails(levels, 0), StepEffect::replace, steps);
  append(ring_in_nodes(levels, 0), StepEffect::replace, steps);
  return named("allgather", steps);
}

/// To the ranks `distance` behind in their nodes, what is for ranks so far behind in theirs.
CommunicationStep swap_in_nodes(const Levels& levels, int distance) {
  const auto [nodes, per_node] = levels;
  CommunicationStep step;
  step.name = fmt::format("inside nodes, distance {}", distance);
  for (int r = 0; r < nodes * per_node; ++r)
    step.messages.push_back({r, moved_in_node(r, distance, per_node), nodes});
  step.slots = [=, nodes = nodes, per_node = per_node](std::int64_t, const StepMessage&) {
    std::vector<int> slots;
    for (int node = 0; node < nodes; ++node) slots.push_back(node * per_node + distance);
    return slots;
  };
  return step;
}

/// To the node `distance` further, what all ranks of the own one have for the rank there. Slot d
/// is from the rank whose number inside of the node is d less, which may have gone around.
CommunicationStep swap_along_rails(const Levels& levels, int distance) {
  const auto [nodes, per_node] = levels;
  const int ranks = nodes * per_node;
  CommunicationStep step;
  step.name = fmt::format("along rails, distance {}", distance);
  for (int r = 0; r < ranks; ++r)
    step.messages.push_back({r, (r + distance * per_node) % ranks, per_node});
  step.slots = [=, nodes = nodes, per_node = per_node](std::int64_t, const StepMessage& message) {
    const int own = message.source % per_node;
    std::vector<int> slots;
    for (int d = 0; d < per_node; ++d)
      slots.push_back(modulo(distance - (d > own ? 1 : 0), nodes) * per_node + d);
    return slots;
  };
  return step;
}

}  // namespace

CommunicationSteps allreduce_tree(int ranks, const Options& options) {
  return up_and_down(ranks, options, false);
}

CommunicationSteps allreduce_double_tree(int ranks, const Options& options) {
  return up_and_down(ranks, options, true);
}

CommunicationSteps reduce_scatter_hierarchical(int ranks, const Options& options) {
  return {1, ranks, reduce_scatter_levels(levels_of(ranks, options))};
}

CommunicationSteps allgather_hierarchical(int ranks, const Options& options) {
  return {1, ranks, allgather_levels(levels_of(ranks, options))};
}

CommunicationSteps allreduce_hierarchical(int ranks, const Options& options) {
  const Levels levels = levels_of(ranks, options);
  CommunicationSteps result{1.0 / ranks, ranks, reduce_scatter_levels(levels)};
  result.steps.append(allgather_levels(levels));
  return result;
}

/// Messages between nodes are of all ranks of a node together, and stay on their rail.
CommunicationSteps alltoall_hierarchical(int ranks, const Options& options) {
  const Levels levels = levels_of(ranks, options);
  CommunicationSteps result{1, ranks, {}};
  result.steps.append(levels.per_node - 1, [levels](std::int64_t k) {
    return swap_in_nodes(levels, static_cast<int>(k) + 1);
  });
  result.steps.append(levels.nodes - 1, [levels](std::int64_t k) {
    return swap_along_rails(levels, static_cast<int>(k) + 1);
  });
  return result;
}

}  // namespace vtopo::detail::collectives
