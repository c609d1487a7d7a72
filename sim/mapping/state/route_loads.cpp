#include "sim/mapping/state/route_loads.hpp"

#include "sim/mapping/state/flow_routes.hpp"

namespace vtopo::detail {

RouteLoads::RouteLoads(const Network& network)
    : routes_(std::make_unique<FlowRoutes>(network)),
      seconds_(static_cast<std::size_t>(network.num_links())) {
  for (int l = 0; l < network.num_links(); ++l) {
    const LinkProperties link = network.link(LinkId{l});
    bandwidths_.push_back(link.bandwidth.value);
    alone_.push_back(link.sharing == LinkSharing::fatpipe);
    if (alone_.back()) volumes_.resize(static_cast<std::size_t>(network.num_links()));
  }
}

RouteLoads::~RouteLoads() = default;

void RouteLoads::change(HostId from, HostId to, Bytes volume, bool add) {
  routes_->for_each_link(from, to, [&](LinkId link, double share) {
    const double bytes = volume.value * share;
    if (!alone_[index(link)]) {
      seconds_.add(index(link), (add ? bytes : -bytes) / bandwidths_[index(link)]);
      return;
    }
    changes_.push_back({link, bytes, add});
    change_alone(changes_.back());
  });
}

void RouteLoads::change_alone(const Alone& part) {
  auto& volumes = volumes_[index(part.link)];
  if (part.added)
    volumes.insert(part.volume);
  else
    volumes.erase(volumes.find(part.volume));
  const double largest = volumes.empty() ? 0 : *volumes.rbegin();
  seconds_.set(index(part.link), largest / bandwidths_[index(part.link)]);
}

void RouteLoads::keep() {
  changes_.clear();
  seconds_.keep();
}

void RouteLoads::undo() {
  for (; !changes_.empty(); changes_.pop_back()) {
    Alone part = changes_.back();
    part.added = !part.added;
    change_alone(part);
  }
  seconds_.undo();
}

}  // namespace vtopo::detail
