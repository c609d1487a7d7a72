#include "sim/clock/simgrid/run_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "netmodels/process/child_process.hpp"
#include "sim/clock/simgrid/simulate_ranks.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo {

using namespace detail;

namespace {

void check(const Network& network, const RankOptions& options) {
  if (const auto reason = why_not_simulated(network, Solver::simgrid)) throw UsageError(*reason);
  if (!(options.loopback_bandwidth.value > 0))
    throw UsageError(
        fmt::format("loopback bandwidth {}: accepted is a number > 0 in bytes per second",
                    options.loopback_bandwidth.value));
  if (!(options.flops_per_second > 0) || std::isinf(options.flops_per_second))
    throw UsageError(
        fmt::format("{} flops per second: accepted is a number > 0", options.flops_per_second));
  if (options.stack_kib && (*options.stack_kib < 16 || *options.stack_kib > 1048576))
    throw UsageError(
        fmt::format("stack of {} KiB: accepted are 16 to 1048576", *options.stack_kib));
  if (options.time_limit && !(options.time_limit->value > 0))
    throw UsageError(
        fmt::format("time limit of {} s: accepted is a number > 0", options.time_limit->value));
  if (options.memory_limit && !(options.memory_limit->value >= 1))
    throw UsageError(fmt::format("memory limit of {} bytes: accepted is a number >= 1",
                                 options.memory_limit->value));
}

std::vector<DirectedEdge> edges_of(const std::vector<SentTraffic>& traffic) {
  std::vector<DirectedEdge> edges;
  edges.reserve(traffic.size());
  for (const SentTraffic& sent : traffic)
    edges.push_back({sent.source, sent.destination, Bytes{sent.bytes},
                     narrow<int>(std::min<std::int64_t>(sent.messages, max_id))});
  return edges;
}

std::optional<RankRecord> receive_record(const Channel& channel) {
  const auto rank = channel.receive_value<Rank>();
  const auto time = channel.receive_value<Seconds>();
  auto key = channel.receive_text();
  auto values = channel.receive_vector<double>();
  if (!rank || !time || !key || !values) return std::nullopt;
  return RankRecord{*rank, *time, *std::move(key), *std::move(values)};
}

/// The run as the child reports it; nothing if it does not get to the end.
std::optional<RankRun> receive_run(const Channel& channel) {
  const auto finish = channel.receive_vector<double>();
  const auto traffic = channel.receive_vector<SentTraffic>();
  const auto num_records = channel.receive_value<std::uint64_t>();
  if (!finish || !traffic || !num_records) return std::nullopt;
  RankRun run;
  for (const double time : *finish) {
    run.finish.push_back({time});
    run.makespan = std::max(run.makespan, Seconds{time});
  }
  run.traffic = CommGraph(int_size(*finish), edges_of(*traffic));
  while (run.records.size() < *num_records) {
    auto record = receive_record(channel);
    if (!record) return std::nullopt;
    run.records.push_back(*std::move(record));
  }
  return run;
}

}  // namespace

RankRun run_ranks(const Network& network, const Embedding& embedding, const RankOptions& options,
                  const std::function<void(const SimulatedRank&)>& function) {
  check(network, options);
  ChildProcess child(
      [&](Channel& channel) { simulate_ranks(channel, network, embedding, options, function); },
      simgrid_limits({options.time_limit, options.memory_limit}, embedding.num_ranks(),
                     stack_kib(options, embedding.num_ranks())));
  const auto report = child.channel().receive_value<RankReport>();
  if (report == RankReport::finished) {
    if (auto run = receive_run(child.channel())) return *std::move(run);
  } else if (report) {
    const auto sentence = child.channel().receive_text();
    if (sentence && *report == RankReport::deadlock) throw DeadlockError(*sentence);
    if (sentence) throw RankFunctionError(*sentence);
  }
  throw LoggedSimulationError("the simulation " + child.exit_description(), child.log());
}

}  // namespace vtopo
