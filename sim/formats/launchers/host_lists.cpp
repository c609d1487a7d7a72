#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <string_view>
#include <utility>

#include "sim/formats/foreign.hpp"
#include "sim/formats/launchers/launchers.hpp"
#include "sim/placement/host_lists.hpp"
#include "topology/base/csv_columns.hpp"
#include "topology/base/host_list.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

// Keys of words and headings of tables, as `plain_heading` spells them.
constexpr std::string_view slot_keys =
    "slots cpus cpu count np ppn ncpus nprocs procs processes mpiprocs tasks ntasks numslots ranks";

/// They describe a node; alone they leave open how many ranks it takes.
constexpr std::string_view part_keys =
    "cores core boards board sockets socketsperboard threads slot slotid";

/// The most ranks; where nothing else counts them, as many.
constexpr std::string_view limit_keys = "maxslots slotsmax cpusmax maxcpus countmax";

/// Words of launchers that say nothing about the number of ranks.
constexpr std::string_view other_keys =
    "user username port binding ifname ifhn netmask weight gpus ngpus mem";

bool is_one_of(std::string_view key, std::string_view keys) {
  const auto all = split(keys, ' ');
  return std::find(all.begin(), all.end(), plain_heading(key)) != all.end();
}

class ListReader {
 public:
  explicit ListReader(const std::string& path) : file_(path) {}

  std::vector<ListedHost> read() {
    while (file_.next_content()) {
      const bool is_first = listed_.empty() && nodelist_.empty();
      if (is_first && is_json(trim(file_.line()))) {
        for (const auto& [names, slots] : formats::read_json_hosts(file_.path()))
          add_list(names, 0, slots);
        for (ListedHost& listed : listed_) listed.where = {file_.path()};
        return std::move(listed_);
      }
      if (is_first && read_table()) break;
      if (!read_variable()) add_line(joined_at_colons(words_joined_at_equals(file_)));
    }
    add_nodelist();
    return std::move(listed_);
  }

 private:
  [[noreturn]] void fail(int column, std::string_view sentence) const {
    throw input_error(file_.at(column), sentence);
  }

  /// A first line `{...` or `[...`, but for an address such as `[fe80::1]:4`.
  static bool is_json(std::string_view line) {
    if (line.starts_with('{')) return true;
    if (!line.starts_with('[')) return false;
    const std::string_view inside = trim(line.substr(1));
    return inside.empty() || std::string_view("\"{]").find(inside[0]) != std::string_view::npos;
  }

  /// `a1 : 2`, `a1: 2` and `a1 :2` as `a1:2`.
  static Words joined_at_colons(const Words& words) {
    Words joined;
    for (const auto& [word, column] : words) {
      const bool joins = !joined.empty() && !is_address(word) &&
                         (word.starts_with(':') || joined.back().first.ends_with(':'));
      if (joins)
        joined.back().first += word;
      else
        joined.emplace_back(word, column);
    }
    return joined;
  }

  /// Whether a word is an address of IPv6.
  static bool is_address(std::string_view word) {
    return (word.find("::") != word.npos || std::count(word.begin(), word.end(), ':') == 7) &&
           word.substr(0, word.find('%')).find_first_not_of("0123456789abcdefABCDEF:.") ==
               word.npos;
  }

  /// Takes a table whose header is the current line: a host in each row, with its slots or not.
  bool read_table() {
    if (file_.line().find_first_of("[{") != std::string_view::npos) return false;
    CsvTable table(file_);
    const auto host = table.column(host_headings);
    if (!host) return false;
    const auto count = table.column(slot_keys), part = table.column(part_keys);
    if (part && !count) fail_part(table.headings()[*part], 1);
    while (table.next()) {
      std::optional<int> listed;
      if (count) listed = slots(table[*count].text, table[*count].column);
      add(table[*host].text, table[*host].column, listed);
    }
    return true;
  }

