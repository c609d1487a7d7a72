#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vtopo {

/// A traffic pattern and its options, as `NAME[:key=value,...]` spells them. Valid by `parse`.
struct PatternSpec {
  std::string name;                                         ///< of a row in `pattern_infos`
  std::map<std::string, std::string, std::less<>> options;  ///< key and value, sorted by key

  friend bool operator==(const PatternSpec&, const PatternSpec&) = default;  ///< memberwise
};

/// Name of a pattern, what it is, and the options that it takes beside `bytes`, `repeat`, `name`
/// and `with`.
struct PatternInfo {
  std::string_view name;               ///< as specifications spell it
  std::string_view summary;            ///< one sentence for help
  std::vector<std::string_view> keys;  ///< of its own options
};

/// All patterns, in the order in which help lists them.
const std::vector<PatternInfo>& pattern_infos();

/// Patterns of `NAME[:key=value,...],NAME,...`, in the order given: after a comma, a word with '='
/// continues the options of the pattern before it. Options:
/// - `bytes=64KiB`: instead of the volume of the scenario;
/// - `repeat=100`: each of its phases so many times in a row, 1 to 1e9;
/// - `name=exchange`: what its phases are called; `with=exchange`: at the same time as the phases
/// of
///   that name, which come before it in the list;
/// - `sub=1-0`: in each communicator of MPI_Cart_sub, 1 for each dimension that remains;
/// - `algorithm=ring`, `root=0`: of collectives; `algorithm=auto,library=openmpi`: that which the
///   library takes; `order`, `segments` or `segment`, `radix`, `window`, `children`: of algorithms
///   that have them (`CollectiveOptions`);
/// - `offset=1`: of `shift`; `dims=0-1`: of `transpose`; `seed=1`: of `random`.
/// `broadcast` stands for `bcast`.
/// @throws UsageError for unknown patterns and options (with the nearest one that is known) and for
/// values that no topology gives a meaning to.
std::vector<PatternSpec> parse_patterns(std::string_view list);

/// `allreduce:algorithm=ring,sub=1-0` again: options sorted.
std::string to_string(const PatternSpec& spec);

/// Numbers of `1-0`: one or more, without sign.
/// @throws UsageError for anything else.
std::vector<int> dashed_numbers(std::string_view text);

}  // namespace vtopo
