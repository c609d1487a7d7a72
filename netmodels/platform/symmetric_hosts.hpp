#pragma once

#include <pugixml.hpp>

#include <span>
#include <utility>
#include <vector>

#include "netmodels/platform/platform_routes.hpp"

namespace vtopo::detail {

/// Hosts of one `<cluster>` or `<cabinet>` differ only in their own links, so that the routes of
/// two of them give those of all: SimGrid is asked for few pairs and little is kept. Internal to
/// this room.
class SymmetricHosts {
 public:
  SymmetricHosts(pugi::xml_node platform, const PlatformInventory& inventory);

  /// The pair whose route stands for that of two different hosts.
  std::pair<HostId, HostId> model(HostId source, HostId destination) const;

  /// The link that `source -> destination` takes where its model takes `link`.
  LinkId translate(LinkId link, std::pair<HostId, HostId> model, HostId source,
                   HostId destination) const;

  /// Hosts whose pairs are the models of all pairs.
  const std::vector<HostId>& models() const { return models_; }

 private:
  struct Family {
    HostId first;
    HostId second;
  };
  struct Owner {
    int host = -1;
    int place = 0;  ///< among its own links
  };
  void add(const std::vector<HostId>& hosts, const std::vector<std::vector<LinkId>>& links);

  std::vector<Family> families_;
  std::vector<int> family_of_;  ///< by host; -1: none
  std::vector<std::vector<LinkId>> own_links_;
  std::vector<Owner> owners_;  ///< by link
  std::vector<HostId> models_;
};

}  // namespace vtopo::detail
