#include "sim/run/ideal_rows.hpp"

#include <optional>

#include "netmodels/load_routing/ideal.hpp"
#include "sim/evaluation/background.hpp"
#include "sim/evaluation/totals.hpp"

namespace vtopo::detail {

namespace {

std::optional<IdealCongestion> ideal_of(const CommGraph& guest, const Network& network,
                                        const Embedding& embedding) {
  if (const auto routed = routed_for(guest, network, embedding))
    if (const auto known = ideal_congestion_of(*routed)) return known;
  return ideal_congestion(network, host_flows(guest, embedding));
}

}  // namespace

void put_ideal(const Experiment& experiment, const Embedding& embedding, Row& row) {
  Seconds found, bound;
  const auto add = [&](const CommGraph& guest, const Embedding& placed, double times) {
    const auto ideal = ideal_of(guest, *experiment.network, placed);
    if (!ideal) return false;
    found += ideal->found * times;
    bound += ideal->bound * times;
    return true;
  };
  bool known = true;
  if (experiment.schedule) {
    for (const SchedulePhase& phase : experiment.schedule->phases)
      known = known && add(phase.traffic, embedding, static_cast<double>(phase.repeat));
  } else if (experiment.background) {
    const PlacedTraffic all = beside(experiment.guest, embedding, experiment.background->traffic);
    known = add(all.guest, all.embedding, 1);
  } else {
    known = add(experiment.guest, embedding, 1);
  }
  if (!known) return;
  row.ideal_congestion = found;
  row.ideal_congestion_bound = bound;
}

}  // namespace vtopo::detail
