#include "cli/options/limit_options.hpp"

#include <fmt/format.h>

#include <limits>

#include "topology/base/error.hpp"
#include "topology/base/units_text.hpp"

namespace vtopo {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

void add_limit_options(Verb& verb, LimitOptions& options, const std::string& run_help,
                       const std::string& memory_help) {
  verb.add("--run-limit", &options.run_limit, run_help);
  verb.add("--memory-limit", &options.memory_limit, memory_help);
}

void add_platform_limit_options(Verb& verb, LimitOptions& options) {
  verb.group("Host: the interconnect");
  add_limit_options(verb, options,
                    "of SimGrid on a platform file: of loading it and of each search for routes "
                    "(default: 1h)",
                    "of SimGrid on a platform file (default: as much as the machine has)");
}

ChildLimits parse_limits(const LimitOptions& options) {
  const auto& [run_limit, memory_limit] = options;
  ChildLimits limits;
  if (!run_limit.empty())
    limits.time = run_limit == "inf" ? Seconds{infinite} : parse_seconds(run_limit);
  if (!memory_limit.empty())
    limits.memory = memory_limit == "inf" ? Bytes{infinite} : parse_bytes(memory_limit);
  if (limits.time && !(limits.time->value > 0))
    throw UsageError(
        fmt::format("--run-limit \"{}\": accepted is a time > 0, such as 10m", run_limit));
  if (limits.memory && !(limits.memory->value >= 1))
    throw UsageError(
        fmt::format("--memory-limit \"{}\": accepted is a size > 0, such as 8GiB", memory_limit));
  return limits;
}

}  // namespace vtopo
