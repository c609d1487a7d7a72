#include "netmodels/network_spec.hpp"

#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

namespace {

constexpr int few_hosts = 256;

/// The description of a network makes it again.
void run_network_spec(std::string_view input) {
  const auto network = make_network(input, {});
  const std::string text = network->description();
  const auto again = make_network(text, {});
  require(again->description() == text, "the description describes another network");
  require(again->num_hosts() == network->num_hosts(), "another number of hosts");
  require(again->num_links() == network->num_links(), "another number of links");
  if (network->num_hosts() > few_hosts) return;
  const HostId last{network->num_hosts() - 1};
  require(network->hops(HostId{0}, last) == again->hops(HostId{0}, last), "other routes");
}

}  // namespace

Target network_spec() {
  // 16 bytes for each router of a dragonfly's group: about a million, or it has too many links.
  return {"specifications of networks", run_network_spec, {32 << 20, 64}};
}

}  // namespace vtopo::fuzz::targets
