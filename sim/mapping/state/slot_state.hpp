#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "sim/evaluation/partners.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/state/hop_table.hpp"

namespace vtopo::detail {

/// Who sits in which slot of the hosts, what every rank costs there and what a change would cost,
/// in whole units. Slots are numbered host after host; free ones count as ranks without partners.
///
/// Apart from `Occupancy` and `ObjectiveState` because millions of probes a second are its purpose:
/// a probe reads one code per partner from one array, adds integers, so that nothing drifts and a
/// bound may end it early, and knows no other figure than hop-bytes.
template <class Codes>
class SlotState {
 public:
  using Code = typename Codes::Code;

  /// Partner of a rank and the volume between them.
  struct Pull {
    std::int32_t rank;
    std::int32_t weight;  ///< in whole units: of the least volume, or of 2^-24 of the largest
  };

  /// The arguments must outlive the state.
  SlotState(const MappingProblem& problem, const Codes& codes, const Embedding& start)
      : codes_(codes) {
    const Partners partners(problem.guest);
    const auto num_ranks = static_cast<std::size_t>(partners.num_ranks());
    fill_pulls(partners);
    first_slot_.push_back(0);
    for (std::size_t p = 0; p < problem.allocation.hosts.size(); ++p) {
      const int slots = std::min(problem.allocation.slots[p], partners.num_ranks());
      first_slot_.push_back(first_slot_.back() + slots);
      slot_place_.insert(slot_place_.end(), static_cast<std::size_t>(slots),
                         static_cast<std::int32_t>(p));
      slot_code_.insert(slot_code_.end(), static_cast<std::size_t>(slots),
                        codes.code(problem.allocation.hosts[p]));
    }
    one_slot_ = slot_place_.size() == problem.allocation.hosts.size();
    occupant_.assign(slot_place_.size(), nobody);
    std::vector<std::int32_t> place_of(static_cast<std::size_t>(problem.network.num_hosts()));
    for (std::size_t p = 0; p < problem.allocation.hosts.size(); ++p)
      place_of[index(problem.allocation.hosts[p])] = static_cast<std::int32_t>(p);
    std::vector<std::int32_t> next(first_slot_);
    for (std::size_t r = 0; r < num_ranks; ++r) {
      const auto place = static_cast<std::size_t>(place_of[index(start.hosts()[r])]);
      const std::int32_t slot = next[place]++;
      slot_of_.push_back(slot);
      code_.push_back(slot_code_[static_cast<std::size_t>(slot)]);
      occupant_[static_cast<std::size_t>(slot)] = static_cast<std::int32_t>(r);
    }
    for (std::size_t r = 0; r < num_ranks; ++r) here_.push_back(cost_at(r, code_[r]));
    energy_ = std::accumulate(here_.begin(), here_.end(), std::int64_t{0}) / 2;
  }

  std::size_t num_ranks() const { return slot_of_.size(); }
  std::size_t num_slots() const { return occupant_.size(); }
  std::span<const Pull> pulls_of(std::size_t rank) const {
    return {pulls_.data() + offsets_[rank], offsets_[rank + 1] - offsets_[rank]};
  }
  std::int32_t place_of(std::size_t rank) const {
    return slot_place_[static_cast<std::size_t>(slot_of_[rank])];
  }
  /// One of the slots of a place; `drawn` uniform below 2^16.
  std::int32_t slot_at(std::int32_t place, std::uint64_t drawn) const {
    if (one_slot_) return place;
    const auto p = static_cast<std::size_t>(place);
    const auto slots = static_cast<std::uint64_t>(first_slot_[p + 1] - first_slot_[p]);
    return first_slot_[p] + static_cast<std::int32_t>(slots * drawn >> 16);
  }
  /// Whether every place has one slot: then slots are places.
  bool one_slot() const { return one_slot_; }
  /// Whether two ranks sit on hosts that are as far from all others.
  bool alike(std::size_t rank, std::int32_t other) const {
    return codes_.alike(code_[rank], code_[static_cast<std::size_t>(other)]);
  }
  static constexpr bool by_router() { return Codes::shares_routers; }
  bool changes_nothing(std::size_t rank, std::int32_t to) const {
    const Code at = slot_code_[static_cast<std::size_t>(to)];
    return one_slot_ ? codes_.alike(code_[rank], at) : code_[rank] == at;
  }
  /// With all partners together.
  double volume_of(std::size_t rank) const { return static_cast<double>(volume_[rank]); }
  std::int64_t energy() const { return energy_; }
  /// Hop-bytes that an energy of 1 stands for.
  double unit() const { return unit_; }
  const std::vector<std::int32_t>& slots() const { return slot_of_; }
  std::int32_t place_of_slot(std::int32_t slot) const {
    return slot_place_[static_cast<std::size_t>(slot)];
  }

  static constexpr std::int64_t too_much = std::int64_t{1} << 62;

