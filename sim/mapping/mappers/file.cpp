#include "sim/mapping/api/mapper.hpp"
#include "sim/placement/embedding_files.hpp"

namespace vtopo::detail::mappers {

namespace {

std::optional<std::string> file_unsupported_reason(const MappingProblem& problem) {
  if (problem.options.contains("path")) return std::nullopt;
  return "needs path=FILE";
}

Embedding map_file(const MappingProblem& problem, const SearchControl&);

}  // namespace

/// An embedding made elsewhere, so that it is compared with others.
MapperInfo file() {
  return {.name = "file",
          .summary = "reads an embedding made elsewhere",
          .reference = "the file",
          .options = {{"path", "file of the embedding", ""},
                      {"format", "csv, json, rankfile, ... (empty: by the extension)", ""}},
          .needs = "path=FILE",
          .unsupported_reason = file_unsupported_reason,
          .map = map_file,
          .role = MapperRole::embedding_file,
          .self_contained = false};
}

namespace {

Embedding map_file(const MappingProblem& problem, const SearchControl&) {
  const MapperInfo info = file();
  const std::string path = option_value(info, problem, "path");
  const std::string format = option_value(info, problem, "format");
  return read_embedding(
      embedding_format_of(path, format.empty() ? std::nullopt : std::optional(format)), path,
      problem.guest.num_ranks(), problem.network, problem.allocation);
}

}  // namespace

}  // namespace vtopo::detail::mappers
