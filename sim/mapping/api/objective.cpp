#include "sim/mapping/api/objective.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <tuple>

#include "sim/evaluation/totals.hpp"
#include "sim/mapping/api/tables.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

/// In the order of lists.
const std::vector<MeasureDefinition>& definitions() {
  static const std::vector<MeasureDefinition> all = [] {
    std::vector<MeasureDefinition> found = built_in_measures();
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
      return std::tie(a.measure.position, a.measure.name) <
             std::tie(b.measure.position, b.measure.name);
    });
    return found;
  }();
  return all;
}

const Measure& known_measure(std::string_view name) {
  const Measure* measure = find_measure(name);
  assert(measure != nullptr);
  return *measure;
}

}  // namespace

const std::vector<Measure>& all_measures() {
  static const std::vector<Measure> measures = [] {
    std::vector<Measure> all;
    for (const MeasureDefinition& definition : definitions()) all.push_back(definition.measure);
    return all;
  }();
  return measures;
}

std::unique_ptr<MeasureState> detail::state_of(const Measure& measure,
                                               const MappingProblem& problem) {
  const auto found =
      std::find_if(definitions().begin(), definitions().end(),
                   [&](const auto& definition) { return definition.measure.name == measure.name; });
  assert(found != definitions().end());
  return found->state(problem);
}

std::vector<std::string> measure_names() {
  std::vector<std::string> names;
  for (const Measure& measure : all_measures()) names.push_back(measure.name);
  return names;
}

const Measure* find_measure(std::string_view name) {
  for (const Measure& measure : all_measures())
    if (measure.name == name) return &measure;
  return nullptr;
}

const Measure& hop_bytes_measure() {
  static const Measure& measure = known_measure("hop-bytes");
  return measure;
}

const Measure& max_congestion_measure() {
  static const Measure& measure = known_measure("max-congestion");
  return measure;
}

namespace {

/// What an objective may begin with, apart from the measures; empty: nothing.
std::string_view name_of(TimeFirst time) {
  switch (time) {
    case TimeFirst::predicted:
      return "time";
    case TimeFirst::simulated:
      return "simulated-time";
    case TimeFirst::no:
      break;
  }
  return {};
}

/// The name of a measure as reports write it, `max_congestion`, is its own, too; the time is their
/// makespan.
std::string objective_name(std::string_view name) {
  std::string result(name);
  std::replace(result.begin(), result.end(), '_', '-');
  return result == "makespan" ? std::string(name_of(TimeFirst::predicted)) : result;
}

TimeFirst time_named(std::string_view given) {
  const std::string name = objective_name(given);
  for (const auto time : {TimeFirst::predicted, TimeFirst::simulated})
    if (name == name_of(time)) return time;
  return TimeFirst::no;
}

/// A proxy for the time: the static bound on it, then all the work of the links.
const std::vector<std::vector<WeightedMeasure>>& stand_ins() {
  return max_congestion_first().sums;
}

const Measure* parse_measure(std::string_view name, std::string_view whole) {
  if (const Measure* measure = find_measure(objective_name(name))) return measure;
  if (time_named(name) != TimeFirst::no)
    throw UsageError(
        fmt::format("{} in objective \"{}\": it stands first and without a weight", name, whole));
  const std::vector<std::string> names = objective_names();
  throw UsageError(fmt::format("measure \"{}\" in objective \"{}\"; accepted: {}{}", name, whole,
                               join(names, ", "), suggestion(name, names)));
}

WeightedMeasure parse_term(std::string_view term, std::string_view whole) {
  const std::size_t star = term.find('*');
  if (star == std::string_view::npos) return {parse_measure(trim(term), whole), 1};
  const auto weight = parse_number(trim(term.substr(0, star)));
  if (!weight || !std::isfinite(*weight) || *weight <= 0)
    throw UsageError(
        fmt::format("weight \"{}\" in objective \"{}\": accepted is a finite number > 0",
                    trim(term.substr(0, star)), whole));
  return {parse_measure(trim(term.substr(star + 1)), whole), *weight};
}

/// Terms of a sum; a plus sign inside a number such as 1e+9 joins no terms.
std::vector<std::string_view> terms_of(std::string_view sum) {
  std::vector<std::string_view> terms;
  std::size_t start = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const bool in_number = i > start && (sum[i - 1] == 'e' || sum[i - 1] == 'E') &&
                           i + 1 < sum.size() && sum[i + 1] >= '0' && sum[i + 1] <= '9';
    if (sum[i] != '+' || in_number) continue;
    terms.push_back(sum.substr(start, i - start));
    start = i + 1;
  }
  terms.push_back(sum.substr(start));
  return terms;
}

}  // namespace

