#include "sim/scenario/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "topology/base/error.hpp"
#include "topology/base/host_list.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

std::vector<std::int64_t> parse_domain(const std::string& text) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  std::vector<std::int64_t> domain;
  for (const auto piece : split(text, 'x')) {
    const auto size = parse_integer(piece);
    if (!size || *size < 1 || *size > most)
      throw UsageError(
          fmt::format("domain size \"{}\" in \"{}\"; accepted are whole numbers from "
                      "1 to {}, as in 1024x1024x512",
                      piece, text, most));
    domain.push_back(*size);
  }
  return domain;
}

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

/// A count, or as Slurm compresses equal counts of consecutive hosts `4(x2)`: the count, how often.
static std::optional<std::pair<int, std::size_t>> parse_slot_count(std::string_view text) {
  const std::size_t open = std::min(text.find("(x"), text.size());
  const auto count = parse_integer(text.substr(0, open));
  std::optional<std::int64_t> hosts = 1;
  if (open < text.size())
    hosts = text.ends_with(')') ? parse_integer(text.substr(open + 2, text.size() - open - 3))
                                : std::nullopt;
  constexpr int most = 1'000'000;
  if (!count || *count < 1 || *count > most || !hosts || *hosts < 1 || *hosts > most)
    return std::nullopt;
  return std::pair(static_cast<int>(*count), static_cast<std::size_t>(*hosts));
}

std::vector<int> parse_slots(const std::string& list) {
  std::vector<int> slots;
  for (const auto piece : split(list, ',')) {
    const auto count = parse_slot_count(piece);
    if (!count || slots.size() + count->second > max_host_list_names)
      throw UsageError(fmt::format(
          "slots \"{}\" in \"{}\": accepted are 1 to 1000000, and 4(x2) for two hosts of 4, for up "
          "to {} hosts",
          piece, list, max_host_list_names));
    slots.insert(slots.end(), count->second, count->first);
  }
  return slots;
}

/// `; did you mean 20%?` for a number above 1.
static std::string meant_percent(const std::string& text) {
  const auto number = parse_number(text);
  return number && *number > 1 && *number <= 100 ? fmt::format("; did you mean {}%?", text) : "";
}

/// Of `3%` or `0.03`; nothing beyond 0 to 1.
static std::optional<double> parse_share(const std::string& text) {
  const bool percent = text.ends_with('%');
  const auto number = parse_number(trim(percent ? text.substr(0, text.size() - 1) : text));
  const double share = number.value_or(-1) / (percent ? 100 : 1);
  return share >= 0 && share <= 1 ? std::optional(share) : std::nullopt;
}

std::optional<double> parse_gain(const std::string& text) {
  if (text == "auto") return std::nullopt;
  if (text == "none") return -std::numeric_limits<double>::infinity();
  if (const auto share = parse_share(text)) return *share;
  throw UsageError(
      fmt::format("gain \"{}\": accepted are auto, 0% to 100%, 0 to 1, and none: any embedding{}",
                  text, meant_percent(text)));
}

double parse_imbalance(const std::string& text) {
  if (const auto share = parse_share(text)) return *share;
  throw UsageError(fmt::format("imbalance \"{}\": accepted are 0% to 100%, or 0 to 1{}", text,
                               meant_percent(text)));
}

BytesPerSecond parse_link_bandwidth(std::string_view text) {
  constexpr std::string_view infinite = ", or inf";
  std::string sentence = fmt::format(
      "bandwidth \"{}\" is out of range; accepted: 0.001 to 1e30 bytes per second", text);
  try {
    const BytesPerSecond bandwidth = parse_bandwidth(text);
    if (std::isfinite(bandwidth.value)) return bandwidth;
  } catch (const UsageError& error) {
    sentence = error.what();
    if (const auto place = sentence.find(infinite); place != sentence.npos)
      sentence.erase(place, infinite.size());
  }
  throw UsageError(sentence);
}

namespace {

/// A limit in `text`, `inf` included.
/// @param least accepted value; 0 itself is not.
/// @param sentence with a place for the text.
template <class Quantity>
Quantity parse_limit(const std::string& text, Quantity (*parse)(std::string_view), double least,
                     fmt::format_string<const std::string&> sentence) {
  if (text == "inf") return {std::numeric_limits<double>::infinity()};
  std::optional<Quantity> limit;
  try {
    limit = parse(text);
  } catch (const UsageError&) {
  }
  if (!limit || !(limit->value > 0) || limit->value < least)
    throw UsageError(fmt::format(sentence, text));
  return *limit;
}

}  // namespace

double parse_variation(const std::string& text) {
  const bool percent = text.ends_with('%');
  const auto number = parse_number(trim(percent ? text.substr(0, text.size() - 1) : text));
  const double share = number.value_or(0) / (percent ? 100 : 1);
  if (share > 0 && share < 1) return share;
  throw UsageError(
      fmt::format("variation \"{}\": accepted are shares above 0 and below 1, such as 20% or 0.2{}",
                  text, meant_percent(text)));
}

Limits parse_limits(const LimitOptions& options) {
  Limits limits;
  if (!options.run_limit.empty())
    limits.time = parse_limit<Seconds>(options.run_limit, parse_seconds, 0,
                                       "--run-limit \"{}\": accepted is a time > 0 and up to 1e9 "
                                       "seconds, such as 10m, or inf");
  if (!options.memory_limit.empty())
    limits.memory = parse_limit<Bytes>(options.memory_limit, parse_bytes, 1,
                                       "--memory-limit \"{}\": accepted is a size of 1 to 1e24 "
                                       "bytes, such as 8GiB, or inf");
  return limits;
}

}  // namespace vtopo
