#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/draw/value_scale.hpp"
#include "sim/report/fields.hpp"
#include "sim/report/report.hpp"
#include "sim/scenario/scenario_options.hpp"

namespace vtopo::detail {

/// One embedding of one scenario of a study, or why there is none.
struct StudyRow {
  std::vector<std::string> settings;  ///< values in the order of `Study::settings`; empty: not set
  std::vector<FieldValue> values;     ///< in the order of `row_fields`; none: failed
  std::string error;                  ///< sentence; empty: none
  int exit_code = 0;                  ///< of a failure, as the command gives it
  double noise = 0;                   ///< of the machine, as `Report::noise`
  bool by_hop_bytes = false;          ///< links are not known, as `Report::by_hop_bytes`
  bool is_baseline = false;           ///< whether its scenario's other rows are compared with it
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

/// Adds a scenario that failed.
void add_failure(Study& study, const std::vector<std::string>& settings, std::string sentence,
                 int exit_code);

/// Sorts rows by their settings, the first that differs first: numbers, volumes and times by size,
/// other text with the numbers in it by size. For rows whose order is that in which they ended.
void sort_rows(Study& study);

/// Settings that differ between rows, in the order of the study.
std::vector<std::size_t> axes_of(const Study& study);

/// How a study is summed up.
struct StudyView {
  std::vector<std::string> group_by;  ///< settings; none: all that differ but `mapper` and `over`
  /// Settings whose values are draws of one case: it has the median of their metrics.
  std::vector<std::string> over = {"seed"};
  /// Field that is to be small; empty: that of the objective of all rows, or if they have none or
  /// time `makespan`, else `max_congestion`.
  std::string best;
};

/// A metric over the draws of a case.
struct Spread {
  double median = 0, least = 0, most = 0;
};

/// Rows that differ in nothing but what they are drawn over.
struct StudyCase {
  std::vector<std::string> names;      ///< values of `GroupedStudy::shown`
  std::vector<const StudyRow*> draws;  ///< that did not fail
  std::size_t failed = 0;              ///< draws that did

  /// Of a field, by its index in `row_fields`; absent where a draw has no number.
  std::optional<Spread> spread(std::size_t field) const;
};

/// Cases of one value of each setting that is grouped by.
struct StudyGroup {
  std::vector<std::string> names;  ///< values of `GroupedStudy::group_by`
  std::vector<StudyCase> cases;    ///< best first; those without draws at the end

  /// What its other cases are compared with: baselines of their scenarios; null if there is none.
  const StudyCase* baseline() const;
};

/// A study by groups, the one with the best case first.
struct GroupedStudy {
  std::vector<std::size_t> group_by;  ///< settings of the study
  std::vector<std::size_t> shown;     ///< settings that differ within groups, but for draws
  std::size_t best = 0;               ///< index of the field in `row_fields` that is to be small
  std::vector<StudyGroup> groups;
  std::size_t draws = 0;  ///< most of a case
};

/// Whether a case has as little of a field as the one with the least; of times within the noise.
bool are_tied(const StudyCase& least, const StudyCase& other, std::size_t field);

/// @throws UsageError for settings and fields that there are not.
GroupedStudy group_study(const Study& study, const StudyView& view);

/// `network torus:8x8, mapper greedy`: settings of a case with their names.
std::string case_name(const Study& study, const GroupedStudy& grouped, const StudyGroup& group,
                      const StudyCase& shown);

/// Aligned table: the cases of every group, best first, and the best group; of many cases only the
/// best of each group. A study with changes has every metric without and with them.
std::string render_study_table(const Study& study, const StudyView& view,
                               const TableStyle& style = {});

/// A line per row in the order asked for: a column for every setting, defaults included, and one
/// for every metric. Settings with the name of a metric end in `_setting`.
std::string render_study_csv(const Study& study);

/// Object `vtopo/study/v1`: the settings that all rows share, rows with the others and their
/// metrics in the order asked for, and the best case of each group, the best group first.
std::string render_study_json(const Study& study, const StudyView& view);

/// One HTML page that needs nothing else and loads nothing: verdict, table, a heat map over the two
/// axes with the most values, and how metrics spread over draws.
std::string render_study_page(const Study& study, const StudyView& view);

/// Sentence such as "topology cart:16x16x16, mapper greedy is best by makespan: 1.2 ms".
std::string study_verdict(const Study& study, const GroupedStudy& grouped);

/// `failed: network torus:8x8, mapper mine: SENTENCE` of the first scenarios that failed, and a
/// line with the number of the others; empty where none failed.
std::vector<std::string> failures_of(const Study& study);

/// `topology cart:8x8, bytes 64KiB`: what all rows share and is not a default.
std::string shared_settings(const Study& study);

/// Whether rows of a study are without and with something.
bool has_changes(const Study& study);

/// Table of what a change costs: metrics without it, with it and the difference, a line per case;
/// over draws the median and the worst. For studies that have changes.
std::string changes_table(const Study& study, const StudyView& view, const TableStyle& style = {});

/// What pictures and sentences call the values of a field by.
PictureUnit unit_of(const RowField& field);

/// `12 ms`, or over draws `12 ms (11 ms to 14 ms)`.
std::string spread_text(const Spread& spread, const RowField& field);

}  // namespace vtopo::detail