Objective parse_objective(std::string_view text) {
  Objective objective;
  for (const std::string_view sum : split(text, ',')) {
    if (objective.time == TimeFirst::no && objective.sums.empty()) {
      objective.time = time_named(trim(sum));
      if (objective.time != TimeFirst::no) continue;
    }
    auto& terms = objective.sums.emplace_back();
    for (const std::string_view term : terms_of(sum)) terms.push_back(parse_term(term, text));
  }
  if (objective.sums.empty()) objective.sums = stand_ins();
  return objective;
}

std::string to_string(const Objective& objective) {
  if (objective.sums.empty()) return hop_bytes_measure().name;
  std::string text(name_of(objective.time));
  if (!text.empty() && objective.sums == stand_ins()) return text;
  for (const auto& sum : objective.sums) {
    text += text.empty() ? "" : ",";
    const char* plus = "";
    for (const auto& [measure, weight] : sum) {
      text += plus;
      if (weight != 1) text += fmt::format("{}*", weight);
      text += measure->name;
      plus = "+";
    }
  }
  return text;
}

const Objective& max_congestion_first() {
  static const Objective objective{{{{&max_congestion_measure(), 1}}, {{&hop_bytes_measure(), 1}}},
                                   TimeFirst::no};
  return objective;
}

const Objective& default_objective() {
  static const Objective objective{stand_ins(), TimeFirst::predicted};
  return objective;
}

Objective static_part(Objective objective) {
  objective.time = TimeFirst::no;
  return objective;
}

std::vector<std::string> objective_names() {
  std::vector<std::string> names = measure_names();
  names.emplace(names.begin(), name_of(TimeFirst::predicted));
  names.emplace_back(name_of(TimeFirst::simulated));
  return names;
}

std::string objective_help() {
  return "what mappers minimise: time (the default: predicted time, then hop-bytes), " +
         join(measure_names(), ", ");
}

bool counts(const Objective& objective, const Measure& measure) {
  for (const auto& sum : objective.sums)
    for (const WeightedMeasure& term : sum)
      if (term.measure == &measure) return true;
  return false;
}

const Measure& first_measure(const Objective& objective) {
  return objective.sums.empty() ? hop_bytes_measure() : *objective.sums.front().front().measure;
}

bool is_hop_bytes(const Objective& objective) {
  return std::all_of(objective.sums.begin(), objective.sums.end(), [](const auto& sum) {
    return sum.size() == 1 && sum.front().measure == &hop_bytes_measure();
  });
}

Cost cost_of(const Objective& objective, const Metrics& metrics) {
  if (objective.sums.empty()) return {hop_bytes_measure().value(metrics)};
  Cost cost;
  for (const auto& sum : objective.sums) {
    double value = 0;
    for (const auto& [measure, weight] : sum) value += weight * measure->value(metrics);
    cost.push_back(value);
  }
  return cost;
}

namespace {

/// Without the loads of links, which take far longer.
double hop_bytes_of(const CommGraph& guest, const Network& network, const Embedding& embedding) {
  double sum = 0;
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    const HostId from = embedding.host_of(source), to = embedding.host_of(edge.destination);
    if (from != to) sum += edge.volume.value * network.mean_hops(from, to);
  });
  return sum;
}

}  // namespace

Cost cost_of(const Objective& objective, const CommGraph& guest, const Network& network,
             const Embedding& embedding) {
  if (is_hop_bytes(objective)) return {hop_bytes_of(guest, network, embedding)};
  return cost_of(objective, evaluate_totals(guest, network, embedding));
}

}  // namespace vtopo
