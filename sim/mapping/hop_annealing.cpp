#include "sim/mapping/hop_annealing.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <variant>

#include "sim/evaluation/partners.hpp"
#include "sim/mapping/budget.hpp"
#include "sim/mapping/host_codes.hpp"
#include "sim/mapping/near_hosts.hpp"
#include "topology/narrow.hpp"
#include "topology/random.hpp"

namespace vtopo {

namespace {

constexpr std::int64_t max_slots = 16'000'000;
constexpr std::int32_t nobody = -1;
double env(const char* n, double d) { const char* s = std::getenv(n); return s ? std::atof(s) : d; }

struct Pull {
  std::int32_t rank;
  std::int32_t weight;
};

/// Who sits in which slot, what every rank costs there, and what a change would cost.
template <class Codes>
class SlotState {
 public:
  using Code = typename Codes::Code;

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
    std::vector<std::int32_t> place_of(static_cast<std::size_t>(problem.host.num_hosts()));
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
  bool one_slot() const { return one_slot_; }
  std::int64_t energy() const { return energy_; }
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
    seat(rank_, to_);
    if (other != nobody) {
      const auto o = static_cast<std::size_t>(other);
      pull_partners(o, to_code, from_code);
      seat(o, from);
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
  std::int64_t cost_at(std::size_t rank, Code at) const {
    std::int64_t sum = 0;
    const auto from = codes_.from(at);
    for (const Pull& pull : pulls_of(rank))
      sum += std::int64_t{pull.weight} * from.to(code_[static_cast<std::size_t>(pull.rank)]);
    return sum;
  }

  void seat(std::size_t rank, std::int32_t slot) {
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
    double unit = least;
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
  std::size_t rank_ = 0;
  std::int32_t to_ = 0;
  std::int64_t there_ = 0;
  std::int64_t back_ = 0;
};

/// -ln of uniform numbers: a rise is accepted if it is at most temperature * threshold.
class Thresholds {
 public:
  static constexpr std::size_t count = 4096;
  Thresholds() {
    for (std::size_t i = 0; i < count; ++i)
      values_[i] = -std::log((static_cast<double>(i) + 0.5) / static_cast<double>(count));
  }
  double of(std::uint64_t bits) const { return values_[bits % count]; }

 private:
  std::array<double, count> values_;
};

template <class Codes>
class HopAnnealing {
 public:
  HopAnnealing(const MappingProblem& problem, const Codes& codes, const Embedding& start,
               const HopAnnealingOptions& options)
      : problem_(problem),
        options_(options),
        state_(problem, codes, start),
        near_(problem.host, problem.allocation),
        budget_(problem, options.default_steps),
        random_(problem.seed),
        best_energy_(state_.energy()),
        best_(state_.slots()) {}

  Embedding run() {
    if (state_.num_ranks() > 0 && state_.num_slots() > 1 && !budget_.spent()) {
      set_temperatures();
      anneal();
    }
    keep_best();
    if (problem_.progress) problem_.progress(1);
    std::vector<HostId> hosts;
    hosts.reserve(best_.size());
    for (const std::int32_t slot : best_)
      hosts.push_back(
          problem_.allocation.hosts[static_cast<std::size_t>(state_.place_of_slot(slot))]);
    return {std::move(hosts), problem_.allocation};
  }

 private:
  static constexpr std::int64_t steps_per_temperature = 1024;

  void anneal() {
    const auto between_looks = static_cast<std::int64_t>(state_.num_ranks());
    std::int64_t since_look = 0;
    for (;;) {
      const std::int64_t steps = budget_.take(steps_per_temperature);
      if (steps == 0) break;
      cool();
      for (std::int64_t i = 0; i < steps; ++i) step();
      since_look += steps;
      if (since_look < between_looks) continue;
      since_look = 0;
      keep_best();
    }
  }

  std::int32_t draw_target(std::size_t rank, std::uint64_t bits) {
    const auto pulls = state_.pulls_of(rank);
    if (pulls.empty() || (bits & 63) == 0) {
      const std::uint64_t far = random_.bits() >> 32;
      return static_cast<std::int32_t>(far * state_.num_slots() >> 32);
    }
    const std::size_t chosen = (bits >> 6 & 0xffff) * pulls.size() >> 16;
    const std::int32_t around = state_.place_of(static_cast<std::size_t>(pulls[chosen].rank));
    const auto near = near_.of(around);
    std::uint64_t u = bits >> 22 & 0xffff;
    if (near_self_ > 0 && (bits >> 54 & 255) < near_self_) return state_.slot_at(around, bits >> 38 & 0xffff);
    u = u * (near_count_) >> 16;
    return state_.slot_at(near[u], bits >> 38 & 0xffff);
  }

  void step() {
    const std::uint64_t bits = random_.bits();
    const std::size_t rank = (bits >> 32) * state_.num_ranks() >> 32;
    const std::int32_t to = draw_target(rank, random_.bits());
    if (state_.slots()[rank] == to) return;
    const auto most = static_cast<std::int64_t>(temperature_ * thresholds_.of(bits));
    const std::int64_t delta = state_.probe(rank, to, most);
    ++tries_;
    if (delta > most) return;
    state_.commit(delta);
    ++made_;
#ifndef NDEBUG
    if (state_.num_ranks() <= 64 || made_ % 4096 == 0) assert(state_.energy() == state_.recomputed());
#endif
  }

  /// Mean change of the cost per drawn change at a temperature.
  static double drift(const std::vector<double>& changes, double temperature) {
    double sum = 0;
    for (const double change : changes)
      sum += change > 0 ? change * std::exp(-change / temperature) : change;
    return sum;
  }

  void set_temperatures() {
    std::vector<double> changes;
    double sum = 0;
    constexpr int samples = 8192;
    for (int i = 0; i < samples; ++i) {
      const std::size_t rank = (random_.bits() >> 32) * state_.num_ranks() >> 32;
      const std::int32_t to = draw_target(rank, random_.bits());
      if (state_.slots()[rank] == to) continue;
      changes.push_back(static_cast<double>(state_.probe(rank, to, SlotState<Codes>::too_much)));
      sum += std::abs(changes.back());
    }
    const double mean = changes.empty() ? 0 : sum / static_cast<double>(changes.size());
    double low = mean * 1e-3, high = mean * env("TCAP", 0.3);
    if (drift(changes, high) > 0)
      for (int i = 0; i < 40; ++i) {
        const double middle = std::sqrt(low * high);
        (drift(changes, middle) > 0 ? high : low) = middle;
      }
    first_temperature_ = options_.heat * high * env("HEAT", 1);
    cooling_ = env("COOL", 0.1);
    near_count_ = std::min<std::uint64_t>(near_.of(0).size(), static_cast<std::uint64_t>(env("NEAR", 6)));
    near_self_ = static_cast<std::uint64_t>(env("SELF", 0));
    if (std::getenv("VERB")) fprintf(stderr, "mean %g T0 %g energy %ld\n", mean, first_temperature_, state_.energy());
  }

  void cool() {
    const double done = budget_.fraction();
    temperature_ = first_temperature_ * std::pow(cooling_, done);
    if (done > 0.97) temperature_ = 0;
    if (std::getenv("VERB") && done * 20 >= said_) {
      said_ = static_cast<int>(done * 20) + 1;
      fprintf(stderr, "%.2f T %g E %ld acc %.4f tries %ld\n", done, temperature_, state_.energy(), double(made_ - m0_) / double(tries_ - t0_), tries_);
      m0_ = made_, t0_ = tries_;
    }
    if (problem_.progress) problem_.progress(done);
  }

  void keep_best() {
    if (state_.energy() >= best_energy_) return;
    best_energy_ = state_.energy();
    best_ = state_.slots();
  }

  const MappingProblem& problem_;
  HopAnnealingOptions options_;
  SlotState<Codes> state_;
  NearHosts near_;
  Budget budget_;
  Random random_;
  Thresholds thresholds_;
  double first_temperature_ = 0;
  double cooling_ = 0.1;
  double temperature_ = 0;
  std::uint64_t near_count_ = 6, near_self_ = 0;
  int said_ = 0;
  std::int64_t made_ = 0, tries_ = 0, m0_ = 0, t0_ = 0;
  std::int64_t best_energy_;
  std::vector<std::int32_t> best_;
};

}  // namespace

std::optional<Embedding> anneal_hops(const MappingProblem& problem, const Embedding& start,
                                     const HopAnnealingOptions& options) {
  if (problem.allocation.num_slots() > max_slots) return std::nullopt;
  const auto codes = host_codes(problem.host, problem.allocation);
  if (!codes) return std::nullopt;
  return std::visit(
      [&](const auto& known) { return HopAnnealing(problem, known, start, options).run(); },
      *codes);
}

}  // namespace vtopo
