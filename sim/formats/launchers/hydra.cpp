#include "sim/formats/launchers/launchers.hpp"

namespace vtopo::detail::formats {

namespace {

/// `host:n` for n ranks in a row on the same host.
std::string write_hydra(const EmbeddingDocument& document) {
  const std::vector<std::string> nodes = node_names(document, ":", "hydra");
  std::string text;
  for (std::size_t first = 0, next = 0; first < nodes.size(); first = next) {
    while (next < nodes.size() && nodes[next] == nodes[first]) ++next;
    text += fmt::format("{}:{}\n", nodes[first], next - first);
  }
  return text;
}

}  // namespace

/// MPICH: `mpiexec.hydra -f FILE`. Hydra gives every line the next n ranks. A host may come again
/// in a later line; MPICH 4.0.2 then takes it for another node and uses no shared memory between
/// the ranks of different lines.
EmbeddingFormat hydra() {
  return {"hydra",     "MPICH: mpiexec.hydra -f FILE",
          write_hydra, reader(read_host_lines),
          nullptr,     launched_by({{"MPICH", "mpiexec.hydra -f {path} -n {ranks} ./program"}})};
}

}  // namespace vtopo::detail::formats
