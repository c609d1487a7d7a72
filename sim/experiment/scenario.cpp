#include "sim/experiment/scenario.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

std::vector<Bytes> parse_volumes(const std::string& list) {
  std::vector<Bytes> volumes;
  for (const auto piece : split(list, ',')) volumes.push_back(parse_bytes(piece));
  return volumes;
}

double parse_taper(const std::string& text) {
  const auto taper = parse_number(text);
  if (!taper || !(*taper >= 1) || !std::isfinite(*taper))
    throw UsageError(fmt::format("taper \"{}\": accepted is a finite number >= 1", text));
  return *taper;
}

double parse_compute_scale(const std::string& text) {
  const auto value = parse_number(text);
  if (!value || !std::isfinite(*value) || *value < 0)
    throw UsageError(fmt::format("--compute-scale \"{}\": expected a finite number >= 0", text));
  return *value;
}

std::vector<int> parse_slots(const std::string& list) {
  std::vector<int> slots;
  for (const auto piece : split(list, ',')) {
    const auto value = parse_integer(piece);
    if (!value || *value < 1 || *value > 1'000'000)
      throw UsageError(
          fmt::format("slots \"{}\" in \"{}\": accepted are 1 to 1000000", piece, list));
    slots.push_back(static_cast<int>(*value));
  }
  return slots;
}

double parse_gain(const std::string& text) {
  if (text == "none") return -std::numeric_limits<double>::infinity();
  const bool percent = text.ends_with('%');
  const auto number = parse_number(trim(percent ? text.substr(0, text.size() - 1) : text));
  const double gain = number.value_or(-1) / (percent ? 100 : 1);
  if (!(gain >= 0 && gain <= 1))
    throw UsageError(
        fmt::format("gain \"{}\": accepted are 0% to 100%, 0 to 1, and none: any embedding", text));
  return gain;
}

double parse_variation(const std::string& text) {
  const bool percent = text.ends_with('%');
  const auto number = parse_number(trim(percent ? text.substr(0, text.size() - 1) : text));
  const double share = number.value_or(0) / (percent ? 100 : 1);
  if (share > 0 && share < 1) return share;
  throw UsageError(fmt::format(
      "variation \"{}\": accepted are shares above 0 and below 1, such as 20% or 0.2", text));
}

Limits parse_limits(const LimitOptions& options) {
  const auto& [run_limit, memory_limit] = options;
  Limits limits;
  if (!run_limit.empty())
    limits.time = run_limit == "inf" ? Seconds{std::numeric_limits<double>::infinity()}
                                     : parse_seconds(run_limit);
  if (!memory_limit.empty())
    limits.memory = memory_limit == "inf" ? Bytes{std::numeric_limits<double>::infinity()}
                                          : parse_bytes(memory_limit);
  if (limits.time && !(limits.time->value > 0))
    throw UsageError(
        fmt::format("--run-limit \"{}\": accepted is a time > 0, such as 10m", run_limit));
  if (limits.memory && !(limits.memory->value >= 1))
    throw UsageError(
        fmt::format("--memory-limit \"{}\": accepted is a size > 0, such as 8GiB", memory_limit));
  return limits;
}

}  // namespace vtopo
