#pragma once

#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

#include <simgrid/version.h>  // needs macros of those above

#include <functional>
#include <string>

/// What SimGrid 3.32 and 4 call differently, under one name. `requires` finds the names of the
/// version that is installed: those of 4, and where they are missing those of 3.32. All objects
/// belong to SimGrid.
namespace vtopo::detail::simgrid_versions {

/// @param speed in flops.
template <class Zone>
simgrid::s4u::Host* add_host(Zone& zone, const std::string& name, double speed) {
  if constexpr (requires { zone.add_host(name, speed); })
    return zone.add_host(name, speed);
  else
    return zone.create_host(name, speed);
}

/// @param bandwidth in bytes per second.
template <class Zone>
simgrid::s4u::Link* add_link(Zone& zone, const std::string& name, double bandwidth) {
  if constexpr (requires { zone.add_link(name, bandwidth); })
    return zone.add_link(name, bandwidth);
  else
    return zone.create_link(name, bandwidth);
}

/// @param bandwidth of reads and of writes, in bytes per second.
template <class Host>
simgrid::s4u::Disk* add_disk(Host& host, const std::string& name, double bandwidth) {
  if constexpr (requires { host.add_disk(name, bandwidth, bandwidth); })
    return host.add_disk(name, bandwidth, bandwidth);
  else
    return host.create_disk(name, bandwidth, bandwidth);
}

template <class Engine = simgrid::s4u::Engine, class Actor = simgrid::s4u::Actor>
auto add_actor(const std::string& name, simgrid::s4u::Host* host,
               const std::function<void()>& code) {
  if constexpr (requires { Engine::add_actor(name, host, code); })
    return Engine::add_actor(name, host, code);
  else
    return Actor::create(name, host, code);
}

/// To be called before a zone of a class of our own gets hosts: from 4 on each zone has a parent,
/// before that it may be the root.
inline void give_parent([[maybe_unused]] simgrid::kernel::routing::NetZoneImpl& zone) {
#if SIMGRID_VERSION_MAJOR >= 4
  zone.set_parent(simgrid::s4u::Engine::get_instance()->get_netzone_root()->get_impl());
#endif
}

}  // namespace vtopo::detail::simgrid_versions
