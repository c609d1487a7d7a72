#include "sim/embedding/hostfile.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <limits>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "topology/error.hpp"
#include "topology/narrow.hpp"
#include "topology/text.hpp"

namespace vtopo {

namespace {

/// Word of a line with the column of its first character, from 1.
struct Word {
  std::string_view text;
  int column = 1;
};

std::vector<Word> words_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  std::vector<Word> words;
  line = line.substr(0, line.find('#'));
  for (std::size_t first = 0;;) {
    first = line.find_first_not_of(blanks, first);
    if (first == std::string_view::npos) return words;
    const std::size_t end = std::min(line.find_first_of(blanks, first), line.size());
    words.push_back({line.substr(first, end - first), narrow<int>(first + 1)});
    first = end;
  }
}

class HostfileReader {
 public:
  HostfileReader(const std::string& path, const Network& network)
      : network_(network), position_{path} {
    for (int h = 0; h < network.num_hosts(); ++h) ids_.emplace(network.host_name(HostId{h}), h);
  }

  std::vector<HostfileEntry> read() {
    std::ifstream file(position_.file);
    if (!file) fail(0, "cannot read the hostfile: " + std::generic_category().message(errno));
    for (std::string line; std::getline(file, line);) {
      ++position_.line;
      if (const auto words = words_of(line); !words.empty()) add(words);
    }
    const bool failed = file.bad();  // a folder opens, but cannot be read
    position_.line = 0;
    if (failed) fail(0, "cannot read the hostfile");
    if (entries_.empty()) fail(0, "the hostfile names no host: accepted is one host per line");
    return std::move(entries_);
  }

 private:
  [[noreturn]] void fail(int column, std::string_view sentence) {
    position_.column = column;
    throw input_error(position_, sentence);
  }

  void add(const std::vector<Word>& words) {
    const auto [text, column] = words[0];
    const std::size_t colon = text.rfind(':');
    HostfileEntry entry{host(text.substr(0, colon), column), std::nullopt};
    if (colon != std::string_view::npos)
      entry.slots = slots(text.substr(colon + 1), column + narrow<int>(colon) + 1);
    if (words.size() > 1) add_option(words[1], entry);
    if (words.size() > 2) fail_word(words[2]);
    entries_.push_back(entry);
  }

  void add_option(const Word& word, HostfileEntry& entry) {
    constexpr std::string_view option = "slots=";
    if (!word.text.starts_with(option) || entry.slots) fail_word(word);
    entry.slots = slots(word.text.substr(option.size()), word.column + narrow<int>(option.size()));
  }

  [[noreturn]] void fail_word(const Word& word) {
    fail(word.column,
         fmt::format("unexpected \"{}\": accepted are name, name:slots and name slots=n",
                     word.text));
  }

  HostId host(std::string_view name, int column) {
    const auto found = ids_.find(std::string(name));
    if (found == ids_.end()) fail_host(name, column);
    const auto [first, is_new] = lines_.emplace(found->second, position_.line);
    if (!is_new)
      fail(column, fmt::format("host \"{}\" is named twice (first in line {}); several slots are "
                               "\"{}:slots\"",
                               name, first->second, name));
    return HostId{found->second};
  }

  [[noreturn]] void fail_host(std::string_view name, int column) {
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(network_.num_hosts()));
    for (int h = 0; h < network_.num_hosts(); ++h) names.push_back(network_.host_name(HostId{h}));
    fail(column,
         fmt::format("unknown host \"{}\": accepted are the {} hosts \"{}\" to \"{}\"{}", name,
                     names.size(), names.front(), names.back(), suggestion(name, names)));
  }

  int slots(std::string_view text, int column) {
    const auto count = parse_integer(text);
    if (!count || *count < 1 || *count > std::numeric_limits<int>::max())
      fail(column, fmt::format("slots \"{}\": accepted is a number from 1 to {}", text,
                               std::numeric_limits<int>::max()));
    return narrow<int>(*count);
  }

  const Network& network_;
  FilePosition position_;
  std::unordered_map<std::string, int> ids_;
  std::unordered_map<int, int> lines_;  ///< line that named a host
  std::vector<HostfileEntry> entries_;
};

}  // namespace

std::vector<HostfileEntry> read_hostfile(const std::string& path, const Network& network) {
  return HostfileReader(path, network).read();
}

}  // namespace vtopo
