#include <algorithm>
#include <set>
#include <utility>

#include "netmodels/platform/lint/checks.hpp"
#include "netmodels/platform/lint/dtd.hpp"
#include "netmodels/platform/lint/source.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::lint {

namespace {

std::string element_text(pugi::xml_node element) {
  const std::string_view id = element.attribute("id").value();
  if (id.empty()) return fmt::format("<{}>", shortened(element.name()));
  return fmt::format("<{} id={}>", shortened(element.name()), in_quotes(id));
}

/// `parent` is where sections (CDATA) are reported, whose own place is not known.
void report_text(Findings& findings, pugi::xml_node parent, pugi::xml_node text,
                 std::string_view sentence) {
  const std::string_view value = text.value();
  const auto blank_characters = std::min(value.find_first_not_of(" \t\r\n"), value.size());
  std::size_t offset = 0;
  if (text.type() == pugi::node_pcdata)
    offset = static_cast<std::size_t>(text.offset_debug()) + blank_characters;
  else if (parent.type() == pugi::node_element)
    offset = static_cast<std::size_t>(parent.offset_debug()) - 1;
  findings.add_at("stray-text", offset, value,
                  fmt::format("{}{}", sentence, in_quotes(value.substr(blank_characters))),
                  "nothing, or <!-- a comment -->");
}

/// One walk over the document.
class StructureCheck {
 public:
  explicit StructureCheck(Findings& findings) : findings_(findings) {}

  void check(pugi::xml_node element, int nesting) {
    if (nesting > deepest_nesting) {
      findings_.add("nesting", element, element.name(),
                    fmt::format("elements nested more than {} deep", deepest_nesting),
                    "fewer zones around the hosts");
      return;
    }
    const DtdElement& dtd = *dtd_element(element.name());
    check_attributes(element, dtd);
    check_element_kind(findings_, element);
    check_quantities(findings_, element);
    if (const std::string_view name = element.name(); name == "cluster" || name == "cabinet")
      check_cluster_parameters(findings_, element);
    check_children(element, dtd, nesting);
  }

 private:
  void check_attributes(pugi::xml_node element, const DtdElement& dtd) {
    std::set<std::string_view> seen;
    const auto name = static_cast<std::size_t>(element.offset_debug());
    for (const RawAttribute& raw : raw_attributes(findings_.file().text, name)) {
      if (!seen.insert(raw.name).second)
        report_raw("duplicate-attribute", element, raw,
                   fmt::format("{} stands twice in {}", raw.name, element_text(element)),
                   "keep one of them");
      const DtdAttribute* attribute = dtd.attribute(raw.name);
      if (attribute == nullptr)
        report_unknown(element, dtd, raw);
      else
        check_value(element, *attribute, raw);
      check_characters(element, raw);
    }
    for (const DtdAttribute& attribute : dtd.attributes)
      if (attribute.required && !seen.contains(attribute.name)) report_missing(element, attribute);
  }

  void report_raw(std::string_view rule, pugi::xml_node element, const RawAttribute& raw,
                  std::string sentence, std::string instead) {
    findings_.mark(rule, element);
    findings_.add_at(rule, raw.offset, raw.value, std::move(sentence), std::move(instead));
  }

  void report_unknown(pugi::xml_node element, const DtdElement& dtd, const RawAttribute& raw) {
    std::vector<std::string> names;
    for (const auto& attribute : dtd.attributes) names.push_back(attribute.name);
    report_raw("unknown-attribute", element, raw,
               fmt::format("<{}> has no attribute {}", element.name(), in_quotes(raw.name)),
               known_name(raw.name, names));
  }

