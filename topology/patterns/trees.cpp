#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>

#include "topology/base/ids.hpp"
#include "topology/patterns/algorithms.hpp"

namespace vtopo::detail::collectives {

namespace {

/// @param children of each rank, in the order in which they are served.
Tree tree_of(const std::vector<std::vector<int>>& children, int root = 0) {
  struct Visit {
    int rank, depth, ready;
  };
  Tree tree;
  std::vector<Visit> visits{{root, 0, 0}};
  for (std::size_t i = 0; i < visits.size(); ++i) {
    const Visit at = visits[i];
    int turn = at.ready;
    for (const int child : children[index(at.rank)]) {
      tree.push_back({at.rank, child, at.depth, turn++});
      visits.push_back({child, at.depth + 1, turn});
    }
  }
  return tree;
}

/// Edges by the step in which the first segment uses them, and where each step begins.
class Pipeline {
 public:
  Pipeline(const std::vector<Tree>& trees, TreeFlow flow)
      : num_trees_(trees.size()), flow_(std::move(flow)) {
    entries_.resize(trees.size() * index(flow_.ranks));
    for (std::size_t t = 0; t < trees.size(); ++t)
      for (const TreeEdge& edge : trees[t]) {
        edges_.push_back(edge);
        entries_[t * index(flow_.ranks) + index(edge.child)] = {edge.parent, start(edge)};
      }
    std::stable_sort(edges_.begin(), edges_.end(),
                     [this](const TreeEdge& a, const TreeEdge& b) { return start(a) < start(b); });
    num_starts_ = edges_.empty() ? 0 : start(edges_.back()) + 1;
  }

  std::int64_t num_steps() const { return num_starts_ + flow_.segments - 1; }
  /// Of equal ones with all edges, from `num_starts - 1` on.
  std::int64_t num_full() const {
    return std::max<std::int64_t>(flow_.segments - num_starts_ + 1, 0);
  }
  std::int64_t num_starts() const { return num_starts_; }

  /// What is under way in step k of `num_steps`.
  CommunicationStep step(std::int64_t k) const {
    CommunicationStep step;
    int distance = -1;
    for (const TreeEdge& edge : edges_) {
      const std::int64_t segment = k - start(edge);
      if (segment < 0 || segment >= flow_.segments) continue;
      step.messages.push_back(
          {rank(edge.parent), rank(edge.child), flow_.count ? flow_.count(edge.child) : 1});
      const int apart = edge.child - edge.parent;
      distance = distance == -1 || distance == apart ? apart : 0;
    }
    if (num_trees_ > 1) join_messages(step.messages);
    step.name = distance > 0 ? fmt::format("distance {}", distance) : fmt::format("step {}", k);
    return step;
  }

  std::vector<int> slots(std::int64_t k, const StepMessage& message) const {
    const int parent = modulo(std::int64_t{message.source} - flow_.root, flow_.ranks);
    const int child = modulo(std::int64_t{message.destination} - flow_.root, flow_.ranks);
    std::vector<int> result;
    for (std::size_t t = 0; t < num_trees_; ++t) {
      const Entry entry = entries_[t * index(flow_.ranks) + index(child)];
      const std::int64_t segment = k - entry.start;
      if (entry.parent != parent || segment < 0 || segment >= flow_.segments) continue;
      if (flow_.slots) return flow_.slots(segment, child);
      result.push_back(static_cast<int>(static_cast<std::int64_t>(t) * flow_.segments + segment));
    }
    return result;
  }

 private:
  /// Where a rank gets its segments in a tree, and when the first.
  struct Entry {
    int parent = -1;
    int start = 0;
  };

  int start(const TreeEdge& edge) const { return flow_.together ? edge.depth : edge.turn; }
  int rank(int behind_root) const {
    return modulo(std::int64_t{behind_root} + flow_.root, flow_.ranks);
  }

  /// Trees may have edges in common.
  static void join_messages(std::vector<StepMessage>& messages) {
    std::sort(messages.begin(), messages.end(), [](const StepMessage& a, const StepMessage& b) {
      return std::pair(a.source, a.destination) < std::pair(b.source, b.destination);
    });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < messages.size(); ++i) {
      if (messages[i].source == messages[kept].source &&
          messages[i].destination == messages[kept].destination)
        messages[kept].slots += messages[i].slots;
      else
        messages[++kept] = messages[i];
    }
    messages.resize(std::min(kept + 1, messages.size()));
  }

