#include "sim/clock/simgrid/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <simgrid/s4u.hpp>
#include <utility>

#include "netmodels/process/child_process.hpp"
#include "netmodels/simgrid/simgrid_versions.hpp"
#include "sim/clock/simgrid/run_ranks.hpp"
#include "sim/clock/simgrid/simgrid_zone.hpp"
#include "sim/evaluation/totals.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

void configure_simgrid(NetworkModel model, int num_actors, int stack_kib) {
  using Engine = simgrid::s4u::Engine;
  // Without guards many ranks do not run out of memory maps.
  if (num_actors > max_guarded_actors) Engine::set_config("contexts/guard-size:0");
  Engine::set_config(fmt::format("contexts/stack-size:{}", stack_kib));
  Engine::set_config("network/model:" + to_string(model));
  if (model != NetworkModel::cm02) return;
  Engine::set_config("network/crosstraffic:no");
  Engine::set_config("network/TCP-gamma:1e15");
}

Limits simgrid_limits(Limits given, int num_actors, int stack_kib) {
  // SimGrid touches the whole stack of each actor.
  return or_usual(std::move(given), usual_simulation_time,
                  Bytes{stack_kib * double{1024} * num_actors});
}

namespace {

namespace s4u = simgrid::s4u;
using Clock = std::chrono::steady_clock;

/// What a replaying child reports to its parent: any number of `progress`, each followed by the
/// share of finished flows (double), then `finished` followed by a vector of doubles, the finish
/// time of every flow in seconds of SimGrid's clock. Nothing more if it fails.
enum class ReplayMessage : int { progress, finished };

/// Sends the share of finished flows home, at most ten times per second.
class ProgressSender {
 public:
  ProgressSender(const Channel& channel, std::size_t total) : channel_(channel), total_(total) {}

  void finished_one() {
    ++finished_;
    if (Clock::now() - last_ < std::chrono::milliseconds(100)) return;
    last_ = Clock::now();
    channel_.send_value(ReplayMessage::progress);
    channel_.send_value(static_cast<double>(finished_) / static_cast<double>(total_));
  }

