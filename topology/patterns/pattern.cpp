#include "topology/patterns/pattern.hpp"

#include <algorithm>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/text.hpp"
#include "topology/patterns/collectives.hpp"
#include "topology/patterns/permutations.hpp"

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

namespace {

Bytes only_volume(const PatternSpec& spec, std::span<const Bytes> volume) {
  if (volume.size() == 1) return volume.front();
  throw UsageError(fmt::format("{} volumes, and the pattern has one: give it bytes={}",
                               volume.size(), spec.name == "alltoall" ? "8KiB" : "1MiB"));
}

/// Dimensions of a program's grid that remain, as `sub=tp-dp` names them.
std::vector<bool> remaining_axes(std::string_view sub, const GuestTopology& topology) {
  const auto* program = std::get_if<ParallelProgram>(&topology.kind);
  if (program == nullptr)
    throw UsageError(
        fmt::format("sub={} names axes, which only parallel: has; accepted is 0 or 1 per "
                    "dimension, such as 1-0",
                    sub));
  std::vector<std::string> names;
  for (const ParallelAxis& axis : program->axes) names.push_back(axis.name);
  std::vector<bool> remain(names.size());
  for (const auto name : split(sub, '-')) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw UsageError(fmt::format("sub={}: there is no axis \"{}\"; accepted: {}{}", sub, name,
                                   join(names, ", "), suggestion(name, names)));
    // Dimensions are the axes in reverse.
    const auto dimension = names.size() - 1 - static_cast<std::size_t>(found - names.begin());
    if (remain[dimension])
      throw UsageError(fmt::format("sub={} names the axis {} twice", sub, name));
    remain[dimension] = true;
  }
  return remain;
}

/// Dimensions of a grid that remain, as `sub` says it.
std::vector<bool> remaining_dimensions(std::string_view sub, const GuestTopology& topology) {
  const Cartesian* grid = grid_inside(topology);
  if (grid == nullptr)
    throw UsageError("the topology is not a Cartesian grid, of which sub takes dimensions");
  if (names_axes(sub)) return remaining_axes(sub, topology);
  const auto flags = dashed_numbers(sub);
  if (flags.size() != grid->dimensions().size())
    throw UsageError(
        fmt::format("sub={} is a list of {}; accepted is 0 or 1 for each of {} dimensions", sub,
                    flags.size(), grid->dimensions().size()));
  return {flags.begin(), flags.end()};
}

/// The communicators of MPI_Cart_sub, or the one of all ranks: all alike but for their members.
class Communicators {
 public:
  Communicators(const PatternSpec& spec, const GuestTopology& topology)
      : num_ranks_(num_ranks(topology)) {
    if (const Cartesian* grid = grid_inside(topology)) grid_ = *grid;
    const auto sub = spec.options.find("sub");
    if (sub != spec.options.end()) cut(remaining_dimensions(sub->second, topology));
  }

  PatternCommunicator each() const { return {size(), grid_ ? &*grid_ : nullptr}; }
  int count() const { return num_ranks_ / size(); }

  /// Rank in the whole topology.
  Rank member(int communicator, int rank) const {
    if (members_.empty()) return Rank{rank};
    return members_[index(communicator) * index(size()) + index(rank)];
  }

 private:
  int size() const { return members_.empty() ? num_ranks_ : grid_->num_ranks(); }

  void cut(const std::vector<bool>& remain) {
    const Cartesian whole = *grid_;
    const Cartesian part = whole.sub(remain);
    const auto size = index(part.num_ranks());
    members_.resize(index(num_ranks_));
    for (int r = 0; r < num_ranks_; ++r) {
      const SubgridPlace place = whole.sub_place(remain, Rank{r});
      members_[index(place.subgrid) * size + index(place.rank)] = Rank{r};
    }
    grid_ = part;
  }

  int num_ranks_;
  std::optional<Cartesian> grid_;  ///< of each
  std::vector<Rank> members_;      ///< communicator after communicator; empty: all ranks are one
};

