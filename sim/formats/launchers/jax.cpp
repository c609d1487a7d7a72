#include <vector>

#include "sim/formats/launchers/launchers.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::formats {

namespace {

/// Number of the first device of each host of the network.
std::vector<int> first_devices(const Allocation& allocation, int num_hosts) {
  std::vector<int> first(index(num_hosts));
  int device = 0;
  for (std::size_t i = 0; i < allocation.hosts.size(); ++i) {
    first[index(allocation.hosts[i])] = device;
    device += allocation.slots[i];
  }
  return first;
}

std::string write_jax(const EmbeddingDocument& document) {
  const auto first = first_devices(document.allocation, document.network.num_hosts());
  const auto slots = slots_by_rank(document.embedding);
  std::string text = "[";
  for (std::size_t r = 0; r < slots.size(); ++r)
    text += fmt::format("{}\n{}", r == 0 ? "" : ",",
                        first[index(document.embedding.hosts()[r])] + slots[r]);
  return text + "\n]\n";
}

void read_jax(const std::string& path, PlacedRanks& ranks) {
  const std::vector<HostId> devices = slot_hosts(ranks.allocation());
  LineFile file(path);
  while (file.next_content()) {
    std::string_view line = trim(file.line());
    if (line == "[" || line == "]") continue;
    if (line.ends_with(',')) line.remove_suffix(1);
    const auto device = parse_integer(line);
    if (!device || *device < 0 || *device >= int_size(devices))
      throw input_error(file.at(1),
                        fmt::format("device \"{}\": accepted is an array with a number of a slot "
                                    "of the allocation, 0 to {}, on each line",
                                    line, devices.size() - 1));
    ranks.place_next(devices[index(*device)], file.at(1));
  }
}

std::vector<std::pair<std::string, std::string>> launch_jax(const EmbeddingDocument& document,
                                                            const std::string& file) {
  std::string sizes, names;
  if (document.program != nullptr)
    for (auto axis = document.program->axes.rbegin(); axis != document.program->axes.rend();
         ++axis) {
      sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", axis->size);
      names += fmt::format("\"{}\", ", axis->name);
    }
  const std::string path = file.starts_with('\'') ? file : '"' + file + '"';
  return {{"JAX", fmt::format(
                      "Mesh(numpy.array(jax.devices())[json.load(open({}))]{}, {})", path,
                      sizes.empty() ? "" : fmt::format(".reshape({})", sizes),
                      names.empty()
                          ? "(\"ranks\",)"
                          : fmt::format("({})",
                                        names.substr(
                                            0, names.size() -
                                                   (document.program->axes.size() > 1 ? 2 : 1))))}};
}

}  // namespace

/// JAX: the device of each rank as a JSON array, devices numbered host after host as
/// `jax.devices()` lists them: `Mesh(np.array(jax.devices())[json.load(file)].reshape(4, 8), ("pp",
/// "tp"))`.
EmbeddingFormat jax() {
  return {"jax",     "JAX: JSON array, the device of each rank of a mesh",
          write_jax, reader(read_jax),
          nullptr,   launch_jax};
}

}  // namespace vtopo::detail::formats
