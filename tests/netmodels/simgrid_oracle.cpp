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

using MakeHosts = std::function<std::vector<s4u::Host*>(s4u::Engine&)>;

/// Runs `make_hosts` in a child with an engine and sends home the names of all links on the routes.
std::vector<std::vector<std::string>> routes_in_child(const std::vector<HostPair>& pairs,
                                                      const MakeHosts& make_hosts) {
  ChildProcess child([&](Channel& channel) {
    char name[] = "oracle";
    char* arguments[] = {name, nullptr};
    int count = 1;
    s4u::Engine engine(&count, arguments);
    const auto hosts = make_hosts(engine);
    for (const auto& [source, destination] : pairs) {
      std::string text;
      std::vector<s4u::Link*> links;
      if (source != destination)
        hosts.at(index(source))->route_to(hosts.at(index(destination)), links, nullptr);
      for (const auto* link : links) text += link->get_name() + "\n";
      channel.send_text(text);
    }
  });
  std::vector<std::vector<std::string>> routes(pairs.size());
  for (auto& route : routes) {
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

std::vector<HostPair> all_pairs(int num_hosts) {
  std::vector<HostPair> pairs;
  for (int a = 0; a < num_hosts; ++a)
    for (int b = 0; b < num_hosts; ++b) pairs.push_back({HostId{a}, HostId{b}});
  return pairs;
}

RouteNames as_table(const std::vector<std::vector<std::string>>& routes, int num_hosts) {
  RouteNames table;
  for (auto row = routes.begin(); row != routes.end(); row += num_hosts)
    table.emplace_back(row, row + num_hosts);
  return table;
}

}  // namespace

std::vector<std::vector<std::string>> simgrid_cluster_routes(const std::string& topology,
                                                             const std::string& parameters,
                                                             int num_hosts,
                                                             const std::vector<HostPair>& pairs) {
  const std::string file = fmt::format("{}/oracle-{}-{}.xml", VTOPO_BINARY_DIR, topology,
                                       std::hash<std::string>{}(parameters));
  std::ofstream(file) << fmt::format(
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
      "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
      "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\" bw=\"1GBps\" "
      "lat=\"1us\" topology=\"{}\" topo_parameters=\"{}\"/>\n</platform>\n",
      num_hosts - 1, topology, parameters);
  return routes_in_child(pairs, [&](s4u::Engine& engine) {
    engine.load_platform(file);
    std::vector<s4u::Host*> hosts;
    for (int h = 0; h < num_hosts; ++h) hosts.push_back(engine.host_by_name(fmt::format("n{}", h)));
    return hosts;
  });
}

RouteNames simgrid_cluster_routes(const std::string& topology, const std::string& parameters,
                                  int num_hosts) {
  return as_table(simgrid_cluster_routes(topology, parameters, num_hosts, all_pairs(num_hosts)),
                  num_hosts);
}

RouteNames hosted_routes(const Network& network) {
  std::vector<HostId> hosts(static_cast<std::size_t>(network.num_hosts()));
  std::vector<LinkId> links(static_cast<std::size_t>(network.num_links()));
  for (std::size_t h = 0; h < hosts.size(); ++h) hosts[h] = id_at<HostId>(h);
  for (std::size_t l = 0; l < links.size(); ++l) links[l] = id_at<LinkId>(l);
  const auto routes = routes_in_child(all_pairs(network.num_hosts()), [&](s4u::Engine&) {
    return host_on_simgrid(network, hosts, links, ZoneLatency::as_modelled).hosts;
  });
  return as_table(routes, network.num_hosts());
}

RouteNames own_routes(const Network& network) {
  const auto num_hosts = static_cast<std::size_t>(network.num_hosts());
  RouteNames routes(num_hosts, std::vector<std::vector<std::string>>(num_hosts));
  for (std::size_t a = 0; a < routes.size(); ++a)
    for (std::size_t b = 0; b < routes.size(); ++b) {
      std::vector<LinkId> links;
      network.append_route(id_at<HostId>(a), id_at<HostId>(b), links);
      for (const LinkId link : links) routes[a][b].push_back(network.link_name(link));
    }
  return routes;
}

}  // namespace vtopo::tests
