#include <fmt/format.h>

#include "sim/placement/formats/formats.hpp"
#include "topology/base/host_list.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::formats {

namespace {

std::string write_flux(const EmbeddingDocument& document) {
  return host_per_rank(document, ",[]", "flux");
}

}  // namespace

std::vector<std::pair<std::string, std::string>> flux_run(const EmbeddingDocument& document,
                                                          const std::string& taskmap) {
  const std::vector<std::string> nodes = nodes_in_use(document);
  const auto list = compressed_host_list(nodes);
  return {{"Flux", fmt::format("flux run -N {} -n {} --requires='hosts:{}' --taskmap={} ./program",
                               nodes.size(), document.embedding.num_ranks(),
                               list ? *list : join(nodes, ","), taskmap)}};
}

/// Flux: `flux run --taskmap=hostfile:FILE`, one host per task in rank order.
EmbeddingFormat flux() {
  return {"flux",
          "Flux: flux run --taskmap=hostfile:FILE",
          write_flux,
          reader(read_host_lines),
          nullptr,
          [](const EmbeddingDocument& document, const std::string& file) {
            return flux_run(document, "hostfile:" + file);
          }};
}

}  // namespace vtopo::detail::formats
