#include <filesystem>

#include "sim/placement/embedding_files.hpp"
#include "sim/mapping/external/problem_files.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Embedding from positions in the allocation, one line per rank.
class PositionLines {
 public:
  PositionLines(const MappingProblem& problem, const std::string& path)
      : problem_(problem), file_(path), free_(problem.allocation.slots) {}

  Embedding read() {
    while (file_.next_content()) place(file_.words());
    if (num_ranks() != problem_.guest.num_ranks())
      throw input_error(file_.line_end(), fmt::format("{} ranks have a host; the guest has {}",
                                                      num_ranks(), problem_.guest.num_ranks()));
    return {std::move(hosts_), problem_.allocation};
  }

 private:
  int num_ranks() const { return static_cast<int>(hosts_.size()); }

  void place(std::span<const Token> words) {
    const auto host = parse_integer(words.front().text);
    if (words.size() != 1 || !host || *host < 0 || *host >= problem_.allocation.num_hosts())
      throw input_error(
          file_.at(words.size() > 1 ? words[1].column : words.front().column),
          fmt::format("host \"{}\" of rank {}: accepted is one number from 0 to {}",
                      trim(file_.line()), num_ranks(), problem_.allocation.num_hosts() - 1));
    if (num_ranks() == problem_.guest.num_ranks())
      throw input_error(file_.at(1), fmt::format("a host for rank {}; the guest has {} ranks",
                                                 num_ranks(), problem_.guest.num_ranks()));
    const auto place = static_cast<std::size_t>(*host);
    if (free_[place]-- == 0)
      throw input_error(file_.at(words.front().column),
                        fmt::format("rank {} on host {}: its slots ({}) are full", num_ranks(),
                                    *host, problem_.allocation.slots[place]));
    hosts_.push_back(problem_.allocation.hosts[place]);
  }

  const MappingProblem& problem_;
  LineFile file_;
  std::vector<int> free_;  ///< slots, one entry per host of the allocation
  std::vector<HostId> hosts_;
};

bool has_header(const std::string& path) {
  LineFile file(path);
  return file.next_content() && file.line().starts_with("rank");
}

Embedding read_mapping(const MappingProblem& problem, const std::string& path) {
  if (!has_header(path)) return PositionLines(problem, path).read();
  return read_embedding(find_embedding_format("csv"), path, problem.guest.num_ranks(), problem.host,
                        problem.allocation);
}

}  // namespace

Embedding read_mapping(const MappingProblem& problem, const std::string& path,
                       const std::string& title) {
  try {
    return read_mapping(problem, path);
  } catch (const InputError& error) {
    std::string sentence = error.what();
    if (const auto at = sentence.find(path); at != std::string::npos)
      sentence.replace(at, path.size(), title);
    throw InputError(sentence);
  }
}

}  // namespace vtopo::detail
