#include "tests/netmodels/platform/simgrid_oracle.hpp"

#include <fmt/format.h>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "netmodels/process/child_process.hpp"
#include "sim/clock/simgrid/simgrid_zone.hpp"
#include "tests/support/folders.hpp"
#include "topology/base/text.hpp"

namespace vtopo::tests {

using namespace vtopo::detail;

namespace {

namespace s4u = simgrid::s4u;

RouteNames empty_table(int num_hosts) {
  const auto hosts = static_cast<std::size_t>(num_hosts);
  return RouteNames(hosts, std::vector<std::vector<std::string>>(hosts));
}

using MakeHosts = std::function<std::vector<s4u::Host*>(s4u::Engine&)>;

/// The names of a route's links, one per line, and an empty line.
std::string route_text(const s4u::Host* source, const s4u::Host* destination) {
  std::string text;
  std::vector<s4u::Link*> links;
  if (source != destination) source->route_to(destination, links, nullptr);
  for (const auto* link : links) text += link->get_name() + "\n";
  return text + "\n";
}

/// Texts of routes, sent many at a time.
class RouteSender {
 public:
  explicit RouteSender(Channel& channel) : channel_(channel) {}

  void add(const s4u::Host* source, const s4u::Host* destination) {
    text_ += route_text(source, destination);
    if (text_.size() > 100000) send();
  }
  void send() {
    channel_.send_text(text_);
    text_.clear();
  }

 private:
  Channel& channel_;
  std::string text_;
};

/// Reads what a RouteSender sent.
class RouteReader {
 public:
  explicit RouteReader(ChildProcess& child) : child_(child) {}

  std::vector<std::string> next() {
    if (start_ == text_.size()) {
      auto text = child_.channel().receive_text();
      if (!text) throw std::runtime_error("the oracle " + child_.exit_description());
      text_ = std::move(*text);
      start_ = 0;
    }
    std::vector<std::string> route;
    for (;;) {
      const auto end = text_.find('\n', start_);
      const std::string line = text_.substr(start_, end - start_);
      start_ = end + 1;
      if (line.empty()) return route;
      route.push_back(line);
    }
  }

 private:
  ChildProcess& child_;
  std::string text_;
  std::size_t start_ = 0;
};

/// Runs `make_hosts` with an engine of its own, then `use_hosts`.
void with_hosts(const MakeHosts& make_hosts,
                const std::function<void(const std::vector<s4u::Host*>&)>& use_hosts) {
  char name[] = "oracle";
  char* arguments[] = {name, nullptr};
  int count = 1;
  s4u::Engine engine(&count, arguments);
  use_hosts(make_hosts(engine));
}

/// Runs `make_hosts` in a child with an engine and sends home the names of all links on all routes.
RouteNames routes_in_child(int num_hosts, const MakeHosts& make_hosts) {
  ChildProcess child([&](Channel& channel) {
    with_hosts(make_hosts, [&](const std::vector<s4u::Host*>& hosts) {
      RouteSender sender(channel);
      for (const auto* source : hosts)
        for (const auto* destination : hosts) sender.add(source, destination);
      sender.send();
    });
  });
  RouteNames routes = empty_table(num_hosts);
  RouteReader reader(child);
  for (auto& row : routes)
    for (auto& route : row) route = reader.next();
  return routes;
}

/// Loads a cluster from a file made for it; host i is called n<i>.
MakeHosts cluster(const std::string& topology, const std::string& parameters, int num_hosts) {
  const std::string file = fmt::format("{}/oracle-{}-{}.xml", tests::own_folder(), topology,
                                       std::hash<std::string>{}(parameters));
  std::ofstream(file) << fmt::format(
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
      "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
      "<zone id=\"z\" routing=\"Full\"><cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-{}\" "
      "speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" topology=\"{}\" topo_parameters=\"{}\"/></zone>\n"
      "</platform>\n",
      num_hosts - 1, topology, parameters);
  return [file, num_hosts](s4u::Engine& engine) {
    engine.load_platform(file);
    std::vector<s4u::Host*> hosts;
    for (int h = 0; h < num_hosts; ++h) hosts.push_back(engine.host_by_name(fmt::format("n{}", h)));
    return hosts;
  };
}

/// One-to-one renaming between our links and SimGrid's, found as routes come in.
class Renaming {
 public:
  explicit Renaming(int num_links) : to_simgrid_(static_cast<std::size_t>(num_links)) {}

  bool agrees(const std::vector<LinkId>& own, const std::vector<s4u::Link*>& simgrid) {
    bool same = own.size() == simgrid.size();
    for (std::size_t i = 0; same && i < own.size(); ++i) {
      const s4u::Link*& partner = to_simgrid_[index(own[i])];
      if (partner == nullptr) partner = simgrid[i];
      same = partner == simgrid[i] && to_own_.emplace(simgrid[i], own[i]).first->second == own[i];
    }
    return same;
  }