  /// What the cost grows by if a rank and who sits in a slot change places; `too_much` if that is
  /// more than `most`.
  std::int64_t probe(std::size_t rank, std::int32_t to, std::int64_t most) {
    rank_ = rank;
    to_ = to;
    const std::int32_t other = occupant_[static_cast<std::size_t>(to)];
    const Code from_code = code_[rank];
    const Code to_code = slot_code_[static_cast<std::size_t>(to)];
    std::int64_t between = 0;
    std::int64_t there = 0;
    const auto away = codes_.from(to_code);
    for (const Pull& pull : pulls_of(rank)) {
      const auto p = static_cast<std::size_t>(pull.rank);
      there += std::int64_t{pull.weight} * away.to(code_[p]);
      if (pull.rank == other) between = pull.weight;
    }
    there_ = there;
    std::int64_t delta = there - here_[rank];
    if (other == nobody) return delta <= most ? delta : too_much;
    const auto o = static_cast<std::size_t>(other);
    const std::int64_t both = 2 * between * away.to(from_code);
    delta += both - here_[o];
    if (one_slot_ ? delta + volume_[o] - between > most : delta > most) return too_much;
    std::int64_t back = 0;
    const auto home = codes_.from(from_code);
    for (const Pull& pull : pulls_of(o))
      back += std::int64_t{pull.weight} * home.to(code_[static_cast<std::size_t>(pull.rank)]);
    back_ = back;
    there_ += both / 2;
    back_ += both / 2;
    return delta + back;
  }

  /// Makes the change last probed.
  void commit(std::int64_t delta) {
    const std::int32_t from = slot_of_[rank_];
    const std::int32_t other = occupant_[static_cast<std::size_t>(to_)];
    const Code from_code = code_[rank_];
    const Code to_code = slot_code_[static_cast<std::size_t>(to_)];
    pull_partners(rank_, from_code, to_code);
    put(rank_, to_);
    if (other != nobody) {
      const auto o = static_cast<std::size_t>(other);
      pull_partners(o, to_code, from_code);
      put(o, from);
      here_[o] = back_;
    } else {
      occupant_[static_cast<std::size_t>(from)] = nobody;
    }
    here_[rank_] = there_;
    energy_ += delta;
  }

  /// The cost summed anew.
  std::int64_t recomputed() const {
    std::int64_t sum = 0;
    for (std::size_t r = 0; r < num_ranks(); ++r) sum += cost_at(r, code_[r]);
    return sum / 2;
  }

 private:
  static constexpr std::int32_t nobody = -1;

  std::int64_t cost_at(std::size_t rank, Code at) const {
    std::int64_t sum = 0;
    const auto from = codes_.from(at);
    for (const Pull& pull : pulls_of(rank))
      sum += std::int64_t{pull.weight} * from.to(code_[static_cast<std::size_t>(pull.rank)]);
    return sum;
  }

  void put(std::size_t rank, std::int32_t slot) {
    slot_of_[rank] = slot;
    code_[rank] = slot_code_[static_cast<std::size_t>(slot)];
    occupant_[static_cast<std::size_t>(slot)] = static_cast<std::int32_t>(rank);
  }

  void pull_partners(std::size_t rank, Code from, Code to) {
    const auto before = codes_.from(from);
    const auto after = codes_.from(to);
    for (const Pull& pull : pulls_of(rank)) {
      const auto p = static_cast<std::size_t>(pull.rank);
      here_[p] += std::int64_t{pull.weight} * (after.to(code_[p]) - before.to(code_[p]));
    }
  }

  /// Volumes as whole numbers: exact if they are small multiples of one of them.
  void fill_pulls(const Partners& partners) {
    double most = 0, least = 0;
    for (int r = 0; r < partners.num_ranks(); ++r)
      for (const Partner& partner : partners.of(Rank{r})) {
        const double volume = partner.both().value;
        most = std::max(most, volume);
        least = least == 0 ? volume : std::min(least, volume);
      }
    constexpr double finest = 1 << 24;
    double& unit = unit_;
    unit = least;
    for (int r = 0; r < partners.num_ranks() && unit > 0; ++r)
      for (const Partner& partner : partners.of(Rank{r}))
        if (const double units = partner.both().value / unit; units != std::floor(units)) {
          unit = most / finest;
          break;
        }
    if (most > unit * finest) unit = most / finest;
    offsets_.push_back(0);
    for (int r = 0; r < partners.num_ranks(); ++r) {
      std::int64_t volume = 0;
      for (const Partner& partner : partners.of(Rank{r})) {
        const auto weight = static_cast<std::int32_t>(std::lround(partner.both().value / unit));
        pulls_.push_back({number(partner.rank), weight});
        volume += weight;
      }
      offsets_.push_back(pulls_.size());
      volume_.push_back(volume);
    }
  }

  const Codes& codes_;
  std::vector<Pull> pulls_;
  std::vector<std::size_t> offsets_;
  std::vector<std::int64_t> volume_;  ///< of each rank, with all partners
  std::vector<std::int32_t> first_slot_;
  std::vector<std::int32_t> slot_place_;
  std::vector<Code> slot_code_;
  std::vector<std::int32_t> occupant_;  ///< of each slot
  std::vector<std::int32_t> slot_of_;   ///< one entry per rank, as the next two
  std::vector<Code> code_;
  std::vector<std::int64_t> here_;  ///< what a rank costs where it sits
  bool one_slot_ = true;
  std::int64_t energy_ = 0;
  double unit_ = 0;  ///< bytes
  std::size_t rank_ = 0;
  std::int32_t to_ = 0;
  std::int64_t there_ = 0;
  std::int64_t back_ = 0;
};

}  // namespace vtopo::detail
