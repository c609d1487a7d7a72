#include "sim/mapping/state/pressure_state.hpp"

#include <cassert>
#include <cmath>

namespace vtopo::detail {

namespace {

[[maybe_unused]] constexpr int commits_between_checks = 1000;

}  // namespace

PressureState::PressureState(const MappingProblem& problem, const Embedding& start)
    : hosts_(problem.allocation.hosts),
      partners_(problem.guest),
      table_(problem.host, problem.allocation),
      occupancy_(problem.allocation, start),
      routes_(problem.host),
      links_(problem.host) {
  for (int r = 0; r < occupancy_.num_ranks(); ++r)
    for (const Partner& partner : partners_.of(Rank{r}))
      add(occupancy_.place_of(Rank{r}), occupancy_.place_of(partner.rank), partner.sent.value);
  links_.keep();
}

void PressureState::add(Place from, Place to, double bytes) {
  if (from == to || bytes == 0) return;
  routes_.for_each_link(host(from), host(to),
                        [&](LinkId link, double share) { links_.add(link, bytes * share); });
}

double PressureState::probe(const RankChange& change) {
  probed_ = change;
  const Place from = occupancy_.place_of(change.rank);
  move(change.rank, from, change.to, change.other);
  if (!change.other) return links_.change();
  move(*change.other, change.to, from, change.rank);
  for (const Partner& partner : partners_.of(change.rank)) {
    if (partner.rank != change.other || partner.sent == partner.received) continue;
    add(from, change.to, partner.received.value - partner.sent.value);
    add(change.to, from, partner.sent.value - partner.received.value);
  }
  return links_.change();
}

/// Takes the flows of a rank from one place to another, but for those with `left_out`.
void PressureState::move(Rank rank, Place from, Place to, std::optional<Rank> left_out) {
  for (const Partner& partner : partners_.of(rank)) {
    if (partner.rank == left_out) continue;
    const Place there = occupancy_.place_of(partner.rank);
    add(from, there, -partner.sent.value);
    add(there, from, -partner.received.value);
    add(to, there, partner.sent.value);
    add(there, to, partner.received.value);
  }
}

void PressureState::commit() {
  occupancy_.apply(probed_);
  links_.keep();
#ifndef NDEBUG
  if (until_check_-- == 0) {
    assert(is_exact());
    until_check_ = commits_between_checks;
  }
#endif
}

/// Whether the loads are those of all flows added up anew, but for rounding.
bool PressureState::is_exact() {
  std::vector<double> bytes(links_.size(), 0.0);
  double all = 0;
  for (int r = 0; r < occupancy_.num_ranks(); ++r)
    for (const Partner& partner : partners_.of(Rank{r})) {
      all += partner.sent.value;
      const Place from = occupancy_.place_of(Rank{r});
      for_each_link(from, occupancy_.place_of(partner.rank), [&](LinkId link, double share) {
        bytes[index(link)] += partner.sent.value * share;
      });
    }
  for (std::size_t l = 0; l < bytes.size(); ++l)
    if (std::abs(bytes[l] - links_.bytes(id_at<LinkId>(l)).value) > 1e-9 * all) return false;
  return true;
}

}  // namespace vtopo::detail
