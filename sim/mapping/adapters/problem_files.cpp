#include "sim/mapping/adapters/problem_files.hpp"

#include <fmt/format.h>
#include <cmath>
#include <cstdio>
#include <memory>

#include "netmodels/machines/platform_files.hpp"
#include "sim/evaluation/partners.hpp"
#include "sim/placement/embedding_files.hpp"
#include "topology/base/append_format.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Text file that is written piece by piece.
class TextFile {
 public:
  explicit TextFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    if (!file_) fail();
  }

  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    append_format(text_, format, std::forward<Arguments>(arguments)...);
    if (text_.size() >= piece) write();
  }

  void close() {
    write();
    if (std::fclose(file_.release()) != 0) fail();
  }

 private:
  static constexpr std::size_t piece = std::size_t{1} << 16;

  void write() {
    if (std::fwrite(text_.data(), 1, text_.size(), file_.get()) != text_.size()) fail();
    text_.clear();
  }

  [[noreturn]] void fail() const {
    throw InputError(fmt::format("\"{}\" cannot be written", path_));
  }

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string text_;
};

void write_metis(const CommGraph& guest, TextFile& file) {
  const Partners partners(guest);
  std::size_t ends = 0;
  for (int r = 0; r < partners.num_ranks(); ++r) ends += partners.of(Rank{r}).size();
  file.add("{} {} 001\n", partners.num_ranks(), ends / 2);
  for (int r = 0; r < partners.num_ranks(); ++r) {
    const char* separator = "";
    for (const Partner& partner : partners.of(Rank{r})) {
      file.add("{}{} {:.0f}", separator, number(partner.rank) + 1,
               std::max(1.0, std::round(partner.both().value)));
      separator = " ";
    }
    file.add("\n");
  }
}

void write_csv(const CommGraph& guest, TextFile& file) {
  file.add("src,dst,bytes\n");
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    file.add("{},{},{}\n", number(source), number(edge.destination), edge.volume.value);
  });
}

void write_distances(const MappingProblem& problem, TextFile& file) {
  const auto& hosts = problem.allocation.hosts;
  file.add("{}\n", hosts.size());
  for (const HostId from : hosts) {
    const char* separator = "";
    for (const HostId to : hosts) {
      file.add("{}{}", separator, from == to ? 0 : problem.network.hops(from, to));
      separator = " ";
    }
    file.add("\n");
  }
}

std::string platform_xml(const Network& network) {
  if (network.description_defaults() == nullptr)
    throw UsageError("network=xml needs a network that vtopo models");
  return platform_files().write(network);
}

}  // namespace

std::optional<std::string> network_file_unsupported_reason(const MappingProblem& problem,
                                                           NetworkFile form) {
  if (form == NetworkFile::xml) {
    if (problem.network.description_defaults() == nullptr)
      return "needs a torus, mesh, fat tree or dragonfly without edits for network=xml";
    return std::nullopt;
  }
  if (problem.allocation.num_hosts() <= max_hosts_of_distances) return std::nullopt;
  return fmt::format("needs at most {} hosts for network=distances; network=xml has no limit",
                     max_hosts_of_distances);
}

void write_guest(const MappingProblem& problem, GuestFile form, const std::string& path) {
  TextFile file(path);
  form == GuestFile::metis ? write_metis(problem.guest, file) : write_csv(problem.guest, file);
  file.close();
}

void write_network(const MappingProblem& problem, NetworkFile form, const std::string& path) {
  TextFile file(path);
  if (form == NetworkFile::distances)
    write_distances(problem, file);
  else
    file.add("{}", platform_xml(problem.network));
  file.close();
}

void write_slots(const MappingProblem& problem, const std::string& path) {
  TextFile file(path);
  for (std::size_t p = 0; p < problem.allocation.hosts.size(); ++p)
    file.add("{}\t{}\n", problem.allocation.slots[p],
             problem.network.host_name(problem.allocation.hosts[p]));
  file.close();
}

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
  return read_embedding(find_embedding_format("csv"), path, problem.guest.num_ranks(),
                        problem.network, problem.allocation);
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
