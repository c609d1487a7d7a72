#include "sim/mpi/decision/report_line.hpp"

#include <cstdio>

#include "sim/mpi/decision/settings.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail::overlay {

std::string json_string(std::string_view text) {
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

namespace {

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

void report_constructor(std::string_view call, int old_size, const Reordering& reordering,
                        double seconds) {
  const std::string& path = settings().report;
  if (path.empty()) return;
  const auto text = [](const std::string& words) {
    return words.empty() ? "null" : json_string(words);
  };
  const std::string line = fmt::format(
      "{{\"schema\":\"vtopo/constructor/v1\",\"call\":{},\"ranks\":{},\"mapper\":{},"
      "\"hop_bytes_before\":{},\"hop_bytes_after\":{},\"new_ranks\":{},\"kept_because\":{},"
      "\"predicted_gain\":{},\"decision_seconds\":{:.3g}}}\n",
      json_string(call), reordering.old_ranks.size(), text(reordering.mapper),
      number_or_null(reordering.hop_bytes_before), number_or_null(reordering.hop_bytes_after),
      new_ranks(old_size, reordering.old_ranks), text(reordering.kept_because),
      reordering.predicted_gain, seconds);
  // In one piece: other processes may append to the same file.
  std::FILE* file = std::fopen(path.c_str(), "a");
  const bool written = file != nullptr && std::setvbuf(file, nullptr, _IONBF, 0) == 0 &&
                       std::fwrite(line.data(), 1, line.size(), file) == line.size();
  if (file != nullptr) std::fclose(file);
  if (!written) throw InputError(fmt::format("{}: cannot be written (VTOPO_REPORT)", path));
}

}  // namespace vtopo::detail::overlay
