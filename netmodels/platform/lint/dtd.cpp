#include "netmodels/platform/lint/dtd.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "netmodels/platform/lint/checks.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::lint {

namespace {

/// name | attributes (! required, =A,B accepted values) | groups of children, separated by ;
/// | instead (deprecated elements). A link must have a latency: SimGrid 3.32 forgets its default.
constexpr std::array element_lines{
    "platform|version!|config random;include cluster cabinet peer AS zone trace trace_connect;"
    "process actor|",
    "include|file!||",
    "trace|id! file periodicity!||",
    "random|id! min! max! mean! std_deviation! seed radical generator=DRAND48,RAND,RNGSTREAM,NONE"
    "||",
    "trace_connect|kind=HOST_AVAIL,SPEED,LINK_AVAIL,BANDWIDTH,LATENCY trace! element!||",
    "AS|id! routing!||zone",
    "zone|id! routing!||",
    "storage_type|id! model size! content|model_prop prop|",
    "storage|id! typeId! content attach!|prop|",
    "mount|storageId! name!||",
    "host|id! speed! core speed_file availability_file state_file coordinates pstate|"
    "disk prop mount|",
    "disk|id read_bw! write_bw!|prop|",
    "host_link|id! up! down!||",
    "cluster|id! prefix! suffix! radical! speed! core bw! lat! "
    "sharing_policy=SHARED,SPLITDUPLEX,FULLDUPLEX,FATPIPE topology=FLAT,TORUS,FAT_TREE,DRAGONFLY "
    "topo_parameters bb_bw bb_lat bb_sharing_policy=SHARED,FATPIPE router_id limiter_link "
    "loopback_bw loopback_lat|prop|",
    "cabinet|id! prefix! suffix! radical! speed! bw! lat!||",
    "peer|id! speed! bw_in! bw_out! lat coordinates speed_file availability_file state_file||",
    "router|id! coordinates||",
    "backbone|id! bandwidth! latency!||",
    "link|id! bandwidth! bandwidth_file latency! latency_file state_file "
    "sharing_policy=SHARED,SPLITDUPLEX,FULLDUPLEX,FATPIPE,WIFI|prop|",
    "route|src! dst! symmetrical=YES,NO,yes,no|link_ctn|",
    "ASroute|src! dst! gw_src! gw_dst! symmetrical=YES,NO,yes,no|link_ctn|zoneRoute",
    "zoneRoute|src! dst! gw_src! gw_dst! symmetrical=YES,NO,yes,no|link_ctn|",
    "link_ctn|id! direction=UP,DOWN,NONE||",
    "bypassRoute|src! dst!|link_ctn|",
    "bypassASroute|src! dst! gw_src! gw_dst!|link_ctn|bypassZoneRoute",
    "bypassZoneRoute|src! dst! gw_src! gw_dst!|link_ctn|",
    "process|host! function! start_time kill_time on_failure=DIE,RESTART|argument prop|actor",
    "actor|host! function! start_time kill_time on_failure=DIE,RESTART|argument prop|",
    "argument|value!||",
    "config|id|prop|",
    "prop|id! value!||",
    "model_prop|id! value!||"};

constexpr std::string_view outer_children =
    "prop;AS zone include link backbone cluster peer trace trace_connect;"
    "zoneRoute ASroute trace trace_connect bypassASroute bypassZoneRoute";
constexpr std::string_view leaf_children =
    "prop;include storage_type storage host cabinet router link backbone trace trace_connect "
    "host_link;route trace trace_connect bypassRoute";

std::vector<std::string> words(std::string_view text, char separator) {
  std::vector<std::string> list;
  if (text.empty()) return list;
  for (const auto word : split(text, separator)) list.emplace_back(word);
  return list;
}

std::vector<std::vector<std::string>> parse_groups(std::string_view text) {
  std::vector<std::vector<std::string>> groups;
  for (const auto group : split(text, ';')) groups.push_back(words(group, ' '));
  return groups;
}

DtdAttribute parse_attribute(std::string_view text) {
  const auto equals = text.find('=');
  DtdAttribute attribute;
  if (equals != std::string_view::npos) attribute.values = words(text.substr(equals + 1), ',');
  text = text.substr(0, equals);
  attribute.required = text.ends_with('!');
  if (attribute.required) text.remove_suffix(1);
  attribute.name = text;
  return attribute;
}

using Elements = std::map<std::string, DtdElement, std::less<>>;

const Elements& elements() {
  static const Elements all = [] {
    Elements read;
    for (const std::string_view line : element_lines) {
      const auto fields = split(line, '|');
      DtdElement& element = read[std::string(fields[0])];
      for (const auto& attribute : words(fields[1], ' '))
        element.attributes.push_back(parse_attribute(attribute));
      element.groups = parse_groups(fields[2]);
      element.instead = fields[3];
    }
    return read;
  }();
  return all;
}

/// Names of older DTDs, and names of one element used on another.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> other_names{
    {{"power", "speed"},
     {"bandwidth", "bw"},
     {"bw", "bandwidth"},
     {"latency", "lat"},
     {"lat", "latency"},
     {"cpu", "host"},
     {"name", "id"},
     {"network_link", "link"},
     {"route_element", "link_ctn"},
     {"link:ctn", "link_ctn"},
     {"trace:connect", "trace_connect"},
     {"cores", "core"},
     {"full_duplex", "SPLITDUPLEX"},
     {"duplex", "SPLITDUPLEX"}}};

}  // namespace

const DtdAttribute* DtdElement::attribute(std::string_view name) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [name](const DtdAttribute& a) { return a.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

const DtdElement* dtd_element(std::string_view name) {
  const auto found = elements().find(name);
  return found == elements().end() ? nullptr : &found->second;
}

const std::vector<std::string>& dtd_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& entry : elements()) all.push_back(entry.first);
    return all;
  }();
  return names;
}

const std::vector<std::vector<std::string>>& zone_groups(std::string_view first_child) {
  static const auto outer = parse_groups(outer_children);
  static const auto leaf = parse_groups(leaf_children);
  constexpr std::array<std::string_view, 8> only_outer{
      "AS", "zone", "cluster", "peer", "zoneRoute", "ASroute", "bypassASroute", "bypassZoneRoute"};
  const bool is_outer =
      std::find(only_outer.begin(), only_outer.end(), first_child) != only_outer.end();
  return is_outer ? outer : leaf;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

std::string known_name(std::string_view name, std::span<const std::string> known) {
  if (name.size() <= 64)
    for (const auto& candidate : known)
      if (lower(candidate) == lower(name)) return candidate;
  for (const auto& [old_name, new_name] : other_names)
    if (lower(name) == old_name && std::find(known.begin(), known.end(), new_name) != known.end())
      return std::string(new_name);
  if (const auto close = nearest(name, known)) return *close;
  return known.empty() ? "nothing" : "one of " + join(known, ", ");
}

}  // namespace vtopo::detail::lint
