#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// A smooth stand-in for the largest congestion of all links: the sum of high powers of the
/// congestions, each relative to a reference, and a small part of the congestions themselves, which
/// keeps routes short. Fatpipe links do not count. A change costs O(1) per link that it touches;
/// changes since the last `keep` can be undone.
class LinkPressure {
 public:
  /// Without loads.
  explicit LinkPressure(const Network& network);

  /// Puts bytes on a link, or takes them away.
  void add(LinkId id, double bytes) {
    Link& link = links_[index(id)];
    if (link.changed_in != round_) {
      if (link.changed_in == 0) use(id);
      link.changed_in = round_;
      changes_.push_back({static_cast<std::uint32_t>(index(id)), link.bytes});
    }
    link.bytes += bytes;
  }

  /// What the changes since the last `keep` add to the pressure.
  double change() const;

  /// What was changed stays.
  void keep() { start_round(); }

  /// Takes back every change since the last `keep`, to the bit.
  void undo();

  /// Sets the congestion that counts as one, > 0, and how much such a one counts beside its power.
  void set_reference(Seconds reference, double linear_part);

  /// Summed up anew.
  double total() const;

  std::size_t size() const { return links_.size(); }
  Bytes bytes(LinkId id) const { return {links_[index(id)].bytes}; }
  Seconds congestion(LinkId id) const {
    const Link& link = links_[index(id)];
    return {link.bytes * link.seconds_per_byte};
  }
  Seconds max_congestion() const;

 private:
  struct Link {
    double bytes = 0;
    double seconds_per_byte = 0;   ///< 0 where the link does not count
    double scale = 0;              ///< per byte, relative to the reference; of used links
    std::uint32_t changed_in = 0;  ///< round; 0: never used
  };
  struct Change {
    std::uint32_t link;
    double before;  ///< bytes
  };

  double pressure(double relative) const {
    const double square = relative * relative;
    const double fourth = square * square;
    return fourth * fourth + linear_part_ * relative;
  }
  void use(LinkId id);
  void start_round();

  std::vector<Link> links_;
  std::vector<std::uint32_t> used_;  ///< links that have had bytes at some time
  std::vector<Change> changes_;
  std::uint32_t round_ = 1;
  double reference_ = std::numeric_limits<double>::infinity();  ///< seconds
  double linear_part_ = 0;
};

}  // namespace vtopo::detail
