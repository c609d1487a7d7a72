#pragma once

#include "topology/base/error.hpp"

namespace vtopo::detail {

/// An edit that no link or host of the network fits, whatever the routing. Internal to netmodels.
class WrongEdit : public UsageError {
 public:
  using UsageError::UsageError;
};

}  // namespace vtopo::detail
