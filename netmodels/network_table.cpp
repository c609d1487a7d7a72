#include "netmodels/network_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "netmodels/endpoints/endpoint_spec.hpp"
#include "netmodels/network_families.hpp"

namespace vtopo::detail {

const std::vector<NetworkInfo>& all_networks() {
  static const std::vector<NetworkInfo> networks = [] {
    std::vector<NetworkInfo> all;
    for (auto& family : network_families())
      for (NetworkInfo& network : family) all.push_back(std::move(network));
    for (NetworkInfo& network : all)
      network.keys.insert(network.keys.end(), endpoint_keys().begin(), endpoint_keys().end());
    std::sort(all.begin(), all.end(),
              [](const NetworkInfo& a, const NetworkInfo& b) { return a.name < b.name; });
    return all;
  }();
  return networks;
}

std::vector<std::string> network_names() {
  std::vector<std::string> names;
  for (const NetworkInfo& network : all_networks()) names.push_back(network.name);
  return names;
}

std::string spec_of_cluster(std::string_view topology, std::string_view parameters) {
  if (topology.empty()) return {};
  for (const NetworkInfo& network : all_networks())
    if (network.from_cluster == topology) return fmt::format("{}:{}", network.name, parameters);
  return {};
}

}  // namespace vtopo::detail
