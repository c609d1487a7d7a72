#include "tests/bench/bare_simgrid.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <unordered_map>

#include "netmodels/process/child_process.hpp"
#include "netmodels/simgrid/simgrid_versions.hpp"

namespace vtopo {

using namespace vtopo::detail;

namespace {

namespace s4u = simgrid::s4u;
using Hosts = std::vector<s4u::Host*>;

/// Platform file in a folder of its own, gone with the object.
class ClusterFile {
 public:
  ClusterFile(const BareCluster& cluster, BytesPerSecond bandwidth)
      : folder_((std::filesystem::temp_directory_path() / "vtopo-bare-XXXXXX").string()) {
    if (mkdtemp(folder_.data()) == nullptr) throw SimulationError("cannot make " + folder_);
    std::ofstream(path()) << fmt::format(
        "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Full\"><cluster id=\"c\" "
        "prefix=\"n\" suffix=\"\" radical=\"0-{}\" "
        "speed=\"1Gf\" bw=\"{}Bps\" lat=\"0\" topology=\"{}\" topo_parameters=\"{}\"/>\n"
        "</zone></platform>\n",
        cluster.num_hosts - 1, bandwidth.value, cluster.topology, cluster.parameters);
  }
  ClusterFile(const ClusterFile&) = delete;
  ClusterFile& operator=(const ClusterFile&) = delete;
  ~ClusterFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string path() const { return folder_ + "/cluster.xml"; }

 private:
  std::string folder_;
};

/// Runs `use` with SimGrid's hosts; to be called in a child.
void with_engine(const std::string& file, int num_hosts,
                 const std::function<void(s4u::Engine&, const Hosts&)>& use) {
  char name[] = "bare", quiet[] = "--log=root.thres:warning";
  char* arguments[] = {name, quiet, nullptr};
  int count = 2;
  s4u::Engine engine(&count, arguments);
  s4u::Engine::set_config("network/model:CM02");
  s4u::Engine::set_config("network/crosstraffic:no");
  s4u::Engine::set_config("network/TCP-gamma:1e15");
  engine.load_platform(file);
  Hosts hosts;
  for (int h = 0; h < num_hosts; ++h) hosts.push_back(engine.host_by_name(fmt::format("n{}", h)));
  use(engine, hosts);
}

/// What an actor sends; the receiver notes when it came.
struct Message {
  BareFlow flow;
  double finish = 0;
};

/// All sends and receives of one host at once, then a wait for each.
void play(const std::vector<Message*>& sends, std::size_t num_receives,
          const std::vector<s4u::Mailbox*>& mailboxes, s4u::Mailbox* inbox) {
  std::vector<s4u::CommPtr> sent, incoming;
  std::vector<Message*> received(num_receives, nullptr);
  for (Message*& message : received) incoming.push_back(inbox->get_async<Message>(&message));
  for (Message* message : sends)
    sent.push_back(mailboxes[index(message->flow.destination)]->put_async(
        message, static_cast<std::uint64_t>(message->flow.volume.value)));
  for (std::size_t i = 0; i < incoming.size(); ++i) {
    incoming[i]->wait();
    received[i]->finish = incoming[i]->get_finish_time();
  }
  for (const auto& send : sent) send->wait();
}

/// Hosts as they first send: SimGrid then sees the flows in their order, as vtopo simulates them.
std::vector<std::size_t> in_order_of_flows(const std::vector<BareFlow>& flows,
                                           std::size_t num_hosts) {
  std::vector<std::size_t> order;
  std::vector<char> is_there(num_hosts, 0);
  const auto add = [&](std::size_t host) {
    if (is_there[host] == 0) order.push_back(host);
    is_there[host] = 1;
  };
  for (const BareFlow& flow : flows) add(index(flow.source));
  for (std::size_t h = 0; h < num_hosts; ++h) add(h);
  return order;
}

std::vector<double> simulate_all(s4u::Engine& engine, const Hosts& hosts,
                                 const std::vector<BareFlow>& flows) {
  std::vector<Message> messages;
  for (const BareFlow& flow : flows) messages.push_back({flow});
  std::vector<std::vector<Message*>> sends(hosts.size());
  std::vector<std::size_t> receives(hosts.size(), 0);
  for (Message& message : messages) {
    sends[index(message.flow.source)].push_back(&message);
    ++receives[index(message.flow.destination)];
  }
  std::vector<s4u::Mailbox*> mailboxes;
  for (std::size_t h = 0; h < hosts.size(); ++h)
    mailboxes.push_back(s4u::Mailbox::by_name(std::to_string(h)));
  for (const std::size_t h : in_order_of_flows(flows, hosts.size()))
    simgrid_versions::add_actor(std::to_string(h), hosts[h],
                                [&, h] { play(sends[h], receives[h], mailboxes, mailboxes[h]); });
  engine.run();
  std::vector<double> finish;
  for (const Message& message : messages) finish.push_back(message.finish);
  return finish;
}

RouteToTimes route_times(const Hosts& hosts, const std::vector<BareFlow>& flows, int runs) {
  std::vector<s4u::Link*> links;
  const auto num_flows = static_cast<double>(flows.size());
  std::size_t hops = 0;
  const double alone = best_seconds(runs, [&] {
    hops = 0;
    for (const BareFlow& flow : flows) {
      links.clear();
      hosts[index(flow.source)]->route_to(hosts[index(flow.destination)], links, nullptr);
      hops += links.size();
    }
  });
  const double sums = best_seconds(runs, [&] {
    std::unordered_map<const s4u::Link*, double> loads;
    for (const BareFlow& flow : flows) {
      links.clear();
      hosts[index(flow.source)]->route_to(hosts[index(flow.destination)], links, nullptr);
      for (const s4u::Link* link : links) loads[link] += flow.volume.value;
    }
  });
  return {1e9 * alone / num_flows, 1e9 * sums / num_flows, static_cast<double>(hops) / num_flows};
}

/// What `use` sends home in a vector of doubles.
std::vector<double> in_child(
    const BareCluster& cluster, BytesPerSecond bandwidth,
    const std::function<std::vector<double>(s4u::Engine&, const Hosts&)>& use) {
  const ClusterFile file(cluster, bandwidth);
  ChildProcess child([&](Channel& channel) {
    with_engine(file.path(), cluster.num_hosts, [&](s4u::Engine& engine, const Hosts& hosts) {
      channel.send_vector(use(engine, hosts));
    });
  });
  auto values = child.channel().receive_vector<double>();
  const std::string& end = child.exit_description();
  if (!values) throw SimulationError("the bare SimGrid program " + end);
  return std::move(*values);
}

}  // namespace

std::vector<double> simulate_on_bare_simgrid(const BareCluster& cluster, BytesPerSecond bandwidth,
                                             const std::vector<BareFlow>& flows) {
  return in_child(cluster, bandwidth, [&flows](s4u::Engine& engine, const Hosts& hosts) {
    return simulate_all(engine, hosts, flows);
  });
}

RouteToTimes time_route_to(const BareCluster& cluster, const std::vector<BareFlow>& flows,
                           int runs) {
  const auto times = in_child(cluster, {1e10}, [&](s4u::Engine&, const Hosts& hosts) {
    const RouteToTimes found = route_times(hosts, flows, runs);
    return std::vector{found.alone, found.sums, found.hops};
  });
  return {times.at(0), times.at(1), times.at(2)};
}

double thread_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double best_seconds(int runs, const std::function<void()>& run) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < runs; ++i) {
    const double start = thread_seconds();
    run();
    best = std::min(best, thread_seconds() - start);
  }
  return best;
}

}  // namespace vtopo