  /// Takes a line `NAME=VALUE` of an environment, with `export` in front or not.
  bool read_variable() {
    std::string_view line = trim(file_.line());
    if (line.starts_with("export ")) line = trim(line.substr(7));
    const std::size_t equals = line.find('=');
    const std::string_view name = line.substr(0, equals);
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    if (equals == line.npos || name.find('_') == name.npos ||
        name.find_first_not_of(letters) != name.npos)
      return false;
    const std::string_view value = without_quotes(trim(line.substr(equals + 1)));
    if (name == "SLURM_JOB_NODELIST" || name == "SLURM_NODELIST" || name == "SLURM_STEP_NODELIST") {
      nodelist_ = value;
      nodelist_place_ = file_.at(0);
    } else if (name == "SLURM_TASKS_PER_NODE" || name == "SLURM_STEP_TASKS_PER_NODE" ||
               name == "SLURM_NTASKS_PER_NODE") {
      tasks_ = value;
      tasks_place_ = file_.at(0);
    } else if (name == "LSB_HOSTS" || name == "LSB_MCPU_HOSTS") {
      Words words;
      for (const auto piece : split(value, ' '))
        if (!piece.empty()) words.emplace_back(piece, 0);
      add_line(words);
    }
    return true;
  }

  /// Nodes and their tasks as Slurm's variables have them: `2(x3),1`.
  void add_nodelist() {
    if (nodelist_.empty()) return;
    std::vector<std::string> names;
    try {
      names = expand_host_list(nodelist_);
    } catch (const UsageError& error) {
      throw input_error(nodelist_place_, error.what());
    }
    std::vector<int> tasks;
    for (const auto piece : split(tasks_, ',')) {
      if (tasks_.empty()) break;
      const std::size_t bracket = piece.find("(x");
      const auto count = parse_integer(trim(piece.substr(0, bracket)));
      const auto times =
          bracket == piece.npos
              ? std::optional<std::int64_t>{1}
              : parse_integer(piece.substr(bracket + 2, piece.find(')') - bracket - 2));
      if (!count || !times || *count < 1 || *times < 1 || *count > most ||
          *times > int_size(names) - int_size(tasks))
        throw input_error(tasks_place_,
                          fmt::format("tasks \"{}\" of {} nodes: accepted are numbers "
                                      "such as 4(x2),3, one for each node",
                                      tasks_, names.size()));
      tasks.insert(tasks.end(), static_cast<std::size_t>(*times), narrow<int>(*count));
    }
    if (tasks.size() == 1) tasks.resize(names.size(), tasks[0]);
    if (!tasks.empty() && tasks.size() != names.size())
      throw input_error(tasks_place_, fmt::format("tasks \"{}\" are of {} nodes, and the list has "
                                                  "{}",
                                                  tasks_, tasks.size(), names.size()));
    for (std::size_t i = 0; i < names.size(); ++i)
      listed_.push_back(
          {names[i], tasks.empty() ? std::nullopt : std::optional<int>(tasks[i]), nodelist_place_});
  }

