#include "sim/embedding/formats/formats.hpp"
#include "sim/embedding/formats/host_lines.hpp"

namespace vtopo::formats {

namespace {

std::string write_smpi(const EmbeddingDocument& document) {
  return write_host_lines(document, ":", "smpi");
}

}  // namespace

/// SimGrid's SMPI: `smpirun -hostfile FILE`, line i is the host of rank i.
EmbeddingFormat smpi() {
  return {"smpi", "SimGrid: smpirun -hostfile FILE", write_smpi, read_host_lines};
}

}  // namespace vtopo::formats
