#include "netmodels/torus.hpp"

#include <cstdlib>
#include "netmodels/modelled_network.hpp"
#include "topology/error.hpp"
#include "topology/narrow.hpp"

namespace vtopo {

namespace {

/// A dimension with its place in host ids and link ids. Cable c of a ring joins coordinate c with
/// the next one; both of its directions have consecutive link ids, the positive one first.
struct Axis {
  int size;
  bool wraps;
  int stride;       ///< distance of host ids one step apart
  int cables;       ///< per ring
  int first_cable;  ///< of the dimension

  int coordinate(int host) const { return host / stride % size; }

  /// Cable that leaves `host` in positive direction.
  int cable(int host) const {
    const int ring = host / (stride * size);
    return first_cable + (ring * cables + coordinate(host)) * stride + host % stride;
  }

  /// Signed steps from coordinate `from` to `to` under SimGrid's rule.
  int steps(int from, int to) const {
    const int direct = to - from;
    if (!wraps) return direct;
    const int around = direct > 0 ? direct - size : direct + size;
    if (std::abs(direct) != std::abs(around))
      return std::abs(direct) < std::abs(around) ? direct : around;
    const bool positive = direct > 0 || from != size / 2;
    return (direct > 0) == positive ? direct : around;
  }

  int neighbour(int host, int direction) const {
    const int next = coordinate(host) + direction;
    if (next == size) return host - (size - 1) * stride;
    if (next < 0) return host + (size - 1) * stride;
    return host + direction * stride;
  }
};

int cables_per_ring(const TorusDimension& dimension) {
  if (dimension.size == 1) return 0;
  return dimension.wraps ? dimension.size : dimension.size - 1;
}

class Torus final : public ModelledNetwork {
 public:
  explicit Torus(const TorusSpec& spec) : ModelledNetwork(spec.defaults) {
    if (spec.dimensions.empty()) throw UsageError("a torus needs at least one dimension");
    std::int64_t hosts = 1;
    for (const TorusDimension& dimension : spec.dimensions) {
      const int size = dimension.size;
      if (size < 1) throw UsageError(fmt::format("torus size {}: each size must be >= 1", size));
      axes_.push_back({size, dimension.wraps, narrow<int>(hosts), cables_per_ring(dimension), 0});
      hosts *= size;
      if (hosts > max_id) throw UsageError("torus with more than 2147483647 hosts");
    }
    num_hosts_ = narrow<int>(hosts);
    std::int64_t cables = 0;
    for (auto& axis : axes_) {
      axis.first_cable = narrow<int>(cables);
      cables += hosts / axis.size * axis.cables;
      if (2 * cables > max_id) throw UsageError("torus with more than 2147483647 directed links");
    }
    num_cables_ = narrow<int>(cables);
  }

  int num_hosts() const override { return num_hosts_; }
  int num_links() const override { return 2 * num_cables_; }
  LinkProperties link(LinkId) const override { return {defaults().bandwidth, defaults().latency}; }

  std::string link_name(LinkId link) const override {
    const auto [from, to] = *link_ends(link);
    return fmt::format("d{}{}:{}->{}", axis_of(link), number(link) % 2 == 0 ? '+' : '-', from, to);
  }

  std::optional<LinkEnds> link_ends(LinkId link) const override {
    const Axis& axis = axes_[axis_of(link)];
    const int cable = number(link) / 2 - axis.first_cable;
    const int line = cable / axis.stride;
    const int host =
        (line / axis.cables * axis.size + line % axis.cables) * axis.stride + cable % axis.stride;
    const int next = axis.neighbour(host, 1);
    return number(link) % 2 == 0 ? LinkEnds{host, next} : LinkEnds{next, host};
  }

  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    int here = number(source);
    for (const Axis& axis : axes_) {
      int steps = axis.steps(axis.coordinate(here), axis.coordinate(number(destination)));
      for (; steps > 0; --steps) {
        links.push_back(LinkId{2 * axis.cable(here)});
        here = axis.neighbour(here, 1);
      }
      for (; steps < 0; ++steps) {
        here = axis.neighbour(here, -1);
        links.push_back(LinkId{2 * axis.cable(here) + 1});
      }
    }
  }

  int hops(HostId source, HostId destination) const override {
    int total = 0;
    for (const Axis& axis : axes_)
      total += std::abs(
          axis.steps(axis.coordinate(number(source)), axis.coordinate(number(destination))));
    return total;
  }

  int diameter() const override {
    int total = 0;
    for (const Axis& axis : axes_) total += axis.wraps ? axis.size / 2 : axis.size - 1;
    return total;
  }

  BytesPerSecond injection_bandwidth(HostId host) const override {
    int links = 0;
    for (const Axis& axis : axes_) {
      if (axis.size == 1) continue;
      const int coordinate = axis.coordinate(number(host));
      links += axis.wraps ? 2 : (coordinate > 0 ? 1 : 0) + (coordinate + 1 < axis.size ? 1 : 0);
    }
    return defaults().bandwidth * links;
  }

  std::string description() const override {
    std::string text = "torus:";
    for (std::size_t d = 0; d < axes_.size(); ++d)
      text += fmt::format("{}{}{}", d == 0 ? "" : "x", axes_[d].size, axes_[d].wraps ? "" : "m");
    return text;
  }

 private:
  std::size_t axis_of(LinkId link) const {
    std::size_t d = axes_.size() - 1;
    while (axes_[d].first_cable > number(link) / 2 || axes_[d].cables == 0) --d;
    return d;
  }

  std::vector<Axis> axes_;
  int num_hosts_ = 0;
  int num_cables_ = 0;
};

}  // namespace

std::shared_ptr<const Network> make_torus(const TorusSpec& spec) {
  return std::make_shared<Torus>(spec);
}

}  // namespace vtopo
