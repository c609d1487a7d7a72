#include "sim/research/validation/ledger.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace vtopo::detail {

namespace {

/// Measured and predicted time of an algorithm.
struct Times {
  double measured, predicted;
};

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto last = static_cast<double>(values.size() - 1);
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(std::lround(share * last));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

const std::optional<Seconds>& time_of(const LedgerRow& row, LedgerModel model) {
  if (model == LedgerModel::smpi) return row.smpi;
  return model == LedgerModel::vtopo ? row.prediction.time : row.prediction.contention_free;
}

void count_winner(const std::vector<Times>& times, Agreement& result) {
  if (times.size() < 2 || times[1].measured <= 1.1 * times[0].measured) return;
  ++result.winner_cases;
  double least = times[0].predicted;
  for (const Times& of : times) least = std::min(least, of.predicted);
  constexpr double equal = 1 + 1e-9;  // two names of one algorithm
  if (times[0].predicted <= least * equal) ++result.winner_right;
}

struct Pairs {
  int agree = 0, differ = 0;
};

void count_pairs(const std::vector<Times>& times, Pairs& pairs) {
  for (std::size_t i = 0; i < times.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double order =
          (times[i].measured - times[j].measured) * (times[i].predicted - times[j].predicted);
      if (order > 0) ++pairs.agree;
      if (order < 0) ++pairs.differ;
    }
}

}  // namespace

Agreement agreement(const std::vector<const LedgerRow*>& rows, LedgerModel model) {
  Agreement result;
  std::vector<double> errors, ratios;
  std::map<std::tuple<std::string, std::string, std::string, double>, std::vector<Times>> cases;
  for (const LedgerRow* row : rows) {
    const std::optional<Seconds>& time = time_of(*row, model);
    if (!time) continue;
    const MeasuredPoint& point = row->point;
    ratios.push_back(std::log(time->value / point.time.value));
    errors.push_back(std::abs(ratios.back()));
    cases[{point.run, point.collective, point.library, point.bytes.value}].push_back(
        {point.time.value, time->value});
  }
  result.points = static_cast<int>(errors.size());
  result.median_error = quantile(errors, 0.5);
  result.p90_error = quantile(errors, 0.9);
  result.bias = quantile(ratios, 0.5);
  Pairs pairs;
  for (auto& [key, times] : cases) {
    std::sort(times.begin(), times.end(),
              [](const Times& a, const Times& b) { return a.measured < b.measured; });
    count_winner(times, result);
    count_pairs(times, pairs);
  }
  result.pairs = pairs.agree + pairs.differ;
  if (result.pairs > 0)
    result.kendall_tau = static_cast<double>(pairs.agree - pairs.differ) / result.pairs;
  return result;
}

std::vector<const LedgerRow*> counted_rows(const MachineLedger& ledger,
                                           const std::string& collective) {
  std::vector<const LedgerRow*> rows;
  for (const LedgerRow& row : ledger.rows)
    if (row.point.bytes.value >= least_counted.value &&
        (collective.empty() || row.point.collective == collective))
      rows.push_back(&row);
  return rows;
}

std::vector<const LedgerRow*> rows_of_smpi(const MachineLedger& ledger) {
  std::vector<const LedgerRow*> rows;
  for (const LedgerRow& row : ledger.rows)
    if (row.smpi) rows.push_back(&row);
  return rows;
}

MachineLedger make_ledger(MeasuredMachine& machine, std::string platform,
                          const std::vector<MeasuredPoint>& points, const Progress& progress) {
  MachineLedger ledger{
      points.empty() ? "" : points.front().machine, std::move(platform), machine.parameters(), {}};
  for (const MeasuredPoint& point : points) {
    ledger.rows.push_back({point, machine.predict(point), {}});
    if (progress)
      progress(static_cast<double>(ledger.rows.size()) / static_cast<double>(points.size()));
  }
  return ledger;
}

}  // namespace vtopo::detail
