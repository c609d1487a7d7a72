#include "sim/research/bench/instances/recordings.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "topology/base/error.hpp"
#include "topology/mpi/dims_create.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo::detail {

namespace {

std::vector<std::filesystem::path> recordings_of(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  if (error) throw input_error({folder}, "cannot be read: " + error.message());
  if (files.empty())
    throw input_error({folder}, "no recording: accepted are .csv files of volumes");
  std::sort(files.begin(), files.end());
  return files;
}

Instance recorded(const std::filesystem::path& file, std::string description, std::string network,
                  Routing routing) {
  std::string name =
      fmt::format("{}-{}", file.stem().string(), network.substr(0, network.find(':')));
  return {.name = std::move(name),
          .description = "recorded traffic onto " + std::move(description),
          .guest = "traffic:" + file.string(),
          .network = std::move(network),
          .routing = routing,
          .sets = {"real"}};
}

}  // namespace

std::vector<Instance> recorded_instances(const std::string& folder) {
  constexpr int hosts_per_switch = 16;
  std::vector<Instance> instances;
  for (const auto& file : recordings_of(folder)) {
    const int ranks = read_traffic(file.string(), {}).num_ranks();
    const auto sizes = dims_create(ranks, std::array{0, 0, 0});
    instances.push_back(recorded(file, "a torus that it fills",
                                 fmt::format("torus:{}x{}x{}", sizes[0], sizes[1], sizes[2]),
                                 Routing::automatic));
    const int switches = (ranks + hosts_per_switch - 1) / hosts_per_switch;
    instances.push_back(recorded(file, "16 hosts per switch, tapered 2:1",
                                 fmt::format("fat-tree:2;16,{};1,8;1,1", switches),
                                 Routing::simgrid));
  }
  return instances;
}

}  // namespace vtopo::detail
