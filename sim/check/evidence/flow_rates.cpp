#include "sim/check/evidence/flow_rates.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/clock/sharing/max_min.hpp"
#include "sim/clock/sharing/flows.hpp"

namespace vtopo::detail {

namespace {

constexpr double rounding = 1e-9;

/// What the flows put on a link.
struct Filled {
  double rate = 0;     ///< sum, by shares
  double fastest = 0;  ///< flow of all
};

/// Rates and links of the flows that the solver has, in its order, without those without a volume.
class FlowLinks {
 public:
  FlowLinks(FlowPhase phase, const Network& network, const Embedding& embedding)
      : flows_(std::move(phase.flows)),
        network_(network),
        embedding_(embedding),
        sharing_(std::move(phase.shared)) {
    sharing_.solve();
    std::vector<std::int32_t> over_at_once;
    for (std::size_t f = 0; f < flows_.size(); ++f)
      if (!has_volume(f)) over_at_once.push_back(static_cast<std::int32_t>(f));
    sharing_.remove(over_at_once);
    sharing_.solve();
    filled_.resize(index(network.num_links()));
    for (std::size_t f = 0; f < flows_.size(); ++f)
      for_each_share(f, [&](const LinkShare& part) {
        Filled& on = filled_[index(part.link)];
        on.rate += rate(f) * part.share;
        on.fastest = std::max(on.fastest, rate(f));
      });
  }

  std::size_t size() const { return flows_.size(); }
  bool has_volume(std::size_t flow) const { return flows_[flow].volume.value > 0; }
  double rate(std::size_t flow) const { return sharing_.rate(static_cast<std::int32_t>(flow)); }

  /// The link that limits a flow; the first of several.
  std::optional<LinkId> limit(std::size_t flow) {
    std::optional<LinkId> found;
    for_each_share(flow, [&](const LinkShare& part) {
      const LinkProperties link = network_.link(part.link);
      const Filled& on = filled_[index(part.link)];
      const bool alone = link.sharing == LinkSharing::fatpipe;
      const double fills = alone ? rate(flow) * part.share : on.rate;
      const bool is_full = fills >= link.bandwidth.value * (1 - rounding);
      if (!found && is_full && (alone || rate(flow) >= on.fastest * (1 - rounding)))
        found = part.link;
    });
    return found;
  }

 private:
  template <class Visitor>
  void for_each_share(std::size_t flow, Visitor&& visit) {
    if (!has_volume(flow)) return;
    const Flow& of = flows_[flow];
    shares_.clear();
    network_.append_shares(embedding_.host_of(of.source), embedding_.host_of(of.destination),
                           shares_);
    for (const LinkShare& part : shares_) visit(part);
  }

  std::vector<Flow> flows_;
  const Network& network_;
  const Embedding& embedding_;
  MaxMinSharing sharing_;
  std::vector<Filled> filled_;
  std::vector<LinkShare> shares_;
};

}  // namespace

void write_flow_rates(const CommGraph& guest, const Network& network, const Embedding& embedding,
                      JsonLists& json) {
  FlowLinks flows(make_flow_phase(guest, network, embedding), network, embedding);
  bool first = true;
  json.raw("[");
  for (std::size_t f = 0; f < flows.size(); ++f) {
    if (!flows.has_volume(f)) continue;
    json.raw(first ? "[" : ",[");
    first = false;
    if (const auto link = flows.limit(f))
      json.number(number(*link));
    else
      json.raw("null");
    json.raw(",").number(flows.rate(f)).raw("]");
  }
  json.raw("]");
}

}  // namespace vtopo::detail
