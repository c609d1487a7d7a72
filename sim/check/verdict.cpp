#include "sim/check/evidence.hpp"
#include "topology/base/text.hpp"

// The best row and the verdict, made anew from the numbers of the report, by the rules of version
// 0.3 or by those of 0.2, of which reports are left: whoever changes a word has another one.
namespace vtopo::detail::checking {
namespace {

/// What rows say.
struct Judgement {
  bool is_old = false;  ///< no ties, and an order that is kept is not in the sentence
  std::size_t best = 0, base = 0;
  std::vector<std::size_t> ties = {};  ///< other rows that are as good
  std::string by = {};                 ///< `simulated time`, `static time`, an objective
  std::optional<bool> kept = {};       ///< the first row, against the last; nothing: nobody asked
  std::string because = {};            ///< why, where times do not say it
  double noise = 0;                    ///< |ln| of a ratio of times up to which they tie
};

/// Relative: below it times are the same, by the rules of 0.3; of 0.2, hop-bytes decide.
constexpr double equal_times = 1e-6, nearly_equal_times = 1e-3;

bool are_same(double a, double b) {
  return a == b ||
         (std::isfinite(a) && std::isfinite(b) && std::abs(a - b) <= equal_times * std::max(a, b));
}

bool are_tied(double a, double b, double noise) {
  return are_same(a, b) || (a > 0 && b > 0 && std::abs(std::log(a / b)) <= noise);
}

enum class Trend { falls, stays, rises };

Trend trend_of(double from, double to) {
  if (std::abs(to - from) <= rounding * std::abs(from)) return Trend::stays;
  return to < from ? Trend::falls : Trend::rises;
}

/// `38 %`, `5.1 %`, `less than 0.1 %`: of what is not 0.
std::string amount(double from, double to) {
  const double percent = 100 * std::abs(to - from) / std::abs(from);
  if (percent < 0.05) return "less than 0.1 %";
  return fmt::format("{:.{}f} %", percent, percent < 9.95 ? 1 : 0);
}

/// `a, b and c`.
std::string enumerated(const std::vector<std::string>& list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i)
    text += (i == 0 ? "" : i + 1 == list.size() ? " and " : ", ") + list[i];
  return text;
}

/// `at the lower bound`, `3.0 % above its lower bound`, `25 times it`, `above the bound of 0`.
std::string distance_to(double bound, double value, const std::string& name) {
  const Trend trend = trend_of(bound, value);
  if (trend == Trend::stays) return "at " + name;
  if (bound == 0) return fmt::format("above {} of 0", name);
  if (value >= 10 * bound) return fmt::format("{:.0f} times {}", value / bound, name);
  return amount(bound, value) + (trend == Trend::rises ? " above " : " below ") + name;
}

class Verdict {
 public:
  Verdict(const Evidence& e, const Judgement& is) : e_(e), rows_(e.report.at("rows")), is_(is) {}

  std::string text() const {
    const std::string routing = rows_[0].at("routing"), swapped = swaps();
    std::string text = rows_.size() == 1         ? alone()
                       : is_.kept && !is_.is_old ? order()
                       : is_.best == is_.base    ? unbeaten()
                                                 : better();
    if (routing != "simgrid" && routing != "auto") text = "with routing " + routing + ", " + text;
    if (!swapped.empty())
      text += "; the order of the busiest links depends on routing: with ideal routing " + swapped;
    return text;
  }

 private:
  double of(std::size_t row, const char* name) const { return real(rows_[row].at(name)); }
  bool is_simulated(std::size_t row) const { return !rows_[row].at("makespan").is_null(); }
  bool is_tied(std::size_t row) const {
    return std::find(is_.ties.begin(), is_.ties.end(), row) != is_.ties.end();
  }

  std::string name(std::size_t row) const {
    const Json& seed = rows_[row].at("seed");
    const bool is_only = std::all_of(rows_.begin(), rows_.end(),
                                     [&](const Json& other) { return other.at("seed") == seed; });
    const std::string mapper = rows_[row].at("mapper");
    return is_only ? mapper : fmt::format("{} (seed {})", mapper, seed.dump());
  }

  /// Bytes may travel over routes without links.
  bool leaves_hosts(std::size_t row) const {
    return of(row, "hop_bytes") > 0 || of(row, "intra_host_bytes") < of(row, "total_bytes");
  }

  std::string alone() const {
    if (!leaves_hosts(0)) return name(0) + ": no traffic leaves a host, nothing is left to improve";
    std::string text = fmt::format(
        "{}: hop-bytes {}; the busiest link {}", name(0),
        distance_to(of(0, "hop_bytes_bound"), of(0, "hop_bytes"), "the lower bound"),
        distance_to(of(0, "congestion_bound"), of(0, "max_congestion"), "its lower bound"));
    if (!is_simulated(0) || e_.json.contains("background")) return text;
    const std::string clock = rows_[0].value("clock", "");
    const bool overlaps = (clock == "program" || clock == "steps") && rows_[0].contains("phases") &&
                          rows_[0].at("phases").size() > 1;
    return text + "; the simulated time " +
           distance_to(
               of(0, "max_congestion"), of(0, "makespan"),
               overlaps ? "the sum of the static bounds of its phases" : "the static bound");
  }