 private:
  std::vector<const s4u::Link*> to_simgrid_;
  std::unordered_map<const s4u::Link*, LinkId> to_own_;
};

}  // namespace

RouteNames simgrid_cluster_routes(const std::string& topology, const std::string& parameters,
                                  int num_hosts) {
  return routes_in_child(num_hosts, cluster(topology, parameters, num_hosts));
}

std::vector<std::vector<std::string>> simgrid_cluster_routes(
    const std::string& topology, const std::string& parameters, int num_hosts,
    const std::vector<std::pair<int, int>>& pairs) {
  const MakeHosts make_hosts = cluster(topology, parameters, num_hosts);
  ChildProcess child([&](Channel& channel) {
    with_hosts(make_hosts, [&](const std::vector<s4u::Host*>& hosts) {
      RouteSender sender(channel);
      for (const auto& [source, destination] : pairs)
        sender.add(hosts[static_cast<std::size_t>(source)],
                   hosts[static_cast<std::size_t>(destination)]);
      sender.send();
    });
  });
  std::vector<std::vector<std::string>> routes;
  RouteReader reader(child);
  for (std::size_t i = 0; i < pairs.size(); ++i) routes.push_back(reader.next());
  return routes;
}

int pairs_off_simgrid(const std::string& topology, const std::string& parameters,
                      const Network& network, const std::vector<std::pair<HostId, HostId>>& pairs) {
  const MakeHosts make_hosts = cluster(topology, parameters, network.num_hosts());
  ChildProcess child([&](Channel& channel) {
    with_hosts(make_hosts, [&](const std::vector<s4u::Host*>& hosts) {
      Renaming renaming(network.num_links());
      std::vector<LinkId> own;
      std::vector<s4u::Link*> links;
      int off = 0;
      for (const auto& [source, destination] : pairs) {
        own.clear();
        links.clear();
        network.append_route(source, destination, own);
        if (source != destination)
          hosts[index(source)]->route_to(hosts[index(destination)], links, nullptr);
        if (!renaming.agrees(own, links)) ++off;
      }
      channel.send_text(std::to_string(off));
    });
  });
  const auto text = child.channel().receive_text();
  if (!text) throw std::runtime_error("the oracle " + child.exit_description());
  return std::stoi(*text);
}

RouteNames simgrid_platform_routes(const std::string& file,
                                   const std::vector<std::string>& host_names) {
  return routes_in_child(static_cast<int>(host_names.size()), [&](s4u::Engine& engine) {
    engine.load_platform(file);
    engine.seal_platform();
    std::vector<s4u::Host*> hosts;
    for (const auto& name : host_names) hosts.push_back(engine.host_by_name(name));
    return hosts;
  });
}

std::vector<std::string> simgrid_host_names(const std::string& file) {
  ChildProcess child([&](Channel& channel) {
    std::string text;
    const auto load = [&](s4u::Engine& engine) {
      engine.load_platform(file);
      return engine.get_all_hosts();
    };
    with_hosts(load, [&](const std::vector<s4u::Host*>& hosts) {
      for (const auto* host : hosts) text += host->get_name() + "\n";
    });
    channel.send_text(text);
  });
  const auto text = child.channel().receive_text();
  if (!text) throw std::runtime_error("the oracle " + child.exit_description());
  std::vector<std::string> names;
  for (const auto name : split(*text, '\n'))
    if (!name.empty()) names.emplace_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

RouteNames hosted_routes(const Network& network) {
  std::vector<HostId> hosts(static_cast<std::size_t>(network.num_hosts()));
  std::vector<LinkId> links(static_cast<std::size_t>(network.num_links()));
  for (std::size_t h = 0; h < hosts.size(); ++h) hosts[h] = id_at<HostId>(h);
  for (std::size_t l = 0; l < links.size(); ++l) links[l] = id_at<LinkId>(l);
  return routes_in_child(network.num_hosts(), [&](s4u::Engine&) {
    return host_on_simgrid(network, hosts, links, ZoneLatency::as_modelled).hosts;
  });
}

RouteNames own_routes(const Network& network) {
  RouteNames routes = empty_table(network.num_hosts());
  for (std::size_t a = 0; a < routes.size(); ++a)
    for (std::size_t b = 0; b < routes.size(); ++b) {
      std::vector<LinkId> links;
      network.append_route(id_at<HostId>(a), id_at<HostId>(b), links);
      for (const LinkId link : links) routes[a][b].push_back(network.link_name(link));
    }
  return routes;
}

}  // namespace vtopo::tests
