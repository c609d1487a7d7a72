#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/formats/machines/slurm_topology.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/lower_case.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

/// The lines of a file as Slurm's parser sees them (src/common/parse_config.c): one that ends in a
/// backslash goes on in the next, a `#` without a backslash begins a comment, and a backslash
/// stands for the character behind it.
class ConfLines {
 public:
  explicit ConfLines(const std::string& path) : file_(path) {}

  /// Reads up to the next line that is not blank; false at the end of the file.
  bool next() {
    do {
      text_.clear();
      starts_.clear();
      if (!file_.next()) return false;
      while (add_line() && file_.next()) continue;
    } while (trim(text_).empty());
    return true;
  }

  std::string_view text() const { return text_; }

  /// Place of the whole line.
  FilePosition place() const { return starts_.front().second; }

  /// Place of a character of the text.
  FilePosition at(std::size_t offset) const {
    const auto behind = std::find_if(starts_.begin() + 1, starts_.end(),
                                     [&](const auto& start) { return start.first > offset; });
    const auto& [start, place] = *(behind - 1);
    return {place.file, place.line, narrow<int>(offset - start) + 1};
  }

 private:
  /// Appends the line of the file; whether it goes on in the next one.
  bool add_line() {
    starts_.emplace_back(text_.size(), file_.at(0));
    const std::string_view line = file_.line();
    for (std::size_t i = 0; i < line.size() && line[i] != '#'; ++i) {
      if (line[i] != '\\') {
        text_ += line[i];
        continue;
      }
      const std::string_view rest = line.substr(i + 1);
      if (!rest.starts_with('#') && trim(rest.substr(0, rest.find('#'))).empty()) return true;
      text_ += line[++i];
    }
    return false;
  }

  LineFile file_;
  std::string text_;
  std::vector<std::pair<std::size_t, FilePosition>> starts_;  ///< of lines of the file in the text
};

/// `key=value` in a line, blanks around the sign and a value in quotes as Slurm takes them.
struct Parameter {
  std::string_view key, value;
  std::size_t at = 0;  ///< where the key begins
};

/// Parameters of one line of the file.
struct Line {
  std::string switch_name, block_name, nodes, switches;
  bool other = false;  ///< nothing that concerns the wiring, such as sums over blocks
};

class ConfReader {
 public:
  explicit ConfReader(const std::string& path) : path_(path) {}

  FabricSpec read(const CableAssumptions& cables, const Remark& remark) {
    read_file(path_);
    if (tree_.empty())
      throw input_error({path_},
                        "no SwitchName= or BlockName= line: this is not a topology.conf of Slurm");
    if (!blocks_.empty()) tree_.add_switch({path_}, core_name(), "", blocks_);
    return tree_.fabric(path_, cables, remark);
  }

 private:
  void read_file(const std::string& path) {
    ConfLines lines(path);
    open_.push_back(path);
    while (lines.next()) {
      lines_ = &lines;
      if (!include()) add(parse());
    }
    open_.pop_back();
  }

  /// Takes a line `Include FILE`; a relative path is one beside the file that includes it.
  bool include() {
    constexpr std::string_view word = "include";
    const std::string_view line = trim(lines_->text());
    const std::size_t start = line.find_first_not_of(blanks, word.size());
    if (lower_case(line.substr(0, word.size())) != word || start == line.npos ||
        start == word.size() || line[start] == '=')
      return false;
    const std::filesystem::path named(line.substr(start));
    const std::string path =
        (std::filesystem::path(open_.back()).parent_path() / named).lexically_normal().string();
    std::error_code none;
    for (const std::string& file : open_)
      if (std::filesystem::equivalent(file, path, none))
        throw input_error(lines_->place(),
                          fmt::format("Include \"{}\": the file includes itself", named.string()));
    read_file(path);
    return true;
  }

