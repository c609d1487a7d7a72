#include "netmodels/platform/lint/radical.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "netmodels/platform/lint/findings.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::lint {

namespace {

/// Sentence on what is wrong with a range, if anything is.
std::string problem_of(std::string_view piece, std::optional<std::int64_t> first,
                       std::optional<std::int64_t> last) {
  if (!first || !last || *first < 0 || *last < 0)
    return fmt::format("{} is neither a number nor a range", in_quotes(piece));
  if (*last < *first) return fmt::format("the range {} holds no number", in_quotes(piece));
  if (*last > max_id) return fmt::format("{} is beyond {}", *last, max_id);
  return {};
}

}  // namespace

RadicalText read_radical(std::string_view text) {
  RadicalText radical;
  while (radical.problem.empty()) {
    const auto comma = text.find(',');
    const auto piece = text.substr(0, comma);
    const auto dash = piece.find('-');
    const auto first = parse_integer(trim(piece.substr(0, dash)));
    const auto last =
        dash == std::string_view::npos ? first : parse_integer(trim(piece.substr(dash + 1)));
    radical.problem = problem_of(piece, first, last);
    if (!radical.problem.empty()) break;
    radical.ranges.push_back({*first, *last});
    radical.count += *last - *first + 1;
    if (radical.count > max_cluster_hosts)
      radical.problem = fmt::format("it names more than {} hosts", max_cluster_hosts);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return radical;
}

bool names_a_host_twice(std::vector<NumberRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const NumberRange& a, const NumberRange& b) { return a.first < b.first; });
  return std::adjacent_find(ranges.begin(), ranges.end(),
                            [](const NumberRange& a, const NumberRange& b) {
                              return b.first <= a.last;
                            }) != ranges.end();
}

}  // namespace vtopo::detail::lint
