#include "sim/mapping/api/objective.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

namespace {

constexpr std::array<std::pair<std::string_view, Measure>, 5> measures{
    {{"hop-bytes", Measure::hop_bytes},
     {"max-congestion", Measure::max_congestion},
     {"max-dilation", Measure::max_dilation},
     {"jsum", Measure::jsum},
     {"jmax", Measure::jmax}}};

constexpr std::string_view simulated_time = "simulated-time";

/// What stands in for the simulated time: the static bound on it, then all the work of the links.
const std::vector<std::vector<WeightedMeasure>>& stand_ins() {
  static const std::vector<std::vector<WeightedMeasure>> sums{{{Measure::max_congestion, 1}},
                                                              {{Measure::hop_bytes, 1}}};
  return sums;
}

Measure parse_measure(std::string_view name, std::string_view whole) {
  if (name == simulated_time)
    throw UsageError(fmt::format("{} in objective \"{}\": it stands first and without a weight",
                                 simulated_time, whole));
  std::vector<std::string> names;
  for (const auto& [known, measure] : measures) {
    if (known == name) return measure;
    names.emplace_back(known);
  }
  names.emplace_back(simulated_time);
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

double value_of(Measure measure, const Metrics& metrics) {
  switch (measure) {
    case Measure::hop_bytes:
      return metrics.hop_bytes.value;
    case Measure::max_congestion:
      return metrics.max_congestion.value;
    case Measure::max_dilation:
      return metrics.max_dilation;
    case Measure::jsum:
      return static_cast<double>(metrics.jsum);
    case Measure::jmax:
      return static_cast<double>(metrics.jmax);
  }
  return 0;
}

}  // namespace

Objective parse_objective(std::string_view text) {
  Objective objective;
  for (const std::string_view sum : split(text, ',')) {
    if (!objective.simulated_time && objective.sums.empty() && trim(sum) == simulated_time) {
      objective.simulated_time = true;
      continue;
    }
    auto& terms = objective.sums.emplace_back();
    for (const std::string_view term : terms_of(sum)) terms.push_back(parse_term(term, text));
  }
  if (objective.sums.empty()) objective.sums = stand_ins();
  return objective;
}

std::string to_string(const Objective& objective) {
  if (objective.sums.empty()) return "hop-bytes";
  std::string text(objective.simulated_time ? simulated_time : "");
  if (objective.simulated_time && objective.sums == stand_ins()) return text;
  for (const auto& sum : objective.sums) {
    text += text.empty() ? "" : ",";
    const char* plus = "";
    for (const auto& [measure, weight] : sum) {
      text += plus;
      if (weight != 1) text += fmt::format("{}*", weight);
      for (const auto& [name, known] : measures)
        if (known == measure) text += name;
      plus = "+";
    }
  }
  return text;
}

bool counts(const Objective& objective, Measure measure) {
  for (const auto& sum : objective.sums)
    for (const WeightedMeasure& term : sum)
      if (term.measure == measure) return true;
  return false;
}

bool is_hop_bytes(const Objective& objective) {
  return std::all_of(objective.sums.begin(), objective.sums.end(), [](const auto& sum) {
    return sum.size() == 1 && sum.front().measure == Measure::hop_bytes;
  });
}

Cost cost_of(const Objective& objective, const Metrics& metrics) {
  if (objective.sums.empty()) return {metrics.hop_bytes.value};
  Cost cost;
  for (const auto& sum : objective.sums) {
    double value = 0;
    for (const auto& [measure, weight] : sum) value += weight * value_of(measure, metrics);
    cost.push_back(value);
  }
  return cost;
}

Cost cost_of(const Objective& objective, const CommGraph& guest, const Network& network,
             const Embedding& embedding) {
  return cost_of(objective, evaluate(guest, network, embedding));
}

}  // namespace vtopo
