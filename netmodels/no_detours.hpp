#pragma once

#include "topology/base/error.hpp"

namespace vtopo::detail {

/// Routing `valiant` of a network that has no detours worth taking, or of which none are known:
/// `adaptive` then chooses among its shortest routes.
class NoDetours : public UsageError {
 public:
  using UsageError::UsageError;
};

}  // namespace vtopo::detail
