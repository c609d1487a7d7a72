#include "sim/research/bench/isolated_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "netmodels/process/child_process.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

using Clock = std::chrono::steady_clock;

/// Memory of this process, in bytes (proc(5): statm counts pages).
double own_resident() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

struct ChildAnswer {
  RunStatus status = RunStatus::failed;
  double seconds = 0;
};

std::vector<HostId> mapped_hosts(const MapperSpec& spec, const MappingProblem& problem,
                                 SearchControl control, const RunLimits& limits,
                                 ChildAnswer& answer) {
  control.progress = nullptr;
  const auto start = Clock::now();
  if (limits.deadline)
    control.deadline = start + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(limits.deadline->value));
  std::vector<HostId> hosts = run_mapper(spec, problem, control).hosts();
  answer = {RunStatus::ok, std::chrono::duration<double>(Clock::now() - start).count()};
  return hosts;
}

/// The child's side: its size before it starts, then how it went, then hosts or words.
void run_in_child(Channel& channel, const MapperSpec& spec, const MappingProblem& problem,
                  const SearchControl& control, const RunLimits& limits) {
  channel.send_value(own_resident());
  ChildAnswer answer;
  try {
    const std::vector<HostId> hosts = mapped_hosts(spec, problem, control, limits, answer);
    channel.send_value(answer);
    channel.send_vector(hosts);
  } catch (const Error& error) {
    channel.send_value(answer);
    channel.send_text(error.what());
  }
}

/// Reads what the child says after its size.
void receive_result(ChildProcess& child, const MappingProblem& problem, const RunLimits& limits,
                    IsolatedRun& run) {
  const Channel& channel = child.channel();
  const auto answer = channel.receive_value<ChildAnswer>();
  if (answer && answer->status == RunStatus::failed) {
    run.words = channel.receive_text().value_or("said nothing");
  } else if (auto hosts = answer ? channel.receive_vector<HostId>() : std::nullopt) {
    run.embedding.emplace(*std::move(hosts), problem.allocation);
    run.mapping_time = Seconds{answer->seconds};
    run.status = RunStatus::ok;
  } else if (child.limit_hit() == LimitHit::time) {
    run.status = RunStatus::timed_out;
    run.words = fmt::format("takes more than {}", format_seconds(limits.time));
  } else if (child.limit_hit() == LimitHit::memory) {
    run.status = RunStatus::out_of_memory;
    run.words = fmt::format("needs more than {}", format_bytes(limits.memory));
  } else {
    run.words = child.exit_description();
  }
}

}  // namespace

std::string_view to_string(RunStatus status) {
  switch (status) {
    case RunStatus::ok:
      return "ok";
    case RunStatus::not_applicable:
      return "not applicable";
    case RunStatus::timed_out:
      return "timed out";
    case RunStatus::out_of_memory:
      return "out of memory";
    case RunStatus::failed:
      break;
  }
  return "failed";
}

IsolatedRun run_isolated(const MapperSpec& spec, const MappingProblem& problem,
                         const SearchControl& control, const RunLimits& limits) {
  IsolatedRun run;
  MappingProblem asked = problem;
  asked.options = spec.options;  // an option may be what the mapper needs
  if (const auto reason = unsupported_reason(spec, asked)) {
    run.status = RunStatus::not_applicable;
    run.words = *reason;
    return run;
  }
  constexpr bool memory_is_usual = true;  // a crash is described without it
  ChildProcess child(
      [&](Channel& channel) { run_in_child(channel, spec, problem, control, limits); },
      {limits.time, limits.memory, memory_is_usual});
  const auto before = child.channel().receive_value<double>();
  try {
    receive_result(child, problem, limits, run);
  } catch (const FitError& error) {
    run.words = error.what();
  }
  const ProcessEnd& end = child.end();
  run.cpu_time = end.cpu;
  run.memory = Bytes{std::max(0.0, end.peak.value - before.value_or(0))};
  return run;
}

}  // namespace vtopo::detail
