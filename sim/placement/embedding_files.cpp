#include "sim/placement/embedding_files.hpp"

#include <algorithm>
#include <unordered_map>

#include "sim/placement/formats/formats.hpp"
#include "sim/placement/host_lists.hpp"
#include "topology/base/error.hpp"
#include "topology/base/foreign_formats.hpp"
#include "topology/base/lower_case.hpp"
#include "topology/base/named_entries.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const EmbeddingFormat& format : embedding_formats()) names.push_back(format.name);
  return names;
}

/// Whether a file is named as METIS names its partitions: `halo.graph.part.16`.
bool is_metis_partition(std::string_view file) {
  const std::vector<std::string_view> pieces = split(file, '.');
  return pieces.size() > 2 && pieces[pieces.size() - 2] == "part" && parse_integer(pieces.back());
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

const std::vector<EmbeddingFormat>& embedding_formats() {
  static const std::vector<EmbeddingFormat> all = [] {
    auto rows = with_foreign({formats::csv(), formats::json()}, &ForeignFormats::embeddings);
    std::sort(rows.begin(), rows.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    return rows;
  }();
  return all;
}

const EmbeddingFormat& find_embedding_format(std::string_view name) {
  return entry_named("unknown embedding format", name, embedding_formats());
}

const EmbeddingFormat& embedding_format_of(std::string_view path,
                                           const std::optional<std::string>& name,
                                           std::string_view option) {
  if (name) return find_embedding_format(*name);
  if (path == "-") return find_embedding_format("csv");
  const std::string file = lower_case(file_name(path));
  if (file == "mpich_rank_order") return find_embedding_format(file);
  const std::size_t dot = file.rfind('.');
  if (is_metis_partition(file)) return find_embedding_format("part");
  if (dot != std::string::npos)
    for (const EmbeddingFormat& format : embedding_formats())
      if (file.substr(dot + 1) == format.name) return format;
  throw UsageError(fmt::format("embedding file \"{}\" has {}; accepted: .{}; or give {}", path,
                               dot == std::string::npos
                                   ? "no extension that names a format"
                                   : fmt::format("the unknown extension \"{}\"", file.substr(dot)),
                               join(format_names(), ", ."), option));
}

void check_embedding_format(const EmbeddingFormat& format, const Network& network,
                            const Allocation& allocation) {
  if (!format.unsupported_reason) return;
  if (const auto reason = format.unsupported_reason(network, allocation))
    throw UsageError(fmt::format("embedding format {}: {}", format.name, *reason));
}

std::string write_embedding(const EmbeddingFormat& format, const EmbeddingDocument& document) {
  check_embedding_format(format, document.network, document.allocation);
  return format.write(document);
}

Embedding read_embedding(const EmbeddingFormat& format, const std::string& path,
                         std::optional<int> num_ranks, const Network& network,
                         const Allocation& allocation) {
  check_embedding_format(format, network, allocation);
  return format.read(path, num_ranks, network, allocation);
}

std::vector<int> slots_by_rank(const Embedding& embedding) {
  std::unordered_map<int, int> used;
  std::vector<int> slots;
  slots.reserve(embedding.hosts().size());
  for (const HostId host : embedding.hosts()) slots.push_back(used[number(host)]++);
  return slots;
}

std::vector<ListedHost> detail::read_listed_hosts(const std::string& path) {
  return foreign_formats("a list of hosts in a file").read_host_list(path);
}

}  // namespace vtopo

namespace vtopo::detail::formats {

std::string plain_name(std::string name, std::string_view separators, std::string_view format) {
  for (const char c : name)
    if (static_cast<unsigned char>(c) <= ' ' || c == '#' ||
        separators.find(c) != std::string_view::npos)
      throw UsageError(fmt::format(
          "embedding format {}: it cannot hold the host name \"{}\", where \"{}\" means something "
          "else; json can",
          format, name, c));
  return name;
}

std::vector<NodeSlot> node_slots(const EmbeddingDocument& document) {
  const NodeSlots slots(document.network, document.allocation);
  const std::vector<int> of_host = slots_by_rank(document.embedding);
  std::vector<NodeSlot> result;
  for (std::size_t r = 0; r < of_host.size(); ++r)
    result.push_back(slots.of(document.embedding.hosts()[r], of_host[r]));
  return result;
}

decltype(EmbeddingFormat::read) reader(void (*place)(const std::string&, PlacedRanks&)) {
  return [place](const std::string& path, std::optional<int> num_ranks, const Network& network,
                 const Allocation& allocation) {
    PlacedRanks ranks(num_ranks, network, allocation);
    place(path, ranks);
    return ranks.embedding(path);
  };
}

}  // namespace vtopo::detail::formats
