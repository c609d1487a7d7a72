#include "topology/graph_files.hpp"

#include <array>

#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

namespace {

const std::array<std::string, 2> names{"graph", "dist"};

void run(std::string_view input) {
  const NamedInput named = named_input(names, input);
  const MemoryFile file(named.content);
  if (named.format == 0)
    require(read_graph_file(file.path()).num_ranks() > 0, "a graph without ranks");
  else
    require(read_dist_graph_file(file.path()).num_ranks() > 0, "a graph without ranks");
}

}  // namespace

Target graph_file() {
  return {"files of graph: and dist:", run, {}};
}

}  // namespace vtopo::fuzz::targets
