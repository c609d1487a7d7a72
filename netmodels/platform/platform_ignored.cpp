#include "netmodels/platform/platform_ignored.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

#include "netmodels/platform/platform_rewrite.hpp"
#include "topology/base/text.hpp"

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

  void walk(pugi::xml_node element) {
    const std::string_view name = element.name();
    if (name == "config")
      for (const auto setting : element.children("prop"))
        settings.push_back(fmt::format("{}={}", setting.attribute("id").value(),
                                       setting.attribute("value").value()));
    if (name == "trace" || name == "trace_connect") ++num_traces;
    if (name == "link" && std::string_view(element.attribute("sharing_policy").value()) == "WIFI")
      wireless.push_back(element.attribute("id").value());
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

}  // namespace vtopo::detail
