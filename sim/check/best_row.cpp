#include "sim/check/verdict.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::checking {
namespace {

/// Relative: below it times are the same, by the rules of 0.3; of 0.2, hop-bytes decide.
constexpr double equal_times = 1e-6, nearly_equal_times = 1e-3;

/// As a share of what it was before; 0 where both are the same.
double gain_over(double before, double after, double same) {
  if (after == before) return 0;
  if (std::isfinite(before) && std::abs(after - before) <= same * before) return 0;
  return before > 0 ? 1 - after / before : -1;
}

/// Reads rows as the rules say.
class Judge {
 public:
  explicit Judge(const Evidence& e, bool is_old) : e_(e), rows_(e.report.at("rows")) {
    is_.is_old = is_old;
    const auto is_open = [](const Json& row) { return row.at("makespan").is_null(); };
    is_simulated_ = std::none_of(rows_.begin(), rows_.end(), is_open);
    is_.by = is_simulated_ ? "simulated time" : "static time";
    while (is_.base < rows_.size() && rows_[is_.base].at("mapper") != "block") ++is_.base;
    if (is_.base == rows_.size()) is_.base = 0;
  }

  Judgement result() && {
    const bool has_order = e_.report.contains("kept_order");
    if (is_.is_old || !has_order) find_fastest();
    if (has_order) decide_order();
    return std::move(is_);
  }

 private:
  double time(std::size_t row) const {
    return real(rows_[row].at(is_simulated_ ? "makespan" : "max_congestion"));
  }
  double hop_bytes(std::size_t row) const { return real(rows_[row].at("hop_bytes")); }

  void find_fastest() {
    double least = infinity;
    for (std::size_t r = 0; r < rows_.size(); ++r) least = std::min(least, time(r));
    const auto is_least = [&](std::size_t r) {
      return is_.is_old ? time(r) <= least * (1 + nearly_equal_times)
                        : gain_over(time(r), least, equal_times) == 0;
    };
    is_.best = rows_.size();
    for (std::size_t i = 0; i <= rows_.size(); ++i) {  // the baseline before all others
      const std::size_t r = i == 0 ? is_.base : i - 1;
      if (is_least(r) &&
          (is_.best == rows_.size() || hop_bytes(r) < hop_bytes(is_.best) * (1 - rounding)))
        is_.best = r;
    }
    for (std::size_t r = 0; r < rows_.size() && !is_.is_old; ++r)
      if (r != is_.best && is_least(r)) is_.ties.push_back(r);
  }

  /// `2*hop-bytes+jmax` of a row.
  double value_of(const Json& row, std::string_view sum) const {
    double total = 0;
    for (const auto term : split(sum, '+')) {
      const auto star = term.find('*');
      std::string name(star == std::string_view::npos ? term : term.substr(star + 1));
      std::replace(name.begin(), name.end(), '-', '_');
      const double weight =
          star == std::string_view::npos ? 1 : parse_number(term.substr(0, star)).value_or(1);
      total += weight * real(e_.member(row, name));
    }
    return total;
  }

  /// Of the last row over the first, in the first sum of the objective in which they differ.
  double gain_of_sums(const std::string& objective) const {
    for (const auto sum : split(objective, ','))
      if (const double gained =
              gain_over(value_of(rows_.front(), sum), value_of(rows_.back(), sum), rounding);
          gained != 0)
        return gained;
    return 0;
  }

  /// The order given, the first row, unless the last one is not slower and gains what it must.
  void decide_order() {
    const std::size_t last = rows_.size() - 1;
    std::string objective = e_.option("objective"), share = e_.option("min-gain");
    if (objective.empty()) objective = "time";
    if (share.empty() || share == "auto") share = "1%";
    const bool by_time = objective.starts_with("time") || objective.starts_with("simulated-time");
    const double same = is_.is_old ? rounding : equal_times;
    const bool has_both = !is_.is_old || is_simulated_ || rows_.front().at("makespan").is_null() ||
                          rows_.back().at("makespan").is_null();
    e_.require(has_both, "kept_order: of rows of which some are not simulated");
    const double of_time = gain_over(time(0), time(last), same);
    const double gained = by_time ? of_time : gain_of_sums(objective);
    const double least = parse_number(share.substr(0, share.find('%'))).value_or(0) /
                         (share.ends_with('%') ? 100 : 1);
    const bool is_slower = of_time < 0, always = share == "none";
    is_.kept = !always && (is_slower || gained <= least);
    if (is_.is_old) return;
    is_.base = 0, is_.best = *is_.kept ? 0 : last;
    if (!by_time) is_.by = objective;
    if (gained == 0) is_.ties = {last - is_.best};
    const std::string mapper = rows_[last].at("mapper");
    if (always && (is_slower || gained <= 0))
      is_.because = "--min-gain none asks for it";
    else if (*is_.kept && is_slower)
      is_.because = mapper + " is predicted to take more time";
    else if (*is_.kept && gained != 0)
      is_.because = fmt::format("by {} {} gains no more than --min-gain {}", is_.by, mapper,
                                e_.option("min-gain").empty() ? "1%" : e_.option("min-gain"));
  }

  const Evidence& e_;
  const Json& rows_;
  bool is_simulated_ = false;
  Judgement is_ = {};
};

void check_judgement(Evidence& e, const Judgement& is) {
  const Json &rows = e.report.at("rows"), &best = e.report.at("best");
  e.same("best: row", best.at("row"), static_cast<double>(is.best));
  e.equal("best: mapper", best.at("mapper"), rows[is.best].at("mapper"));
  e.equal("best: baseline", best.at("baseline"), rows[is.base].at("mapper"));
  e.equal("best: by", best.at("by"), is.by);
  for (const char* name : {"hop_bytes", "max_congestion", "makespan"}) {
    const Json& gain = e.member(best.at("gain"), name);
    const double from = real(rows[is.base].at(name)), to = real(rows[is.best].at(name));
    const bool is_known = std::isfinite(from) && std::isfinite(to) && from != 0;
    e.require(
        is_known ? gain.is_number() && std::abs(real(gain) - 1 + to / from) < 1e-9 : gain.is_null(),
        fmt::format("best: gain of {} is {}", name, gain.dump()));
    e.vouch(gain);
  }
  e.require(best.contains("ties") == !is.ties.empty(), "best: ties of rows that do not tie");
  if (!is.ties.empty()) e.equal("best: ties", best.at("ties"), is.ties);
  if (is.kept) e.equal("kept_order", e.report.at("kept_order"), *is.kept);
  e.equal("verdict", e.report.at("verdict"), verdict_text(e, is));
  e.best_row = is.best, e.base_row = is.base;
}

}  // namespace

/// By the rules of 0.3, or else by those of 0.2.
void check_best(Evidence& e) {
  if (e.report.at("rows").size() == 1)
    e.require(!e.report.contains("kept_order"), "kept_order: there is one order");
  const bool is_old = std::string(e.report.at("version")).starts_with("0.2.");
  try {
    check_judgement(e, Judge(e, !is_old).result());
  } catch (const WrongFigure&) {
    check_judgement(e, Judge(e, is_old).result());
  }
}

}  // namespace vtopo::detail::checking
