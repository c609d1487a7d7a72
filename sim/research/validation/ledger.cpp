#include "sim/research/validation/ledger.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

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
  std::map<std::tuple<std::string, std::string, std::string, double, int>, std::vector<Times>>
      cases;
  for (const LedgerRow* row : rows) {
    const std::optional<Seconds>& time = time_of(*row, model);
    if (!time) continue;
    const MeasuredPoint& point = row->point;
    ratios.push_back(std::log(time->value / point.time.value));
    errors.push_back(std::abs(ratios.back()));
    cases[{point.run, point.collective, point.library, point.bytes.value, point.ranks}].push_back(
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

std::optional<double> PairRow::ratio() const {
  if (!a.time || !b.time) return std::nullopt;
  return a.time->value / b.time->value;
}

namespace {

/// Least median of distances from one value: half of the shortest interval with so many of them.
double least_median_distance(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto wide =
      static_cast<std::size_t>(std::lround(0.5 * static_cast<double>(values.size() - 1)));
  double least = values.back() - values.front();
  for (std::size_t i = 0; i + wide < values.size(); ++i)
    least = std::min(least, values[i + wide] - values[i]);
  return least / 2;
}

bool is_counted(const MeasuredPoint& point) {
  return point.bytes.value >= least_counted.value;
}

}  // namespace

PairAgreement pair_agreement(const MachineLedger& ledger) {
  constexpr double least_difference = 0.05;
  PairAgreement result;
  std::vector<double> errors, measured;
  std::vector<Times> ratios;
  for (const PairRow& row : ledger.pairs) {
    const auto predicted = row.ratio();
    if (!predicted || !is_counted(row.pair.a)) continue;
    const double of_measured = std::log(row.pair.ratio()), of_predicted = std::log(*predicted);
    measured.push_back(of_measured);
    ratios.push_back({of_measured, of_predicted});
    errors.push_back(std::abs(of_predicted - of_measured));
    if (std::abs(of_measured) <= least_difference) continue;
    ++result.cases;
    if (of_measured * of_predicted > 0) ++result.sign_right;
  }
  result.pairs = static_cast<int>(errors.size());
  result.median_error = quantile(errors, 0.5);
  result.median_error_of_constant = least_median_distance(measured);
  Pairs order;
  count_pairs(ratios, order);
  if (const int all = order.agree + order.differ; all > 0)
    result.tau = static_cast<double>(order.agree - order.differ) / all;
  return result;
}

std::optional<double> noise_of(const MachineLedger& ledger) {
  std::vector<double> errors, within;
  std::map<std::tuple<std::string, std::string, std::string, double, int>, std::vector<Times>>
      cases;
  for (const PairRow& row : ledger.pairs) {
    const auto predicted = row.ratio();
    if (!predicted || !is_counted(row.pair.a)) continue;
    errors.push_back(std::abs(std::log(*predicted / row.pair.ratio())));
    within.push_back(row.pair.noise);
  }
  for (const LedgerRow& row : ledger.rows) {
    if (!row.prediction.time || !is_counted(row.point)) continue;
    const MeasuredPoint& point = row.point;
    cases[{point.run, point.collective, point.library, point.bytes.value, point.ranks}].push_back(
        {point.time.value, row.prediction.time->value});
    within.push_back(point.noise);
  }
  for (const auto& [key, times] : cases)
    for (std::size_t i = 0; i < times.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        errors.push_back(std::abs(std::log(times[i].predicted / times[j].predicted *
                                           times[j].measured / times[i].measured)));
  if (errors.empty()) return std::nullopt;
  constexpr double share = 0.68;
  return std::max(quantile(errors, share), quantile(within, 0.5));
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

MachineLedger make_ledger(MeasuredMachine& machine, const MachineFiles& files,
                          const Progress& progress) {
  MachineLedger ledger{files.machine, files.platform, machine.parameters(), {}, {}};
  const auto report = [&] {
    if (progress)
      progress(static_cast<double>(ledger.rows.size() + ledger.pairs.size()) /
               static_cast<double>(files.points.size() + files.pairs.size()));
  };
  for (const MeasuredPoint& point : files.points) {
    ledger.rows.push_back({point, machine.predict(point), {}});
    report();
  }
  for (const MeasuredPair& pair : files.pairs) {
    ledger.pairs.push_back({pair, machine.predict(pair.a), machine.predict(pair.b)});
    report();
  }
  return ledger;
}

}  // namespace vtopo::detail
