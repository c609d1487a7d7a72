#include "sim/simulation/simulate.hpp"

#include <simgrid/s4u.hpp>

#include <simgrid/version.h>  // needs macros of the one above

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "netmodels/child_process.hpp"
#include "netmodels/simgrid_zone.hpp"
#include "sim/simulation/flows.hpp"
#include "topology/error.hpp"
#include "topology/narrow.hpp"

namespace vtopo {

namespace {

namespace s4u = simgrid::s4u;
using Clock = std::chrono::steady_clock;

/// What the child tells its parent, in this order: any number of `progress`, then `finished`
/// followed by the finish times of the flows, or nothing more if it failed.
enum class Message : int { progress, finished };

void configure(NetworkModel model, int num_actors) {
  using Engine = s4u::Engine;
  if (num_actors > 4096) {  // else the process runs out of memory maps
    Engine::set_config("contexts/guard-size:0");
    Engine::set_config("contexts/stack-size:64");
  }
  if (model == NetworkModel::cm02) {
    Engine::set_config("network/model:CM02");
    Engine::set_config("network/crosstraffic:no");
    Engine::set_config("network/TCP-gamma:1e15");
  } else {
    Engine::set_config("network/model:" + to_string(model));
  }
}

/// Sends the share of finished flows home, at most ten times per second.
class ProgressSender {
 public:
  ProgressSender(Channel& channel, std::size_t total) : channel_(channel), total_(total) {}

  void finished_one() {
    ++finished_;
    if (Clock::now() - last_ < std::chrono::milliseconds(100)) return;
    last_ = Clock::now();
    channel_.send_value(Message::progress);
    channel_.send_value(static_cast<double>(finished_) / static_cast<double>(total_));
  }

 private:
  Channel& channel_;
  std::size_t total_;
  std::size_t finished_ = 0;
  Clock::time_point last_ = Clock::now();
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
void replay(const Actor& actor, s4u::Mailbox* inbox, const std::vector<s4u::Mailbox*>& mailboxes,
            std::vector<Flow>& flows, ProgressSender& progress) {
  std::vector<s4u::CommPtr> sends, receives;
  std::vector<Flow*> received(actor.receives, nullptr);
  for (Flow*& payload : received) receives.push_back(inbox->get_async<Flow>(&payload));
  for (const std::size_t f : actor.sends)
    sends.push_back(mailboxes[index(flows[f].destination)]->put_async(&flows[f], flows[f].bytes));
  for (std::size_t i = 0; i < receives.size(); ++i) {
    receives[i]->wait();
    received[i]->finish = {receives[i]->get_finish_time()};
    progress.finished_one();
  }
  for (const auto& send : sends) send->wait();
}

/// Body of the child: the whole of SimGrid's life.
void run_engine(Channel& channel, const FlowSet& set, const Network& network,
                const Embedding& embedding, NetworkModel model) {
  std::array<char, 6> name{"vtopo"};
  std::array<char, 32> quiet{"--log=xbt_cfg.thres:warning"};
  std::array<char*, 3> arguments{name.data(), quiet.data(), nullptr};
  int count = 2;
  s4u::Engine engine(&count, arguments.data());
  std::vector<Flow> flows = set.flows;
  const auto actors = actors_of(set, embedding);
  configure(model, int_size(actors));
  const auto latency = model == NetworkModel::cm02 ? ZoneLatency::zero : ZoneLatency::as_modelled;
  const auto hosted = host_on_simgrid(network, set.hosts, set.links, latency);
  std::vector<s4u::Mailbox*> mailboxes(actors.size());
  for (std::size_t r = 0; r < actors.size(); ++r)
    mailboxes[r] = s4u::Mailbox::by_name(std::to_string(r));
  ProgressSender progress(channel, flows.size());
  for (std::size_t r = 0; r < actors.size(); ++r) {
    if (actors[r].sends.empty() && actors[r].receives == 0) continue;
    const auto place = std::lower_bound(set.hosts.begin(), set.hosts.end(), actors[r].host);
    s4u::Actor::create(std::to_string(r),
                       hosted.hosts[static_cast<std::size_t>(place - set.hosts.begin())],
                       [&, r] { replay(actors[r], mailboxes[r], mailboxes, flows, progress); });
  }
  engine.run();
  channel.send_value(Message::finished);
  std::vector<double> finish;
  finish.reserve(flows.size());
  for (const Flow& flow : flows) finish.push_back(flow.finish.value);
  channel.send_vector(finish);
}

/// Finish times of the flows as the child reports them.
std::vector<double> collect(ChildProcess& child, std::size_t num_flows,
                            const std::function<void(double)>& progress) {
  while (const auto message = child.channel().receive_value<Message>()) {
    if (*message == Message::progress) {
      const auto done = child.channel().receive_value<double>();
      if (done && progress) progress(*done);
      continue;
    }
    auto finish = child.channel().receive_vector<double>();
    if (finish && finish->size() == num_flows) return *finish;
    break;
  }
  throw SimulationError("the simulation " + child.end_in_words());
}

}  // namespace

NetworkModel parse_network_model(std::string_view name) {
  for (const auto model : {NetworkModel::cm02, NetworkModel::lv08, NetworkModel::smpi})
    if (to_string(model) == name) return model;
  throw UsageError(fmt::format("unknown network model \"{}\"; accepted: CM02, LV08, SMPI", name));
}

std::string to_string(NetworkModel model) {
  switch (model) {
    case NetworkModel::cm02:
      return "CM02";
    case NetworkModel::lv08:
      return "LV08";
    case NetworkModel::smpi:
      return "SMPI";
  }
  return {};
}

SimulationResult simulate(const CommGraph& guest, const Network& network,
                          const Embedding& embedding, const SimulationOptions& options) {
  const auto start = Clock::now();
  const FlowSet set = make_flows(guest, network, embedding);
  SimulationResult result;
  result.rank_finish.resize(static_cast<std::size_t>(guest.num_ranks()));
  auto finishes = [&](Rank rank, Seconds time) {
    auto& finish = result.rank_finish[index(rank)];
    finish = std::max(finish, time);
    result.makespan = std::max(result.makespan, time);
  };
  for (const LocalMessage& message : set.local) {
    finishes(message.source, message.volume / options.loopback_bandwidth);
    finishes(message.destination, message.volume / options.loopback_bandwidth);
  }
  if (!set.flows.empty()) {
    ChildProcess child(EndsWith::thread, [&](Channel& channel) {
      run_engine(channel, set, network, embedding, options.model);
    });
    const auto finish = collect(child, set.flows.size(), options.progress);
    for (std::size_t f = 0; f < finish.size(); ++f) {
      const Flow& flow = set.flows[f];
      const Seconds added = options.model == NetworkModel::cm02 ? flow.latency : Seconds{};
      finishes(flow.source, Seconds{finish[f]} + added);
      finishes(flow.destination, Seconds{finish[f]} + added);
    }
  }
  result.wall_seconds = {std::chrono::duration<double>(Clock::now() - start).count()};
  return result;
}

std::string simgrid_version() {
  int major = 0, minor = 0, patch = 0;
  sg_version_get(&major, &minor, &patch);
  return fmt::format("{}.{}.{}", major, minor, patch);
}

}  // namespace vtopo
