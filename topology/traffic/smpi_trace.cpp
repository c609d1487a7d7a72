#include <cctype>
#include <filesystem>
#include <system_error>

#include "topology/base/line_values.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/traffic/formats.hpp"
#include "topology/traffic/smpi_flows.hpp"

namespace vtopo::detail {

namespace {

namespace fs = std::filesystem;

/// File of a line of the list: seen from the folder of the list, or else from the working folder.
std::string file_of(const std::string& list, std::string_view line) {
  const fs::path beside = fs::path(list).parent_path() / std::string(trim(line));
  std::error_code error;
  return fs::exists(beside, error) ? beside.string() : std::string(trim(line));
}

}  // namespace

std::vector<std::string> smpi_trace_files(const std::string& path) {
  LineFile list(path);
  std::vector<std::string> files;
  while (list.next()) {
    if (trim(list.line()).empty()) continue;
    if (int_size(files) == max_ranks_in_file)
      throw input_error(list.at(1),
                        fmt::format("more than {} files, one per rank", max_ranks_in_file));
    files.push_back(file_of(path, list.line()));
    std::error_code error;
    if (!fs::is_regular_file(files.back(), error))
      throw input_error(list.at(1), fmt::format("\"{}\" is not a file; accepted are paths from the "
                                                "folder of the list or the working folder",
                                                trim(list.line())));
  }
  if (files.empty())
    throw input_error({path}, "no line; accepted is the path of a trace per rank, in rank order");
  return files;
}

Recording read_smpi_trace(const std::string& path, RecordKinds kinds) {
  const auto files = smpi_trace_files(path);
  SmpiFlows flows(int_size(files), kinds);
  for (std::size_t r = 0; r < files.size(); ++r) {
    LineFile file(files[r]);
    bool empty = true;
    while (file.next_content()) {
      flows.add_action(file, id_at<Rank>(r));
      empty = false;
    }
    if (empty) throw input_error({files[r]}, "no action: the trace of this rank is cut off");
  }
  return flows.recording(path);
}

bool is_smpi_trace(const std::string& path) {
  LineFile list(path);
  if (!list.next() || trim(list.line()).empty()) return false;
  const std::string first = file_of(path, list.line());
  std::error_code error;
  if (!fs::is_regular_file(first, error)) return false;
  LineFile trace(first);
  if (!trace.next_content()) return false;
  const auto words = trace.words();
  return words.size() > 1 && parse_integer(words[0].text) && !words[1].text.empty() &&
         std::isalpha(static_cast<unsigned char>(words[1].text[0])) != 0;
}

}  // namespace vtopo::detail