  std::size_t num_trees_;
  Tree edges_;  ///< of all trees
  TreeFlow flow_;
  int num_starts_ = 0;
  std::vector<Entry> entries_;  ///< tree after tree, by child
};

using SharedPipeline = std::shared_ptr<const Pipeline>;

CommunicationStep pipeline_step(const SharedPipeline& pipeline, std::int64_t k,
                                std::int64_t rounds) {
  CommunicationStep step = pipeline->step(k);
  step.rounds = rounds;
  step.slots = [pipeline, k](std::int64_t round, const StepMessage& message) {
    return pipeline->slots(k + round, message);
  };
  return step;
}

/// Number of ranks on the levels above that of `rank`, and of those on it.
std::pair<std::int64_t, std::int64_t> level_of(int rank, int radix) {
  std::int64_t above = 0, width = 1;
  while (above + width <= rank) {
    above += width;
    width *= radix;
  }
  return {above, width};
}

/// Ranks `first` to `last` of a subtree whose root is the last.
void add_in_order(int first, int last, std::vector<std::vector<int>>& children) {
  if (first >= last) return;
  const int right = (last - first + 1) / 2;  // ranks of the lower subtree
  children[index(last)].push_back(last - 1);
  if (right > 0 && last - 1 > first) children[index(last)].push_back(first + right - 1);
  add_in_order(first + right, last - 1, children);
  add_in_order(first, first + right - 1, children);
}

}  // namespace

Tree level_tree(int ranks, int radix) {
  std::vector<std::vector<int>> children(index(ranks));
  for (int v = 0; v < ranks; ++v) {
    const std::int64_t width = level_of(v, radix).second;
    for (int i = 1; i <= radix && v + width * i < ranks; ++i)
      children[index(v)].push_back(static_cast<int>(v + width * i));
  }
  return tree_of(children);
}

Tree chains(int ranks, int count) {
  std::vector<std::vector<int>> children(index(ranks));
  const int others = ranks - 1, used = std::min(count, others);
  for (int chain = 0, v = 1; chain < used; ++chain) {
    const int length = others / used + (chain < others % used ? 1 : 0);
    for (int i = 0; i < length; ++i, ++v) children[i == 0 ? 0 : index(v - 1)].push_back(v);
  }
  return tree_of(children);
}

Tree knomial_tree(int ranks, int radix) {
  std::vector<std::vector<int>> children(index(ranks));
  std::int64_t top = 1;
  while (top < ranks) top *= radix;
  for (int v = 0; v < ranks; ++v) {
    std::int64_t digit = top / radix;
    for (; digit > 0; digit /= radix) {
      if (v % (digit * radix) != 0) continue;
      for (int r = 1; r < radix && v + digit * r < ranks; ++r)
        children[index(v)].push_back(static_cast<int>(v + digit * r));
    }
  }
  return tree_of(children);
}

Tree binomial_tree(int ranks, bool doubling) {
  Tree tree;
  int turn = 0;
  for (const std::int64_t distance : distances(ranks, doubling)) {
    const std::int64_t end = doubling ? distance : ranks;
    for (std::int64_t v = 0; v < end && v + distance < ranks; v += doubling ? 1 : 2 * distance) {
      const int parent = static_cast<int>(v);
      tree.push_back({parent, static_cast<int>(v + distance),
                      std::popcount(static_cast<unsigned>(parent)), turn});
    }
    ++turn;
  }
  return tree;
}

Tree in_order_tree(int ranks) {
  std::vector<std::vector<int>> children(index(ranks));
  add_in_order(0, ranks - 1, children);
  return tree_of(children, ranks - 1);
}

Tree node_tree(int ranks, int per_node, int head, bool second) {
  const int nodes = ranks / per_node;
  const auto rank = [=](int place, int step) {
    const int node = !second ? place : nodes % 2 == 0 ? nodes - 1 - place : (place + 1) % nodes;
    return node * per_node + (head + step) % per_node;
  };
  std::vector<std::vector<int>> children(index(ranks));
  for (int place = 1; place < nodes; ++place) {
    const int bit = place & -place;
    const int above = (place ^ bit) | (2 * bit);
    children[index(rank(above < nodes ? above : place ^ bit, 0))].push_back(rank(place, 0));
  }
  for (int place = 0; place < nodes; ++place)
    for (int step = 0; step + 1 < per_node; ++step)
      children[index(rank(place, step))].push_back(rank(place, step + 1));
  return tree_of(children, rank(0, 0));
}

StepSequence down_the_tree(const Tree& tree, const TreeFlow& flow) {
  return down_the_trees({tree}, flow);
}

StepSequence down_the_trees(const std::vector<Tree>& trees, const TreeFlow& flow) {
  const auto pipeline = std::make_shared<const Pipeline>(trees, flow);
  const std::int64_t full = pipeline->num_full();
  const auto one = [pipeline](std::int64_t first) {
    return [=](std::int64_t k) { return pipeline_step(pipeline, first + k, 1); };
  };
  StepSequence steps;
  const std::int64_t fill = full == 0 ? pipeline->num_steps() : pipeline->num_starts() - 1;
  steps.append(fill, one(0));
  if (full == 0) return steps;
  steps.append(1, [=](std::int64_t) { return pipeline_step(pipeline, fill, full); });
  steps.append(pipeline->num_steps() - fill - full, one(fill + full));
  return steps;
}

