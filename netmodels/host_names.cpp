#include "netmodels/host_names.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "netmodels/machines/node_map.hpp"
#include "netmodels/network_facts.hpp"
#include "netmodels/wrapped_network.hpp"
#include "topology/base/error.hpp"
#include "topology/base/host_list.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/lower_case.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr int max_names_for_a_suggestion = 200'000;

std::string nearest_host(const Network& network, std::string_view name) {
  if (network.num_hosts() > max_names_for_a_suggestion) return {};
  std::vector<std::string> names;
  names.reserve(index(network.num_hosts()));
  for (int h = 0; h < network.num_hosts(); ++h) names.push_back(network.host_name(HostId{h}));
  return suggestion(name, names);
}

/// The first word of each line.
std::vector<std::string> names_in_file(const std::string& path) {
  LineFile file(path);
  std::vector<std::string> names;
  while (file.next_content()) {
    const auto words = file.words();
    if (words.size() != 1) throw input_error(file.at(0), "expected one host name per line");
    if (words[0].text.find_first_of(",:\"") != std::string_view::npos)
      throw input_error(file.at(words[0].column),
                        fmt::format("host name \"{}\": expected a name without comma, colon and "
                                    "quotation mark",
                                    words[0].text));
    names.emplace_back(words[0].text);
  }
  if (names.empty()) throw input_error({path}, "the file names no host");
  return names;
}

/// Other names of hosts, all else as it was.
class NamedNetwork final : public WrappedNetwork {
 public:
  NamedNetwork(std::shared_ptr<const Network> base, HostNameList names)
      : WrappedNetwork(std::move(base)), names_(std::move(names)) {}

  std::string host_name(HostId host) const override { return (*names_)[index(host)]; }
  std::string vertex_name(int vertex) const override {
    return vertex < num_hosts() ? host_name(HostId{vertex}) : base()->vertex_name(vertex);
  }

 private:
  HostNameList names_;
};

/// Where the name of a host ends and `.domain` begins; of `node1..node4`, no domain, at its end.
std::size_t end_of_host(std::string_view name) {
  return name.find("..") == name.npos ? std::min(name.find('.'), name.size()) : name.size();
}

}  // namespace

void detail::check_host_names(const std::vector<std::string>& names, const Network& network) {
  if (std::ssize(names) != network.num_hosts())
    throw UsageError(fmt::format("{} host names for the {} hosts of \"{}\": expected as many",
                                 names.size(), network.num_hosts(), network.description()));
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second)
      throw UsageError(fmt::format("host name \"{}\" is listed twice", name));
}

std::shared_ptr<const Network> detail::with_host_names(std::shared_ptr<const Network> network,
                                                       const HostNameList& names) {
  if (!names) return network;
  check_host_names(*names, *network);
  return std::make_shared<NamedNetwork>(std::move(network), names);
}

HostNameList listed_host_names(const std::string& list) {
  if (list.empty()) return nullptr;
  return std::make_shared<const std::vector<std::string>>(expand_host_list(list));
}

HostNameList parse_host_names(const std::string& text) {
  constexpr std::string_view file = "file:";
  if (text.starts_with(node_map_prefix))
    return std::make_shared<const std::vector<std::string>>(
        read_node_map(text.substr(node_map_prefix.size())).names);
  if (!text.starts_with(file)) return listed_host_names(text);
  return std::make_shared<const std::vector<std::string>>(names_in_file(text.substr(file.size())));
}

HostNames::HostNames(const Network& network) : network_(&network) {
  ids_.reserve(index(network.num_hosts()));
  for (int h = 0; h < network.num_hosts(); ++h)
    ids_.emplace(network.host_name(HostId{h}), HostId{h});
  if (network.num_hosts() == 0 || !network.host_place(HostId{0}).core) return;
  for (int h = 0; h < network.num_hosts(); ++h) {
    const auto [node, is_new] =
        nodes_.emplace(network.host_place(HostId{h}).node, NamedHosts{HostId{h}});
    if (!is_new) ++node->second.count;
  }
}

std::optional<HostId> HostNames::find(std::string_view name) const {
  auto found = ids_.find(std::string(name));
  if (found == ids_.end()) found = ids_.find(std::string(name.substr(0, end_of_host(name))));
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

std::optional<NamedHosts> HostNames::find_all(std::string_view name) const {
  if (const auto host = find(name)) return NamedHosts{*host};
  auto found = nodes_.find(std::string(name));
  const std::size_t dot = end_of_host(name);
  // A number behind the dot would be a place that the node does not have.
  if (found == nodes_.end() && dot < name.size() && !parse_integer(name.substr(dot + 1)))
    found = nodes_.find(std::string(name.substr(0, dot)));
  if (found != nodes_.end()) return found->second;
  const auto number = parse_integer(name.starts_with("+n") ? name.substr(2) : std::string_view());
  const auto node =
      nodes_.find(network_->num_hosts() > 0 ? network_->host_place(HostId{0}).node : "");
  const int places = node == nodes_.end() ? 1 : node->second.count;
  if (!number || *number < 0 || *number >= network_->num_hosts() / places) return std::nullopt;
  return NamedHosts{HostId{narrow<int>(*number) * places}, places};
}

std::optional<std::string> HostNames::in_other_case(std::string_view name) const {
  const auto add = [&](const std::string& known) {
    const auto [entry, is_new] = in_small_letters_.emplace(lower_case(known), known);
    if (!is_new) entry->second.clear();
  };
  if (in_small_letters_.empty()) {
    for (const auto& [known, host] : ids_) add(known);
    for (const auto& [known, hosts] : nodes_) add(known);
  }
  auto found = in_small_letters_.find(lower_case(name));
  if (found == in_small_letters_.end())
    found = in_small_letters_.find(lower_case(name.substr(0, end_of_host(name))));
  if (found == in_small_letters_.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

std::string HostNames::accepted(std::string_view name, std::string_view also) const {
  const int last = network_->num_hosts() - 1;
  const std::string first_name = network_->host_name(HostId{0});
  const std::string near = nearest_host(*network_, name);
  const NetworkDefaults* const defaults = network_->description_defaults();
  const bool unnamed =
      defaults != nullptr && !defaults->host_names && first_name.starts_with("host-0");
  return fmt::format("accepted are the {} hosts \"{}\" to \"{}\"{}{}", last + 1, first_name,
                     network_->host_name(HostId{last}), also,
                     near.empty() && unnamed ? "; --host-names gives them other names" : near);
}

}  // namespace vtopo
