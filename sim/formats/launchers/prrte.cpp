#include "sim/formats/launchers/launchers.hpp"

namespace vtopo::detail::formats {

namespace {

std::string write_prrte(const EmbeddingDocument& document) {
  return host_per_rank(document, ",:=@+", "prrte");
}

}  // namespace

/// PRRTE 3, the launcher of Open MPI 5: `--map-by seq:file=FILE`, one host per process in rank
/// order. Outside of a batch system `--hostfile` names the hosts of the job. Processes are bound as
/// by default; `rankfile` also names their cores.
EmbeddingFormat prrte() {
  return {"prrte",
          "Open MPI 5, PRRTE: mpirun --map-by seq:file=FILE",
          write_prrte,
          reader(read_host_lines),
          nullptr,
          launched_by({{"Open MPI 5", "mpirun -np {ranks} --map-by seq:file={path} ./program"},
                       {"PRRTE", "prterun -np {ranks} --map-by seq:file={path} ./program"}})};
}

}  // namespace vtopo::detail::formats