namespace {

/// Ranks behind the root that a rank of a binomial tree, not the root, serves: itself, and every
/// `stride`-th one from it on, `count` in all.
struct Subtree {
  std::int64_t stride = 1;
  std::int64_t count = 1;
};

Subtree subtree_of(int child, int ranks, bool doubling) {
  const auto bits = static_cast<unsigned>(child);
  if (doubling) {
    const std::int64_t stride = std::int64_t{1} << std::bit_width(bits);
    return {stride, (ranks - 1 - child) / stride + 1};
  }
  const std::int64_t size = std::int64_t{1} << std::countr_zero(bits);
  return {1, std::min(size, std::int64_t{ranks} - child)};
}

/// A group of ranks, the lower half of which is complete, and where both halves begin.
struct Halves {
  std::int64_t lower, upper, end;
};

Halves halves_of(std::int64_t rank, std::int64_t half, int ranks) {
  const std::int64_t lower = rank / (2 * half) * (2 * half);
  return {lower, lower + half, std::min<std::int64_t>(lower + 2 * half, ranks)};
}

/// Blocks of the half that a rank is in.
std::vector<int> blocks_of_half(std::int64_t rank, std::int64_t half, int ranks) {
  const Halves halves = halves_of(rank, half, ranks);
  if (rank < halves.upper) return slots_from(halves.lower, half, ranks);
  return slots_from(halves.upper, halves.end - halves.upper, ranks);
}

/// The same rank with the root as rank 0.
std::int64_t behind(int rank, int root, int ranks) {
  return modulo(std::int64_t{rank} - root, ranks);
}

CommunicationStep exchange_of_halves(int ranks, int root, std::int64_t half) {
  CommunicationStep step;
  step.name = fmt::format("distance {}", half);
  for (std::int64_t v = 0; v < ranks; ++v) {
    const std::int64_t to = v ^ half;
    if (to >= ranks) continue;
    const Halves halves = halves_of(v, half, ranks);
    step.messages.push_back({modulo(v + root, ranks), modulo(to + root, ranks),
                             v < halves.upper ? half : halves.end - halves.upper});
  }
  step.slots = [=](std::int64_t, const StepMessage& message) {
    return blocks_of_half(behind(message.source, root, ranks), half, ranks);
  };
  return step;
}

/// In the last group the upper half may lack ranks: those of the lower half without a partner get
/// its blocks from those with one, as MPICH does it.
StepSequence completion(int ranks, int root, std::int64_t half) {
  const Halves last = halves_of(ranks - 1, half, ranks);
  const std::int64_t has = last.end - last.upper;
  StepSequence steps;
  if (last.upper >= ranks || has == half) return steps;
  for (std::int64_t distance = half / 2; distance >= 1; distance /= 2) {
    CommunicationStep step;
    step.name = fmt::format("completion, distance {}", distance);
    for (std::int64_t v = last.lower; v < last.upper; ++v) {
      const std::int64_t group = v / (2 * distance) * (2 * distance);
      if ((v & distance) == 0 && v < group + has && v + distance >= group + has)
        step.messages.push_back({modulo(v + root, ranks), modulo(v + distance + root, ranks), has});
    }
    step.slots = [=](std::int64_t, const StepMessage&) {
      return slots_from(last.upper, has, ranks);
    };
    if (!step.messages.empty()) steps.push_back(std::move(step));
  }
  return steps;
}

/// Farthest partners first: each rank collects the blocks that agree with it in the lower bits.
CommunicationStep far_exchange(int ranks, int root, std::int64_t distance) {
  CommunicationStep step;
  step.name = fmt::format("distance {}", distance);
  for (std::int64_t v = 0; v < ranks; ++v)
    step.messages.push_back(
        {modulo(v + root, ranks), modulo((v ^ distance) + root, ranks), ranks / (2 * distance)});
  step.slots = [=](std::int64_t, const StepMessage& message) {
    std::vector<int> slots;
    for (std::int64_t v = behind(message.source, root, ranks) % (2 * distance); v < ranks;
         v += 2 * distance)
      slots.push_back(static_cast<int>(v));
    return slots;
  };
  return step;
}

}  // namespace

StepSequence scatter_blocks(int ranks, int root, bool doubling) {
  TreeFlow flow{ranks, root, 1, false};
  flow.count = [=](int child) { return subtree_of(child, ranks, doubling).count; };
  flow.slots = [=](std::int64_t, int child) {
    const Subtree subtree = subtree_of(child, ranks, doubling);
    std::vector<int> slots;
    for (std::int64_t i = 0; i < subtree.count; ++i)
      slots.push_back(static_cast<int>(child + i * subtree.stride));
    return slots;
  };
  return down_the_tree(binomial_tree(ranks, doubling), flow);
}

StepSequence allgather_blocks(int ranks, int root, bool doubling) {
  StepSequence steps;
  for (const std::int64_t distance : distances(ranks, doubling)) {
    steps.append(1, [=](std::int64_t) {
      return doubling ? exchange_of_halves(ranks, root, distance)
                      : far_exchange(ranks, root, distance);
    });
    if (doubling) steps.append(completion(ranks, root, distance));
  }
  return steps;
}

}  // namespace vtopo::detail::collectives