  void report_missing(pugi::xml_node element, const DtdAttribute& attribute) {
    const std::string_view name = element.name();
    if (name == "platform") return;  // the version has a rule of its own
    const bool is_latency = name == "link" && attribute.name == "latency";
    findings_.add(
        "missing-attribute", element, attribute.name,
        fmt::format("{} has no {}{}", element_text(element), attribute.name,
                    is_latency ? "; SimGrid 3.32 does not fill in the 0 that the DTD names" : ""),
        is_latency ? "latency=\"0\", or what it is" : attribute.name + "=\"...\"");
  }

  void check_value(pugi::xml_node element, const DtdAttribute& attribute, const RawAttribute& raw) {
    const auto& values = attribute.values;
    if (values.empty() || std::find(values.begin(), values.end(), raw.value) != values.end())
      return;
    report_raw("unknown-value", element, raw,
               fmt::format("{}={} of {} is none of those that SimGrid knows", raw.name,
                           in_quotes(raw.value), element_text(element)),
               known_name(raw.value, values));
  }

  /// SimGrid knows the five entities of XML and characters by number, and no '<' in values.
  void check_characters(pugi::xml_node element, const RawAttribute& raw) {
    if (raw.value.find('<') != std::string_view::npos)
      report_raw("bad-character", element, raw, fmt::format("{} holds a \"<\"", raw.name), "&lt;");
    for (auto at = raw.value.find('&'); at != std::string_view::npos;
         at = raw.value.find('&', at + 1))
      if (!is_entity(raw.value.substr(at + 1, 8)))
        return report_raw("unknown-entity", element, raw,
                          fmt::format("{} holds an entity that SimGrid does not know: {}", raw.name,
                                      in_quotes(raw.value.substr(at, 12))),
                          "&amp; for a \"&\", the character itself for any other");
  }

  static bool is_entity(std::string_view text) {
    text = text.substr(0, text.find(';'));
    if (text == "amp" || text == "lt" || text == "gt" || text == "quot" || text == "apos")
      return true;
    if (!text.starts_with('#')) return false;
    const auto code = parse_integer(text.substr(1));
    return code && *code >= 32 && *code < 127;  // SimGrid writes others as single bytes
  }

  void check_children(pugi::xml_node element, const DtdElement& dtd, int nesting) {
    const std::string_view name = element.name();
    const bool zone = name == "zone" || name == "AS";
    const auto& groups = zone ? zone_groups(first_child(element)) : dtd.groups;
    std::size_t group = 0;
    for (const auto child : element.children()) {
      if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
        check_text(element, child);
      if (child.type() != pugi::node_element) continue;
      if (dtd_element(child.name()) == nullptr) {
        findings_.add("unknown-element", child, child.name(),
                      fmt::format("SimGrid has no element <{}>", shortened(child.name())),
                      known_name(child.name(), all_of(groups)));
        continue;
      }
      group = check_place(element, child, groups, group);
      check(child, nesting + 1);
    }
  }

  void check_text(pugi::xml_node element, pugi::xml_node text) {
    if (std::string_view(element.name()) == "trace") return;
    report_text(findings_, element, text, fmt::format("text in <{}>: ", shortened(element.name())));
  }

  /// Name of the first child that decides what a zone holds.
  static std::string_view first_child(pugi::xml_node zone) {
    for (const auto child : zone.children())
      if (child.type() == pugi::node_element && std::string_view(child.name()) != "prop")
        return child.name();
    return {};
  }

  static std::vector<std::string> all_of(const std::vector<std::vector<std::string>>& groups) {
    std::vector<std::string> names;
    for (const auto& group : groups) names.insert(names.end(), group.begin(), group.end());
    return names.empty() ? dtd_names() : names;
  }

