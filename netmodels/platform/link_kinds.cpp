#include "netmodels/platform/link_kinds.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Names of links that have a part of their own in a cluster.
struct NamedParts {
  std::unordered_set<std::string> backbones;
  std::unordered_set<std::string> limited_clusters;

  void walk(pugi::xml_node element) {
    const std::string_view name = element.name();
    const std::string id = element.attribute("id").value();
    if (name == "backbone") backbones.insert(id);
    if (name == "cluster" && element.attribute("bb_bw")) backbones.insert(id + "_backbone");
    if (name == "cluster" && element.attribute("limiter_link")) limited_clusters.insert(id);
    if (name.ends_with("oute")) return;  // routes only name links
    for (const auto child : element.children()) walk(child);
  }

  /// `<cluster>_link_<number>_limiter`
  bool is_limiter(const std::string& link) const {
    constexpr std::string_view end = "_limiter", middle = "_link_";
    if (!link.ends_with(end)) return false;
    const auto place = link.rfind(middle);
    return place != link.npos && limited_clusters.contains(link.substr(0, place));
  }

  std::string_view kind(const std::string& link, LinkSharing sharing) const {
    if (is_limiter(link)) return "limiter";
    if (backbones.contains(link)) return "backbone";
    return sharing == LinkSharing::fatpipe ? "fatpipe" : "links";
  }
};

}  // namespace

LinkKinds sort_links(pugi::xml_node platform, PlatformInventory& inventory) {
  NamedParts parts;
  parts.walk(platform);
  LinkKinds kinds;
  for (std::size_t l = 0; l < inventory.links.size(); ++l) {
    LinkProperties& link = inventory.links[l];
    const std::string_view name = parts.kind(inventory.link_names[l], link.sharing);
    link.hops = name == "limiter" ? 0 : 1;
    auto kind = std::find_if(kinds.classes.begin(), kinds.classes.end(),
                             [&](const LinkClass& known) { return known.name == name; });
    if (kind == kinds.classes.end())
      kind = kinds.classes.insert(kind, {std::string(name), 0, link.bandwidth, link.latency});
    ++kind->links;
    kind->bandwidth = std::min(kind->bandwidth, link.bandwidth);
    kind->latency = std::max(kind->latency, link.latency);
    kinds.class_of.push_back(narrow<int>(kind - kinds.classes.begin()));
  }
  return kinds;
}

}  // namespace vtopo::detail
