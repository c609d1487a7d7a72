#include <set>

#include "netmodels/platform/lint/checks.hpp"
#include "netmodels/platform/lint/zone_routes.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::lint {

namespace {

/// Names among which a misspelt one is looked for: enough for files by hand, bounded for others.
constexpr std::size_t max_candidates = 1000;

std::string similar_link(Inventory& inventory, std::string_view name) {
  std::string any = "the id of a <link> above";
  if (inventory.suggestions_left-- <= 0) return any;
  const auto& names = inventory.link_names;
  const std::span<const std::string> some(names.data(), std::min(names.size(), max_candidates));
  if (const auto close = nearest(name, some)) return "\"" + *close + "\"";
  return any;
}

/// Marks a link, or the link whose half it is, as used.
void mark_used(Inventory& inventory, const std::string& name) {
  if (const auto found = inventory.links.find(name); found != inventory.links.end())
    found->second.used = true;
  for (const std::string_view half : {"_UP", "_DOWN"})
    if (name.ends_with(half))
      if (const auto whole = inventory.links.find(name.substr(0, name.size() - half.size()));
          whole != inventory.links.end() && whole->second.split)
        whole->second.used = true;
}

/// Whether the name is that of a half of a split-duplex link.
bool is_half(const Inventory& inventory, std::string_view name) {
  for (const std::string_view half : {"_UP", "_DOWN"})
    if (name.ends_with(half))
      if (const auto whole =
              inventory.links.find(std::string(name.substr(0, name.size() - half.size())));
          whole != inventory.links.end() && whole->second.split)
        return true;
  return false;
}

bool is_symmetrical(pugi::xml_node route) {
  if (std::string_view(route.name()).starts_with("bypass")) return false;
  return lower(shortened(route.attribute("symmetrical").as_string("YES"))) != "no";
}

/// The link that a name means, without direction; unknown ones are reported.
const DeclaredLink* known_link(Findings& findings, Inventory& inventory, pugi::xml_node element,
                               pugi::xml_attribute attribute) {
  const std::string name = attribute.value();
  const auto found = inventory.links.find(name);
  if (found == inventory.links.end()) {
    if (!inventory.may_be_made_link(name))
      findings.add("unknown-link", element, attribute,
                   fmt::format("there is no link {}", in_quotes(name)),
                   similar_link(inventory, name));
    return nullptr;
  }
  mark_used(inventory, name);
  if (found->second.element.offset_debug() < element.offset_debug()) return &found->second;
  findings.add("unknown-link", element, attribute,
               fmt::format("the link {} is declared only at line {}, after its use",
                           in_quotes(name), findings.file().position(found->second.element).line),
               "the <link> in this zone, or in a zone above");
  return nullptr;
}

void check_direction(Findings& findings, const Inventory& inventory, pugi::xml_node part,
                     const DeclaredLink& link) {
  const std::string_view direction = part.attribute("direction").as_string("NONE");
  const std::string name = part.attribute("id").value();
  const bool one_way = direction == "UP" || direction == "DOWN";
  if (link.split && !one_way)
    findings.add("missing-direction", part, part.attribute("id"),
                 fmt::format("the split-duplex link {} without direction: SimGrid knows only its "
                             "halves, and aborts",
                             in_quotes(name)),
                 "direction=\"UP\" or \"DOWN\"; the reverse route takes the other half");
  else if (!link.split && one_way && !inventory.links.contains(name + "_" + std::string(direction)))
    findings.add("needless-direction", part, part.attribute("direction"),
                 fmt::format("the link {} is not split-duplex and has no direction {}",
                             in_quotes(name), direction),
                 "no direction, or sharing_policy=\"SPLITDUPLEX\" for the link");
}

void check_half(Findings& findings, pugi::xml_node route, pugi::xml_node part,
                const Inventory& inventory) {
  const std::string_view name = part.attribute("id").value();
  if (!is_symmetrical(route) || !is_half(inventory, name)) return;
  const bool up = name.ends_with("_UP");
  findings.add(
      "one-half-both-ways", part, part.attribute("id"),
      fmt::format("the reverse of this symmetrical route also takes {}", in_quotes(name)),
      fmt::format("id={} direction=\"{}\"", in_quotes(name.substr(0, name.size() - (up ? 3 : 5))),
                  up ? "UP" : "DOWN"));
}

}  // namespace

void check_named_link(Findings& findings, Inventory& inventory, pugi::xml_node element,
                      pugi::xml_attribute attribute) {
  if (!attribute) return;
  const DeclaredLink* link = known_link(findings, inventory, element, attribute);
  if (link != nullptr && link->split)
    findings.add("missing-direction", element, attribute,
                 fmt::format("the split-duplex link {} has only halves, and SimGrid aborts",
                             in_quotes(attribute.value())),
                 fmt::format("{}=\"{}_{}\"", attribute.name(), shortened(attribute.value()),
                             std::string_view(attribute.name()) == "up" ? "UP" : "DOWN"));
}

void check_links_of_route(Findings& findings, Inventory& inventory, pugi::xml_node route) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  int links = 0;
  for (const auto part : route.children("link_ctn")) {
    ++links;
    if (!part.attribute("id")) continue;
    if (!seen.emplace(part.attribute("id").value(), part.attribute("direction").as_string("NONE"))
             .second)
      findings.add("repeated-link", part, part.attribute("id"), "the route takes this link twice",
                   "each link once");
    check_half(findings, route, part, inventory);
    if (const DeclaredLink* link = known_link(findings, inventory, part, part.attribute("id")))
      check_direction(findings, inventory, part, *link);
  }
  if (links == 0)
    findings.add("empty-route", route, "",
                 fmt::format("a <{}> without links: SimGrid aborts", route.name()),
                 "<link_ctn id=\"...\"/> for each link on the way");
}

}  // namespace vtopo::detail::lint
