#include <cctype>
#include <cstdlib>
#include <cstring>

#include "cli/check/evidence.hpp"

namespace vtopo::detail::checking {

namespace {

constexpr double equal_times = 1e-6;  ///< relative: clocks and sums round

/// What a report says of its best row, and what follows from its rows.
class BestRow {
 public:
  explicit BestRow(const Evidence& e)
      : e_(e), rows_(e.report.at("rows")), best_(e.report.at("best")) {
    const auto is_open = [](const Json& row) { return row.at("makespan").is_null(); };
    const bool by_clock = std::none_of(rows_.begin(), rows_.end(), is_open);
    time_ = by_clock ? "makespan" : "max_congestion";
    by_ = by_clock ? "simulated time" : "static time";
  }

  void check() {
    has_order() ? decide_order() : find_fastest();
    e_.same("best: row", best_.at("row"), static_cast<double>(chosen_));
    const std::string mapper = rows_[chosen_].at("mapper"), verdict = e_.report.at("verdict");
    e_.require(best_.at("mapper") == mapper, "best: mapper");
    e_.require(best_.at("baseline") == rows_[base_].at("mapper"), "best: baseline");
    e_.require(best_.at("by") == by_, "best: by");
    check_gains();
    e_.require(verdict.find(mapper) != std::string::npos, "verdict: it is about another mapper");
    // Reports of version 0.2 have no ties, and none in the sentence.
    const bool calls_tie = verdict.find(" tie by ") != std::string::npos;
    e_.require(best_.contains("ties") == calls_tie, "verdict: it does not say what ties");
    e_.require(!calls_tie || best_.at("ties") == Json(ties_), "best: ties");
  }

 private:
  bool has_order() const { return e_.report.contains("kept_order"); }
  double time(std::size_t row) const { return real(rows_[row].at(time_)); }
  double hop_bytes(std::size_t row) const { return real(rows_[row].at("hop_bytes")); }

  /// Gain of one value over another, as a share of that; 0 where they are the same.
  static double gain(double before, double after, double same) {
    if (after == before) return 0;
    if (std::isfinite(before) && std::abs(after - before) <= same * before) return 0;
    return before > 0 ? 1 - after / before : -1;
  }

  /// The row that takes the least time; of those that tie the one with the fewest hop-bytes.
  void find_fastest() {
    base_ = 0;
    while (base_ < rows_.size() && rows_[base_].at("mapper") != best_.at("baseline")) ++base_;
    e_.require(base_ < rows_.size(), "best: no row is of the baseline");
    double least = infinity;
    for (std::size_t r = 0; r < rows_.size(); ++r) least = std::min(least, time(r));
    chosen_ = rows_.size();
    const auto is_tied = [&](std::size_t r) { return gain(time(r), least, equal_times) == 0; };
    for (std::size_t i = 0; i <= rows_.size(); ++i) {
      const std::size_t r = i == 0 ? base_ : i - 1;
      if (is_tied(r) &&
          (chosen_ == rows_.size() || hop_bytes(r) < hop_bytes(chosen_) * (1 - rounding)))
        chosen_ = r;
    }
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (r != chosen_ && is_tied(r)) ties_.push_back(r);
  }

  std::string setting(const char* name, const char* otherwise) const {
    return e_.report.at("scenario").value(name, std::string(otherwise));
  }

  /// `2*hop-bytes+jmax` of a row.
  double sum_of(const Json& row, const std::string& terms) const {
    double total = 0;
    std::size_t start = 0;
    while (start <= terms.size()) {
      std::size_t end = terms.find('+', start);
      while (end != std::string::npos && end > start && std::strchr("eE", terms[end - 1]) &&
             end + 1 < terms.size() && std::isdigit(static_cast<unsigned char>(terms[end + 1])))
        end = terms.find('+', end + 1);
      std::string term = terms.substr(start, end - start);
      const std::size_t star = term.find('*');
      const double weight = star == std::string::npos ? 1 : std::strtod(term.c_str(), nullptr);
      if (star != std::string::npos) term.erase(0, star + 1);
      std::replace(term.begin(), term.end(), '-', '_');
      total += weight * real(row.at(term));
      start = end == std::string::npos ? terms.size() + 1 : end + 1;
    }
    return total;
  }

  /// Gain of the last row over the first in the first sum of the objective in which they differ.
  double gain_of_sums(std::string sums) const {
    while (!sums.empty()) {
      const std::string sum = sums.substr(0, sums.find(','));
      sums.erase(0, sum.size() + 1);
      const double gained = gain(sum_of(rows_.front(), sum), sum_of(rows_.back(), sum), rounding);
      if (gained != 0) return gained;
    }
    return 0;
  }

  /// The order given, the first row, unless the last one is not slower and gains more than asked.
  void decide_order() {
    const std::size_t last = rows_.size() - 1;
    const std::string objective = setting("objective", "time"), share = setting("min-gain", "1%");
    const double of_time = gain(time(0), time(last), equal_times);
    const std::string first = objective.substr(0, objective.find(','));
    const bool by_time = first == "time" || first == "simulated-time";
    const double gained = by_time ? of_time : gain_of_sums(objective);
    const double least = std::strtod(share.c_str(), nullptr) / (share.ends_with('%') ? 100 : 1);
    const bool kept = share != "none" && (of_time < 0 || gained <= least);
    if (!by_time) by_ = objective;
    e_.require(e_.report.at("kept_order") == kept, "kept_order");
    chosen_ = kept ? 0 : last;
    if (gained == 0) ties_ = {last - chosen_};
  }

  void check_gains() const {
    for (const auto& [name, gained] : best_.at("gain").items()) {
      const double from = real(rows_[base_].at(name)), to = real(rows_[chosen_].at(name));
      const bool is_known = std::isfinite(from) && std::isfinite(to) && from != 0;
      e_.require(is_known ? gained.is_number() && std::abs(real(gained) - 1 + to / from) < 1e-9
                          : gained.is_null(),
                 "best: gain of " + name);
    }
  }

  const Evidence& e_;
  const Json &rows_, &best_;
  const char* time_ = "";
  std::string by_;
  std::size_t base_ = 0, chosen_ = 0;
  std::vector<std::size_t> ties_;
};

}  // namespace

void check_best(const Evidence& e) {
  BestRow(e).check();
}

}  // namespace vtopo::detail::checking
