#include "sim/formats/traffic/smpi_trace.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <system_error>

#include "sim/formats/traffic/foreign_traffic.hpp"
#include "topology/base/lower_case.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

namespace fs = std::filesystem;

/// Bytes of SMPI's datatypes by their number in traces, found by sending one element of each.
constexpr std::array<int, 51> datatype_sizes{
    8, 4, 1,  2,  8, 4, 1, 8,  1, 1,  2,  4, 8, 8, 16, 4,  1,  // double int char ... bool
    1, 2, 4,  8,  1, 2, 4, 8,  8, 16, 32, 8, 8, 8, 16, 16, 8,  // int8 ... short_int
    8, 8, 16, 16, 4, 4, 8, 16, 8, 16, 16, 4, 2, 4, 8,  16, 32};
constexpr std::int64_t packed_type = 57, count_type = 59;

constexpr std::string_view null_process = "-333";  // SMPI's MPI_PROC_NULL

/// File of a line of the list: seen from the folder of the list, or else from the working folder.
std::string file_of(const std::string& list, std::string_view line) {
  const fs::path beside = fs::path(list).parent_path() / std::string(trim(line));
  std::error_code error;
  return fs::exists(beside, error) ? beside.string() : std::string(trim(line));
}

}  // namespace

SmpiAction::SmpiAction(const LineFile& file, std::span<const Token> words, Rank rank,
                       double default_size, int num_ranks)
    : file_(file),
      words_(words),
      rank_(rank),
      default_size_(default_size),
      num_ranks_(num_ranks),
      name_(lower_case(words[1].text)) {}

const Token& SmpiAction::argument(std::size_t i, std::string_view what) const {
  if (i + 2 < words_.size()) return words_[i + 2];
  throw input_error(file_.line_end(),
                    fmt::format("the line ends where the {} of {} is due", what, words_[1].text));
}

double SmpiAction::count(std::size_t i) const {
  return read_number(file_, argument(i, "number of elements"), "number of elements");
}

std::int64_t SmpiAction::integer(std::size_t i) const {
  const Token& token = argument(i, "integer");
  if (const auto value = parse_integer(token.text)) return *value;
  throw input_error(file_.at(token.column), fmt::format("\"{}\" is not an integer", token.text));
}

std::optional<Rank> SmpiAction::partner(std::size_t i) const {
  const Token& token = argument(i, "rank");
  if (token.text == null_process) return std::nullopt;
  const Rank partner = read_rank(file_, token);
  if (number(partner) >= num_ranks_)
    throw input_error(file_.at(token.column),
                      fmt::format("rank {} in a trace of {} ranks", number(partner), num_ranks_));
  return partner;
}

Rank SmpiAction::root(std::size_t i) const {
  if (const auto rank = partner(i)) return *rank;
  throw input_error(file_.at(words_[i + 2].column), "the root of a collective is not a rank");
}

double SmpiAction::size(std::size_t i) const {
  if (i >= num_arguments()) return default_size_;
  const Token& token = words_[i + 2];
  const auto type = parse_integer(token.text);
  if (type && *type >= 0 && *type < int_size(datatype_sizes)) return datatype_sizes[index(*type)];
  if (type == packed_type) return 1;
  if (type == count_type) return 8;
  throw input_error(
      file_.at(token.column),
      type == -1 ? "datatype -1 is a derived one, whose size a trace does not tell; vtopo record "
                   "counts bytes"
                 : fmt::format("datatype \"{}\" is unknown; accepted are SMPI's 0 to 50, 57 and 59",
                               token.text));
}

std::vector<double> SmpiAction::counts(std::size_t first) const {
  const auto ranks = index(num_ranks_);
  if (num_arguments() < first + ranks)
    throw input_error(file_.line_end(),
                      fmt::format("{} with {} arguments, which needs one per rank, {}; SMPI "
                                  "writes none for MPI_Reduce_scatter_block: --record-kinds p2p "
                                  "leaves collectives out",
                                  words_[1].text, num_arguments(), num_ranks_));
  std::vector<double> result;
  for (std::size_t i = 0; i < ranks; ++i) result.push_back(count(first + i));
  return result;
}

void SmpiAction::fail(std::string_view sentence) const {
  throw input_error(file_.at(words_[1].column), sentence);
}

const SmpiEvenCollective* find_even_collective(std::string_view name) {
  static constexpr std::array<SmpiEvenCollective, 7> collectives{{
      {"bcast", 2, 1, {}},
      {"reduce", 3, 2, 1},
      {"allreduce", 2, {}, 1},
      {"alltoall", 2, {}, {}},
      {"allgather", 2, {}, {}},
      {"gather", 3, 2, {}},
      {"scatter", 3, 2, {}},
  }};
  for (const SmpiEvenCollective& collective : collectives)
    if (collective.name == name) return &collective;
  return nullptr;
}

SmpiAction SmpiLines::action(LineFile& file, std::optional<Rank> owner) {
  const auto words = file.words();
  const Rank rank = read_rank(file, words[0]);
  if (owner && rank != *owner)
    throw input_error(file.at(words[0].column),
                      fmt::format("rank {} in the file of rank {}; accepted is one file per rank, "
                                  "in rank order in the list",
                                  number(rank), number(*owner)));
  if (words.size() == 1)
    throw input_error(file.line_end(), "no action; accepted is \"rank action argument...\"");
  SmpiAction action(file, words, rank, default_sizes_[rank], num_ranks());
  if (action.name() == "init") default_sizes_[rank] = action.num_arguments() > 0 ? 8 : 1;
  return action;
}

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

bool has_smpi_actions(const std::string& path) {
  LineFile file(path);
  if (!file.next_content()) return false;
  const auto words = file.words();
  return words.size() > 1 && parse_integer(words[0].text) && !words[1].text.empty() &&
         std::isalpha(static_cast<unsigned char>(words[1].text[0])) != 0;
}

bool is_smpi_trace(const std::string& path) {
  LineFile list(path);
  if (!list.next() || trim(list.line()).empty()) return false;
  const std::string first = file_of(path, list.line());
  std::error_code error;
  return fs::is_regular_file(first, error) && has_smpi_actions(first);
}

}  // namespace vtopo::detail
