#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/units.hpp"

namespace vtopo {

/// What the description of a machine, or a user, says of the ends of messages and of how far
/// predictions were from measurements; absent where nothing is said.
struct EndpointProperties {
  std::optional<Seconds> overhead;   ///< of the processor per message, at each of its ends
  std::optional<Seconds> gap;        ///< the same of each further message that is under way
  std::optional<Bytes> eager_limit;  ///< most bytes that leave without waiting for a receiver
  std::optional<Seconds> handshake;  ///< of both processors before a message above the eager limit
  std::optional<BytesPerSecond> memory_bandwidth;     ///< of messages inside a host
  std::optional<BytesPerSecond> reduction_bandwidth;  ///< bytes that a rank reduces in a second
  /// What predictions of the machine cannot resolve, as |ln| of a ratio of times.
  std::optional<double> noise = {};
};

/// Their names, as options and properties of platform files spell them: `overhead`, ...
const std::vector<std::string>& endpoint_property_names();

/// Sets the property of that name.
/// @return whether there is one.
/// @throws UsageError for a value that is none of it.
bool set_endpoint_property(EndpointProperties& properties, std::string_view name,
                           std::string_view value);

}  // namespace vtopo
