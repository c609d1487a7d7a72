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

/// Predictions of one machine.
struct MachineLedger {
  std::string machine, platform;
  MachineParameters parameters;
  std::vector<LedgerRow> rows;  ///< in the order of the file
};

/// Least size of points that statistics count: below it, times are made of what the model has not.
inline constexpr Bytes least_counted{65536};

/// Of rows that have a time of the model.
Agreement agreement(const std::vector<const LedgerRow*>& rows,
                    LedgerModel model = LedgerModel::vtopo);

/// Rows of at least `least_counted`, of a collective or of all if it is empty.
std::vector<const LedgerRow*> counted_rows(const MachineLedger& ledger,
                                           const std::string& collective = {});

/// Rows of all sizes that SMPI has a time for.
std::vector<const LedgerRow*> rows_of_smpi(const MachineLedger& ledger);

/// Predicts every point of a machine.
/// @throws what `MeasuredMachine::predict` throws.
MachineLedger make_ledger(MeasuredMachine& machine, std::string platform,
                          const std::vector<MeasuredPoint>& points, const Progress& progress);

}  // namespace vtopo::detail
