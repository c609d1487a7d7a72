#include "netmodels/endpoints/interfaces.hpp"

#include <algorithm>

namespace vtopo::detail {

Interfaces::Interfaces(const EndpointIds& ids, NicPolicy policy, std::span<const LinkId> failed)
    : ids_(ids), policy_(policy) {
  if (failed.empty()) return;
  failed_.resize(2 * index(ids.interfaces()) * index(ids.num_nodes()));
  for (const LinkId link : failed) failed_[entry(link)] = true;
}

bool Interfaces::join_all() const {
  for (auto node = failed_.begin(); node != failed_.end(); node += ids_.interfaces())
    if (std::find(node, node + ids_.interfaces(), false) == node + ids_.interfaces()) return false;
  return true;
}

}  // namespace vtopo::detail