void check_size(const PatternSpec& spec, const Communicators& communicators) {
  const auto algorithm = spec.options.find("algorithm");
  const bool all_pairs = spec.name == "alltoall" &&
                         (algorithm == spec.options.end() ||
                          (algorithm->second != "bruck" && algorithm->second != "hierarchical"));
  const double ranks = communicators.each().num_ranks;
  const double messages = (all_pairs ? ranks - 1 : 1) * ranks * communicators.count();
  if (messages > max_pattern_messages)
    throw UsageError(
        fmt::format("{:.3g} messages between all pairs of {} ranks: at most {:.3g} "
                    "are listed; sub=... or algorithm=bruck has fewer",
                    messages, ranks, max_pattern_messages));
}

CommGraph step_traffic(const CommunicationStep& step, Bytes slot, int num_ranks,
                       const Communicators& communicators) {
  std::vector<DirectedEdge> edges;
  edges.reserve(step.messages.size() * index(communicators.count()));
  for (int c = 0; c < communicators.count(); ++c)
    for (const StepMessage& message : step.messages)
      edges.push_back({communicators.member(c, message.source),
                       communicators.member(c, message.destination),
                       slot * static_cast<double>(message.slots)});
  return CommGraph(num_ranks, edges);
}

/// The pattern with the ranks that a node has of each communicator instead of those of all.
PatternSpec in_communicators(PatternSpec spec, const Communicators& communicators) {
  const auto given = spec.options.find("ranks_per_node");
  if (given == spec.options.end()) return spec;
  const std::int64_t per_node = *parse_integer(given->second);
  const int ranks = communicators.each().num_ranks;
  const auto node = [&](int communicator, int rank) {
    return number(communicators.member(communicator, rank)) / per_node;
  };
  int share = 1;
  while (share < ranks && node(0, share) == node(0, 0)) ++share;
  for (int c = 0; c < communicators.count(); ++c)
    for (int r = 1; r < ranks; ++r)
      if ((node(c, r) == node(c, r - 1)) != (r % share != 0))
        throw UsageError(fmt::format(
            "nodes of ranks_per_node={} do not have equally many of {} ranks, next to each other",
            per_node, ranks));
  given->second = std::to_string(share);
  return spec;
}

std::vector<SchedulePhase> communicator_phases(const PatternSpec& given,
                                               const GuestTopology& topology, Bytes volume) {
  const int num_ranks = vtopo::num_ranks(topology);
  const Communicators communicators(given, topology);
  const PatternSpec spec = in_communicators(given, communicators);
  check_size(spec, communicators);
  const CommunicationSteps steps = pattern_steps(spec, communicators.each(), volume);
  std::vector<SchedulePhase> phases;
  double listed = 0;
  for (const CommunicationStep& step : steps.steps) {
    phases.push_back({step.name.empty() ? spec.name : spec.name + ": " + step.name,
                      step_traffic(step, volume * steps.slot_share, num_ranks, communicators),
                      step.rounds, step.effect == StepEffect::combine, steps.slot_share == 0});
    listed += static_cast<double>(phases.back().traffic.num_edges()) + num_ranks / 5.0;
    if (listed > max_pattern_messages)
      throw UsageError(fmt::format(
          "{} steps of {} ranks are more than {:.3g} messages, which is the most that are listed; "
          "sub=... or another algorithm has fewer",
          steps.steps.size(), num_ranks, max_pattern_messages));
  }
  if (!phases.empty()) phases.front().copied = steps.copied(volume);
  return phases;
}

/// -1 and +1 in every dimension.
Stencil shifts_of(const Cartesian& grid) {
  Stencil stencil{grid, {}, VolumeClass::dimension, true};
  for (std::size_t d = 0; d < grid.dimensions().size(); ++d)
    for (const int displacement : {-1, 1}) {
      stencil.offsets.emplace_back(grid.dimensions().size(), 0);
      stencil.offsets.back()[d] = displacement;
    }
  return stencil;
}

/// `dimension 0, +1`, or `offset -1 0 1` where more than one dimension is left.
std::string offset_name(const GridOffset& offset) {
  std::size_t moved = 0, dimension = 0;
  std::string all;
  for (std::size_t d = 0; d < offset.size(); ++d) {
    all += fmt::format(" {}", offset[d]);
    if (offset[d] == 0) continue;
    ++moved;
    dimension = d;
  }
  return moved == 1 ? fmt::format("dimension {}, {:+}", dimension, offset[dimension])
                    : "offset" + all;
}

