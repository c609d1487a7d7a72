#include "netmodels/platform/platform_rewrite.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

namespace vtopo::detail {

namespace {

/// More vertices than this, and what the searches keep would fill the memory.
constexpr std::size_t max_cached_vertices = 5000;

using Links = std::set<std::string>;

bool is_zone_that_searches(pugi::xml_node zone) {
  const std::string_view routing = zone.attribute("routing").value();
  return routing == "Floyd" || routing == "Dijkstra" || routing == "DijkstraCache";
}

std::string_view name_of(pugi::xml_node element) {
  return element.name();
}

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_route(pugi::xml_node element) {
  return is_any_of(name_of(element), {"route", "zoneRoute", "ASroute"});
}

bool is_bypass(pugi::xml_node element) {
  return is_any_of(name_of(element), {"bypassRoute", "bypassZoneRoute", "bypassASroute"});
}

/// SimGrid's name of the link that an entry of a route takes.
std::string link_of(pugi::xml_node entry, bool back) {
  const std::string_view direction = entry.attribute("direction").value();
  std::string id = entry.attribute("id").value();
  if (direction == "UP") return id + (back ? "_DOWN" : "_UP");
  if (direction == "DOWN") return id + (back ? "_UP" : "_DOWN");
  return id;
}

bool takes_any(pugi::xml_node route, bool back, const Links& links) {
  const auto entries = route.children("link_ctn");
  return std::any_of(entries.begin(), entries.end(),
                     [&](pugi::xml_node entry) { return links.contains(link_of(entry, back)); });
}

bool goes_both_ways(pugi::xml_node route) {
  return is_any_of(route.attribute("symmetrical").as_string("YES"), {"YES", "yes"});
}

void swap_values(pugi::xml_node route, const char* one, const char* other) {
  if (!route.attribute(one)) return;
  const std::string value = route.attribute(one).value();
  route.attribute(one).set_value(route.attribute(other).value());
  route.attribute(other).set_value(value.c_str());
}

void turn_around(pugi::xml_node route) {
  swap_values(route, "src", "dst");
  swap_values(route, "gw_src", "gw_dst");
  std::vector<pugi::xml_node> entries;
  for (const auto entry : route.children("link_ctn")) entries.push_back(entry);
  for (auto entry : entries) {
    route.prepend_move(entry);
    auto direction = entry.attribute("direction");
    const std::string_view way = direction.value();
    if (way == "UP" || way == "DOWN") direction.set_value(way == "UP" ? "DOWN" : "UP");
  }
}

/// Keeps of a route what takes none of the links.
void prune(pugi::xml_node route, const Links& links) {
  const bool forth = !takes_any(route, false, links);
  const bool back = goes_both_ways(route) && !takes_any(route, true, links);
  if (forth && (back || !goes_both_ways(route))) return;
  if (!forth && !back) {
    route.parent().remove_child(route);
    return;
  }
  if (!forth) turn_around(route);
  auto symmetrical = route.attribute("symmetrical");
  if (!symmetrical) symmetrical = route.append_attribute("symmetrical");
  symmetrical.set_value("NO");
}

/// Removes routes below `element`; `found` collects the failed links that the file declares.
class Removal {
 public:
  explicit Removal(const Links& links) : links_(links) {}

  bool remove(pugi::xml_node element) {
    for (auto child = element.first_child(); child;) {
      const auto next = child.next_sibling();
      if (!treat(child)) return false;
      child = next;
    }
    return true;
  }

  bool knows_all() const { return declared_.size() == links_.size(); }

 private:
  bool treat(pugi::xml_node child) {
    if (name_of(child) == "link") declare(child.attribute("id").value());
    if (!is_route(child) && !is_bypass(child)) return remove(child);
    if (!takes_any(child, false, links_) && !takes_any(child, true, links_)) return true;
    if (is_bypass(child))
      child.parent().remove_child(child);
    else if (!is_zone_that_searches(child.parent()))
      return false;
    else
      prune(child, links_);
    return true;
  }

  void declare(const std::string& id) {
    for (const char* end : {"", "_UP", "_DOWN"})
      if (links_.contains(id + end)) declared_.insert(id + end);
  }

  const Links& links_;
  Links declared_;
};

std::size_t count_vertices(pugi::xml_node element) {
  std::size_t count = is_any_of(name_of(element), {"host", "router", "cluster", "zone", "AS"});
  if (is_route(element) || is_bypass(element)) return count;
  for (const auto child : element.children()) count += count_vertices(child);
  return count;
}

void collect_searches(pugi::xml_node element, std::vector<std::size_t>& places) {
  if (is_route(element) || is_bypass(element)) return;
  if (std::string_view(element.attribute("routing").value()) == "Dijkstra")
    places.push_back(static_cast<std::size_t>(element.offset_debug()));
  for (const auto child : element.children()) collect_searches(child, places);
}

}  // namespace

std::optional<std::string> with_cached_searches(const PlatformFile& file) {
  const auto platform = file.document.child("platform");
  std::vector<std::size_t> places;
  collect_searches(platform, places);
  if (places.empty() || count_vertices(platform) > max_cached_vertices) return std::nullopt;
  std::string text = file.text;
  constexpr std::string_view word = "Dijkstra";
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    // The value of the attribute: between quotes, so not a part of another word.
    std::size_t found = text.find(word, *place);
    while (found != text.npos && text[found + word.size()] != text[found - 1])
      found = text.find(word, found + 1);
    const std::size_t key = text.rfind("routing", found);
    if (found != text.npos && key != text.npos && key > *place)
      text.insert(found + word.size(), "Cache");
  }
  return text;
}

std::string text_of(const pugi::xml_document& document) {
  std::ostringstream text;
  text << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n";
  document.save(text, " ", pugi::format_default | pugi::format_no_declaration);
  return text.str();
}

bool remove_routes(PlatformFile& file, const std::set<std::string>& links) {
  Removal removal(links);
  return removal.remove(file.document.child("platform")) && removal.knows_all();
}

}  // namespace vtopo::detail
