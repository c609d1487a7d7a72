#include "sim/mapping/api/objective.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "sim/mapping/api/measure_table.hpp"

namespace vtopo {

using namespace detail;

namespace {

std::vector<Measure> in_order(std::vector<Measure> measures) {
  std::sort(measures.begin(), measures.end(), [](const Measure& a, const Measure& b) {
    return std::tie(a.position, a.name) < std::tie(b.position, b.name);
  });
  return measures;
}

const Measure& known_measure(std::string_view name) {
  const Measure* measure = find_measure(name);
  assert(measure != nullptr);
  return *measure;
}

}  // namespace

const std::vector<Measure>& all_measures() {
  static const std::vector<Measure> measures = in_order(built_in_measures());
  return measures;
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

}  // namespace vtopo
