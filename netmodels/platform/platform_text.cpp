#include "netmodels/platform/platform_text.hpp"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <sstream>
#include <string_view>

#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

/// Elements that are kept from SimGrid with all that is in them.
constexpr std::array<std::string_view, 3> ignored_elements{"config", "trace", "trace_connect"};

bool is_ignored(pugi::xml_node element) {
  return std::find(ignored_elements.begin(), ignored_elements.end(),
                   std::string_view(element.name())) != ignored_elements.end();
}

/// `bandwidth_file`, `latency_file`, `state_file`, `speed_file`, `availability_file`.
bool is_profile(pugi::xml_attribute attribute) {
  return std::string_view(attribute.name()).ends_with("_file");
}

/// Counts what is ignored, and wireless links, which are taken as if they were not.
struct Survey {
  std::set<std::string> profiles;  ///< kinds
  int num_profiles = 0;
  int num_traces = 0;
  std::vector<std::string> settings;
  std::vector<std::string> wireless;
  std::vector<std::string> idle;  ///< hosts of speed 0

  void walk(pugi::xml_node element) {
    const std::string_view name = element.name();
    if (name == "config")
      for (const auto setting : element.children("prop"))
        settings.push_back(fmt::format("{}={}", setting.attribute("id").value(),
                                       setting.attribute("value").value()));
    if (name == "trace" || name == "trace_connect") ++num_traces;
    if (name == "link" && std::string_view(element.attribute("sharing_policy").value()) == "WIFI")
      wireless.push_back(element.attribute("id").value());
    if (const auto speed = element.attribute("speed");
        speed && leading_number(trim(speed.value())).value == 0.0)
      idle.push_back(element.attribute("id").value());
    for (const auto attribute : element.attributes()) {
      if (!is_profile(attribute)) continue;
      profiles.insert(attribute.name());
      ++num_profiles;
    }
    for (const auto child : element.children()) walk(child);
  }
};

/// `a, b, c and 4 more`, fit for one line.
std::string shortened_list(const std::vector<std::string>& words) {
  constexpr std::size_t most = 4;
  std::vector<std::string> first(words.begin(),
                                 words.begin() + std::ptrdiff_t(std::min(most, words.size())));
  std::string text = join(first, ", ");
  if (words.size() > most) text += fmt::format(" and {} more", words.size() - most);
  for (char& c : text)
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
  return text;
}

/// Removes what is ignored; whether there was any.
bool remove_ignored(pugi::xml_node element) {
  bool any = false;
  for (auto attribute = element.first_attribute(); attribute;) {
    const auto next = attribute.next_attribute();
    if (is_profile(attribute)) any = element.remove_attribute(attribute);
    attribute = next;
  }
  for (auto child = element.first_child(); child;) {
    const auto next = child.next_sibling();
    if (is_ignored(child))
      any = element.remove_child(child);
    else if (remove_ignored(child))
      any = true;
    child = next;
  }
  return any;
}

/// Puts a cluster that is the whole platform into a zone, as SimGrid 4.0 ends with a segmentation
/// fault on `<cluster topology="...">` without one; whether there was such a cluster.
bool put_into_zone(pugi::xml_node platform) {
  const pugi::xml_node cluster = platform.child("cluster");
  if (!cluster || !cluster.attribute("topology")) return false;
  pugi::xml_node zone = platform.insert_child_before("zone", cluster);
  zone.append_attribute("id") = "vtopo, around the cluster";
  zone.append_attribute("routing") = "Full";
  zone.append_move(cluster);
  return true;
}

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

int count_elements(pugi::xml_node element) {
  const std::string_view name = element.name();
  if (name == "host" || name == "peer" || name.ends_with("oute")) return 1;
  int count = 0;
  for (const auto child : element.children()) count += count_elements(child);
  return count;
}

