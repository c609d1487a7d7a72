#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/study/study.hpp"

namespace vtopo::detail {

/// How a study is summed up.
struct StudyView {
  std::vector<std::string> group_by;  ///< settings; none: all that differ but `mapper` and `over`
  /// Settings whose values are draws of one case: it has the median of their metrics.
  std::vector<std::string> over = {"seed"};
  std::string best;  ///< field that is to be small; empty: `makespan`, else `max_congestion`
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
};

/// A study by groups, the one with the best case first.
struct GroupedStudy {
  std::vector<std::size_t> group_by;  ///< settings of the study
  std::vector<std::size_t> shown;     ///< settings that differ within groups, but for draws
  std::size_t best = 0;               ///< index of the field in `row_fields` that is to be small
  std::vector<StudyGroup> groups;
  std::size_t draws = 0;  ///< most of a case
};

/// Whether a case has as little of a field as the one with the least.
bool are_tied(const StudyCase& least, const StudyCase& other, std::size_t field);

/// @throws UsageError for settings and fields that there are not.
GroupedStudy group_study(const Study& study, const StudyView& view);

/// `network torus:8x8, mapper greedy`: settings of a case with their names.
std::string case_name(const Study& study, const GroupedStudy& grouped, const StudyGroup& group,
                      const StudyCase& shown);

}  // namespace vtopo::detail
