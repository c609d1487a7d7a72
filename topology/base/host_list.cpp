#include "topology/base/host_list.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Expands one list; remembers it for error messages.
class Expansion {
 public:
  explicit Expansion(std::string_view list) : list_(list) {}

  std::vector<std::string> names() {
    check_brackets();
    for (const std::string_view piece : host_list_pieces(list_)) {
      if (piece.empty()) fail("an empty name");
      add(piece);
    }
    return std::move(names_);
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    constexpr std::size_t shown = 80;
    throw UsageError(
        fmt::format("{} in the host list \"{}{}\": accepted are names such as a1 and "
                    "a[0-3,7] separated by commas",
                    what, list_.substr(0, shown), list_.size() > shown ? "..." : ""));
  }

  void check_brackets() const {
    bool inside = false;
    for (const char c : list_) {
      if (c == '[' ? inside : c == ']' && !inside) fail("an unpaired bracket");
      if (c == '[' || c == ']') inside = c == '[';
    }
    if (inside) fail("an unpaired bracket");
  }

  /// Appends the names of `name[..]more[..]`.
  void add(std::string_view piece) {
    std::vector<std::string> expanded{""};
    while (!piece.empty()) {
      const std::size_t open = piece.find('[');
      const std::string_view front = piece.substr(0, open);
      check_letters(expanded.size(), expanded.back().size() + front.size());
      for (auto& name : expanded) name += front;
      if (open == std::string_view::npos) break;
      const std::size_t close = piece.find(']', open);
      expanded = product(expanded, numbers(piece.substr(open + 1, close - open - 1)));
      piece.remove_prefix(close + 1);
    }
    check_count(names_.size() + expanded.size());
    letters_ += expanded.size() * expanded.back().size();
    if (names_.empty())
      names_ = std::move(expanded);
    else
      std::move(expanded.begin(), expanded.end(), std::back_inserter(names_));
  }

  std::vector<std::string> product(const std::vector<std::string>& fronts,
                                   const std::vector<std::string>& backs) const {
    check_count(fronts.size() * backs.size());
    check_letters(fronts.size() * backs.size(), fronts.back().size() + backs.back().size());
    std::vector<std::string> result;
    result.reserve(fronts.size() * backs.size());
    for (const auto& front : fronts)
      for (const auto& back : backs) result.push_back(front + back);
    return result;
  }

  /// Numbers between a pair of brackets, with their leading zeros.
  std::vector<std::string> numbers(std::string_view ranges) const {
    std::vector<std::string> result;
    for (const std::string_view range : split(ranges, ',')) {
      const std::size_t dash = range.find('-'), slash = range.find_first_of("/:");
      const std::string_view first = range.substr(0, dash);
      const auto low = digits(first);
      const auto high = dash == range.npos ? low : digits(range.substr(dash + 1, slash - dash - 1));
      const auto step = slash == range.npos ? 1 : digits(range.substr(slash + 1));
      if (!low || !high || *high < *low || step.value_or(0) < 1)
        fail(fmt::format("the range \"{}\"", range));
      check_count(result.size() + index((*high - *low) / *step) + 1);
      for (std::int64_t n = *low; n <= *high; n += *step)
        result.push_back(fmt::format("{:0{}}", n, first.size()));
    }
    return result;
  }

  static std::optional<std::int64_t> digits(std::string_view text) {
    constexpr std::size_t max_digits = 18;
    if (text.empty() || text.size() > max_digits || text.front() == '-') return std::nullopt;
    return parse_integer(text);
  }

  void check_count(std::size_t count) const {
    if (count > max_host_list_names) fail(fmt::format("more than {} names", max_host_list_names));
  }

  /// @param length of the last of the names, which is about that of all.
  void check_letters(std::size_t count, std::size_t length) const {
    if (length > (max_host_list_letters - std::min(letters_, max_host_list_letters)) / count)
      fail(fmt::format("names of more than {} letters in all", max_host_list_letters));
  }

  std::string_view list_;
  std::vector<std::string> names_;
  std::size_t letters_ = 0;
};

/// The number one above that of `digits`, with as many leading zeros as its range has.
std::string digits_after(std::string_view digits, std::size_t width) {
  std::string next = std::to_string(parse_integer(digits).value_or(-1) + 1);
  if (next.size() < width) next.insert(0, width - next.size(), '0');
  return next;
}

/// Names with one stem.
struct NamesInBrackets {
  std::string_view stem;
  std::vector<std::pair<std::string, std::string>> ranges;

  std::string text() const {
    if (ranges.size() == 1 && ranges[0].first == ranges[0].second)
      return std::string(stem) + ranges[0].first;
    std::string list;
    for (const auto& [first, last] : ranges)
      list += (list.empty() ? "" : ",") + first + (first == last ? "" : '-' + last);
    return std::string(stem) + '[' + list + ']';
  }
};

}  // namespace

std::string_view stem_of(std::string_view name) {
  return name.substr(0, name.find_last_not_of("0123456789") + 1);
}

std::vector<std::string_view> host_list_pieces(std::string_view list) {
  std::vector<std::string_view> pieces;
  std::size_t start = 0;
  bool inside = false;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size() && (list[i] == '[' || list[i] == ']')) inside = list[i] == '[';
    if (i < list.size() && (list[i] != ',' || inside)) continue;
    pieces.push_back(list.substr(start, i - start));
    start = i + 1;
  }
  return pieces;
}

std::vector<std::string> expand_host_list(std::string_view list) {
  return Expansion(list).names();
}

std::optional<std::string> compressed_host_list(std::span<const std::string> names) {
  constexpr std::size_t most_digits = 18;
  std::vector<NamesInBrackets> groups;
  for (const std::string& name : names) {
    if (name.empty() || name.find_first_of(",[] \t") != std::string::npos) return std::nullopt;
    std::string_view stem = stem_of(name);
    std::string digits = name.substr(stem.size());
    if (digits.size() > most_digits) {
      stem = name;
      digits.clear();
    }
    const bool joins = !groups.empty() && groups.back().stem == stem && !digits.empty() &&
                       !groups.back().ranges.back().first.empty();
    if (!joins) groups.push_back({stem, {}});
    auto& ranges = groups.back().ranges;
    if (joins && digits == digits_after(ranges.back().second, ranges.back().first.starts_with('0')
                                                                  ? ranges.back().first.size()
                                                                  : 0))
      ranges.back().second = digits;
    else
      ranges.emplace_back(digits, digits);
  }
  std::vector<std::string> texts;
  texts.reserve(groups.size());
  for (const NamesInBrackets& group : groups) texts.push_back(group.text());
  return join(texts, ",");
}

}  // namespace vtopo::detail
