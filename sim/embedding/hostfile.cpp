#include "sim/embedding/hostfile.hpp"

#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>

#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

namespace {

class HostfileReader {
 public:
  HostfileReader(const std::string& path, const Network& network) : network_(network), file_(path) {
    for (int h = 0; h < network.num_hosts(); ++h) ids_.emplace(network.host_name(HostId{h}), h);
  }

  std::vector<HostfileEntry> read() {
    while (file_.next_content())
      if (const auto words = file_.words(); !words.empty()) add(words);
    if (entries_.empty())
      throw input_error({file_.path()},
                        "the hostfile names no host: accepted is one host per line");
    return std::move(entries_);
  }

 private:
  [[noreturn]] void fail(int column, std::string_view sentence) const {
    throw input_error(file_.at(column), sentence);
  }

  void add(std::span<const Token> words) {
    const auto [text, column] = words[0];
    const std::size_t colon = text.rfind(':');
    HostfileEntry entry{host(text.substr(0, colon), column), std::nullopt};
    if (colon != std::string_view::npos)
      entry.slots = slots(text.substr(colon + 1), column + narrow<int>(colon) + 1);
    if (words.size() > 1) add_option(words[1], entry);
    if (words.size() > 2) fail_word(words[2]);
    entries_.push_back(entry);
  }

  void add_option(const Token& word, HostfileEntry& entry) const {
    constexpr std::string_view option = "slots=";
    if (!word.text.starts_with(option) || entry.slots) fail_word(word);
    entry.slots = slots(word.text.substr(option.size()), word.column + narrow<int>(option.size()));
  }

  [[noreturn]] void fail_word(const Token& word) const {
    fail(word.column,
         fmt::format("unexpected \"{}\": accepted are name, name:slots and name slots=n",
                     word.text));
  }

  HostId host(std::string_view name, int column) {
    const auto found = ids_.find(std::string(name));
    if (found == ids_.end()) fail_host(name, column);
    if (!network_.is_up(HostId{found->second}))
      fail(column, fmt::format("host \"{}\" is down: accepted are hosts that work", name));
    const auto [first, is_new] = lines_.emplace(found->second, file_.at(0).line);
    if (!is_new)
      fail(column, fmt::format("host \"{}\" is named twice (first in line {}); several slots are "
                               "\"{}:slots\"",
                               name, first->second, name));
    return HostId{found->second};
  }

  [[noreturn]] void fail_host(std::string_view name, int column) const {
    std::vector<std::string> names;
    names.reserve(ids_.size());
    for (int h = 0; h < network_.num_hosts(); ++h) names.push_back(network_.host_name(HostId{h}));
    fail(column,
         fmt::format("unknown host \"{}\": accepted are the {} hosts \"{}\" to \"{}\"{}", name,
                     names.size(), names.front(), names.back(), suggestion(name, names)));
  }

  int slots(std::string_view text, int column) const {
    const auto count = parse_integer(text);
    if (!count || *count < 1 || *count > std::numeric_limits<int>::max())
      fail(column, fmt::format("slots \"{}\": accepted is a number from 1 to {}", text,
                               std::numeric_limits<int>::max()));
    return narrow<int>(*count);
  }

  const Network& network_;
  LineFile file_;
  std::unordered_map<std::string, int> ids_;
  std::unordered_map<int, int> lines_;  ///< line that named a host
  std::vector<HostfileEntry> entries_;
};

}  // namespace

std::vector<HostfileEntry> read_hostfile(const std::string& path, const Network& network) {
  return HostfileReader(path, network).read();
}

}  // namespace vtopo
