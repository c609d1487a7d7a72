#pragma once

#include <string>
#include <vector>

#include "sim/study/study_groups.hpp"

namespace vtopo::detail {

/// Aligned table: the cases of every group, best first, and the best group; of many cases only the
/// best of each group. A study with changes has every metric without and with them.
/// @param colour whether with escape sequences.
std::string render_study_table(const Study& study, const StudyView& view, bool colour);

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

/// `failed: network torus:8x8, mapper mine: SENTENCE` of the first scenarios that failed, and a line
/// with the number of the others; empty where none failed.
std::vector<std::string> failures_of(const Study& study);

/// `topology cart:8x8, bytes 64KiB`: what all rows share and is not a default.
std::string shared_settings(const Study& study);

}  // namespace vtopo::detail