  /// `greedy and block tie by simulated time`; of more than four the first and a number.
  std::string tie() const {
    std::vector<std::string> names{name(is_.best)};
    for (const std::size_t row : is_.ties) names.push_back(name(row));
    if (names.size() > 4) names = {names[0], fmt::format("{} other mappers", is_.ties.size())};
    return fmt::format("{} tie by {}{}", enumerated(names), is_.by, within_noise());
  }

  std::string within_noise() const {
    if (is_.by != "simulated time" && is_.by != "static time") return "";
    const char* time = is_.by == "simulated time" ? "makespan" : "max_congestion";
    for (const std::size_t row : is_.ties)
      if (!are_same(of(row, time), of(is_.best, time)))
        return fmt::format(", no difference above noise ({:.2g} %)", 100 * is_.noise);
    return "";
  }

  /// The baseline is the best.
  std::string unbeaten() const {
    const std::string own = name(is_.best);
    const std::size_t tied = is_.ties.size();
    if (!leaves_hosts(is_.best) && tied > 0)
      return fmt::format("{}: no traffic leaves a host under {}", tie(), own);
    if (!leaves_hosts(is_.best))
      return fmt::format(
          "no traffic leaves a host under {}: none of these {} mappers can do better", own,
          rows_.size());
    std::size_t fewest = is_.best;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (of(r, "hop_bytes") < of(fewest, "hop_bytes") * (1 - rounding)) fewest = r;
    if (fewest == is_.best && tied == 0)
      return fmt::format("{} is already the best of these {} mappers by {}", own, rows_.size(),
                         is_.by);
    std::string text = tied > 0 ? tie() : own + " already takes the least " + is_.by;
    if (tied > 0 && tied + 1 < rows_.size()) text += ", the least";
    if (tied + 1 < rows_.size()) text += fmt::format(" of these {} mappers", rows_.size());
    if (fewest == is_.best) return text;
    return fmt::format("{}; {} would {}", text, name(fewest), effect(is_.best, fewest));
  }

  std::string better() const {
    const std::string own = name(is_.best);
    return fmt::format("{} would {} against {}",
                       is_.ties.empty() ? fmt::format("{} is best by {}: it", own, is_.by)
                                        : fmt::format("{}: {}", tie(), own),
                       effect(is_.base, is_.best), name(is_.base));
  }

  /// On the first row, the order given, and the last.
  std::string order() const {
    const std::size_t last = rows_.size() - 1;
    const std::string given = name(0), other = name(last), would = "would " + effect(0, last);
    const std::string because = is_.because.empty() ? "" : ", as " + is_.because;
    const std::string kept = fmt::format("the order given, {}, is kept{}", given, because);
    const std::string written = fmt::format("{} is written{}", other, because);
    if (!is_.ties.empty())
      return fmt::format("{}: {}; {} {}", tie(), *is_.kept ? kept : written, other, would);
    if (*is_.kept) return fmt::format("{}; {} {}", kept, other, would);
    if (!because.empty()) return fmt::format("{}; it {} against {}", written, would, given);
    return fmt::format("{} is best by {}: it {} against {}", other, is_.by, would, given);
  }

  /// `cut hop-bytes by 38 % but raise the busiest link by 3.0 % and leave ... unchanged`. The time
  /// that decides does not change between rows that tie in it.
  std::string effect(std::size_t from, std::size_t to) const {
    const bool has_times = is_simulated(from) && is_simulated(to);
    const bool by_time = is_.by == "simulated time" || is_.by == "static time";
    const bool tied =
        by_time && ((from == is_.best && is_tied(to)) || (to == is_.best && is_tied(from)));
    std::vector<std::string> lists[3];
    for (const auto& [name, what] :
         {std::pair("hop_bytes", "hop-bytes"), std::pair("max_congestion", "the busiest link"),
          std::pair("makespan", "the simulated time")}) {
      const std::string_view field(name);
      if (field == "makespan" && !has_times) continue;
      const bool decides = field == (has_times ? "makespan" : "max_congestion");
      const double before = of(from, name), after = of(to, name);
      if (tied && decides && !are_same(before, after)) continue;  // the noise is named elsewhere
      const Trend trend = tied && decides ? Trend::stays : trend_of(before, after);
      std::string change = what;
      if (trend != Trend::stays) change += before == 0 ? " from 0" : " by " + amount(before, after);
      lists[static_cast<int>(trend)].push_back(change);
    }
    const auto& [cut, kept, raised] = lists;
    std::string text = cut.empty() && !is_.is_old ? "" : "cut " + enumerated(cut);
    if (!raised.empty()) text += (text.empty() ? "raise " : " but raise ") + enumerated(raised);
    if (!kept.empty())
      text += fmt::format("{}leave {} unchanged", text.empty() ? "" : " and ", enumerated(kept));
    return text;
  }

