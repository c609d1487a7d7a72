#include "cli/command/limit_options.hpp"

namespace vtopo::detail {

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

}  // namespace vtopo::detail
