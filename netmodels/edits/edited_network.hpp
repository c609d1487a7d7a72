#pragma once

#include <memory>

#include "netmodels/edits/network_edits.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

/// An edit that no link or host of the network fits, whatever the routing. Internal to netmodels.
class WrongEdit : public UsageError {
 public:
  using UsageError::UsageError;
};

/// The wrapper behind `apply_edits`, which says what it does. Internal to this room.
/// @throws UsageError for failed links under `valiant` that the model cannot do without.
std::shared_ptr<const Network> make_edited_network(std::shared_ptr<const Network> network,
                                                   const ResolvedEdits& edits);

}  // namespace vtopo::detail
