#pragma once

#include <optional>
#include <string_view>

#include "topology/base/units.hpp"

namespace vtopo::detail {

/// Data rate per direction of an InfiniBand width and speed such as `4xEDR`: the signalling rate
/// less the line code (8b/10b up to QDR, 64b/66b from FDR on), as named by the InfiniBand Trade
/// Association. Nothing if the text is no such word.
std::optional<BytesPerSecond> infiniband_bandwidth(std::string_view text);

}  // namespace vtopo::detail
