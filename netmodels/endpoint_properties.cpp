#include "netmodels/endpoint_properties.hpp"

#include <array>

#include <fmt/format.h>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

namespace {

struct NamedProperty {
  std::string_view name;
  void (*set)(EndpointProperties&, std::string_view value);
};

template <auto member, auto parse>
constexpr NamedProperty property(std::string_view name) {
  return {name, [](EndpointProperties& properties, std::string_view value) {
            properties.*member = parse(value);
          }};
}

double parse_noise(std::string_view text) {
  const auto noise = detail::parse_number(text);
  if (noise && *noise >= 0 && *noise <= 10) return *noise;
  throw UsageError(fmt::format("noise {}; expected a number from 0 to 10, such as 0.05", text));
}

using Given = EndpointProperties;
constexpr std::array<NamedProperty, 7> named_properties{
    {property<&Given::overhead, parse_seconds>("overhead"),
     property<&Given::gap, parse_seconds>("gap"),
     property<&Given::eager_limit, parse_bytes>("eager-limit"),
     property<&Given::handshake, parse_seconds>("handshake"),
     property<&Given::memory_bandwidth, parse_bandwidth>("memory-bandwidth"),
     property<&Given::reduction_bandwidth, parse_bandwidth>("reduction-bandwidth"),
     property<&Given::noise, parse_noise>("noise")}};

}  // namespace

const std::vector<std::string>& endpoint_property_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    list.reserve(named_properties.size());
    for (const NamedProperty& one : named_properties) list.emplace_back(one.name);
    return list;
  }();
  return names;
}

bool set_endpoint_property(EndpointProperties& properties, std::string_view name,
                           std::string_view value) {
  for (const NamedProperty& one : named_properties)
    if (one.name == name) {
      one.set(properties, value);
      return true;
    }
  return false;
}

}  // namespace vtopo
