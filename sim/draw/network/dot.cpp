#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "sim/draw/network/picture.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

constexpr int max_links = 2000;

std::string dot_quoted(std::string_view name) {
  std::string result = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

/// Two vertices, the smaller one first, and the bandwidth of a link between them.
using Connection = std::tuple<int, int, double>;

}  // namespace

std::string to_dot(const Network& network) {
  if (network.num_links() > max_links)
    throw UsageError(fmt::format("{} has {} directed links: networks of up to {} are drawn as DOT",
                                 network.description(), network.num_links(), max_links));
  std::map<Connection, int> forth, back;
  std::set<int> vertices;
  int unknown = 0;
  for (int l = 0; l < network.num_links(); ++l) {
    const auto ends = network.link_ends(LinkId{l});
    if (!ends) {
      ++unknown;
      continue;
    }
    vertices.insert({ends->from, ends->to});
    const auto [low, high] = std::minmax(ends->from, ends->to);
    ++(ends->from == low ? forth : back)[{low, high, network.link(LinkId{l}).bandwidth.value}];
  }
  if (forth.empty() && back.empty() && unknown > 0)
    throw UsageError(fmt::format("{} declares routes and not where its links lead: nothing to draw",
                                 network.description()));
  auto name = [&](int vertex) {
    return vertex < network.num_hosts() ? dot_quoted(network.host_name(HostId{vertex}))
                                        : fmt::format("s{}", vertex - network.num_hosts());
  };
  std::string text = fmt::format("graph {} {{\n  layout=neato; overlap=false; splines=true;\n",
                                 dot_quoted(network.description()));
  if (unknown > 0)
    text += fmt::format("  // left out as it is not known where they lead: {} {}\n", unknown,
                        unknown == 1 ? "link" : "links");
  for (const int vertex : vertices)
    text += fmt::format("  {} [shape={}];\n", name(vertex),
                        vertex < network.num_hosts() ? "box" : "ellipse");
  std::set<Connection> connections;
  for (const auto* links : {&forth, &back})
    for (const auto& [connection, count] : *links) connections.insert(connection);
  for (const Connection& connection : connections) {
    const auto [low, high, bandwidth] = connection;
    const int ways = forth[connection], returns = back[connection];
    const int cables = std::max(ways, returns);
    text +=
        fmt::format("  {} -- {} [label=\"{}{}\"{}];\n", name(low), name(high),
                    cables > 1 ? fmt::format("{} x ", cables) : "", format_bandwidth({bandwidth}),
                    returns == 0 ? " dir=forward" : (ways == 0 ? " dir=back" : ""));
  }
  return text + "}\n";
}

}  // namespace vtopo::detail
