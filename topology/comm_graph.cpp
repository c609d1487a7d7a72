#include "topology/comm_graph.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

void check_rank(Rank rank, int num_ranks) {
  if (number(rank) < 0 || number(rank) >= num_ranks)
    throw InputError(fmt::format("rank {} is outside 0..{}", number(rank), num_ranks - 1));
}

void check_edge(Rank source, Rank destination, Bytes volume, int num_ranks) {
  check_rank(source, num_ranks);
  check_rank(destination, num_ranks);
  if (!(volume >= Bytes{} && volume <= max_volume))
    throw InputError(fmt::format("volume {} of edge {} -> {} is outside 0..{} bytes", volume.value,
                                 number(source), number(destination), max_volume.value));
}

}  // namespace

CommGraph::CommGraph(int num_ranks) : CommGraph(num_ranks, {}) {}

CommGraph::CommGraph(int num_ranks, std::span<const DirectedEdge> edges) {
  if (num_ranks < 0)
    throw InputError(fmt::format("a graph of {} ranks: accepted are 0 or more", num_ranks));
  for (const auto& edge : edges) check_edge(edge.source, edge.destination, edge.volume, num_ranks);
  rows_ = CompressedRows<CommEdge>::sorted(
      index(num_ranks), edges, [](const DirectedEdge& edge) { return index(edge.source); },
      [](const DirectedEdge& edge) {
        return CommEdge{edge.volume, edge.destination, edge.messages};
      });
}

CommGraph::CommGraph(CompressedRows<CommEdge> rows) : rows_(std::move(rows)) {
  const int ranks = narrow<int>(rows_.num_rows());
  for (int r = 0; r < ranks; ++r)
    for (const CommEdge& edge : out_edges(Rank{r}))
      check_edge(Rank{r}, edge.destination, edge.volume, ranks);
}

Bytes CommGraph::total_volume() const {
  Bytes total;
  for (const CommEdge& edge : rows_.entries()) total += edge.volume;
  return total;
}

CommGraph per_message(const CommGraph& graph) {
  CompressedRows<CommEdge> rows;
  rows.reserve(index(graph.num_ranks()), graph.num_edges());
  for (int r = 0; r < graph.num_ranks(); ++r) {
    for (const CommEdge& edge : graph.out_edges(Rank{r})) {
      const double messages = edge.messages > 0 ? edge.messages : 1;
      rows.push({{edge.volume.value / messages}, edge.destination, edge.messages});
    }
    rows.end_row();
  }
  return CommGraph(std::move(rows));
}

namespace {

/// Sums the edges of one rank after the other.
class EdgeSums {
 public:
  explicit EdgeSums(int num_ranks) : place_(index(num_ranks), absent) {}

  void add(const CommEdge& edge, std::int64_t steps) {
    std::size_t& place = place_[index(edge.destination)];
    if (place == absent) {
      place = sums_.size();
      sums_.push_back({Bytes{0}, edge.destination, 0});
    }
    CommEdge& sum = sums_[place];
    sum.volume += edge.volume * static_cast<double>(steps);
    sum.messages =
        limited(sum.messages + static_cast<double>(edge.messages) * static_cast<double>(steps));
  }

  void end_rank(CompressedRows<CommEdge>& rows) {
    for (const CommEdge& sum : sums_) {
      rows.push(sum);
      place_[index(sum.destination)] = absent;
    }
    rows.end_row();
    sums_.clear();
  }

 private:
  static constexpr std::size_t absent = std::numeric_limits<std::size_t>::max();

  static int limited(double messages) {
    constexpr int most = std::numeric_limits<int>::max();
    return messages < static_cast<double>(most) ? static_cast<int>(messages) : most;
  }

  std::vector<std::size_t> place_;  ///< of a destination in `sums_`
  std::vector<CommEdge> sums_;
};

}  // namespace

int Schedule::num_lanes() const {
  int lanes = 1;
  for (const SchedulePhase& phase : phases) lanes = std::max(lanes, phase.lane + 1);
  return lanes;
}

void ScheduleBuilder::add(std::vector<SchedulePhase> phases, const std::string& name,
                          const std::string& with) {
  int stage = static_cast<int>(lanes_.size());
  if (!with.empty()) {
    const auto named = std::find_if(names_.rbegin(), names_.rend(),
                                    [&](const Named& one) { return one.name == with; });
    std::vector<std::string> names;
    for (const Named& one : names_) names.push_back(one.name);
    if (named == names_.rend())
      throw UsageError(
          fmt::format("with={}: no phase before it has name={}; {}", with, with,
                      names.empty() ? "none has a name" : "accepted: " + join(names, ", ")));
    stage = named->stage;
  } else {
    lanes_.push_back(0);
  }
  if (!name.empty()) names_.push_back({name, stage});
  const int lane = lanes_[index(stage)]++;
  for (SchedulePhase& phase : phases) {
    phase.stage = stage;
    phase.lane = lane;
  }
  const auto behind = std::find_if(schedule_.phases.begin(), schedule_.phases.end(),
                                   [&](const SchedulePhase& other) { return other.stage > stage; });
  schedule_.phases.insert(behind, std::make_move_iterator(phases.begin()),
                          std::make_move_iterator(phases.end()));
}

Schedule ScheduleBuilder::schedule() && {
  return std::move(schedule_);
}

CommGraph aggregated(const Schedule& schedule) {
  const auto& phases = schedule.phases;
  if (phases.size() == 1 && phases.front().repeat == 1) return phases.front().traffic;
  const int num_ranks = phases.front().traffic.num_ranks();
  EdgeSums sums(num_ranks);
  CompressedRows<CommEdge> rows;
  for (int r = 0; r < num_ranks; ++r) {
    for (const SchedulePhase& phase : phases)
      for (const CommEdge& edge : phase.traffic.out_edges(Rank{r})) sums.add(edge, phase.repeat);
    sums.end_rank(rows);
  }
  return CommGraph(std::move(rows));
}

}  // namespace vtopo
