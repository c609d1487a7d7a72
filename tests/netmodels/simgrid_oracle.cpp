#include "simgrid_oracle.hpp"

#include <fmt/format.h>
#include <simgrid/s4u.hpp>

#include <fstream>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "netmodels/child_process.hpp"
#include "netmodels/simgrid_zone.hpp"

namespace vtopo::tests {

namespace {

namespace s4u = simgrid::s4u;

RouteNames empty_table(int num_hosts) {
  const auto hosts = static_cast<std::size_t>(num_hosts);
  return RouteNames(hosts, std::vector<std::vector<std::string>>(hosts));
}

/// Runs `make_hosts` in a child with an engine and sends home the names of all links on all routes.
RouteNames routes_in_child(int num_hosts,
                           const std::function<std::vector<s4u::Host*>(s4u::Engine&)>& make_hosts) {
  ChildProcess child([&](Channel& channel) {
    char name[] = "oracle";
    char* arguments[] = {name, nullptr};
    int count = 1;
    s4u::Engine engine(&count, arguments);
    const auto hosts = make_hosts(engine);
    for (const auto* source : hosts)
      for (const auto* destination : hosts) {
        std::string text;
        std::vector<s4u::Link*> links;
        if (source != destination) source->route_to(destination, links, nullptr);
        for (const auto* link : links) text += link->get_name() + "\n";
        channel.send_text(text);
      }
  });
  RouteNames routes = empty_table(num_hosts);
  for (auto& row : routes)
    for (auto& route : row) {
      const auto text = child.channel().receive_text();
      if (!text) throw std::runtime_error("the oracle " + child.end_in_words());
      for (std::size_t start = 0; start < text->size();) {
        const auto end = text->find('\n', start);
        route.push_back(text->substr(start, end - start));
        start = end + 1;
      }
    }
  return routes;
}

}  // namespace

RouteNames simgrid_cluster_routes(const std::string& topology, const std::string& parameters,
                                  int num_hosts) {
  const std::string file = fmt::format("{}/oracle-{}-{}.xml", VTOPO_BINARY_DIR, topology,
                                       std::hash<std::string>{}(parameters));
  std::ofstream(file) << fmt::format(
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
      "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
      "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\" bw=\"1GBps\" "
      "lat=\"1us\" topology=\"{}\" topo_parameters=\"{}\"/>\n</platform>\n",
      num_hosts - 1, topology, parameters);
  return routes_in_child(num_hosts, [&](s4u::Engine& engine) {
    engine.load_platform(file);
    std::vector<s4u::Host*> hosts;
    for (int h = 0; h < num_hosts; ++h) hosts.push_back(engine.host_by_name(fmt::format("n{}", h)));
    return hosts;
  });
}

RouteNames simgrid_file_routes(const std::string& path, const std::vector<std::string>& names) {
  return routes_in_child(static_cast<int>(names.size()), [&](s4u::Engine& engine) {
    engine.load_platform(path);
    std::vector<s4u::Host*> hosts;
    for (const auto& name : names) hosts.push_back(engine.host_by_name(name));
    return hosts;
  });
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