 private:
  const Channel& channel_;
  std::size_t total_;
  std::size_t finished_ = 0;
  Clock::time_point last_ = Clock::now();
};

/// A flow as SimGrid simulates it; its address is what the sender sends.
struct PlayedFlow {
  std::uint64_t bytes;
  double finish;  ///< seconds of SimGrid's clock
};

/// What all ranks share.
struct Stage {
  const FlowSet& set;
  std::vector<PlayedFlow> flows;
  std::vector<s4u::Mailbox*> mailboxes;  ///< one per rank
  ProgressSender progress;
};

/// Flows that one rank takes part in, as positions in the list of all flows.
struct Actor {
  HostId host{};
  std::vector<std::size_t> sends;
  std::size_t receives = 0;
};

std::vector<Actor> actors_of(const FlowSet& set, const Embedding& embedding) {
  std::vector<Actor> actors(static_cast<std::size_t>(embedding.num_ranks()));
  for (std::size_t r = 0; r < actors.size(); ++r) actors[r].host = embedding.hosts()[r];
  for (std::size_t f = 0; f < set.flows.size(); ++f) {
    actors[index(set.flows[f].source)].sends.push_back(f);
    ++actors[index(set.flows[f].destination)].receives;
  }
  return actors;
}

/// One rank: posts all its sends and receives at once, then waits for each.
void play(const Actor& actor, s4u::Mailbox* inbox, Stage& stage) {
  std::vector<s4u::CommPtr> sends, receives;
  std::vector<PlayedFlow*> received(actor.receives, nullptr);
  for (PlayedFlow*& payload : received) receives.push_back(inbox->get_async<PlayedFlow>(&payload));
  for (const std::size_t f : actor.sends) {
    s4u::Mailbox* mailbox = stage.mailboxes[index(stage.set.flows[f].destination)];
    sends.push_back(mailbox->put_async(&stage.flows[f], stage.flows[f].bytes));
  }
  for (std::size_t i = 0; i < receives.size(); ++i) {
    receives[i]->wait();
    received[i]->finish = receives[i]->get_finish_time();
    stage.progress.finished_one();
  }
  for (const auto& send : sends) send->wait();
}

void start_actors(const std::vector<Actor>& actors, const std::vector<s4u::Host*>& hosts,
                  Stage& stage) {
  for (std::size_t r = 0; r < actors.size(); ++r) {
    if (actors[r].sends.empty() && actors[r].receives == 0) continue;
    const auto& used = stage.set.hosts;
    const auto place = std::lower_bound(used.begin(), used.end(), actors[r].host) - used.begin();
    simgrid_versions::add_actor(std::to_string(r), hosts[static_cast<std::size_t>(place)],
                                [&, r] { play(actors[r], stage.mailboxes[r], stage); });
  }
}

/// Replays all flows on SimGrid, in this process: the whole of SimGrid's life, meant for a child.
/// @param bytes of each flow, one entry per flow.
/// @param bandwidth_factor what the bandwidths of all links are multiplied by.
void replay_on_simgrid(const Channel& channel, const FlowSet& set,
                       const std::vector<std::uint64_t>& bytes, const Network& network,
                       const Embedding& embedding, NetworkModel model, double bandwidth_factor) {
  std::array<char, 6> name{"vtopo"};
  std::array<char, 32> quiet{"--log=xbt_cfg.thres:warning"};
  std::array<char*, 3> arguments{name.data(), quiet.data(), nullptr};
  int count = 2;
  s4u::Engine engine(&count, arguments.data());
  const auto actors = actors_of(set, embedding);
  configure_simgrid(model, int_size(actors), actor_stack_kib(int_size(actors)));
  const auto latency = model == NetworkModel::cm02 ? ZoneLatency::zero : ZoneLatency::as_modelled;
  const auto hosted = host_on_simgrid(network, set.hosts, set.links, latency, bandwidth_factor);
  Stage stage{set, {}, {}, {channel, set.flows.size()}};
  for (const std::uint64_t size : bytes) stage.flows.push_back({size, 0});
  for (std::size_t r = 0; r < actors.size(); ++r)
    stage.mailboxes.push_back(s4u::Mailbox::by_name(std::to_string(r)));
  start_actors(actors, hosted.hosts, stage);
  engine.run();
  channel.send_value(ReplayMessage::finished);
  std::vector<double> finish;
  finish.reserve(stage.flows.size());
  for (const PlayedFlow& flow : stage.flows) finish.push_back(flow.finish);
  channel.send_vector(finish);
}

constexpr double max_volume = 9.2e18;  // just below 2^63

/// What volumes and bandwidths are multiplied by for SimGrid.
struct ReplayScale {
  double volume = 1;
  double bandwidth = 1;

