#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace vtopo::detail {

/// @throws nlohmann::json::exception for what is not a number, or does not fit.
template <class Number = int>
Number whole(const nlohmann::json& value) {
  const auto number = value.get<double>();
  const auto least = static_cast<double>(std::numeric_limits<Number>::min());
  if (!(number >= least && number < -least))
    throw nlohmann::json::out_of_range::create(406, "a number out of range", &value);
  return static_cast<Number>(number);
}

/// @throws as `whole`.
inline std::vector<int> whole_numbers(const nlohmann::json& list) {
  std::vector<int> numbers;
  for (const auto& value : list.get_ref<const nlohmann::json::array_t&>())
    numbers.push_back(whole(value));
  return numbers;
}

}  // namespace vtopo::detail
