#pragma once

#include <string>
#include <utility>

#include "netmodels/network.hpp"
#include "netmodels/network_spec.hpp"

namespace vtopo::detail {

/// What the closed-form models share: link defaults and numbered host names.
class ModelledNetwork : public Network {
 public:
  std::string host_name(HostId host) const final {
    if (defaults_.host_names) return (*defaults_.host_names)[index(host)];
    return defaults_.host_prefix + std::to_string(defaults_.first_host_number + number(host)) +
           defaults_.host_suffix;
  }

 protected:
  explicit ModelledNetwork(NetworkDefaults defaults) : defaults_(std::move(defaults)) {}
  const NetworkDefaults& defaults() const { return defaults_; }

  /// Facts of every model.
  NetworkFacts modelled_facts(int num_hosts, int num_links, std::string description,
                              Routing routing, bool splits_flows) const {
    NetworkFacts facts;
    facts.num_hosts = num_hosts;
    facts.num_links = num_links;
    facts.description = std::move(description);
    facts.description_defaults = &defaults_;
    facts.routing = routing;
    facts.splits_flows = splits_flows;
    return facts;
  }

 private:
  NetworkDefaults defaults_;
};

}  // namespace vtopo::detail