  static std::string_view without_quotes(std::string_view text) {
    const bool quoted =
        text.size() > 1 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0];
    return quoted ? text.substr(1, text.size() - 2) : text;
  }

  static bool is_number(const std::string& word) { return parse_integer(word).has_value(); }

  static bool is_affinity_list(std::string_view word) {
    return word.find_first_not_of("0123456789,-") == word.npos;
  }

  void add_line(const Words& words) {
    if (words.empty()) return;
    const bool has_options = std::any_of(words.begin() + 1, words.end(), [](const auto& word) {
      return word.first.find('=') != std::string::npos;
    });
    if (has_options || words.size() == 1) return add_with_options(words);
    bool by_turns = words.size() % 2 == 0, all_names = true;
    for (std::size_t i = 0; i < words.size(); ++i) {
      by_turns = by_turns && is_number(words[i].first) == (i % 2 == 1);
      all_names = all_names && (i == 0 || is_name(words[i].first));
    }
    if (by_turns) {
      for (std::size_t i = 0; i < words.size(); i += 2)
        add(words[i].first, words[i].second, slots(words[i + 1].first, words[i + 1].second));
    } else if (words.size() > 2 && is_number(words[1].first) && !is_affinity_list(words[2].first)) {
      add(words[0].first, words[0].second, slots(words[1].first, words[1].second));  // SGE
    } else if (words.size() == 4 && is_affinity_list(words[1].first)) {
      add(words[0].first, words[0].second, 1);  // LSF: a task and its cores
    } else if (all_names) {
      for (const auto& [word, column] : words) add_list(word, column);
    } else {
      fail_word(words[1]);
    }
  }

  static bool is_name(std::string_view word) {
    return !word.empty() && (std::isalnum(static_cast<unsigned char>(word[0])) != 0) &&
           !parse_integer(word);
  }

  void add_with_options(const Words& words) {
    std::optional<int> count, limit;
    const std::pair<std::string, int>* part = nullptr;
    for (auto word = words.begin() + 1; word != words.end(); ++word) {
      bool goes_on = false;  // binding=user:0,1
      for (const std::string_view piece : split(word->first, ',')) {
        const std::size_t equals = std::min(piece.find('='), piece.size());
        const std::string_view key = piece.substr(0, equals);
        if (goes_on && equals == piece.size()) continue;
        goes_on = is_one_of(key, other_keys);
        const auto at = piece.data() + equals + 1 - word->first.data();
        if (is_one_of(key, limit_keys) && equals < piece.size())
          limit = slots(piece.substr(equals + 1), word->second + narrow<int>(at));
        if (is_one_of(key, part_keys)) part = &*word;
        if (goes_on || is_one_of(key, part_keys) || is_one_of(key, limit_keys)) continue;
        if (!is_one_of(key, slot_keys) || count || equals == piece.size()) fail_word(*word);
        count = slots(piece.substr(equals + 1), word->second + narrow<int>(at));
      }
    }
    if (part != nullptr && !count) fail_part(part->first, part->second);
    if (!count) count = limit;
    const std::string& name = words[0].first;
    if (count && !is_address(name) && name.find_first_of(":*", name.rfind(']') + 1) != name.npos)
      fail_word(words[1]);
    add_list(name, words[0].second, count);
  }

  [[noreturn]] void fail_part(std::string_view text, int column) const {
    fail(column,
         fmt::format("\"{}\" does not say how many ranks a host takes: accepted are slots=n, "
                     "and in a table a column slots or rank",
                     text));
  }

  [[noreturn]] void fail_word(const std::pair<std::string, int>& word) const {
    fail(word.second, fmt::format("unexpected \"{}\": accepted are name, name:slots, name slots=n "
                                  "and the host lists of batch systems",
                                  word.first));
  }

  /// A name with its slots, or a list of such.
  /// @param count of each host of the list, which then has none of its own.
  void add_list(std::string_view word, int column, std::optional<int> count = {}) {
    if (word.find('/') != word.npos && word.find('[') == word.npos) return add_pbs(word, column);
    for (const std::string_view piece : host_list_pieces(word)) {
      if (piece.empty()) continue;
      const int at = column == 0 ? 0 : column + narrow<int>(piece.data() - word.data());
      if (piece.starts_with('(') || piece.find('+', 1) != piece.npos)
        add_chunks(piece, at);
      else if (piece.find('*') < piece.find_last_not_of("0123456789"))
        add_lsf(piece, at);
      else
        add_piece(piece, at, count);
    }
  }

  void add_piece(std::string_view piece, int at, std::optional<int> count) {
    if (is_address(piece)) return add(piece, at, count);
    if (piece.starts_with('[') && is_address(piece.substr(1, piece.find(']') - 1))) {
      const std::size_t close = piece.find(']');
      const std::string_view rest = piece.substr(std::min(close + 1, piece.size()));
      if (rest.starts_with(':')) count = slots(rest.substr(1), at);
      return add(piece.substr(1, close - 1), at, count);
    }
    const std::size_t mark = piece.find_first_of(":*", piece.rfind(']') + 1);
    if (mark != piece.npos) {
      std::string_view number = piece.substr(mark + 1);
      const int there = at == 0 ? 0 : at + narrow<int>(mark) + 1;
      if (piece[mark] == ':' && number.find('=') != number.npos)
        number = processors_of(number, there);
      else if (piece[mark] == ':')
        number = number.substr(0, number.find(':'));
      count = slots(number, there);
    }
    const std::string_view name = piece.substr(0, mark);
    if (name.find_first_of("[]") == name.npos) return add(name, at, count);
    try {
      for (const std::string& host : expand_host_list(name)) add(host, at, count);
    } catch (const UsageError& error) {
      fail(at, error.what());
    }
  }

  /// Resources of PBS, `ncpus=2:mem=1gb`: the processes that they are for, else the processors.
  std::string_view processors_of(std::string_view resources, int column) const {
    std::string_view found;
    for (const std::string_view resource : split(resources, ':')) {
      const std::size_t equals = std::min(resource.find('='), resource.size());
      const std::string_view key = resource.substr(0, equals);
      if (is_one_of(key, slot_keys) && (found.empty() || key == "mpiprocs"))
        found = resource.substr(std::min(equals + 1, resource.size()));
      if (key == "mpiprocs") break;
    }
    if (found.empty()) fail_part(resources, column);
    return found;
  }

  /// exec_vnode of PBS: `(a:ncpus=2:mem=1gb)+(b:ncpus=2+c:ncpus=1)`.
  void add_chunks(std::string_view word, int column) {
    for (std::string_view chunk : split(word, '+')) {
      while (chunk.starts_with('(')) chunk.remove_prefix(1);
      while (chunk.ends_with(')')) chunk.remove_suffix(1);
      add_piece(chunk, column, {});
    }
  }

  /// Hosts of a job of LSF: `2*a:1*b`.
  void add_lsf(std::string_view word, int column) {
    for (const std::string_view piece : split(word, ':')) {
      const std::size_t star = piece.find('*');
      const bool counts = star != piece.npos;
      add(piece.substr(counts ? star + 1 : 0), column,
          counts ? slots(piece.substr(0, star), column) : 1);
    }
  }

  /// exec_host of PBS, `a/0*4+b/0+b/1`, and of Torque, `a/0-3,6+b/0`: slots of a node with a
  /// number.
  void add_pbs(std::string_view word, int column) {
    for (const std::string_view node : split(word, '+')) {
      std::string_view name;
      for (const std::string_view piece : split(node, ',')) {
        const std::size_t slash = piece.find('/');
        if (slash != piece.npos) name = piece.substr(0, slash);
        const std::string_view numbers = piece.substr(slash == piece.npos ? 0 : slash + 1);
        const std::size_t star = numbers.find('*'), dash = numbers.find('-');
        const auto first = parse_integer(numbers.substr(0, std::min(star, dash)));
        const auto last =
            dash == numbers.npos ? first : parse_integer(numbers.substr(dash + 1, star - dash - 1));
        if (name.empty() || !first || !last || *first < 0 || *last < *first || *last >= most)
          fail(column, fmt::format("\"{}\": accepted is a node of PBS or Torque such as name/0, "
                                   "name/0*4 or name/0-3,6",
                                   piece));
        add(name, column,
            star == numbers.npos ? narrow<int>(*last - *first + 1)
                                 : slots(numbers.substr(star + 1), column));
      }
    }
  }

  void add(std::string_view name, int column, std::optional<int> count) {
    name = without_quotes(name);
    if (const std::size_t at = name.find('@'); at != name.npos) name.remove_prefix(at + 1);
    listed_.push_back({std::string(name), count, file_.at(column)});
    if (listed_.size() > max_host_list_names)
      fail(column, fmt::format("more than {} hosts in one file", max_host_list_names));
  }

  int slots(std::string_view text, int column) const {
    const auto count = parse_integer(without_quotes(text));
    if (!count || *count < 1 || *count > most)
      fail(column, fmt::format("slots \"{}\": accepted is a number from 1 to {}", text, most));
    return narrow<int>(*count);
  }

  static constexpr int most = std::numeric_limits<int>::max();

  LineFile file_;
  std::vector<ListedHost> listed_;
  std::string nodelist_, tasks_;  ///< of Slurm's variables
  FilePosition nodelist_place_, tasks_place_;
};

}  // namespace

Words words_joined_at_equals(LineFile& file) {
  Words words;
  bool joins = false;
  for (const Token& token : file.words()) {
    if (!words.empty() && (joins || token.text.starts_with('=')))
      words.back().first += token.text;
    else
      words.emplace_back(token.text, token.column);
    joins = words.back().first.ends_with('=');
  }
  return words;
}

std::vector<ListedHost> read_host_list(const std::string& path) {
  return ListReader(path).read();
}

}  // namespace vtopo::detail
