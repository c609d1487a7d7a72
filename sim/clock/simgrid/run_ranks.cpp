#include "sim/clock/simgrid/run_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "netmodels/process/child_process.hpp"
#include "sim/clock/simgrid/rank_stage.hpp"
#include "sim/clock/simgrid/simulate_ranks.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/mpi/communicator.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo {

using namespace detail;

namespace {

Rank rank_on(const Communicator& communicator, Rank world_rank) {
  const auto rank = communicator.rank_of(ProcessId{number(world_rank)});
  if (!rank)
    throw UsageError(
        fmt::format("rank {} of the job is not in the communicator", number(world_rank)));
  return *rank;
}

Parcel parcel_of(std::span<const std::byte> data) {
  return {{data.begin(), data.end()}, Bytes{static_cast<double>(data.size())}};
}

}  // namespace

SimulatedRank::SimulatedRank(RankStage& stage, const Communicator& communicator, Rank world_rank)
    : stage_(&stage),
      communicator_(&communicator),
      context_(stage.context_of(communicator)),
      rank_(rank_on(communicator, world_rank)),
      world_rank_(world_rank) {}

Seconds SimulatedRank::time() const {
  return stage_->now();
}

SimulatedRank SimulatedRank::on(const Communicator& communicator) const {
  return {*stage_, communicator, world_rank_};
}

std::vector<int> SimulatedRank::coords() const {
  return cart_coords(*communicator_, rank_);
}

ShiftRanks SimulatedRank::shift(int direction, int displacement) const {
  return cart_shift(*communicator_, rank_, direction, displacement);
}

void SimulatedRank::compute(Seconds time) const {
  if (!(time.value >= 0) || std::isinf(time.value))
    throw UsageError(fmt::format("compute for {} s: accepted is a number >= 0", time.value));
  if (time.value > 0) stage_->pause(time);
}

void SimulatedRank::compute_flops(double flops) const {
  compute({flops / stage_->flops_per_second()});
}

void SimulatedRank::barrier() const {
  stage_->barrier(world_rank_, context_);
}

void SimulatedRank::send(std::optional<Rank> destination, std::span<const std::byte> data,
                         int tag) const {
  sendrecv({std::nullopt, destination}, data, tag);
}

std::vector<std::byte> SimulatedRank::receive(std::optional<Rank> source, int tag) const {
  return sendrecv({source, std::nullopt}, std::span<const std::byte>(), tag);
}

std::vector<std::byte> SimulatedRank::sendrecv(const ShiftRanks& partners,
                                               std::span<const std::byte> data, int tag) const {
  std::vector<OutgoingParcel> sends;
  std::vector<MessageEnds> receives;
  if (partners.destination)
    sends.push_back(
        {{world_rank_, world_rank(*partners.destination), context_, tag}, parcel_of(data)});
  if (partners.source)
    receives.push_back({world_rank(*partners.source), world_rank_, context_, tag});
  auto received = stage_->exchange(world_rank_, std::move(sends), receives);
  return received.empty() ? std::vector<std::byte>() : std::move(received[0].data);
}

void SimulatedRank::sendrecv(const ShiftRanks& partners, Bytes volume, int tag) const {
  std::vector<OutgoingParcel> sends;
  std::vector<MessageEnds> receives;
  if (partners.destination)
    sends.push_back(
        {{world_rank_, world_rank(*partners.destination), context_, tag}, {{}, volume}});
  if (partners.source)
    receives.push_back({world_rank(*partners.source), world_rank_, context_, tag});
  stage_->exchange(world_rank_, std::move(sends), receives);
}

SimulatedRank::Request SimulatedRank::start_send(std::optional<Rank> destination, Bytes volume,
                                                 int tag) const {
  if (!destination) return std::nullopt;
  return stage_->start_send({{world_rank_, world_rank(*destination), context_, tag}, {{}, volume}});
}

SimulatedRank::Request SimulatedRank::start_receive(std::optional<Rank> source, int tag) const {
  if (!source) return std::nullopt;
  return stage_->start_receive({world_rank(*source), world_rank_, context_, tag});
}

void SimulatedRank::wait(Request request) const {
  if (request) stage_->finish(world_rank_, *request);
}

void SimulatedRank::watch(std::span<const Request> requests) const {
  std::vector<std::size_t> started;
  for (const Request& request : requests)
    if (request) started.push_back(*request);
  stage_->watch(world_rank_, started);
}

void SimulatedRank::wait_next() const {
  stage_->finish_next(world_rank_);
}

void SimulatedRank::neighbor_exchange(Bytes volume) const {
  constexpr int tag = -1;  // of its own
  if (communicator_->topology() == nullptr)
    throw UsageError("neighbor_exchange on a communicator without a virtual topology");
  const Neighbourhood neighbours = neighbourhood(*communicator_->topology(), rank_);
  std::vector<OutgoingParcel> sends;
  std::vector<MessageEnds> receives;
  for (const auto& destination : neighbours.destinations)
    if (destination)
      sends.push_back({{world_rank_, world_rank(*destination), context_, tag}, {{}, volume}});
  for (const auto& source : neighbours.sources)
    if (source) receives.push_back({world_rank(*source), world_rank_, context_, tag});
  stage_->exchange(world_rank_, std::move(sends), receives);
}

void SimulatedRank::record(std::string_view key, std::span<const double> values) const {
  stage_->record(world_rank_, key, {values.begin(), values.end()});
}

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