  double time() const { return volume / bandwidth; }
};

/// A power of 2 leaves whole bytes whole.
double power_of_2_below(double factor) {
  return std::exp2(std::floor(std::log2(factor)));
}

/// SimGrid counts whole bytes, and its precision is 1e-9 s whatever the problem. Where times are
/// proportional to volumes and to the inverse of bandwidths (CM02 without latency), the largest
/// flow is simulated with as many bytes as possible, and time so slowly that the static bound is
/// `played_bound` or the fastest conceivable flow takes `played_flow`.
ReplayScale scale_of(const FlowSet& set, const Network& network, Seconds bound) {
  constexpr Seconds played_bound{10}, played_flow{1e-2}, longest_played{0x1p50};
  Bytes largest, smallest{max_volume};
  for (const Flow& flow : set.flows) {
    if (flow.volume.value > 0) smallest = std::min(smallest, flow.volume);
    largest = std::max(largest, flow.volume);
  }
  BytesPerSecond fastest;
  for (const LinkId link : set.links) fastest = std::max(fastest, network.link(link).bandwidth);
  if (!(largest.value > 0) || !(bound.value > 0) || set.links.empty()) return {};
  const double slower =
      std::max(played_bound.value / bound.value, played_flow.value / (smallest / fastest).value);
  const double time = power_of_2_below(std::min(slower, longest_played.value / bound.value));
  const double volume = power_of_2_below(max_volume / largest.value);
  return {volume, volume / time};
}

/// @throws InputError if whole bytes miss a volume by more than a millionth.
void check_whole_bytes(const FlowSet& set, double factor) {
  const auto [least, most] = std::minmax_element(
      set.flows.begin(), set.flows.end(),
      [](const Flow& a, const Flow& b) { return a.volume.value < b.volume.value; });
  for (const Flow& flow : set.flows) {
    const double volume = flow.volume.value * factor;
    if (std::abs(std::round(volume) - volume) > 1e-6 * volume)
      throw InputError(
          fmt::format("volumes of {} to {} bytes at the same time: SimGrid counts "
                      "whole bytes up to 2^63, so the largest may be 1e12 times the "
                      "smallest; --solver fast has no such limit",
                      least->volume.value, most->volume.value));
  }
}

std::vector<std::uint64_t> scaled_volumes(const FlowSet& set, double factor) {
  std::vector<std::uint64_t> bytes;
  for (const Flow& flow : set.flows) {
    const double volume = std::max(1.0, std::round(flow.volume.value * factor));
    if (volume > max_volume)
      throw InputError(
          fmt::format("a volume of {} bytes is too large for this network model: "
                      "accepted are up to {}",
                      flow.volume.value, max_volume));
    bytes.push_back(static_cast<std::uint64_t>(volume));
  }
  return bytes;
}

/// Finish times of the flows as the child reports them.
std::vector<double> collect(ChildProcess& child, std::size_t num_flows, const Progress& progress) {
  while (const auto message = child.channel().receive_value<ReplayMessage>()) {
    if (*message == ReplayMessage::progress) {
      const auto done = child.channel().receive_value<double>();
      if (done && progress) progress(*done);
      continue;
    }
    auto finish = child.channel().receive_vector<double>();
    if (finish && finish->size() == num_flows) return *finish;
    break;
  }
  throw LoggedSimulationError("the simulation " + child.exit_description(), child.log());
}

/// Finish times of flows between hosts.
std::vector<Seconds> simulate_flows(const FlowSet& set, const CommGraph& guest,
                                    const Network& network, const Embedding& embedding,
                                    const SimulationOptions& options) {
  const bool fluid = options.model == NetworkModel::cm02;
  ReplayScale scale;
  if (fluid) {
    scale =
        scale_of(set, network,
                 options.static_bound ? *options.static_bound
                                      : evaluate_totals(guest, network, embedding).max_congestion);
    check_whole_bytes(set, scale.volume);
  }
  const auto bytes = scaled_volumes(set, scale.volume);
  ChildProcess child(
      [&](Channel& channel) {
        replay_on_simgrid(channel, set, bytes, network, embedding, options.model, scale.bandwidth);
      },
      simgrid_limits({options.time_limit, options.memory_limit}, embedding.num_ranks(),
                     actor_stack_kib(embedding.num_ranks())));
  std::vector<Seconds> times;
  for (const double finish : collect(child, set.flows.size(), options.progress)) {
    const Flow& flow = set.flows[times.size()];
    // SimGrid sends one byte at least.
    const Seconds scaled{fluid && flow.volume.value == 0 ? 0 : finish / scale.time()};
    times.push_back(fluid ? scaled + flow.latency : scaled);
  }
  return times;
}

}  // namespace

ReplayedFlows replay(const CommGraph& guest, const Network& network, const Embedding& embedding,
                     const SimulationOptions& options) {
  const bool cross_traffic = options.model != NetworkModel::cm02;
  FlowSet set = make_flows(guest, network, embedding,
                           cross_traffic ? RoutesUsed::forth_and_back : RoutesUsed::forth);
  ReplayedFlows result;
  if (!set.flows.empty()) result.finish = simulate_flows(set, guest, network, embedding, options);
  result.flows = std::move(set.flows);
  result.local = std::move(set.local);
  return result;
}

}  // namespace vtopo::detail

namespace vtopo {

std::string simgrid_version() {
  int major = 0, minor = 0, patch = 0;
  sg_version_get(&major, &minor, &patch);
  return fmt::format("{}.{}.{}", major, minor, patch);
}

}  // namespace vtopo
