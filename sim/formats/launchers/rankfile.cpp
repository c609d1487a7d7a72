#include <utility>

#include "sim/formats/launchers/launchers.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail::formats {

namespace {

/// "+n0" is Open MPI's for the first node of the job.
std::string write_rankfile(const EmbeddingDocument& document) {
  std::string text;
  int rank = 0;
  for (auto& [node, slot] : node_slots(document))
    text += fmt::format("rank {}={} slot={}\n", rank++,
                        plain_name(std::move(node), "=+", "rankfile"), slot);
  return text;
}

[[noreturn]] void fail_line(const LineFile& file, int column) {
  throw input_error(file.at(column),
                    fmt::format("\"{}\": accepted is \"rank N=HOST slot=S\"", file.line()));
}

void read_rankfile(const std::string& path, PlacedRanks& ranks) {
  LineFile file(path);
  while (file.next_content()) {
    const Words words = words_joined_at_equals(file);
    if (words[0].first != "rank" || words.size() < 2) fail_line(file, words[0].second);
    const std::string_view text = words[1].first;
    const int column = words[1].second;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) fail_line(file, column);
    if (words.size() != 3 || !words[2].first.starts_with("slot="))
      fail_line(file, words.size() > 2 ? words[2].second : column);
    const Rank rank = read_rank(file, {text.substr(0, equals), column});
    const HostId host =
        ranks.host_with_cores(text.substr(equals + 1), file.at(column + narrow<int>(equals) + 1),
                              words[2].first.substr(5), file.at(words[2].second + 5));
    ranks.place(rank, host, file.at(column));
  }
}

}  // namespace

/// Open MPI: `mpirun -rf FILE`, from version 5 on `mpirun --map-by rankfile:file=FILE`, outside of
/// a batch system with a `--hostfile` of the job's hosts. The slot is a core of the host, in either
/// version.
EmbeddingFormat rankfile() {
  return {"rankfile",
          "Open MPI: mpirun -rf FILE",
          write_rankfile,
          reader(read_rankfile),
          nullptr,
          launched_by({{"Open MPI 4", "mpirun -np {ranks} -rf {path} ./program"},
                       {"Open MPI 5, PRRTE",
                        "mpirun -np {ranks} --map-by rankfile:file={path} ./program"}})};
}

}  // namespace vtopo::detail::formats
