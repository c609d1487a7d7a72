#include "sim/check/evidence.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::checking {
namespace {

/// Links of one kind as a variation has them; what they were comes back at its end.
class Varied {
 public:
  Varied(Evidence& e, const std::string& kind, bool is_latency, double factor)
      : e_(e), links_(e.links), routes_(e.routes) {
    for (std::size_t l = 0; l < e.links.size(); ++l)
      if (e.kinds_of_links[l] == kind)
        (is_latency ? e.links[l].latency : e.links[l].bandwidth) *= factor;
    for (auto& [ends, route] : e.routes)
      for (const auto& [l, share] : route.parts)
        route.latency += (e.links[l].latency - links_[l].latency) * share;
  }
  Varied(const Varied&) = delete;
  Varied& operator=(const Varied&) = delete;
  ~Varied() { e_.links.swap(links_), e_.routes.swap(routes_); }

 private:
  Evidence& e_;
  std::vector<Link> links_;
  Routes routes_;
};

struct Rows {
  std::size_t best = 0, rival = 0;
  bool are_simulated = false;
};

/// The best row, and the baseline against it, else the next best one.
Rows rows_of(const Evidence& e, const Json& rows) {
  const auto is_open = [](const Json& row) { return row.at("makespan").is_null(); };
  Rows is{e.best_row, e.base_row, std::none_of(rows.begin(), rows.end(), is_open)};
  if (is.rival != is.best) return is;
  const char* time = is.are_simulated ? "makespan" : "max_congestion";
  is.rival = is.best == 0 ? 1 : 0;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (r != is.best && real(rows[r].at(time)) < real(rows[is.rival].at(time))) is.rival = r;
  return is;
}

/// The last word of `bandwidth of dimension 0` and what is in front; empty: not of links.
std::string kind_in(const std::string& what, std::string_view property) {
  return what.starts_with(property) ? what.substr(property.size()) : "";
}

/// Times under other links, by new replays.
void check_times(Evidence& e, const Json& variation, const Rows& rows, double share) {
  const std::string what = variation.at("what"), change = variation.at("change");
  const std::string wide = kind_in(what, "bandwidth of "), late = kind_in(what, "latency of ");
  const std::string kind = wide.empty() ? late : wide;
  if (kind.empty() || e.kinds_of_links.empty()) return;
  e.require(
      std::find(e.kinds_of_links.begin(), e.kinds_of_links.end(), kind) != e.kinds_of_links.end(),
      "there are no such links");
  const Varied varied(e, kind, wide.empty(), 1 + (change[0] == '+' ? share : -share));
  constexpr double same_times = 1e-6;  // of times
  for (const auto& [r, row] : {std::pair(0, rows.best), std::pair(1, rows.rival)})
    if (const auto time = time_of_row(e, row, rows.are_simulated))
      e.same("seconds", variation.at("seconds").at(static_cast<std::size_t>(r)), *time, same_times);
  e.vouch(variation.at("what")), e.vouch(variation.at("change"));
}

/// Who causes another order: a link of the evidence, and edges of the job between hosts.
void check_cause(const Evidence& e, const Json& variation, bool wins) {
  const Json &link = variation.at("link"), &ranks = variation.at("ranks");
  e.require(ranks.is_array() && ranks.size() <= 4 && (wins || ranks.empty()), "ranks");
  if (!wins) e.equal("link", link, nullptr);
  e.vouch_if(ranks.empty(), ranks);
  const auto is_named = [&](const Link& of) { return link == of.name; };
  e.require(link.is_null() || std::any_of(e.links.begin(), e.links.end(), is_named),
            "there is no link " + link.dump());
  for (const Json& pair : ranks)
    e.require(volume_of(e.sent, whole(pair.at(0), e.num_ranks), whole(pair.at(1), e.num_ranks)) > 0,
              fmt::format("rank {} sends rank {} nothing", pair[0].dump(), pair[1].dump()));
}

void check_variation(Evidence& e, const Json& variation, const Rows& rows, double share) {
  for (const char* name : {"what", "change"})
    e.require(e.member(variation, name).is_string() && variation.at(name) != "",
              std::string(name) + " is not text");
  const std::string percent = fmt::format("{:.6g} %", 100 * share);
  const std::string change = variation.at("change"), what = variation.at("what");
  e.where = fmt::format("sensitivity: {} {}: ", what, change);
  const Json& seconds = e.member(variation, "seconds");
  e.require(
      seconds.is_array() && seconds.size() == 2 && seconds[0].is_number() && seconds[1].is_number(),
      "seconds are not two numbers");
  if (what != "routing")
    e.require(change == "+" + percent || change == "-" + percent,
              "the share is another: " + percent);
  const bool wins = real(seconds[1]) < real(seconds[0]) * (1 - rounding);
  e.equal("rival_wins", e.member(variation, "rival_wins"), wins);
  e.member(variation, "link"), e.member(variation, "ranks");
  check_cause(e, variation, wins);
  check_times(e, variation, rows, share);
  e.where = "sensitivity: ";
}

/// Each property falls and rises; no variation is tried twice.
void check_set(const Evidence& e, const Json& variations) {
  std::set<std::pair<std::string, std::string>> tried;
  for (const Json& variation : variations)
    e.require(tried.emplace(variation.at("what"), variation.at("change")).second,
              "a variation is listed twice");
  for (const auto& [what, change] : tried)
    e.require(what == "routing" || change.empty() ||
                  tried.contains({what, (change[0] == '+' ? "-" : "+") + change.substr(1)}),
              what + " only falls or only rises");
  const std::set<std::string> kinds(e.kinds_of_links.begin(), e.kinds_of_links.end());
  for (const std::string& kind : kinds)
    e.require(std::any_of(variations.begin(), variations.end(),
                          [&](const Json& of) { return of.at("what") == "bandwidth of " + kind; }),
              "bandwidth of " + kind + " is not varied");
}

/// `12 %`, two digits.
std::string share_text(double share) {
  return fmt::format("{:.2g} %", 100 * share);
}

/// Which variation takes the lead from the best row, or leaves it the least.
std::string sensitivity_text(const Json& sensitivity) {
  const std::string best = sensitivity.at("best"), rival = sensitivity.at("rival");
  const Json& variations = sensitivity.at("variations");
  std::string lost, closest;
  double least = infinity;
  for (const Json& variation : variations) {
    const double ours = real(variation.at("seconds").at(0)),
                 theirs = real(variation.at("seconds").at(1));
    const std::string what = variation.at("what"), change = variation.at("change");
    const double lead = theirs > 0 ? 1 - ours / theirs : 0;
    if (lead < least) least = lead, closest = what + " " + change;
    if (!(theirs < ours * (1 - rounding))) continue;
    std::vector<std::string> pairs;
    for (const Json& pair : variation.at("ranks"))
      pairs.push_back(fmt::format("{}->{}", pair.at(0).dump(), pair.at(1).dump()));
    const Json& link = variation.at("link");
    const std::string by = link.is_null() ? "" : "link " + link.get<std::string>() + " with ";
    lost += fmt::format("\n  {} {}: {} takes {} less than {}, by {}ranks {}", what, change, rival,
                        share_text(1 - theirs / ours), best, by, join(pairs, ", "));
  }
  if (!lost.empty())
    return fmt::format("{} does not beat {} under every variation:{}", best, rival, lost);
  if (variations.empty()) return "";
  if (least <= rounding)
    return fmt::format("{} is not beaten by {} under any of {} variations; they are equal under {}",
                       best, rival, variations.size(), closest);
  return fmt::format("{} beats {} under every variation ({}), by {} at least: {}", best, rival,
                     variations.size(), share_text(least), closest);
}

}  // namespace

