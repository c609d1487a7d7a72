#include "netmodels/platform/platform_server.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "netmodels/platform/simgrid_zones.hpp"
#include "netmodels/process/subprocess.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

namespace s4u = simgrid::s4u;
using NetPoint = simgrid::kernel::routing::NetPoint;
using Zone = simgrid::kernel::routing::NetZoneImpl;

/// Routes between two pieces of an answer: what is lost if SimGrid ends on one of them.
constexpr int routes_per_piece = 256;

/// What the working copy of the process does, for the one that waits for its end.
struct Work {
  static constexpr int idle = -2;
  RouteRequest request{idle, 0, 0};  ///< without the routes that are sent
  int destination = 0;               ///< of the route on which SimGrid works
};

/// Hosts of the zone and of those in it, in the order of the file: SimGrid 4 announces those of a
/// cluster in the order of their names.
void append_hosts(const Zone& zone, std::vector<const NetPoint*>& hosts) {
  std::unordered_map<const NetPoint*, const Zone*> children;
  for (const Zone* child : zone.get_children()) children.emplace(child->get_netpoint(), child);
  for (const NetPoint* vertex : zone.get_vertices())
    if (vertex->is_host())
      hosts.push_back(vertex);
    else if (const auto child = children.find(vertex); child != children.end())
      append_hosts(*child->second, hosts);
}

void sort_as_in_file(std::vector<s4u::Host*>& hosts) {
  std::vector<const NetPoint*> points;
  append_hosts(*s4u::Engine::get_instance()->get_netzone_root()->get_impl(), points);
  std::unordered_map<const NetPoint*, std::size_t> places;
  for (const NetPoint* point : points) places.emplace(point, places.size());
  for (const s4u::Host* host : hosts) places.emplace(host->get_netpoint(), places.size());
  std::stable_sort(hosts.begin(), hosts.end(), [&](const s4u::Host* a, const s4u::Host* b) {
    return places.at(a->get_netpoint()) < places.at(b->get_netpoint());
  });
}

/// SimGrid with the platform loaded.
class Server {
 public:
  Server(Channel& channel, PlatformShared& shared, const std::string& file,
         const PlatformText& source)
      : channel_(channel), engine_(&count_, arguments_.data()) {
    s4u::Host::on_creation_cb([this, &shared](s4u::Host& host) {
      if (!known_.insert(&host).second) return;  // SimGrid may announce a host twice
      hosts_.push_back(&host);
      ++shared.num_built;
    });
    zones_.listen(shared.num_built);
    engine_.load_platform(file);
    engine_.seal_platform();
    sort_as_in_file(hosts_);
    zones_.seal(hosts_, source);
    for (const int status : {W_EXITCODE(0, SIGABRT), W_EXITCODE(EXIT_FAILURE, 0)}) {  // `Reason`
      ProcessEnd end;
      end.status = status;
      texts_.push_back(end.description());
    }
    send_inventory();
  }

  /// Answers until the other side is gone, first what another copy of this process has left.
  /// @param time for each answer.
  void answer_questions(const std::optional<Seconds>& time) {
    if (work_->request.source != Work::idle) answer(time);
    while (const auto request = channel_.receive_value<RouteRequest>()) {
      work_->request = *request;
      answer(time);
    }
  }

  /// To be called when a copy of this process has ended: what ended it is not asked again. If
  /// SimGrid does not survive the question for the zones alone, no other pair of their hosts costs
  /// a process.
  void learn_from_end(const std::string& description) {
    const auto [source, first, last] = work_->request;
    if (source == Work::idle) return;
    if (source == RouteRequest::chains) {
      knows_chains_ = false;
      return;
    }
    const auto text = std::find(texts_.begin(), texts_.end(), description);
    const int end = narrow<int>(text - texts_.begin());
    if (text == texts_.end()) texts_.push_back(description);
    if (!ends_.emplace(std::pair(source, work_->destination), end).second)
      _exit(EXIT_FAILURE);  // it was not asked
    const auto zones = zones_.zones_between(point(source), point(work_->destination));
    if (!zones) return;
    Subprocess probe([&] {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      zones_.ask_between(*zones);
    });
    if (probe.wait().status != 0) zones_.give_up(*zones, end);
  }

 private:
  const NetPoint* point(int host) const {
    return hosts_[static_cast<std::size_t>(host)]->get_netpoint();
  }

