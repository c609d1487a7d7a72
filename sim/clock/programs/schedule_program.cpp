#include "sim/clock/programs/schedule_program.hpp"

#include <algorithm>
#include <utility>

#include "topology/base/narrow.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

namespace {

/// What the ranks of a program do in one step: its messages, and then the wait for them.
class StepOfRanks {
 public:
  explicit StepOfRanks(int num_ranks) : ranks_(num_ranks) {}

  void add(Rank source, Rank destination, Bytes volume, MessageTag tag = {}) {
    OfRank& from = touched(source);
    from.sends.push_back(start_send(destination, volume, 0, tag));
    OfRank& to = touched(destination);
    to.receives.push_back(start_receive(source, volume, 0, tag));
    to.arriving += volume;
  }

  /// Ranks that take part.
  const std::vector<Rank>& ranks() const { return taking_part_; }

  /// Whether the rank is a source.
  bool sends(Rank rank) const { return !ranks_[rank].sends.empty(); }

  /// Appends what a rank does and forgets it.
  void move_to(Rank rank, bool combines, std::vector<Operation>& operations) {
    OfRank& own = ranks_[rank];
    std::int32_t request = 0;
    for (auto* part : {&own.receives, &own.sends})
      for (Operation& operation : *part) {
        operation.request = request++;
        operations.push_back(operation);
      }
    operations.push_back(wait_all());
    if (combines && own.arriving.value > 0) operations.push_back(reduce(own.arriving));
    own.receives.clear();
    own.sends.clear();
    own.arriving = {0};
  }

  void clear() { taking_part_.clear(); }

 private:
  struct OfRank {
    std::vector<Operation> receives, sends;
    Bytes arriving{0};
  };

  OfRank& touched(Rank rank) {
    OfRank& own = ranks_[rank];
    if (own.receives.empty() && own.sends.empty()) taking_part_.push_back(rank);
    return own;
  }

  IdVector<Rank, OfRank> ranks_;
  std::vector<Rank> taking_part_;
};

/// Appends a step of each rank that takes part, `times` times.
void append_step(StepOfRanks& step, bool combines, std::int64_t times, Program& program) {
  for (const Rank rank : step.ranks()) {
    auto& operations = program.ranks[rank];
    if (times > 1) operations.push_back(repeat(times));
    step.move_to(rank, combines, operations);
    if (times > 1) operations.push_back(end_repeat());
  }
  step.clear();
}

/// Phases of a schedule, one after the other, as operations of the lanes of its ranks.
class ScheduleProgram {
 public:
  ScheduleProgram(const Schedule& schedule, StepStart start)
      : schedule_(schedule),
        start_(start),
        num_ranks_(schedule.phases.front().traffic.num_ranks()),
        num_lanes_(schedule.num_lanes()),
        program_{IdVector<Rank, std::vector<Operation>>(num_ranks_ * num_lanes_)},
        step_(num_ranks_ * num_lanes_) {}

  Program program() && {
    const auto& phases = schedule_.phases;
    for (std::size_t p = 0; p < phases.size(); ++p) {
      if (p == 0 || phases[p].stage != phases[p - 1].stage) begin_stage(phases[p].stage);
      add_phase(phases[p], p);
      if (p + 1 == phases.size() || phases[p + 1].stage != phases[p].stage) end_stage();
    }
    return std::move(program_);
  }

 private:
  Rank lane_of(Rank rank, int lane) const { return Rank{lane * num_ranks_ + number(rank)}; }

  bool is_message(const SchedulePhase& phase, const CommEdge& edge) const {
    return is_sent(edge) || phase.sends_empty;
  }

  /// Lanes of ranks that have something to do in this stage wait for lane 0 of their rank.
  void begin_stage(int stage) {
    if (num_lanes_ == 1) return;
    in_stage_.assign(program_.num_ranks(), false);
    for (const SchedulePhase& phase : schedule_.phases)
      if (phase.stage == stage && phase.lane > 0)
        phase.traffic.for_each_edge([&](Rank source, const CommEdge& edge) {
          if (!is_message(phase, edge)) return;
          in_stage_[lane_of(source, phase.lane)] = true;
          in_stage_[lane_of(edge.destination, phase.lane)] = true;
        });
    if (start_ == StepStart::together)  // then all ranks take part
      for (const SchedulePhase& phase : schedule_.phases)
        if (phase.stage == stage && phase.lane > 0)
          for (int r = 0; r < num_ranks_; ++r) in_stage_[lane_of(Rank{r}, phase.lane)] = true;
    meet_lanes();
  }