  void add(const Line& line) {
    if (line.other) return;
    const FilePosition here = lines_->place();
    if (!line.switch_name.empty()) {
      if (!blocks_.empty()) throw input_error(here, "SwitchName and BlockName in one file");
      tree_.add_switch(here, line.switch_name, line.nodes, line.switches);
    } else if (!line.block_name.empty()) {
      if (blocks_.empty() && !tree_.empty())
        throw input_error(here, "SwitchName and BlockName in one file");
      if (!line.switches.empty()) throw input_error(here, "a block has no switches");
      tree_.add_switch(here, line.block_name, line.nodes, "");
      blocks_ += (blocks_.empty() ? "" : ",") + line.block_name;
    } else {
      throw input_error(here, "a line without SwitchName= or BlockName=");
    }
  }

  Line parse() {
    constexpr std::array<std::string_view, 5> ignored{"linkspeed", "blocksizes", "blocksize",
                                                      "level", "blockindex"};
    Line line;
    bool names_something = false, sums_up = false;
    for (std::size_t at = 0; (at = lines_->text().find_first_not_of(blanks, at)) != blanks.npos;) {
      const Parameter parameter = parameter_at(at);
      const std::string key = lower_case(parameter.key);
      if (std::find(ignored.begin(), ignored.end(), key) != ignored.end()) continue;
      if (key == "aggregatedblock") sums_up = true;
      if (sums_up) continue;
      value_of(line, key, parameter) = parameter.value;
      names_something = true;
    }
    line.other = sums_up || !names_something;
    return line;
  }

  /// The parameter that begins at `at`, which moves behind it.
  Parameter parameter_at(std::size_t& at) const {
    const std::string_view text = lines_->text();
    const auto next = [&](std::size_t from) {
      return std::min(text.find_first_not_of(blanks, from), text.size());
    };
    const auto word_end = [&](std::size_t from, std::string_view ends) {
      return std::min(text.find_first_of(ends, from), text.size());
    };
    Parameter found{{}, {}, at};
    const auto fail = [&] {
      throw input_error(lines_->at(found.at),
                        fmt::format("\"{}\": accepted are parameters such as Nodes=n[0-3] or "
                                    "Nodes=\"n1, n2\"",
                                    text.substr(found.at, word_end(found.at, blanks) - found.at)));
    };
    const std::size_t key_end = word_end(at, " \t\r\v\f=");
    found.key = text.substr(at, key_end - at);
    const std::size_t equals = next(key_end), start = next(equals + 1);
    if (found.key.empty() || equals == text.size() || text[equals] != '=' || start == text.size())
      fail();
    const bool quoted = text[start] == '"';
    const std::size_t end = quoted ? text.find('"', start + 1) : word_end(start, blanks);
    if (end == text.npos) fail();
    found.value = text.substr(start + quoted, end - start - quoted);
    at = end + quoted;
    const bool apart = at == text.size() || blanks.find(text[at]) != blanks.npos;
    if (!apart || (!quoted && found.value.find_first_of("=\"") != found.value.npos)) fail();
    return found;
  }

  std::string& value_of(Line& line, const std::string& key, const Parameter& parameter) const {
    if (key == "switchname") return line.switch_name;
    if (key == "blockname") return line.block_name;
    if (key == "nodes") return line.nodes;
    if (key == "switches") return line.switches;
    const std::array<std::string, 6> known{"SwitchName", "Nodes",     "Switches",
                                           "LinkSpeed",  "BlockName", "BlockSizes"};
    throw input_error(lines_->at(parameter.at),
                      fmt::format("unknown parameter \"{}\"; accepted: {}{}", parameter.key,
                                  fmt::join(known, ", "), suggestion(parameter.key, known)));
  }

  /// A name for the switch above all blocks that no block has.
  std::string core_name() const {
    const auto names = tree_.switch_names();
    std::string name = "core";
    while (std::find(names.begin(), names.end(), name) != names.end()) name += "_";
    return name;
  }

  std::string path_;
  std::vector<std::string> open_;     ///< files, each included by the one before
  const ConfLines* lines_ = nullptr;  ///< of the last one
  SwitchTree tree_;
  std::string blocks_;  ///< names so far, separated by commas
};

}  // namespace

FabricSpec read_slurm_conf(const std::string& path, const CableAssumptions& cables,
                           const Remark& remark) {
  return ConfReader(path).read(cables, remark);
}

}  // namespace vtopo::detail
