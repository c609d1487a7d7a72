#include "cli/verbs/topology/topology_inquiry.hpp"

#include <algorithm>
#include <limits>

#include "topology/base/error.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Ranks that a table or a list of subgrids shows at most.
constexpr int max_listed_ranks = 1 << 20;

/// Integer of an option, such as the 1 in `--shift 0,1`.
int parse_int(std::string_view text, std::string_view option, std::string_view whole) {
  const auto value = parse_integer(text);
  if (!value || !std::in_range<int>(*value))
    throw UsageError(fmt::format("\"{}\" in {} \"{}\" is not an integer in {}..{}", text, option,
                                 whole, std::numeric_limits<int>::min(),
                                 std::numeric_limits<int>::max()));
  return narrow<int>(*value);
}

/// Integers between commas; none in an empty text, which belongs to a grid of zero dimensions.
std::vector<int> parse_ints(std::string_view text, std::string_view option) {
  std::vector<int> values;
  if (text.empty()) return values;
  for (const auto piece : split(text, ',')) values.push_back(parse_int(piece, option, text));
  return values;
}

Rank parse_rank(const std::string& text, std::string_view option) {
  return Rank{parse_int(text, option, text)};
}

/// The ranks of `--of`, or all.
std::vector<Rank> parse_callers(const TopologyQuestions& questions, const Communicator& comm) {
  std::vector<Rank> callers;
  for (const auto& list : questions.of)
    for (const auto piece : split(list, ','))
      callers.push_back(Rank{parse_int(piece, "--of", list)});
  if (!questions.of.empty()) return callers;
  if (comm.size() > max_listed_ranks)
    throw UsageError(
        fmt::format("a table of {} ranks is too long: accepted are up to {}, or name some with "
                    "--of R",
                    comm.size(), max_listed_ranks));
  return all_ranks(comm.size());
}

ShiftAnswer answer_shift(const std::string& text, std::span<const Rank> callers,
                         const Communicator& comm) {
  const auto values = parse_ints(text, "--shift");
  if (values.size() != 2)
    throw UsageError(
        fmt::format("--shift \"{}\" is not two integers: accepted is DIM,DISP, such as 0,1", text));
  ShiftAnswer result{values[0], values[1], {}};
  for (const Rank caller : callers)
    result.ranks.emplace_back(caller, cart_shift(comm, caller, values[0], values[1]));
  return result;
}

NeighborsAnswer answer_neighbors(const std::string& text, const Communicator& comm) {
  const Rank rank = parse_rank(text, "--neighbors");
  NeighborsAnswer result{rank, neighbourhood(*comm.topology(), rank), {}, {}};
  if (topo_test(comm) != TopologyKind::dist_graph) return result;
  auto edges = dist_graph_neighbors(comm, rank);
  result.source_weights = std::move(edges.source_weights);
  result.destination_weights = std::move(edges.destination_weights);
  return result;
}

std::vector<bool> parse_remain_dims(const std::string& text) {
  std::vector<bool> remain;
  for (const int value : parse_ints(text, "--sub")) {
    if (value != 0 && value != 1)
      throw UsageError(
          fmt::format("{} in --sub \"{}\": accepted are 1 (the dimension remains) and 0 (it is "
                      "dropped)",
                      value, text));
    remain.push_back(value == 1);
  }
  return remain;
}

std::vector<Rank> old_ranks(const Communicator& part, const Communicator& comm) {
  std::vector<Rank> ranks;
  ranks.reserve(static_cast<std::size_t>(part.size()));
  for (int r = 0; r < part.size(); ++r) ranks.push_back(*comm.rank_of(part.process(Rank{r})));
  return ranks;
}

/// Communicators of the partition that the callers get, each once.
std::vector<Communicator> parts_of(const Partition& partition, std::span<const Rank> callers) {
  std::vector<Communicator> parts;
  for (const Rank caller : callers) {
    const Communicator part = *partition.of(caller);
    const auto same = [&](const Communicator& other) { return part.same_context(other); };
    if (std::none_of(parts.begin(), parts.end(), same)) parts.push_back(part);
  }
  return parts;
}

SubAnswer answer_sub(const std::string& text, const TopologyQuestions& questions,
                     const Communicator& comm) {
  SubAnswer result{parse_remain_dims(text), {}, {}};
  if (comm.size() > max_listed_ranks)
    throw UsageError(
        fmt::format("a list of the subgrids of {} ranks is too long: accepted are up to {}",
                    comm.size(), max_listed_ranks));
  const Partition partition = cart_sub(comm, result.remain_dims);
  std::vector<Communicator> parts(partition.parts().begin(), partition.parts().end());
  if (!questions.of.empty()) parts = parts_of(partition, parse_callers(questions, comm));
  for (const Communicator& part : parts) result.communicators.push_back(old_ranks(part, comm));
  result.dimensions = cart_get(partition.parts()[0], Rank{0}).dimensions;
  return result;
}

/// What is known without a question.
TopologyAnswers describe(const TopologyQuestions& questions, const Communicator& comm) {
  TopologyAnswers answers;
  answers.specification = questions.specification;
  answers.kind = *topo_test(comm);
  answers.num_ranks = comm.size();
  if (answers.kind == TopologyKind::cart) answers.dimensions = cart_get(comm, Rank{0}).dimensions;
  if (answers.kind == TopologyKind::graph) answers.graphdims = graphdims_get(comm);
  return answers;
}

}  // namespace

std::string_view mpi_name(TopologyKind kind) {
  if (kind == TopologyKind::cart) return "MPI_CART";
  return kind == TopologyKind::graph ? "MPI_GRAPH" : "MPI_DIST_GRAPH";
}

TopologyAnswers answer(const TopologyQuestions& questions) {
  if (!questions.of.empty() && questions.shift.empty() && questions.sub.empty())
    throw UsageError("--of R chooses among the answers to --shift and --sub: give one of them");
  VirtualTopology topology = parse_virtual_topology(questions.specification);
  auto group = ProcessGroup::consecutive(ProcessId{0}, num_ranks(topology));
  const Communicator comm(std::move(group), std::move(topology));
  TopologyAnswers answers = describe(questions, comm);
  for (const auto& text : questions.coords) {
    const Rank rank = parse_rank(text, "--coords");
    answers.coords.push_back({rank, cart_coords(comm, rank)});
  }
  for (const auto& text : questions.rank) {
    auto coords = parse_ints(text, "--rank");
    const Rank rank = cart_rank(comm, coords);
    answers.rank.push_back({std::move(coords), rank});
  }
  if (!questions.shift.empty()) {
    const auto callers = parse_callers(questions, comm);
    for (const auto& text : questions.shift)
      answers.shift.push_back(answer_shift(text, callers, comm));
  }
  for (const auto& text : questions.neighbors)
    answers.neighbors.push_back(answer_neighbors(text, comm));
  for (const auto& text : questions.sub) answers.sub.push_back(answer_sub(text, questions, comm));
  return answers;
}

}  // namespace vtopo::detail
