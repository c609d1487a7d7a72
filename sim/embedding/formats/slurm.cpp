#include "sim/embedding/formats/formats.hpp"
#include "topology/base/line_file.hpp"
#include "topology/host_list.hpp"

namespace vtopo::detail::formats {

namespace {

std::string write_slurm(const EmbeddingDocument& document) {
  std::string text;
  for (const std::string& node : node_names(document, ",[]*", "slurm")) text += node + '\n';
  return text;
}

/// Names of a line, with its place in front of what is wrong with it.
std::vector<std::string> expand(const LineFile& file, const Token& word) {
  try {
    return expand_host_list(word.text);
  } catch (const UsageError& error) {
    throw input_error(file.at(word.column), error.what());
  }
}

void read_slurm(const std::string& path, PlacedRanks& ranks) {
  LineFile file(path);
  while (file.next_content())
    for (const Token& word : file.words())
      for (const std::string& name : expand(file, word))
        ranks.place_next(ranks.host_named(name, file.at(word.column)), file.at(word.column));
}

}  // namespace

/// Slurm: `SLURM_HOSTFILE=FILE srun --distribution=arbitrary`, one host per task in rank order; a
/// line may be a list such as `node[01-04]`.
EmbeddingFormat slurm() {
  return {"slurm", "Slurm: SLURM_HOSTFILE=FILE srun --distribution=arbitrary", write_slurm,
          read_slurm};
}

}  // namespace vtopo::detail::formats
