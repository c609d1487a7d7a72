#include "netmodels/platform/platform_server.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "netmodels/platform/simgrid_zones.hpp"
#include "netmodels/process/subprocess.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

namespace s4u = simgrid::s4u;

/// CPU time after which a single route is given up. SimGrid's Dijkstra runs in circles on some
/// one-way links.
constexpr int route_seconds = 10;

using NetPoint = simgrid::kernel::routing::NetPoint;
using NetZone = simgrid::kernel::routing::NetZoneImpl;

/// Hosts of the zone and of those in it, in the order of the file: SimGrid 4 announces those of a
/// cluster in the order of their names.
void append_hosts(const NetZone& zone, std::vector<const NetPoint*>& hosts) {
  std::unordered_map<const NetPoint*, const NetZone*> children;
  for (const NetZone* child : zone.get_children()) children.emplace(child->get_netpoint(), child);
  for (const NetPoint* vertex : zone.get_vertices())
    if (vertex->is_host())
      hosts.push_back(vertex);
    else if (const auto child = children.find(vertex); child != children.end())
      append_hosts(*child->second, hosts);
}

std::vector<s4u::Host*> in_order_of_file(const std::vector<s4u::Host*>& announced) {
  std::vector<const NetPoint*> points;
  append_hosts(*s4u::Engine::get_instance()->get_netzone_root()->get_impl(), points);
  std::unordered_map<const NetPoint*, std::size_t> places;
  for (const NetPoint* point : points) places.emplace(point, places.size());
  for (const s4u::Host* host : announced) places.emplace(host->get_netpoint(), places.size());
  std::vector<s4u::Host*> hosts = announced;
  std::stable_sort(hosts.begin(), hosts.end(), [&](const s4u::Host* a, const s4u::Host* b) {
    return places.at(a->get_netpoint()) < places.at(b->get_netpoint());
  });
  return hosts;
}

/// SimGrid with the platform loaded.
class Server {
 public:
  Server(Channel& channel, PlatformShared& shared, const std::string& path,
         const std::vector<std::string>& unplaced)
      : channel_(channel), shared_(shared), engine_(&count_, arguments_.data()) {
    s4u::Host::on_creation_cb([this](s4u::Host& host) { add(&host); });
    zones_.listen(shared_.num_built);
    engine_.load_platform(path);
    engine_.seal_platform();
    hosts_ = in_order_of_file(hosts_);
    zones_.seal(hosts_);
    for (const auto& host : unplaced) zones_.give_up(engine_.netpoint_by_name_or_null(host));
    send_inventory();
  }

  /// Answers until the other side is gone.
  /// @param time for each answer.
  void answer_questions(const std::optional<Seconds>& time) {
    while (const auto request = channel_.receive_value<PlatformRequest>()) {
      limit_time_from_now(time);
      shared_.place = 0;
      if (request->question == PlatformQuestion::chains) {
        send_chains();
      } else if (const auto hosts = channel_.receive_vector<int>()) {
        if (request->question == PlatformQuestion::rows)
          send_routes(*hosts, all_hosts());
        else
          send_routes({request->source}, *hosts);
      }
      limit_time_from_now({});
    }
  }

  /// To be called when a copy of this process has ended on a route: if SimGrid does not survive the
  /// question for the zones alone, no other pair of their hosts costs a process.
  void learn_from_end() {
    if (shared_.source < 0) return;
    const auto zones = zones_.zones_between(shared_.source, shared_.destination);
    shared_.source = -1;
    if (!zones) return;
    Subprocess probe([&] {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      limited([&] { SimGridZones::ask_between(*zones); });
    });
    if (probe.wait().status != 0) zones_.give_up(*zones);
  }

 private:
  /// SimGrid may announce a host twice.
  void add(s4u::Host* host) {
    if (!known_.insert(host).second) return;
    hosts_.push_back(host);
    ++shared_.num_built;
  }

