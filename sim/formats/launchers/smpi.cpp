#include "sim/formats/launchers/launchers.hpp"

namespace vtopo::detail::formats {

namespace {

std::string write_smpi(const EmbeddingDocument& document) {
  std::string text;
  for (const HostId host : document.embedding.hosts())
    text += plain_name(document.network.host_name(host), ":", "smpi") + '\n';
  return text;
}

/// Only with a platform file; that of a network would have to be generated first.
std::vector<std::pair<std::string, std::string>> launch_simulated(const EmbeddingDocument& document,
                                                                  const std::string& file) {
  for (const auto& [option, value] : document.scenario)
    if (option == "platform" && value.ends_with(".xml"))
      return {{"SimGrid", fmt::format("smpirun -np {} -platform {} -hostfile {} ./program",
                                      document.embedding.num_ranks(), value, file)}};
  return {};
}

}  // namespace

/// SimGrid's SMPI: `smpirun -hostfile FILE`, line i is the host of rank i.
EmbeddingFormat smpi() {
  return {"smpi",     "SimGrid: smpirun -hostfile FILE",
          write_smpi, reader(read_host_lines),
          nullptr,    launch_simulated};
}

}  // namespace vtopo::detail::formats