/// Hosts of Vivaldi zones that have no coordinates.
void collect_unplaced(pugi::xml_node element, std::vector<std::string>& names) {
  const bool vivaldi = strcasecmp(element.attribute("routing").value(), "Vivaldi") == 0;
  for (const auto child : element.children()) {
    const std::string_view name = child.name();
    if (vivaldi && (name == "host" || name == "router") &&
        trim(child.attribute("coordinates").value()).empty())
      names.emplace_back(child.attribute("id").value());
    if (name == "zone" || name == "AS") collect_unplaced(child, names);
  }
}

bool has_bypass_route(pugi::xml_node element) {
  for (const auto child : element.children())
    if (std::string_view(child.name()).starts_with("bypass") || has_bypass_route(child))
      return true;
  return false;
}

/// First bandwidths of wireless links: what a station nearby gets.
void collect_wireless(pugi::xml_node element, std::map<std::string, BytesPerSecond>& bandwidths) {
  for (const auto child : element.children()) {
    if (std::string_view(child.name()) == "link" &&
        std::string_view(child.attribute("sharing_policy").value()) == "WIFI") {
      const auto list = split(child.attribute("bandwidth").value(), ',');
      bandwidths[child.attribute("id").value()] = parse_bandwidth(trim(list.front()));
    }
    collect_wireless(child, bandwidths);
  }
}

/// The text in which zones with routing Dijkstra keep what they have searched (DijkstraCache): the
/// same routes, each source searched once. Lines and columns stay. Nothing if there is no such
/// zone, or too many vertices.
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

}  // namespace

std::string ignored_in_words(const PlatformFile& file) {
  Survey survey;
  survey.walk(file.document.child("platform"));
  std::vector<std::string> parts;
  if (survey.num_profiles > 0)
    parts.push_back(fmt::format("{} profile{} ({})", survey.num_profiles,
                                survey.num_profiles == 1 ? "" : "s",
                                shortened_list({survey.profiles.begin(), survey.profiles.end()})));
  if (survey.num_traces > 0)
    parts.push_back(
        fmt::format("{} trace element{}", survey.num_traces, survey.num_traces == 1 ? "" : "s"));
  if (!survey.settings.empty())
    parts.push_back(fmt::format("settings of the simulator ({})", shortened_list(survey.settings)));
  std::string text;
  if (!parts.empty())
    text = fmt::format(
        "{} ignored: hosts and links are up and as declared all the time, and --network-model "
        "chooses the model",
        join(parts, ", "));
  if (!survey.wireless.empty())
    text += fmt::format("{}wireless links ({}) have their first bandwidth, shared by all stations",
                        text.empty() ? "" : "; ", shortened_list(survey.wireless));
  if (!survey.idle.empty())
    text += fmt::format(
        "{}speed 0 of {} ignored: all hosts have routes and slots, unless --hosts leaves them out",
        text.empty() ? "" : "; ", shortened_list(survey.idle));
  return text.empty() ? text : file.path + ": " + text;
}

std::string text_for_simgrid(const PlatformFile& file) {
  constexpr std::size_t bearable_bytes = std::size_t{1} << 20;
  pugi::xml_document rest;
  rest.reset(file.document);
  const bool any_ignored = remove_ignored(rest.child("platform"));
  if (put_into_zone(rest.child("platform")) || any_ignored) return text_of(rest);
  if (file.text.size() <= bearable_bytes) return file.text;
  std::string compact = text_of(rest);  // SimGrid takes a minute for 20 MB of blanks
  return 2 * compact.size() < file.text.size() ? compact : file.text;
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

PlatformText make_platform_text(const PlatformFile& file) {
  const std::string text = text_for_simgrid(file);
  PlatformText source{file.path, text, count_elements(file.document)};
  source.has_bypass = has_bypass_route(file.document);
  const auto platform = file.document.child("platform");
  collect_unplaced(platform, source.unplaced);
  collect_wireless(platform, source.wireless);
  const auto cached = text == file.text ? with_cached_searches(file)
                                        : with_cached_searches(parse_platform(file.path, text));
  source.searches_are_cached = cached.has_value();
  if (cached) source.text = *cached;
  return source;
}

}  // namespace vtopo::detail
