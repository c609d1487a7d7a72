#include "topology/guests/graph_files.hpp"

#include <array>

#include "tests/fuzz/target.hpp"
#include "topology/base/line_file.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

const std::array<std::string, 2> graph_formats{"graph", "dist"};

void run_graph_file(std::string_view input) {
  const NamedInput named = named_input(graph_formats, input);
  const MemoryFile file(named.content);
  if (named.format == 0)
    require(read_graph_file(file.path()).num_ranks() > 0, "a graph without ranks");
  else
    require(read_dist_graph_file(file.path()).num_ranks() > 0, "a graph without ranks");
}

}  // namespace

/// Compressed rows both ways have a number per rank each, counted in another.
Target graph_file() {
  constexpr std::size_t ranks = max_ranks_in_file;
  return {"files of graph: and dist:", run_graph_file, {24 * ranks + (1 << 20), 64}};
}

}  // namespace vtopo::fuzz::targets
