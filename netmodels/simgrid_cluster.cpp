#include "netmodels/network_answers.hpp"

#include <algorithm>

namespace vtopo {

std::optional<SimgridCluster> plain_cluster(std::string_view topology, std::string_view spec) {
  std::string parameters(spec.substr(spec.find(':') + 1));
  std::replace(parameters.begin(), parameters.end(), 'x', ',');
  if (parameters.find_first_not_of("0123456789,;") != std::string::npos) return std::nullopt;
  return SimgridCluster{std::string(topology), parameters};
}

}  // namespace vtopo
