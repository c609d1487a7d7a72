#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/research/validation/measured_machine.hpp"
#include "topology/base/progress.hpp"

namespace vtopo::detail {

/// A measured point and what the clock said of it.
struct LedgerRow {
  MeasuredPoint point;
  Prediction prediction;
  std::optional<Seconds> smpi = {};  ///< by SMPI with the same algorithm; nothing: not asked
};

/// A measured pair and what the clock said of both.
struct PairRow {
  MeasuredPair pair;
  Prediction a, b;

  std::optional<double> ratio() const;  ///< predicted time of a over that of b
};

/// Whose times are held against the measured ones.
enum class LedgerModel {
  vtopo,            ///< the clock
  contention_free,  ///< every message as if it were alone
  smpi,             ///< SimGrid's SMPI, of points that it was asked for
};

/// How far predictions are from measured times. Errors are |ln(predicted / measured)|: 0.1 is about
/// 10 % off, 0.69 a factor of two.
struct Agreement {
  int points = 0;  ///< with a prediction
  double median_error = 0;
  double p90_error = 0;  ///< 90 % of errors are at most this
  double bias = 0;       ///< median of ln(predicted / measured): below 0 the clock is too fast
  int winner_right = 0;  ///< cases whose fastest algorithm is predicted to be the fastest
  int winner_cases = 0;  ///< run, collective, library and size whose best two differ by over 10 %
  /// Kendall's tau of the order of algorithms in such cases: of all pairs with different measured
  /// and different predicted times, the share in the same order less that in the other.
  double kendall_tau = 0;
  int pairs = 0;  ///< that tau counts
};

/// How far predicted ratios of pairs are from measured ones, of pairs of at least `least_counted`.
struct PairAgreement {
  int pairs = 0;            ///< with a prediction
  int cases = 0;            ///< whose times differ by over 5 %
  int sign_right = 0;       ///< of these, the faster one is predicted to be the faster one
  double median_error = 0;  ///< of |ln(predicted ratio / measured ratio)|
  double median_error_of_constant = 0;  ///< the least that one ratio for all pairs reaches
  double tau = 0;                       ///< Kendall's, of the order of the ratios
};

/// Predictions of one machine.
struct MachineLedger {
  std::string machine, platform;
  MachineParameters parameters;
  std::vector<LedgerRow> rows;      ///< in the order of the file
  std::vector<PairRow> pairs = {};  ///< likewise
};

/// Least size of points that statistics count: below it, times are made of what the model has not.
inline constexpr Bytes least_counted{65536};

/// Of rows that have a time of the model.
Agreement agreement(const std::vector<const LedgerRow*>& rows,
                    LedgerModel model = LedgerModel::vtopo);

/// Of the pairs of a machine.
PairAgreement pair_agreement(const MachineLedger& ledger);

/// What the machine's predictions of gains cannot resolve: the 68 % quantile of
/// |ln(predicted ratio / measured ratio)| over its measured pairs and the pairs of algorithms of
/// one run, collective, library and size, at least the median noise within a run. Nothing without
/// any.
std::optional<double> noise_of(const MachineLedger& ledger);

/// Rows of at least `least_counted`, of a collective or of all if it is empty.
std::vector<const LedgerRow*> counted_rows(const MachineLedger& ledger,
                                           const std::string& collective = {});

/// Rows of all sizes that SMPI has a time for.
std::vector<const LedgerRow*> rows_of_smpi(const MachineLedger& ledger);

/// Predicts every point and pair of a machine.
/// @throws what `MeasuredMachine::predict` throws.
MachineLedger make_ledger(MeasuredMachine& machine, const MachineFiles& files,
                          const Progress& progress);

}  // namespace vtopo::detail
