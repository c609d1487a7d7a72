#include "sim/study/sweep_merge.hpp"

#include <map>
#include <utility>

#include "sim/study/sweep_file.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

struct MergedLine {
  SweepLine line;
  FilePosition position;
};

}  // namespace

std::string merged_sweeps(std::span<const std::string> paths) {
  std::map<std::string, MergedLine> merged;
  for (const std::string& path : paths) {
    int number = 0;
    for (SweepLine& line : read_sweep_lines(path)) {
      const FilePosition position{path, ++number};
      const auto [at, is_new] = merged.try_emplace(line.key, MergedLine{line, position});
      MergedLine& known = at->second;
      if (is_new || line.text == known.line.text) continue;
      if (line.failed == known.line.failed)
        throw input_error(position,
                          fmt::format("scenario {} has another {} in {}", line.key,
                                      line.failed ? "error" : "result", to_string(known.position)));
      if (known.line.failed) known = {std::move(line), position};
    }
  }
  std::string text;
  for (const auto& [key, entry] : merged) text += entry.line.text + '\n';
  return text;
}

}  // namespace vtopo::detail