std::vector<SchedulePhase> shift_phases(const Stencil& stencil, std::span<const Bytes> volume) {
  std::vector<SchedulePhase> phases;
  for (const GridOffset& offset : stencil.offsets) {
    const Stencil one{stencil.grid, {offset}, stencil.volume_class};
    phases.push_back({"phased: " + offset_name(offset), make_comm_graph(one, volume), 1});
    if (phases.back().traffic.num_edges() == 0) phases.pop_back();
  }
  return phases;
}

std::vector<SchedulePhase> phased(const GuestTopology& topology, std::span<const Bytes> volume) {
  if (const auto* stencil = std::get_if<Stencil>(&topology.kind))
    return shift_phases(*stencil, volume);
  if (const Cartesian* grid = grid_inside(topology)) return shift_phases(shifts_of(*grid), volume);
  throw UsageError("the topology is not a Cartesian grid, along whose dimensions ranks shift");
}

CommGraph equal_volumes(const CommGraph& graph, Bytes volume) {
  CompressedRows<CommEdge> rows;
  rows.reserve(index(graph.num_ranks()), graph.num_edges());
  for (int r = 0; r < graph.num_ranks(); ++r) {
    for (const CommEdge& edge : graph.out_edges(Rank{r}))
      rows.push({volume, edge.destination, edge.messages});
    rows.end_row();
  }
  return CommGraph(std::move(rows));
}

/// @param topology not shuffled.
std::vector<SchedulePhase> phases_in_order(const PatternSpec& spec, const GuestTopology& topology,
                                           std::span<const Bytes> volume) {
  if (spec.name == "halo") return {{"halo", make_comm_graph(topology, volume), 1}};
  if (spec.name == "phased") return phased(topology, volume);
  const Bytes one = only_volume(spec, volume);
  if (spec.name == "neighbor_alltoall")
    return {{spec.name, equal_volumes(make_comm_graph(topology, {&one, 1}), one), 1}};
  return communicator_phases(spec, topology, one);
}

std::vector<SchedulePhase> checked_phases(const PatternSpec& spec, const GuestTopology& topology,
                                          std::span<const Bytes> volume) {
  try {
    return phases_in_order(spec, topology, volume);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("pattern {}: {}", to_string(spec), error.what()));
  }
}

}  // namespace

std::vector<SchedulePhase> make_phases(const PatternSpec& spec, const GuestTopology& topology,
                                       std::span<const Bytes> volume) {
  std::vector<Bytes> volumes(volume.begin(), volume.end());
  if (const auto bytes = spec.options.find("bytes"); bytes != spec.options.end())
    volumes = {parse_bytes(bytes->second)};
  GuestTopology inside = topology;
  inside.shuffle_seed.reset();
  auto phases = checked_phases(spec, inside, volumes);
  if (phases.empty()) phases.push_back({spec.name, CommGraph(num_ranks(topology)), 1});
  const auto repeat = spec.options.find("repeat");
  const auto name = spec.options.find("name");
  for (SchedulePhase& phase : phases) {
    if (name != spec.options.end()) phase.name = name->second + phase.name.substr(spec.name.size());
    if (topology.shuffle_seed) phase.traffic = shuffled(phase.traffic, *topology.shuffle_seed);
    if (repeat == spec.options.end()) continue;
    const std::int64_t times = *parse_integer(repeat->second);
    phase.repeat *= times;
    phase.copied = phase.copied * static_cast<double>(times);
  }
  return phases;
}

void add_pattern(const PatternSpec& spec, const GuestTopology& topology,
                 std::span<const Bytes> volume, ScheduleBuilder& builder) {
  const auto option = [&](std::string_view key) {
    const auto found = spec.options.find(key);
    return found == spec.options.end() ? std::string() : found->second;
  };
  auto phases = make_phases(spec, topology, volume);
  try {
    builder.add(std::move(phases), option("name"), option("with"));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("pattern {}: {}", to_string(spec), error.what()));
  }
}

Schedule make_schedule(std::span<const PatternSpec> specs, const GuestTopology& topology,
                       std::span<const Bytes> volume) {
  ScheduleBuilder builder;
  for (const PatternSpec& spec : specs) add_pattern(spec, topology, volume, builder);
  return std::move(builder).schedule();
}

}  // namespace vtopo
