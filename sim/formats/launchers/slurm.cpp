#include "sim/formats/launchers/launchers.hpp"

namespace vtopo::detail::formats {

namespace {

std::string write_slurm(const EmbeddingDocument& document) {
  return host_per_rank(document, ",[]*", "slurm");
}

}  // namespace

/// Slurm: `SLURM_HOSTFILE=FILE srun --distribution=arbitrary`, one host per task in rank order; a
/// line may be a list such as `node[01-04]`.
EmbeddingFormat slurm() {
  return {"slurm",
          "Slurm: SLURM_HOSTFILE=FILE srun --distribution=arbitrary",
          write_slurm,
          reader(read_host_lines),
          nullptr,
          launched_by({{"Slurm",
                        "SLURM_HOSTFILE={path} srun -n {ranks} --distribution=arbitrary "
                        "./program"}})};
}

}  // namespace vtopo::detail::formats
