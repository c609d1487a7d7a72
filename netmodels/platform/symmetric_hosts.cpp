#include "netmodels/platform/symmetric_hosts.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "netmodels/platform/platform_file.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

using Ids = std::unordered_map<std::string_view, int>;

Ids ids_of(const std::vector<std::string>& names) {
  Ids ids;
  for (std::size_t i = 0; i < names.size(); ++i) ids.emplace(names[i], narrow<int>(i));
  return ids;
}

bool is_route(std::string_view element) {
  return element.ends_with("oute");
}

/// Elements that make equal hosts.
void collect_clusters(pugi::xml_node element, std::vector<pugi::xml_node>& clusters) {
  const std::string_view name = element.name();
  if ((name == "cluster" && !element.attribute("topology")) || name == "cabinet")
    clusters.push_back(element);
  if (is_route(name)) return;
  for (const auto child : element.children()) collect_clusters(child, clusters);
}

/// Hosts and gateways that routes name.
void collect_named(pugi::xml_node element, std::unordered_set<std::string>& named) {
  if (!is_route(element.name())) {
    for (const auto child : element.children()) collect_named(child, named);
    return;
  }
  for (const char* end : {"src", "dst", "gw_src", "gw_dst"})
    if (const auto attribute = element.attribute(end)) named.insert(attribute.value());
}

/// The links that SimGrid makes for one host, by their names.
std::vector<LinkId> own_links(pugi::xml_node cluster, std::string_view host, std::int64_t number,
                              const Ids& links) {
  const std::string stem = std::string_view(cluster.name()) == "cluster"
                               ? fmt::format("{}_link_{}", cluster.attribute("id").value(), number)
                               : fmt::format("link_{}", host);
  std::vector<LinkId> own;
  for (const char* end : {"", "_UP", "_DOWN", "_limiter"})
    if (const auto link = links.find(stem + end); link != links.end())
      own.push_back(LinkId{link->second});
  return own;
}

}  // namespace

SymmetricHosts::SymmetricHosts(pugi::xml_node platform, const PlatformInventory& inventory)
    : family_of_(inventory.host_names.size(), -1),
      own_links_(inventory.host_names.size()),
      owners_(inventory.links.size()) {
  const Ids hosts = ids_of(inventory.host_names), links = ids_of(inventory.link_names);
  std::vector<pugi::xml_node> clusters;
  collect_clusters(platform, clusters);
  std::unordered_set<std::string> named;
  if (!clusters.empty()) collect_named(platform, named);
  for (const auto cluster : clusters) {
    std::vector<HostId> symmetric;
    std::vector<std::vector<LinkId>> links_of_hosts;
    for (const auto n : numbers_of_radical(cluster.attribute("radical").value())) {
      const std::string name = fmt::format("{}{}{}", cluster.attribute("prefix").value(), n,
                                           cluster.attribute("suffix").value());
      const auto host = hosts.find(name);
      if (host == hosts.end() || named.contains(name)) continue;
      symmetric.push_back(HostId{host->second});
      links_of_hosts.push_back(own_links(cluster, name, n, links));
    }
    add(symmetric, links_of_hosts);
  }
  for (std::size_t h = 0; h < family_of_.size(); ++h) {
    const HostId host = id_at<HostId>(h);
    if (family_of_[h] < 0) models_.push_back(host);
  }
  for (const Family& family : families_)
    models_.insert(models_.end(), {family.first, family.second});
}

void SymmetricHosts::add(const std::vector<HostId>& hosts,
                         const std::vector<std::vector<LinkId>>& links) {
  if (hosts.size() < 3) return;
  for (const auto& own : links)
    if (own.empty() || own.size() != links.front().size()) return;
  families_.push_back({hosts[0], hosts[1]});
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    family_of_[index(hosts[i])] = int_size(families_) - 1;
    own_links_[index(hosts[i])] = links[i];
    for (std::size_t k = 0; k < links[i].size(); ++k)
      owners_[index(links[i][k])] = {number(hosts[i]), narrow<int>(k)};
  }
}

std::pair<HostId, HostId> SymmetricHosts::model(HostId source, HostId destination) const {
  const int from = family_of_[index(source)], to = family_of_[index(destination)];
  const auto at = [this](int family) { return families_[static_cast<std::size_t>(family)]; };
  if (from >= 0 && from == to) return {at(from).first, at(from).second};
  return {from < 0 ? source : at(from).first, to < 0 ? destination : at(to).first};
}

LinkId SymmetricHosts::translate(LinkId link, std::pair<HostId, HostId> model, HostId source,
                                 HostId destination) const {
  const Owner owner = owners_[index(link)];
  if (owner.host < 0) return link;
  const auto place = static_cast<std::size_t>(owner.place);
  if (owner.host == number(model.first)) return own_links_[index(source)][place];
  if (owner.host == number(model.second)) return own_links_[index(destination)][place];
  return link;
}

}  // namespace vtopo::detail
