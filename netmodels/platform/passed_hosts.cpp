#include "netmodels/platform/passed_hosts.hpp"

#include <strings.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace vtopo::detail {

namespace {

bool searches(pugi::xml_node zone) {
  const char* routing = zone.attribute("routing").value();
  return strcasecmp(routing, "Floyd") == 0 || strcasecmp(routing, "Dijkstra") == 0 ||
         strcasecmp(routing, "DijkstraCache") == 0;
}

bool is_member(pugi::xml_node element) {
  const std::string_view name = element.name();
  return name == "host" || name == "zone" || name == "AS" || name == "cluster" ||
         name == "router" || name == "peer";
}

class PassedHosts {
 public:
  bool found = false;

  void walk(pugi::xml_node zone) {
    const auto members = zone.children();
    const bool alone = std::count_if(members.begin(), members.end(), is_member) < 2;
    for (const auto member : members)
      if (!alone && std::string_view(member.name()) == "host")
        hosts_.insert(member.attribute("id").value());
    std::unordered_map<std::string, std::set<std::string>> neighbours;
    for (const auto child : members) {
      const std::string_view name = child.name();
      if (name == "zone" || name == "AS") walk(child);
      if (!name.ends_with("oute")) continue;
      for (const char* end : {"gw_src", "gw_dst"})
        if (const auto gateway = child.attribute(end))
          found = found || hosts_.contains(gateway.value());
      neighbours[child.attribute("src").value()].insert(child.attribute("dst").value());
      neighbours[child.attribute("dst").value()].insert(child.attribute("src").value());
    }
    if (!searches(zone)) return;
    for (const auto& [member, others] : neighbours)
      if (others.size() > others.count(member) + 1) found = found || hosts_.contains(member);
  }

 private:
  std::unordered_set<std::string> hosts_;  ///< of zones with other members
};

}  // namespace

bool routes_may_pass_hosts(pugi::xml_node platform) {
  PassedHosts hosts;
  for (const auto zone : platform.children()) hosts.walk(zone);
  return hosts.found;
}

}  // namespace vtopo::detail
