#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/run/report.hpp"
#include "sim/scenario/scenario_options.hpp"
#include "sim/report/fields.hpp"

namespace vtopo::detail {

/// One embedding of one scenario of a study, or why there is none.
struct StudyRow {
  std::vector<std::string> settings;  ///< values in the order of `Study::settings`; empty: not set
  std::vector<FieldValue> values;     ///< in the order of `row_fields`; none: failed
  std::string error;                  ///< sentence; empty: none
  int exit_code = 0;                  ///< of a failure, as the command gives it
};

/// Rows of several scenarios, in the order in which they were asked for.
struct Study {
  std::vector<std::string> settings;  ///< every option of a scenario; `change` in front, if any
  std::vector<StudyRow> rows;         ///< at least one

  /// Index of a setting. @throws UsageError with the ones there are.
  std::size_t setting(std::string_view name) const;
};

/// What a study has in the setting `change` for a row without and for one with what is changed.
inline constexpr std::string_view change_setting = "change", without_change = "without",
                                  with_change = "with";

/// A study without rows: its settings are the options of scenarios.
/// @param has_changes whether it has the setting `change`, too.
Study make_study(bool has_changes = false);

/// Every setting of a scenario in the order of `make_study`, defaults included; an option that was
/// given several times has its values with blanks between them.
std::vector<std::string> settings_of(const Study& study, const Scenario& scenario,
                                     std::string_view change = {});

/// Adds the rows of a report on the scenario of `settings`.
void add_report(Study& study, const std::vector<std::string>& settings, const Report& report);

/// Adds a scenario that failed.
void add_failure(Study& study, const std::vector<std::string>& settings, std::string sentence,
                 int exit_code);

/// Sorts rows by their settings, the first that differs first: numbers, volumes and times by size,
/// other text with the numbers in it by size. For rows whose order is that in which they ended.
void sort_rows(Study& study);

/// Settings that differ between rows, in the order of the study.
std::vector<std::size_t> axes_of(const Study& study);

}  // namespace vtopo::detail