  void send_inventory() {
    channel_.send_value(hosts_.size());
    for (const auto* host : hosts_) channel_.send_text(host->get_name());
    const auto links = engine_.get_filtered_links([this](const s4u::Link* link) {
      return !is_cluster_loopback(link->get_name()) && !zones_.is_loopback(link->get_impl());
    });
    channel_.send_value(links.size());
    for (const auto* link : links) {
      ids_.emplace(link->get_impl(), static_cast<int>(ids_.size()));
      channel_.send_text(link->get_name());
      channel_.send_value(LinkRecord{link->get_bandwidth(), link->get_latency(),
                                     static_cast<int>(link->get_sharing_policy())});
    }
    channel_.send_value(zones_.only_looks_up());
    channel_.send_value(zones_.adds_latency());
  }

  std::vector<int> all_hosts() const {
    std::vector<int> hosts(hosts_.size());
    std::iota(hosts.begin(), hosts.end(), 0);
    return hosts;
  }

  /// Row by row; the place is that among all routes of the question.
  void send_routes(const std::vector<int>& sources, const std::vector<int>& destinations) {
    std::vector<int> lengths, links;
    std::vector<double> added;
    std::vector<Link*> route;
    for (const int source : sources)
      for (const int destination : destinations) {
        shared_.place = int_size(lengths);
        route.clear();
        shared_.destination = destination;
        shared_.source = source;
        double latency = 0;
        if (destination != source)
          limited([&] { latency = zones_.route(source, destination, route); });
        if (zones_.adds_latency()) added.push_back(latency);
        const std::size_t start = links.size();
        for (const Link* link : route)  // bypass routes pass the loopbacks of their gateways
          if (const auto id = ids_.find(link); id != ids_.end()) links.push_back(id->second);
        lengths.push_back(narrow<int>(links.size() - start));
      }
    shared_.source = -1;
    channel_.send_value(PlatformAnswer::complete);
    channel_.send_vector(lengths);
    channel_.send_vector(links);
    channel_.send_vector(added);
  }

  /// Runs SimGrid's search under a limit of CPU time, if it is one that may not end.
  template <class Search>
  void limited(const Search& search) {
    if (!zones_.searches_may_not_end()) return search();
    itimerval timer{{}, {route_seconds, 0}};
    setitimer(ITIMER_VIRTUAL, &timer, nullptr);
    search();
    timer = {};
    setitimer(ITIMER_VIRTUAL, &timer, nullptr);
  }

  void send_chains() {
    std::vector<int> flat;
    zones_.for_each_chain([&](int from, int to, const std::vector<Link*>& links) {
      const std::size_t start = flat.size();
      flat.insert(flat.end(), {from, to, narrow<int>(links.size())});
      for (const Link* link : links) {
        const auto id = ids_.find(link);
        if (id == ids_.end()) return flat.resize(start);  // a loopback link
        flat.push_back(id->second);
      }
    });
    channel_.send_value(PlatformAnswer::complete);
    channel_.send_vector(flat);
  }

  Channel& channel_;
  PlatformShared& shared_;
  std::array<char, 6> name_{"vtopo"};
  std::array<char*, 2> arguments_{name_.data(), nullptr};
  int count_ = 1;
  s4u::Engine engine_;
  SimGridZones zones_;
  std::vector<s4u::Host*> hosts_;
  std::unordered_set<const s4u::Host*> known_;
  std::unordered_map<const Link*, int> ids_;
};

}  // namespace

bool is_cluster_loopback(const std::string& name) {
  if (name == "__loopback__") return true;
  constexpr std::string_view suffix = "_loopback";
  if (!name.ends_with(suffix)) return false;
  const auto stem = std::string_view(name).substr(0, name.size() - suffix.size());
  const auto digits = stem.find_last_not_of("0123456789");
  return digits + 1 < stem.size() && stem.substr(0, digits + 1).ends_with("_link_");
}

void serve_platform(Channel& channel, PlatformShared& shared, const std::string& path,
                    const std::vector<std::string>& unplaced, const std::optional<Seconds>& time) {
  Server server(channel, shared, path, unplaced);
  limit_time_from_now({});  // it waits for questions
  for (;;) {
    Subprocess worker([&] {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      server.answer_questions(time);
    });
    const ProcessEnd& end = worker.wait();
    if (end.status == 0) return;
    if (limit_was_hit()) _exit(EXIT_FAILURE);
    server.learn_from_end();
    channel.send_value(PlatformAnswer::ended);
    channel.send_value<int>(shared.place);
    channel.send_text(end.description());
  }
}

}  // namespace vtopo::detail