void check_sensitivity(Evidence& e) {
  const Json& rows = e.report.at("rows");
  const std::string asked = e.option("sensitivity");
  e.where = "sensitivity: ";
  e.require(!asked.empty() || !e.report.contains("sensitivity"), "nobody asked for it");
  if (asked.empty() || rows.size() < 2 || e.option("trace") != "" || !e.knows_links())
    return e.where.clear();
  const Json& claim = e.member(e.report, "sensitivity");
  const Rows is = rows_of(e, rows);
  const bool is_percent = asked.ends_with('%');
  const double number =
      parse_number(asked.substr(0, asked.size() - (is_percent ? 1 : 0))).value_or(0);
  const double share = number / (is_percent ? 100 : 1);
  e.same("share", e.member(claim, "share"), share);
  e.equal("best", e.member(claim, "best"), rows[is.best].at("mapper"));
  e.equal("rival", e.member(claim, "rival"), rows[is.rival].at("mapper"));
  const char* time = is.are_simulated ? "makespan" : "max_congestion";
  const Json& seconds = e.member(claim, "seconds");
  e.require(seconds.is_array() && seconds.size() == 2, "seconds are not two numbers");
  e.same("seconds of the best", seconds.at(0), real(rows[is.best].at(time)));
  e.same("seconds of the rival", seconds.at(1), real(rows[is.rival].at(time)));
  const Json& variations = e.member(claim, "variations");
  e.require(variations.is_array(), "variations are not a list");
  for (const Json& variation : variations) check_variation(e, variation, is, share);
  check_set(e, variations);
  e.where.clear();
  e.equal("sensitivity: sentence", e.member(claim, "sentence"), sensitivity_text(claim));
}

}  // namespace vtopo::detail::checking
