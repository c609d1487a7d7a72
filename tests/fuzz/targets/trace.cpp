#include "sim/clock/programs/traces/trace.hpp"

#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

/// All formats of the table: one that is added there is covered.
void run_trace(std::string_view input) {
  std::vector<std::string> names;
  for (const TraceFormat& format : trace_formats()) names.emplace_back(format.name);
  const NamedInput named = named_input(names, input);
  const MemoryFile file(named.content);
  TraceOptions options;
  options.format = names[named.format];
  options.prefix = true;
  const Trace trace = read_trace(file.path(), options);
  require(!why_not_run(trace.program), "a trace was accepted that is not a program");
  for (int r = 0; r < trace.program.num_ranks(); ++r)
    require(trace.lines[Rank{r}].size() == trace.program.ranks[Rank{r}].size(),
            "operations without lines");
}

}  // namespace

/// A line may stand for messages with all other ranks.
Target trace() {
  return {"recorded programs, each format", run_trace, {std::size_t{16} << 20, 4096}};
}

}  // namespace vtopo::fuzz::targets
