#include "sim/mpi/report_line.hpp"

#include <fstream>

#include "sim/mpi/settings.hpp"
#include "topology/base/error.hpp"

namespace vtopo::overlay {

namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    if (static_cast<unsigned char>(letter) < 0x20)
      result += fmt::format("\\u{:04x}", letter);
    else
      result += letter;
  }
  return result + '"';
}

std::string number_or_null(const std::optional<Bytes>& bytes) {
  return bytes ? fmt::format("{}", bytes->value) : "null";
}

/// New rank of each old one; null for those outside.
std::string new_ranks(int old_size, const std::vector<Rank>& old_ranks) {
  std::vector<std::string> ranks(static_cast<std::size_t>(old_size), "null");
  for (std::size_t r = 0; r < old_ranks.size(); ++r) ranks[index(old_ranks[r])] = std::to_string(r);
  return fmt::format("[{}]", fmt::join(ranks, ","));
}

}  // namespace

void report_constructor(std::string_view call, int old_size, const Reordering& reordering) {
  const std::string& path = settings().report;
  if (path.empty()) return;
  std::ofstream file(path, std::ios::app);
  file << fmt::format(
      "{{\"schema\":\"vtopo/constructor/v1\",\"call\":{},\"ranks\":{},\"mapper\":{},"
      "\"hop_bytes_before\":{},\"hop_bytes_after\":{},\"new_ranks\":{}}}\n",
      quoted(call), reordering.old_ranks.size(),
      reordering.mapper.empty() ? "null" : quoted(reordering.mapper),
      number_or_null(reordering.hop_bytes_before), number_or_null(reordering.hop_bytes_after),
      new_ranks(old_size, reordering.old_ranks));
  if (!file.flush()) throw InputError(fmt::format("{}: cannot be written (VTOPO_REPORT)", path));
}

}  // namespace vtopo::overlay