  /// Pairs of rows of which the one with the busier link has certainly less under ideal routing.
  std::string swaps() const {
    std::vector<std::string> pairs;
    for (std::size_t a = 0; a < rows_.size(); ++a)
      for (std::size_t b = 0; b < rows_.size(); ++b)
        if (rows_[a].contains("ideal_congestion") && rows_[b].contains("ideal_congestion") &&
            of(a, "max_congestion") < of(b, "max_congestion") &&
            of(b, "ideal_congestion") < of(a, "ideal_congestion_bound"))
          pairs.push_back(fmt::format("{} is behind {}", name(a), name(b)));
    return enumerated(pairs);
  }

  const Evidence& e_;
  const Json& rows_;
  const Judgement& is_;
};

/// As a share of what it was before; 0 where both are the same.
double gain_over(double before, double after, double same) {
  if (after == before) return 0;
  if (std::isfinite(before) && std::abs(after - before) <= same * before) return 0;
  return before > 0 ? 1 - after / before : -1;
}

/// Between signs that add: that of `1e+3` does not.
std::vector<std::string_view> terms_of(std::string_view sum) {
  std::vector<std::string_view> terms;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= sum.size(); ++i) {
    const bool is_exponent = i > 1 && i < sum.size() && (sum[i - 1] == 'e' || sum[i - 1] == 'E') &&
                             (sum[i - 2] == '.' || (sum[i - 2] >= '0' && sum[i - 2] <= '9'));
    if (i < sum.size() && (sum[i] != '+' || is_exponent)) continue;
    terms.push_back(sum.substr(begin, i - begin));
    begin = i + 1;
  }
  return terms;
}

/// Reads rows as the rules say.
class Judge {
 public:
  explicit Judge(const Evidence& e, bool is_old) : e_(e), rows_(e.report.at("rows")) {
    is_.is_old = is_old;
    if (!is_old && e_.report.contains("noise")) is_.noise = real(e_.report.at("noise"));
    const auto is_open = [](const Json& row) { return row.at("makespan").is_null(); };
    is_simulated_ = std::none_of(rows_.begin(), rows_.end(), is_open);
    knows_links_ = e_.knows_links();
    is_.by = !knows_links_ ? "hop-bytes" : is_simulated_ ? "simulated time" : "static time";
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
    if (!knows_links_) return hop_bytes(row);
    return real(rows_[row].at(is_simulated_ ? "makespan" : "max_congestion"));
  }
  double hop_bytes(std::size_t row) const { return real(rows_[row].at("hop_bytes")); }

  void find_fastest() {
    double least = infinity;
    for (std::size_t r = 0; r < rows_.size(); ++r) least = std::min(least, time(r));
    const auto is_least = [&](std::size_t r) {
      return is_.is_old ? time(r) <= least * (1 + nearly_equal_times)
                        : are_tied(time(r), least, is_.noise);
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
    for (const auto term : terms_of(sum)) {
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
    if (objective.empty()) objective = knows_links_ ? "time" : "hop-bytes";
    if (share.empty() || share == "auto")
      share = fmt::format("{:.3g}%", 100 * std::max(0.01, is_.noise / 2));
    const bool by_time = objective.starts_with("time") || objective.starts_with("simulated-time");
    const double same = is_.is_old ? rounding : equal_times;
    const bool has_both = !is_.is_old || is_simulated_ || rows_.front().at("makespan").is_null() ||
                          rows_.back().at("makespan").is_null();
    e_.require(has_both, "kept_order: of rows of which some are not simulated");
    const double of_time = gain_over(time(0), time(last), same);
    const double gained = by_time ? of_time : gain_of_sums(objective);
    double least = parse_number(share.substr(0, share.find('%'))).value_or(0) /
                   (share.ends_with('%') ? 100 : 1);
    if (e_.option("min-gain").empty() || e_.option("min-gain") == "auto")
      least = std::max(0.01, is_.noise / 2);  // not as rounded for the sentence
    const bool is_slower = of_time < 0, always = share == "none";
    is_.kept = !always && (is_slower || gained <= least);
    if (is_.is_old) return;
    is_.base = 0, is_.best = *is_.kept ? 0 : last;
    if (!by_time) is_.by = objective;
    if (gained == 0 || (by_time && are_tied(time(0), time(last), is_.noise)))
      is_.ties = {last - is_.best};
    const std::string mapper = rows_[last].at("mapper");
    if (always && (is_slower || gained <= 0))
      is_.because = "--min-gain none asks for it";
    else if (*is_.kept && is_slower)
      is_.because = mapper + " is predicted to take more time";
    else if (*is_.kept && gained != 0 && is_.ties.empty())
      is_.because = fmt::format("by {} {} gains no more than --min-gain {}", is_.by, mapper, share);
  }

  const Evidence& e_;
  const Json& rows_;
  bool is_simulated_ = false;
  bool knows_links_ = true;  ///< else hop-bytes count instead of times
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
  e.equal("verdict", e.report.at("verdict"), Verdict(e, is).text());
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
