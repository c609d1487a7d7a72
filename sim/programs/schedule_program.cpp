#include "sim/programs/schedule_program.hpp"

namespace vtopo {

namespace {

/// One step of a phase; empty for ranks that neither send nor receive.
IdVector<Rank, std::vector<Operation>> step_of(const CommGraph& traffic) {
  IdVector<Rank, std::vector<Operation>> ranks(traffic.num_ranks());
  const auto next_request = [&](Rank rank) {
    return static_cast<std::int32_t>(ranks[rank].size());
  };
  traffic.for_each_edge([&](Rank source, const CommEdge& edge) {
    if (edge.volume.value <= 0) return;
    ranks[source].push_back(start_send(edge.destination, edge.volume, next_request(source)));
    ranks[edge.destination].push_back(
        start_receive(source, edge.volume, next_request(edge.destination)));
  });
  for (auto& operations : ranks)
    if (!operations.empty()) operations.push_back(wait_all());
  return ranks;
}

void append(std::vector<Operation>& operations, const std::vector<Operation>& step,
            std::int64_t times) {
  if (step.empty()) return;
  if (times > 1) operations.push_back(repeat(times));
  operations.insert(operations.end(), step.begin(), step.end());
  if (times > 1) operations.push_back(end_repeat());
}

}  // namespace

Program program_of(const Schedule& schedule, StepStart start) {
  Program program{
      IdVector<Rank, std::vector<Operation>>(schedule.phases.front().traffic.num_ranks())};
  for (const SchedulePhase& phase : schedule.phases) {
    auto step = step_of(phase.traffic);
    for (int r = 0; r < program.num_ranks(); ++r) {
      if (start == StepStart::together) step[Rank{r}].push_back(barrier());
      append(program.ranks[Rank{r}], step[Rank{r}], phase.repeat);
    }
  }
  return program;
}

}  // namespace vtopo
