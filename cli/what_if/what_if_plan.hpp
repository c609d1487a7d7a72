#pragma once

#include <optional>
#include <vector>

#include "cli/output/report_output.hpp"
#include "cli/output/threshold.hpp"
#include "cli/what_if/what_if.hpp"
#include "netmodels/process/child_limits.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/simulation/simulate.hpp"

namespace vtopo {

/// The options in the form in which they are used; everything is checked before work starts.
struct WhatIfPlan {
  std::vector<MapperSpec> mappers;
  Objective objective;
  std::optional<Seconds> time_limit;  ///< of each mapper
  int threads = 1;
  NetworkModel model = NetworkModel::cm02;
  Solver solver = Solver::fast;  ///< that simulates: not `automatic`
  BytesPerSecond loopback_bandwidth;
  ChildLimits limits;  ///< of each simulation
  ReportForm form = ReportForm::table;
  std::optional<Threshold> threshold;
  bool timing = true;
  bool simulate = true;
};

/// @throws UsageError for values that are not accepted and for options that exclude each other.
WhatIfPlan make_plan(const WhatIfOptions& options);

}  // namespace vtopo
