#include "sim/clock/simgrid/run_program.hpp"

#include <map>
#include <utility>
#include <vector>

#include "sim/clock/programs/program.hpp"
#include "sim/clock/simgrid/replay.hpp"
#include "sim/clock/simgrid_clock.hpp"
#include "topology/mpi/communicator.hpp"

namespace vtopo::detail {

namespace {

using Kind = Operation::Kind;

/// One number for each pair of communicator and tag.
class TagNumbers {
 public:
  explicit TagNumbers(const Program& program) {
    for (const auto& operations : program.ranks)
      for (const Operation& operation : operations)
        numbers_.emplace(std::pair(operation.communicator, operation.tag),
                         static_cast<int>(numbers_.size()));
  }

  int operator()(const Operation& operation) const {
    return numbers_.at({operation.communicator, operation.tag});
  }

 private:
  std::map<std::pair<std::int32_t, std::int32_t>, int> numbers_;
};

/// A communicator for each group of barriers.
class BarrierGroups {
 public:
  explicit BarrierGroups(const Program& program) {
    std::map<std::int32_t, std::vector<ProcessId>> members;
    for (int r = 0; r < program.num_ranks(); ++r)
      for (const Operation& operation : program.ranks[Rank{r}]) {
        if (operation.kind != Kind::barrier || operation.request == 0) continue;
        auto& ranks = members[operation.request];
        if (ranks.empty() || ranks.back() != ProcessId{r}) ranks.push_back(ProcessId{r});
      }
    for (auto& [group, ranks] : members)
      groups_.emplace(group, Communicator(ProcessGroup(std::move(ranks))));
  }

  void wait(const SimulatedRank& rank, std::int32_t group) const {
    if (group == 0)
      rank.barrier();
    else
      rank.on(groups_.at(group)).barrier();
  }

 private:
  std::map<std::int32_t, Communicator> groups_;
};

/// A rank that does its operations.
class ProgramRank {
 public:
  ProgramRank(const SimulatedRank& self, const std::vector<Operation>& operations,
              const TagNumbers& tags, const BarrierGroups& barriers,
              BytesPerSecond memory_bandwidth)
      : self_(self),
        operations_(operations),
        tags_(tags),
        barriers_(barriers),
        memory_bandwidth_(memory_bandwidth) {}

  void run() {
    for (next_ = 0; next_ < operations_.size(); ++next_) perform(operations_[next_]);
    const double times[] = {computing_, waiting_};
    self_.record("times", times);
  }

 private:
  struct Loop {
    std::size_t begin;
    double left;
  };

  void perform(const Operation& operation) {
    const std::optional<Rank> peer{Rank{operation.peer}};
    const Bytes volume{operation.amount};
    switch (operation.kind) {
      case Kind::send:
        wait_for(self_.start_send(peer, volume, tags_(operation)));
        break;
      case Kind::receive:
        wait_for(self_.start_receive(peer, tags_(operation)));
        break;
      case Kind::start_send:
        requests_[operation.request] = self_.start_send(peer, volume, tags_(operation));
        break;
      case Kind::start_receive:
        requests_[operation.request] = self_.start_receive(peer, tags_(operation));
        break;
      case Kind::wait:
        wait_for(requests_.at(operation.request));
        requests_.erase(operation.request);
        break;
      case Kind::wait_any:
        if (left_in_group_ == 0) watch_group();
        left_in_group_ = operation.amount;
        timed([&] { self_.wait_next(); });
        break;
      case Kind::wait_all:
        for (const auto& [number, request] : requests_) wait_for(request);
        requests_.clear();
        break;
      case Kind::compute:
        compute(operation.amount);
        break;
      case Kind::reduce:
        break;  // takes no time without costs of endpoints
      case Kind::copy:
        compute(operation.amount / memory_bandwidth_.value);
        break;
      case Kind::barrier:
        timed([&] { barriers_.wait(self_, operation.request); });
        break;
      case Kind::mark:
        self_.record("mark", operation.request);
        break;
      case Kind::repeat:
        loops_.push_back({next_, operation.amount});
        break;
      case Kind::end_repeat:
        end_loop_body();
        break;
    }
  }

  void watch_group() {
    std::vector<SimulatedRank::Request> group;
    for (const std::int32_t number : requests_of_group(operations_, next_)) {
      group.push_back(requests_.at(number));
      requests_.erase(number);
    }
    self_.watch(group);
  }

  void end_loop_body() {
    if (--loops_.back().left > 0)
      next_ = loops_.back().begin;
    else
      loops_.pop_back();
  }

  template <class Work>
  void timed(Work&& work) {
    const Seconds before = self_.time();
    work();
    waiting_ += self_.time().value - before.value;
  }

  void compute(double seconds) {
    computing_ += seconds;
    self_.compute({seconds});
  }

  void wait_for(SimulatedRank::Request request) {
    timed([&] { self_.wait(request); });
  }

  const SimulatedRank& self_;
  const std::vector<Operation>& operations_;
  const TagNumbers& tags_;
  const BarrierGroups& barriers_;
  BytesPerSecond memory_bandwidth_;
  std::size_t next_ = 0;
  std::vector<Loop> loops_;
  std::map<std::int32_t, SimulatedRank::Request> requests_;
  double left_in_group_ = 0;  ///< waits for any of several requests
  double computing_ = 0, waiting_ = 0;
};

ProgramTimes run_as_simulated(const Program& program, const Network& network,
                              const Embedding& embedding, const SimulationOptions& how) {
  return run_program(program, network, embedding,
                     {.model = how.model,
                      .loopback_bandwidth = how.loopback_bandwidth,
                      .time_limit = how.time_limit,
                      .memory_limit = how.memory_limit});
}

}  // namespace

/// Named by the link options of vtopo::simgrid: without them the linker would leave out this
/// object, which the core does not name.
constinit const SimgridClock vtopo_simgrid_clock{replay, run_as_simulated};

ProgramTimes run_program(const Program& program, const Network& network, const Embedding& embedding,
                         const RankOptions& options) {
  check_program(program, network, embedding);
  const TagNumbers tags(program);
  const BarrierGroups barriers(program);
  const RankRun run = run_ranks(network, embedding, options, [&](const SimulatedRank& self) {
    ProgramRank(self, program.ranks[self.rank()], tags, barriers, options.loopback_bandwidth).run();
  });
  ProgramTimes times{run.makespan, IdVector<Rank, RankTimes>(program.num_ranks()),
                     std::vector<MarkTimes>(index(num_marks(program)))};
  for (const RankRecord& record : run.records)
    if (record.key == "mark")
      times.marks[static_cast<std::size_t>(record.values[0])].add(record.time);
    else
      times.ranks[record.rank] = {run.finish[index(record.rank)], Seconds{record.values[0]},
                                  Seconds{record.values[1]}};
  return times;
}

}  // namespace vtopo::detail
