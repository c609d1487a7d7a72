#include "cli/check/evidence.hpp"

namespace vtopo::detail::checking {

/// The row that takes the least time; within a thousandth of it the fewest hop-bytes.
void check_best(const Evidence& e) {
  const Json &rows = e.report.at("rows"), &best = e.report.at("best");
  const auto is_open = [](const Json& row) { return row.at("makespan").is_null(); };
  const bool by_clock = std::none_of(rows.begin(), rows.end(), is_open);
  const char* time = by_clock ? "makespan" : "max_congestion";
  double least = infinity;
  for (const Json& row : rows) least = std::min(least, real(row.at(time)));
  std::size_t base = 0;
  while (base < rows.size() && rows[base].at("mapper") != best.at("baseline")) ++base;
  e.require(base < rows.size(), "best: no row is of the baseline");
  std::size_t chosen = rows.size();
  for (std::size_t i = 0; i <= rows.size(); ++i) {
    const std::size_t r = i == 0 ? base : i - 1;
    if (real(rows[r].at(time)) <= least * (1 + 1e-3) &&
        (chosen == rows.size() ||
         real(rows[r].at("hop_bytes")) < real(rows[chosen].at("hop_bytes")) * (1 - rounding)))
      chosen = r;
  }
  e.same("best: row", best.at("row"), static_cast<double>(chosen));
  const std::string mapper = rows[chosen].at("mapper"), verdict = e.report.at("verdict");
  e.require(best.at("mapper") == mapper, "best: mapper");
  e.require(best.at("by") == (by_clock ? "simulated time" : "static time"), "best: by");
  for (const auto& [name, gain] : best.at("gain").items()) {
    const double from = real(rows[base].at(name)), to = real(rows[chosen].at(name));
    const bool is_known = std::isfinite(from) && std::isfinite(to) && from != 0;
    e.require(
        is_known ? gain.is_number() && std::abs(real(gain) - 1 + to / from) < 1e-9 : gain.is_null(),
        "best: gain of " + name);
  }
  e.require(verdict.find(mapper) != std::string::npos, "verdict: it is about another mapper");
}

}  // namespace vtopo::detail::checking
