#pragma once

#include <string>
#include <vector>

#include "sim/research/validation/measured_machine.hpp"

namespace vtopo::detail {

/// Parameters that a run determines.
struct Calibration {
  MachineParameters parameters;
  std::string run;                        ///< that they were fitted to
  double error = 0;                       ///< mean of |ln(predicted / measured)| over its points
  std::vector<std::string> undetermined;  ///< names of those that change no prediction: as before
};

/// The run of a machine with the fewest ranks; among several the one with the most points.
/// @param points of one machine, at least one.
std::string smallest_run(const std::vector<MeasuredPoint>& points);

/// Fits the parameters of a machine to the points of one run of at least 64 KiB: from those of its
/// file on, each is multiplied or divided by ever smaller factors, from 4 to 1.04, as long as the
/// mean of |ln(predicted / measured)| falls by more than 1e-6 and it stays within a tenth of and
/// ten times the default of `MachineParameters`.
/// @param points of one machine.
/// @param run of them; empty: the smallest.
/// @throws InputError for a run that is not there or has no point with a prediction; what
/// `MeasuredMachine::predict` throws.
Calibration calibrate(MeasuredMachine& machine, const std::vector<MeasuredPoint>& points,
                      std::string run = {});

}  // namespace vtopo::detail
