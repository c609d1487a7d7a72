#include "netmodels/network_spec.hpp"
#include "sim/placement/embedding_files.hpp"
#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

namespace {

constexpr int ranks_of_job = 6;

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const EmbeddingFormat& format : embedding_formats()) names.push_back(format.name);
  return names;
}

/// What was read is read again from what is written of it.
void run_embedding(std::string_view input) {
  static const std::vector<std::string> names = format_names();
  static const auto network = make_network("torus:3x2x2", {});
  static const std::vector<int> two{2};
  static const Allocation allocation = make_allocation(*network, "all", two, 1);
  const NamedInput named = named_input(names, input);
  const EmbeddingFormat& format = find_embedding_format(names[named.format]);
  const auto read = [&](std::string_view text) {
    const MemoryFile file(text);
    return read_embedding(format, file.path(), ranks_of_job, *network, allocation);
  };
  const Embedding embedding = read(named.content);
  const std::string text = write_embedding(format, {embedding, *network, allocation});
  require(read(text) == embedding, "written and read again it is another embedding");
}

}  // namespace

Target embedding() {
  return {"embeddings, each format of a launcher", run_embedding, {}};
}

}  // namespace vtopo::fuzz::targets
