#include "sim/mapping/external/problem_files.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <memory>

#include "netmodels/platform/generate.hpp"
#include "sim/evaluation/partners.hpp"
#include "topology/base/error.hpp"
#include "topology/base/append_format.hpp"

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
      file.add("{}{}", separator, from == to ? 0 : problem.host.hops(from, to));
      separator = " ";
    }
    file.add("\n");
  }
}

std::string platform_xml(const Network& network) {
  const NetworkDefaults* const defaults = network.description_defaults();
  if (defaults == nullptr) throw UsageError("network=xml needs a network that vtopo models");
  const PlatformSource source{network.description(),
                              fmt::format("{}Bps", defaults->bandwidth.value),
                              fmt::format("{}s", defaults->latency.value),
                              {}};
  return generate_platform(network, source, std::nullopt).xml;
}

}  // namespace

std::optional<std::string> network_file_unsupported_reason(const MappingProblem& problem,
                                                           NetworkFile form) {
  if (form == NetworkFile::xml) {
    if (problem.host.description_defaults() == nullptr)
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
    file.add("{}", platform_xml(problem.host));
  file.close();
}

void write_slots(const MappingProblem& problem, const std::string& path) {
  TextFile file(path);
  for (std::size_t p = 0; p < problem.allocation.hosts.size(); ++p)
    file.add("{}\t{}\n", problem.allocation.slots[p],
             problem.host.host_name(problem.allocation.hosts[p]));
  file.close();
}

}  // namespace vtopo::detail
