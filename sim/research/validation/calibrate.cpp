#include "sim/research/validation/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <utility>

#include "sim/research/validation/ledger.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr double enough = 1e-6;

/// Within ten times and a tenth of the default: no fit may hide a wrong model behind more.
bool is_physical(const NamedParameter& parameter, double value) {
  constexpr double range = 10;
  MachineParameters usual;
  const double ratio = value / parameter.of(usual);
  return ratio <= range && ratio * range >= 1;
}

class Fit {
 public:
  Fit(MeasuredMachine& machine, std::vector<MeasuredPoint> points)
      : machine_(machine), points_(std::move(points)), best_(machine.parameters()) {
    best_.handshake = std::nullopt;  // follows the overhead, which is fitted
    error_ = error_of(best_);
  }

  void run() {
    constexpr double first_factor = 4, last_factor = 1.04;
    double factor = first_factor;
    do {
      while (try_each(factor) || try_exchange(factor)) {
      }
      factor = std::sqrt(factor);
    } while (factor > last_factor);
    machine_.set_parameters(best_);
  }

  const MachineParameters& best() const { return best_; }
  double error() const { return error_; }

  /// Whether a parameter of half or twice the size gives other predictions.
  bool is_determined(const NamedParameter& parameter) {
    for (const double factor : {0.5, 2.0}) {
      MachineParameters other = best_;
      parameter.of(other) *= factor;
      if (std::abs(error_of(other) - error_) > enough) return true;
    }
    return false;
  }

 private:
  bool try_each(double factor) {
    bool improves = false;
    for (const NamedParameter& parameter : named_parameters())
      for (const double by : {factor, 1 / factor})
        improves = try_change({{&parameter, by}}) || improves;
    return improves;
  }

  /// One parameter grows and another one falls: the time of a message alone, which most points
  /// have much of, stays about the same.
  bool try_exchange(double factor) {
    bool improves = false;
    for (const NamedParameter& one : named_parameters())
      for (const NamedParameter& other : named_parameters())
        if (&one != &other)
          improves = try_change({{&one, factor}, {&other, 1 / factor}}) || improves;
    return improves;
  }

  bool try_change(std::initializer_list<std::pair<const NamedParameter*, double>> changes) {
    MachineParameters changed = best_;
    for (const auto& [parameter, by] : changes) {
      double& value = parameter->of(changed);
      value *= by;
      if (!is_physical(*parameter, value)) return false;
    }
    const double error = error_of(changed);
    if (error >= error_ - enough) return false;
    best_ = changed;
    error_ = error;
    return true;
  }

  double error_of(const MachineParameters& parameters) {
    machine_.set_parameters(parameters);
    double sum = 0;
    int count = 0;
    for (const MeasuredPoint& point : points_)
      if (const auto time = machine_.predict(point).time) {
        sum += std::abs(std::log(time->value / point.time.value));
        ++count;
      }
    if (count == 0)
      throw InputError(fmt::format("no point of the run \"{}\" of {} has a prediction",
                                   points_.front().run, points_.front().machine));
    return sum / count;
  }

  MeasuredMachine& machine_;
  std::vector<MeasuredPoint> points_;
  MachineParameters best_;
  double error_;
};

std::vector<MeasuredPoint> points_of(const std::vector<MeasuredPoint>& points,
                                     const std::string& run) {
  std::vector<MeasuredPoint> of_run;
  std::vector<std::string> runs;
  for (const MeasuredPoint& point : points) {
    if (std::find(runs.begin(), runs.end(), point.run) == runs.end()) runs.push_back(point.run);
    if (point.run == run && point.bytes.value >= least_counted.value) of_run.push_back(point);
  }
  if (of_run.empty())
    throw InputError(fmt::format("no run \"{}\" with points of at least 64 KiB; the runs are {}",
                                 run, join(runs, ", ")));
  return of_run;
}

}  // namespace

std::string smallest_run(const std::vector<MeasuredPoint>& points) {
  std::map<std::string, std::pair<int, int>> runs;  // ranks, and minus the number of points
  for (const MeasuredPoint& point : points) {
    auto& [ranks, less_points] = runs[point.run];
    ranks = point.ranks;
    --less_points;
  }
  return std::min_element(runs.begin(), runs.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

Calibration calibrate(MeasuredMachine& machine, const std::vector<MeasuredPoint>& points,
                      std::string run) {
  if (run.empty()) run = smallest_run(points);
  MachineParameters before = machine.parameters();
  Fit fit(machine, points_of(points, run));
  fit.run();
  Calibration result{fit.best(), std::move(run), fit.error(), {}};
  for (const NamedParameter& parameter : named_parameters())
    if (!fit.is_determined(parameter)) {
      result.undetermined.emplace_back(parameter.name);
      parameter.of(result.parameters) = parameter.of(before);  // an exchange may have moved it
    }
  machine.set_parameters(result.parameters);
  return result;
}

}  // namespace vtopo::detail