  void end_stage() {
    if (num_lanes_ > 1) meet_lanes();
  }

  void meet_lanes() {
    for (int lane = 1; lane < num_lanes_; ++lane)
      for (int r = 0; r < num_ranks_; ++r) {
        const Rank other = lane_of(Rank{r}, lane);
        if (!in_stage_[other]) continue;
        const Operation meeting = barrier(num_lanes_ + 1 + number(other));
        program_.ranks[Rank{r}].push_back(meeting);
        program_.ranks[other].push_back(meeting);
      }
  }

  void add_phase(const SchedulePhase& phase, std::size_t number_of_phase) {
    const auto first_mark = narrow<std::int32_t>(2 * number_of_phase);
    phase.traffic.for_each_edge([&](Rank source, const CommEdge& edge) {
      if (is_message(phase, edge))
        step_.add(lane_of(source, phase.lane), lane_of(edge.destination, phase.lane), edge.volume);
    });
    for (const Rank rank : step_.ranks())
      if (step_.sends(rank)) program_.ranks[rank].push_back(mark(first_mark));
    if (phase.copied.value > 0) add_copies(phase);
    const std::vector<Rank> taking_part = step_.ranks();
    if (start_ == StepStart::by_rank)
      append_step(step_, phase.combines, phase.repeat, program_);
    else
      add_held_steps(phase);
    for (const Rank rank : taking_part) program_.ranks[rank].push_back(mark(first_mark + 1));
  }

  /// Of all ranks that do something in the stage.
  void add_copies(const SchedulePhase& phase) {
    for (int r = 0; r < num_ranks_; ++r) {
      const Rank rank = lane_of(Rank{r}, phase.lane);
      if (phase.lane == 0 || in_stage_[rank]) program_.ranks[rank].push_back(copy(phase.copied));
    }
  }

  /// Also ranks that have no messages come to the barrier behind each step.
  void add_held_steps(const SchedulePhase& phase) {
    IdVector<Rank, bool> takes_part(program_.num_ranks());
    for (const Rank rank : step_.ranks()) takes_part[rank] = true;
    for (int r = 0; r < num_ranks_; ++r) {
      const Rank rank = lane_of(Rank{r}, phase.lane);
      auto& operations = program_.ranks[rank];
      if (phase.repeat > 1) operations.push_back(repeat(phase.repeat));
      if (takes_part[rank]) step_.move_to(rank, phase.combines, operations);
      operations.push_back(barrier(1 + phase.lane));
      if (phase.repeat > 1) operations.push_back(end_repeat());
    }
    step_.clear();
  }

  const Schedule& schedule_;
  StepStart start_;
  int num_ranks_, num_lanes_;
  Program program_;
  StepOfRanks step_;
  IdVector<Rank, bool> in_stage_;  ///< lanes that do something in the stage
};

}  // namespace

Program program_of(const Schedule& schedule, StepStart start) {
  return ScheduleProgram(schedule, start).program();
}

Program beside(Program program, const CommGraph& others) {
  const int first = program.num_ranks();
  StepOfRanks step(first + others.num_ranks());
  for (int r = 0; r < others.num_ranks(); ++r) program.ranks.push_back({});
  others.for_each_edge([&](Rank source, const CommEdge& edge) {
    if (is_sent(edge))
      step.add(Rank{first + number(source)}, Rank{first + number(edge.destination)}, edge.volume);
  });
  append_step(step, false, 1, program);
  return program;
}

void append(Program& program, const CommunicationSteps& steps, Bytes volume,
            std::span<const Rank> members, std::int32_t communicator) {
  StepOfRanks of_ranks(program.num_ranks());
  if (const Bytes copied = steps.copied(volume); copied.value > 0)
    for (const Rank member : members) program.ranks[member].push_back(copy(copied));
  for (const CommunicationStep& step : steps.steps) {
    for (const StepMessage& message : step.messages)
      of_ranks.add(members[index(message.source)], members[index(message.destination)],
                   volume * steps.slot_share * static_cast<double>(message.slots),
                   {.tag = 0, .communicator = communicator});
    append_step(of_ranks, step.effect == StepEffect::combine, step.rounds, program);
  }
}

Program program_of(const CommunicationSteps& steps, Bytes volume, std::span<const Rank> members,
                   int num_ranks) {
  Program program{IdVector<Rank, std::vector<Operation>>(num_ranks)};
  append(program, steps, volume, members);
  return program;
}

}  // namespace vtopo::detail
