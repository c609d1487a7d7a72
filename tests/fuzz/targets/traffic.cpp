#include "topology/traffic/traffic.hpp"

#include "tests/fuzz/target.hpp"
#include "topology/base/line_file.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

/// All formats of the table: one that is added there is covered.
void run_traffic(std::string_view input) {
  static const std::vector<std::string> names = traffic_format_names();
  const NamedInput named = named_input(names, input);
  const MemoryFile file(named.content);
  TrafficOptions options;
  options.format = parse_traffic_format(names[named.format]);
  const CommGraph graph = read_traffic(file.path(), options);
  require(graph.num_ranks() > 0, "a recording without ranks");
}

}  // namespace

/// Compressed rows have a number per rank, counted in another.
Target traffic() {
  constexpr std::size_t ranks = max_ranks_in_file;
  return {"recorded traffic, each format", run_traffic, {16 * ranks + (1 << 20), 64}};
}

}  // namespace vtopo::fuzz::targets
