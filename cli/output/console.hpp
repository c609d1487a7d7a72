#pragma once

#include "sim/run/observer.hpp"

namespace vtopo::detail {

/// Watches experiments for a user: remarks and bars on standard error, and a first Ctrl-C that ends
/// what is going on with its best result so far.
class Console : public Observer {
 public:
  void remark(const std::string& sentence) override;
  std::unique_ptr<Work> begin(const std::string& label, bool timed = false) override;
  std::unique_ptr<StopRequest> listen() override;
};

/// The one of this command.
Console& console();

}  // namespace vtopo::detail
