#include "sim/clock/simgrid/simulated_rank.hpp"

#include <cmath>
#include <utility>

#include "sim/clock/simgrid/rank_stage.hpp"
#include "topology/base/error.hpp"
#include "topology/mpi/inquiry.hpp"
#include "topology/mpi/neighbourhood.hpp"

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

}  // namespace vtopo