  /// Group of a child; `group` is that of the child before it.
  std::size_t check_place(pugi::xml_node parent, pugi::xml_node child,
                          const std::vector<std::vector<std::string>>& groups, std::size_t group) {
    const auto holds = [&child](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), child.name()) != names.end();
    };
    for (std::size_t g = group; g < groups.size(); ++g)
      if (holds(groups[g])) return g;
    const bool too_late = std::any_of(groups.begin(), groups.end(), holds);
    const std::string_view name = parent.name();
    const bool zone = name == "zone" || name == "AS";
    findings_.add("misplaced-element", child, child.name(),
                  too_late
                      ? fmt::format("<{}> comes too late in {}", child.name(), element_text(parent))
                      : fmt::format("<{}> may not stand in {}", child.name(), element_text(parent)),
                  too_late ? order_of(groups)
                  : zone   ? "a zone holds either zones and clusters, or hosts; its first element "
                             "that is no <prop> decides, and <link> decides for hosts"
                           : children_of(groups, name));
    return group;
  }

  static std::string children_of(const std::vector<std::vector<std::string>>& groups,
                                 std::string_view parent) {
    if (groups.size() == 1 && groups[0].empty()) return fmt::format("<{}/>", parent);
    return fmt::format("in <{}>: {}", parent, join(all_of(groups), ", "));
  }

  static std::string order_of(const std::vector<std::vector<std::string>>& groups) {
    std::string text = "first ";
    for (const auto& group : groups) {
      if (&group != &groups.front()) text += "; then ";
      text += join(group, ", ");
    }
    return text;
  }

  Findings& findings_;
};

void check_version(Findings& findings, pugi::xml_node platform) {
  const auto attribute = platform.attribute("version");
  const auto [version, rest] = leading_number(attribute.value());
  if (!attribute)
    findings.add("version", platform, "", "<platform> has no version: SimGrid takes it for 0.0",
                 "version=\"4.1\"");
  else if (!version || *version < 4 || *version > 4.1)
    findings.add(
        "version", platform, attribute,
        fmt::format("version={} is none that SimGrid 3.32 reads", in_quotes(attribute.value())),
        version && *version < 4
            ? "version=\"4.1\", after simgrid_update_xml has renamed what old files hold"
            : "version=\"4.1\"");
  else if (*version != 4.1 || !rest.empty())
    findings.add("old-version", platform, attribute,
                 fmt::format("version={} is not the current one", in_quotes(attribute.value())),
                 "version=\"4.1\"");
}

void check_zones(Findings& findings, pugi::xml_node platform) {
  pugi::xml_node first;
  for (const auto child : platform.children()) {
    const std::string_view name = child.name();
    if (name != "zone" && name != "AS" && name != "cluster" && name != "cabinet" && name != "peer")
      continue;
    if (first)
      findings.add(
          "several-zones", child, child.attribute("id").value(),
          fmt::format("a second zone beside the one of line {}: SimGrid cannot build it",
                      findings.file().position(first).line),
          "one <zone routing=\"Full\"> around all of them, and a <zoneRoute> between them");
    else
      first = child;
  }
  if (!first)
    findings.add("no-zone", platform, "", "the platform has no zone: SimGrid crashes",
                 "<zone id=\"...\" routing=\"Full\"> around the hosts, or a <cluster>");
}

}  // namespace

pugi::xml_node check_root(Findings& findings) {
  pugi::xml_node root;
  for (const auto child : findings.file().document.children()) {
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
      report_text(findings, {}, child, "text outside of <platform>: ");
    if (child.type() != pugi::node_element) continue;
    if (root)
      findings.add("misplaced-element", child, child.name(),
                   fmt::format("<{}> after the end of the platform", shortened(child.name())),
                   "one <platform> with everything in it");
    else
      root = child;
  }
  const std::string_view name = root.name();
  if (name == "platform") {
    check_version(findings, root);
    check_zones(findings, root);
    return root;
  }
  findings.add("not-a-platform", root, name,
               fmt::format("<{}> is not a SimGrid platform", shortened(name)),
               "<platform version=\"4.1\">");
  return {};
}

void check_structure(Findings& findings, pugi::xml_node platform) {
  StructureCheck(findings).check(platform, 0);
}

}  // namespace vtopo::detail::lint
