#include "netmodels/dragonfly.hpp"

#include "netmodels/modelled_network.hpp"
#include "topology/error.hpp"
#include "topology/narrow.hpp"

namespace vtopo {

namespace {

/// Position of `other` among the `count - 1` others of `self`.
int among_others(int self, int other) {
  return other < self ? other : other - 1;
}
int other_at(int self, int position) {
  return position < self ? position : position + 1;
}

class Dragonfly final : public ModelledNetwork {
 public:
  explicit Dragonfly(const DragonflySpec& spec) : ModelledNetwork(spec.defaults), spec_(spec) {
    for (const int count : {spec.groups, spec.blue_links, spec.chassis, spec.black_links,
                            spec.blades, spec.green_links, spec.hosts_per_blade})
      if (count < 1) throw UsageError(fmt::format("dragonfly number {}: each must be >= 1", count));
    const std::int64_t per_group = std::int64_t{spec.chassis} * spec.blades;
    const std::int64_t routers = checked(per_group) * spec.groups;
    const std::int64_t hosts = checked(routers) * spec.hosts_per_blade;
    routers_per_group_ = narrow<int>(per_group);
    num_hosts_ = narrow<int>(checked(hosts));
    first_green_ = narrow<int>(checked(2 * hosts));
    first_black_ = narrow<int>(checked(first_green_ + routers * (spec.blades - 1)));
    first_blue_ = narrow<int>(checked(first_black_ + routers * (spec.chassis - 1)));
    num_links_ = narrow<int>(checked(first_blue_ + std::int64_t{spec.groups} * (spec.groups - 1)));
  }

  int num_hosts() const override { return num_hosts_; }
  int num_links() const override { return num_links_; }

  LinkProperties link(LinkId link) const override {
    const int id = number(link);
    const int cables = id < first_green_   ? 1
                       : id < first_black_ ? spec_.green_links
                       : id < first_blue_  ? spec_.black_links
                                           : spec_.blue_links;
    return {defaults().bandwidth * cables, defaults().latency};
  }

  std::string link_name(LinkId link) const override {
    const auto [from, to] = *link_ends(link);
    return vertex_name(from) + "->" + vertex_name(to);
  }

  std::optional<LinkEnds> link_ends(LinkId link) const override {
    const int id = number(link);
    if (id < first_green_) return host_link_ends(id);
    if (id < first_black_) return green_link_ends(id - first_green_);
    if (id < first_blue_) return black_link_ends(id - first_black_);
    return blue_link_ends(id - first_blue_);
  }

  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    if (source == destination) return;
    links.push_back(LinkId{2 * number(source)});
    int here = router_of(source);
    const int target = router_of(destination);
    if (group_of(here) != group_of(target)) {
      const int from = group_of(here), to = group_of(target);
      append_local(here, gateway(from, to), links);
      links.push_back(blue(from, to));
      here = gateway(to, from);
    }
    append_local(here, target, links);
    links.push_back(LinkId{2 * number(destination) + 1});
  }

  int hops(HostId source, HostId destination) const override {
    if (source == destination) return 0;
    const int here = router_of(source), target = router_of(destination);
    const int from = group_of(here), to = group_of(target);
    if (from == to) return 2 + local_hops(here, target);
    return 3 + local_hops(here, gateway(from, to)) + local_hops(gateway(to, from), target);
  }

  int diameter() const override {
    const int local = (spec_.blades > 1 ? 1 : 0) + (spec_.chassis > 1 ? 1 : 0);
    if (num_hosts_ == 1) return 0;
    return spec_.groups > 1 ? 3 + 2 * local : 2 + local;
  }

  BytesPerSecond injection_bandwidth(HostId) const override { return defaults().bandwidth; }

  std::string description() const override {
    return fmt::format("dragonfly:{},{};{},{};{},{};{}", spec_.groups, spec_.blue_links,
                       spec_.chassis, spec_.black_links, spec_.blades, spec_.green_links,
                       spec_.hosts_per_blade);
  }

 private:
  static std::int64_t checked(std::int64_t count) {
    if (count > max_id)
      throw UsageError("dragonfly with more than 2147483647 hosts, routers or directed links");
    return count;
  }

  // Routers are numbered (group * chassis + c) * blades + b.
  int router_of(HostId host) const { return number(host) / spec_.hosts_per_blade; }
  int group_of(int router) const { return router / routers_per_group_; }
  int chassis_of(int router) const { return router / spec_.blades % spec_.chassis; }
  int blade_of(int router) const { return router % spec_.blades; }

  int gateway(int group, int to_group) const {
    return group * routers_per_group_ + to_group % routers_per_group_;
  }

  LinkId green(int router, int blade) const {
    return LinkId{first_green_ + router * (spec_.blades - 1) +
                  among_others(blade_of(router), blade)};
  }

  LinkId black(int router, int chassis) const {
    return LinkId{first_black_ + router * (spec_.chassis - 1) +
                  among_others(chassis_of(router), chassis)};
  }

  LinkId blue(int group, int to_group) const {
    return LinkId{first_blue_ + group * (spec_.groups - 1) + among_others(group, to_group)};
  }

  int local_hops(int from, int to) const {
    return (blade_of(from) != blade_of(to) ? 1 : 0) + (chassis_of(from) != chassis_of(to) ? 1 : 0);
  }

  /// Green, then black, between routers of one group.
  void append_local(int from, int to, std::vector<LinkId>& links) const {
    if (blade_of(from) != blade_of(to)) {
      links.push_back(green(from, blade_of(to)));
      from += blade_of(to) - blade_of(from);
    }
    if (chassis_of(from) != chassis_of(to)) links.push_back(black(from, chassis_of(to)));
  }

  LinkEnds host_link_ends(int id) const {
    const int host = id / 2;
    const int router = num_hosts_ + router_of(HostId{host});
    return id % 2 == 0 ? LinkEnds{host, router} : LinkEnds{router, host};
  }

  LinkEnds green_link_ends(int position) const {
    const int router = position / (spec_.blades - 1);
    const int blade = other_at(blade_of(router), position % (spec_.blades - 1));
    return {num_hosts_ + router, num_hosts_ + router + blade - blade_of(router)};
  }

  LinkEnds black_link_ends(int position) const {
    const int router = position / (spec_.chassis - 1);
    const int chassis = other_at(chassis_of(router), position % (spec_.chassis - 1));
    return {num_hosts_ + router,
            num_hosts_ + router + (chassis - chassis_of(router)) * spec_.blades};
  }

  LinkEnds blue_link_ends(int position) const {
    const int from = position / (spec_.groups - 1);
    const int to = other_at(from, position % (spec_.groups - 1));
    return {num_hosts_ + gateway(from, to), num_hosts_ + gateway(to, from)};
  }

  std::string vertex_name(int vertex) const {
    if (vertex < num_hosts_) return host_name(HostId{vertex});
    const int router = vertex - num_hosts_;
    return fmt::format("r{}.{}.{}", group_of(router), chassis_of(router), blade_of(router));
  }

  DragonflySpec spec_;
  int routers_per_group_ = 1;
  int num_hosts_ = 0;
  int first_green_ = 0;
  int first_black_ = 0;
  int first_blue_ = 0;
  int num_links_ = 0;
};

}  // namespace

std::shared_ptr<const Network> make_dragonfly(const DragonflySpec& spec) {
  return std::make_shared<Dragonfly>(spec);
}

}  // namespace vtopo
