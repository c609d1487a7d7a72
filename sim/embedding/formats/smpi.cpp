#include "sim/embedding/formats/formats.hpp"
#include "sim/embedding/formats/host_lines.hpp"

namespace vtopo::detail::formats {

namespace {

std::string write_smpi(const EmbeddingDocument& document) {
  std::string text;
  for (const HostId host : document.embedding.hosts())
    text += plain_name(document.network.host_name(host), ":", "smpi") + '\n';
  return text;
}

}  // namespace

/// SimGrid's SMPI: `smpirun -hostfile FILE`, line i is the host of rank i.
EmbeddingFormat smpi() {
  return {"smpi", "SimGrid: smpirun -hostfile FILE", write_smpi, read_host_lines};
}

}  // namespace vtopo::detail::formats
