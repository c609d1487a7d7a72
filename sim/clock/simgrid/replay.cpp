#include "sim/clock/simgrid/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <simgrid/s4u.hpp>
#include <utility>

#include "netmodels/simgrid/simgrid_versions.hpp"
#include "netmodels/simgrid/simgrid_zone.hpp"
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

}  // namespace vtopo::detail

namespace vtopo {

using namespace detail;

namespace {

namespace s4u = simgrid::s4u;
using Clock = std::chrono::steady_clock;

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

}  // namespace

void detail::replay_on_simgrid(const Channel& channel, const FlowSet& set,
                               const std::vector<std::uint64_t>& bytes, const Network& network,
                               const Embedding& embedding, NetworkModel model,
                               double bandwidth_factor) {
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

std::string simgrid_version() {
  int major = 0, minor = 0, patch = 0;
  sg_version_get(&major, &minor, &patch);
  return fmt::format("{}.{}.{}", major, minor, patch);
}

}  // namespace vtopo