  void send_inventory() {
    channel_.send_value(hosts_.size());
    for (const auto* host : hosts_) channel_.send_text(host->get_name());
    const auto links = engine_.get_filtered_links([this](const s4u::Link* link) {
      return !is_cluster_loopback(link->get_name()) && !zones_.is_loopback(link->get_impl());
    });
    channel_.send_value(links.size());
    for (const auto* link : links) {
      ids_.emplace(link->get_impl(), int_size(ids_));
      channel_.send_text(link->get_name());
      channel_.send_value(LinkRecord{link->get_bandwidth(), link->get_latency(),
                                     static_cast<int>(link->get_sharing_policy())});
    }
    channel_.send_value(zones_.only_looks_up());
    channel_.send_value(zones_.adds_latency());
  }

  void answer(const std::optional<Seconds>& time) {
    limit_time_from_now(time);
    if (work_->request.source == RouteRequest::chains)
      send_chains();
    else
      while (work_->request.first < work_->request.last) send_piece();
    work_->request.source = Work::idle;
    limit_time_from_now({});
  }

  void send_piece() {
    RouteRequest& request = work_->request;
    const int end = std::min(request.last, request.first + routes_per_piece);
    std::vector<int> lengths, links;
    std::vector<double> added;
    for (int destination = request.first; destination < end; ++destination)
      lengths.push_back(append_route(request.source, destination, links, added));
    channel_.send_vector(lengths);
    channel_.send_vector(links);
    channel_.send_vector(added);
    channel_.send_value(texts_.size());
    for (const std::string& text : texts_) channel_.send_text(text);
    request.first = end;
  }

  /// @return the number of links, or -1 - the number of the text about SimGrid's end.
  int append_route(int source, int destination, std::vector<int>& links,
                   std::vector<double>& added) {
    work_->destination = destination;
    std::vector<Link*> route;
    double latency = 0;
    Reason reason = no_route;
    if (const auto end = ends_.find({source, destination}); end != ends_.end())
      reason = end->second;
    else if (source != destination)
      reason = zones_.reason_not_to_ask(point(source), point(destination));
    if (!reason) reason = zones_.route(point(source), point(destination), route, latency);
    if (zones_.adds_latency()) added.push_back(latency);
    const std::size_t start = links.size();
    for (const Link* link : route)  // bypass routes pass the loopbacks of their gateways
      if (const auto id = ids_.find(link); id != ids_.end()) links.push_back(id->second);
    return reason && *reason != no_route ? -1 - *reason : narrow<int>(links.size() - start);
  }

  void send_chains() {
    std::vector<int> flat;
    if (knows_chains_)
      zones_.for_each_chain([&](int from, int to, const std::vector<Link*>& links) {
        const std::size_t start = flat.size();
        flat.insert(flat.end(), {from, to, narrow<int>(links.size())});
        for (const Link* link : links) {
          const auto id = ids_.find(link);
          if (id == ids_.end()) return flat.resize(start);  // a loopback link
          flat.push_back(id->second);
        }
      });
    channel_.send_vector(flat);
    channel_.send_text(zones_.router_names());
  }

  Channel& channel_;
  std::shared_ptr<Work> work_ = make_shared_memory<Work>();
  SimGridZones zones_;
  std::array<char, 6> name_{"vtopo"};
  std::array<char*, 2> arguments_{name_.data(), nullptr};
  int count_ = 1;
  s4u::Engine engine_;
  std::vector<s4u::Host*> hosts_;
  std::unordered_set<const s4u::Host*> known_;
  std::unordered_map<const Link*, int> ids_;
  std::map<std::pair<int, int>, int> ends_;  ///< of routes on which SimGrid has ended
  std::vector<std::string> texts_;           ///< how SimGrid ends
  bool knows_chains_ = true;
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

void serve_platform(Channel& channel, PlatformShared& shared, const std::string& file,
                    const PlatformText& source, const std::optional<Seconds>& time) {
  Server server(channel, shared, file, source);
  limit_time_from_now({});  // it waits for questions
  for (;;) {
    Subprocess worker([&] {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      server.answer_questions(time);
    });
    const ProcessEnd& end = worker.wait();
    if (end.status == 0) return;
    if (limit_was_hit()) _exit(EXIT_FAILURE);
    server.learn_from_end(end.description());
  }
}

}  // namespace vtopo::detail
