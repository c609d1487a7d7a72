#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>

#include "sim/study/study.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Number at the start of the text, whose digits are taken away.
std::string_view take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

/// `torus:4x4` before `torus:16x16`.
bool naturally_less(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto first = take_digits(a), second = take_digits(b);
      if (first.size() != second.size()) return first.size() < second.size();
      if (first != second) return first < second;
      continue;
    }
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.size() < b.size();
}

/// What a volume is worth; absent for other text.
std::optional<double> amount_of(const std::string& text) {
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  if (const auto number = parse_number(text)) return number;
  try {
    return parse_bytes(text).value;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

/// Place of each value among those of its setting.
std::map<std::string, std::size_t> places_of(const Study& study, std::size_t setting) {
  std::map<std::string, std::optional<double>> amounts;
  for (const StudyRow& row : study.rows)
    if (!amounts.contains(row.settings[setting]))
      amounts.emplace(row.settings[setting], amount_of(row.settings[setting]));
  const bool by_amount = std::all_of(amounts.begin(), amounts.end(),
                                     [](const auto& value) { return value.second.has_value(); });
  std::vector<std::string> values;
  values.reserve(amounts.size());
  for (const auto& [value, amount] : amounts) values.push_back(value);
  std::stable_sort(values.begin(), values.end(), [&](const std::string& a, const std::string& b) {
    return by_amount ? *amounts[a] < *amounts[b] : naturally_less(a, b);
  });
  std::map<std::string, std::size_t> places;
  for (const std::string& value : values) places.emplace(value, places.size());
  return places;
}

}  // namespace

void sort_rows(Study& study) {
  std::vector<std::pair<std::vector<std::size_t>, std::size_t>> order(study.rows.size());
  for (std::size_t r = 0; r < order.size(); ++r) order[r].second = r;
  for (const std::size_t axis : axes_of(study)) {
    const auto places = places_of(study, axis);
    for (auto& [key, row] : order) key.push_back(places.at(study.rows[row].settings[axis]));
  }
  std::sort(order.begin(), order.end());
  std::vector<StudyRow> sorted;
  sorted.reserve(order.size());
  for (const auto& [key, row] : order) sorted.push_back(std::move(study.rows[row]));
  study.rows = std::move(sorted);
}

}  // namespace vtopo::detail
