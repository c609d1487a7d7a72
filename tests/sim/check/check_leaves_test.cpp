#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tests/sim/check/check_reports.hpp"

// Every leaf of a report, and of its evidence, is verified or listed as not verified: a mutator
// that knows nothing of either changes, removes, nulls, swaps and duplicates leaves, and rewrites
// text.
namespace vtopo::mutants {
namespace {

using Pointer = Json::json_pointer;

/// `rows[].makespan`, as the checker names leaves: entries of lists have no numbers.
std::string path_of(const Pointer& leaf, const Json& document) {
  std::vector<std::string> words;
  for (Pointer at = leaf; !at.empty(); at = at.parent_pointer())
    words.push_back(document.at(at.parent_pointer()).is_array() ? "[]" : at.back());
  std::string path;
  for (auto word = words.rbegin(); word != words.rend(); ++word)
    if (*word != "[]")
      path += (path.empty() ? "" : ".") + *word;
    else if (!path.ends_with("[]"))
      path += *word;
  return path;
}

void append_leaves(const Json& value, const Pointer& at, std::vector<Pointer>& leaves) {
  if (!value.is_structured() || value.empty()) return leaves.push_back(at);
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i) append_leaves(value[i], at / i, leaves);
  else
    for (const auto& [key, member] : value.items()) append_leaves(member, at / key, leaves);
}

using Kinds = std::map<std::string, std::vector<Pointer>>;  ///< leaves by path

/// A report whose leaves are changed.
struct Original {
  Json report;
  Kinds kinds = {};
  std::set<std::string> open = {};  ///< paths that are listed as not verified
};

/// Without the reason that follows a path.
std::string without_reason(const std::string& open) {
  return open.substr(0, open.find(" ("));
}

Original original_of(Json report) {
  Original original{std::move(report)};
  const CheckResult result = check_report(original.report, original.report["evidence"]);
  INFO(original.report["scenario"].dump() << ": " << result.wrong.value_or(""));
  REQUIRE(!result.wrong);
  for (const std::string& open : result.open) original.open.insert(without_reason(open));
  std::vector<Pointer> leaves;
  append_leaves(original.report, Pointer(), leaves);
  for (const Pointer& leaf : leaves) original.kinds[path_of(leaf, original.report)].push_back(leaf);
  return original;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words{""};
  for (const char c : text)
    if (c == ' ')
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : " ") + words[i];
  return text;
}

/// Another sentence: a word is missing, twice there, negated, in another place, another number.
std::string rewritten(const std::string& text, Random& random) {
  std::vector<std::string> words = words_of(text);
  const std::size_t at = below(random, words.size()), other = below(random, words.size());
  const auto place = words.begin() + static_cast<std::ptrdiff_t>(at);
  switch (below(random, 7)) {
    case 0:
      words.erase(place);
      break;
    case 1:
      words.insert(place, words[other]);
      break;
    case 2:
      words.insert(place, "not");
      break;
    case 3:
      std::swap(words[at], words[other]);
      break;
    case 4:
      for (char& c : words[at])
        if (c >= '0' && c <= '9') c = c == '9' ? '1' : static_cast<char>(c + 1);
      break;
    case 5:
      std::reverse(words.begin(), words.end());
      break;
    default:
      words[at] = "greedy";
  }
  return joined(words);
}

Json changed(const Json& value, Random& random) {
  if (value.is_boolean()) return !value.get<bool>();
  if (value.is_string()) return rewritten(value, random);
  if (value.is_null()) return random() % 2 == 0 ? Json(1) : Json("text");
  if (!value.is_number()) return value.is_array() ? Json{1} : Json{{"more", 1}};
  const double factors[] = {-1, 0, 0.5, 0.9, 1.1, 2};
  const double number = value, by = factors[below(random, std::size(factors))];
  if (value.is_number_integer() && std::abs(number) < 1e6 && random() % 2 == 0)
    return value.get<std::int64_t>() + (random() % 2 == 0 ? 1 : -1);
  return number * by;
}

enum class Edit { changed, removed, null, swapped, duplicated, added, retyped, last };
constexpr const char* edit_names[] = {"changed",    "removed", "null",   "swapped",
                                      "duplicated", "added",   "retyped"};

/// But for rounding.
bool is_same(const Json& a, const Json& b) {
  if (!a.is_number() || !b.is_number()) return a == b;
  return std::abs(a.get<double>() - b.get<double>()) <= 1e-8 * std::abs(a.get<double>());
}

/// @returns whether the report is another one than before.
bool mutate(Json& report, const Pointer& leaf, const std::vector<Pointer>& others, Edit change,
            Random& random) {
  Json& parent = report.at(leaf.parent_pointer());
  const Json before = report.at(leaf);
  const Pointer& other = others[below(random, others.size())];
  const auto index = parent.is_array() ? std::stoul(leaf.back()) : 0;
  switch (change) {
    case Edit::changed:
      report.at(leaf) = changed(before, random);
      return !is_same(report.at(leaf), before);
    case Edit::removed:
      if (parent.is_array())
        parent.erase(index);
      else
        parent.erase(leaf.back());
      return true;
    case Edit::null:
      report.at(leaf) = nullptr;
      return !before.is_null();
    case Edit::swapped:
      std::swap(report.at(leaf), report.at(other));
      return !is_same(report.at(leaf), before);
    case Edit::duplicated:  // in a list; of an object the value of another leaf of the kind
      if (parent.is_array())
        parent.insert(parent.begin() + static_cast<std::ptrdiff_t>(index), before);
      else
        report.at(leaf) = report.at(other);
      return parent.is_array() || !is_same(report.at(leaf), before);
    case Edit::added:
      if (parent.is_array()) return false;
      parent["more_of_" + leaf.back()] = before;
      return true;
    default:
      report.at(leaf) = before.is_string() ? Json{before} : Json(before.dump());
      return !is_same(report.at(leaf), before);
  }
}

/// Whether it is rejected, or the leaf is listed; an added one under its own name.
bool is_found(const Original& original, const Json& mutant, const std::string& path, Edit change) {
  if (is_rejected(mutant)) return true;
  if (change != Edit::added) return original.open.contains(path);
  const auto dot = path.rfind('.');
  const std::string own = dot == std::string::npos
                              ? "more_of_" + path
                              : path.substr(0, dot + 1) + "more_of_" + path.substr(dot + 1);
  const auto result = check_report(mutant, mutant["evidence"]);
  return std::any_of(result.open.begin(), result.open.end(),
                     [&](const std::string& open) { return without_reason(open) == own; });
}

std::vector<Json> all_reports() {
  std::vector<Json> list = reports();
  std::erase_if(list, [](const Json& report) {  // the others take long
    return report["rows"][0]["ranks"] > 36 || report["rows"][0]["hosts"] > 36;
  });
  Scenario varied = scenario_of("cart:3x3p", "torus:3x4");
  varied.sensitivity.emplace("20%");
  varied.ideal = true;
  list.push_back(report_of(varied));
  varied.mappers = "block,random,greedy";
  varied.topology = "cart:6";
  varied.network = "dragonfly:3,1;2,1;2,1;2";
  list.push_back(report_of(varied));
  Scenario failed = scenario_of("cart:4x4p", "torus:4x6");
  failed.fail_links = {"d0+:0->1"};
  failed.hosts = "random:18";
  failed.seed = 3;
  list.push_back(report_of(failed));
  Scenario still = scenario_of("hypercube:4", "mesh:4x4");
  still.simulate = false;
  still.top_links = 4;
  list.push_back(report_of(still));
  return list;
}

TEST_CASE("every leaf of a report is verified or listed as not verified", "[mutants]") {
  std::vector<Original> originals;
  for (Json& report : all_reports()) originals.push_back(original_of(std::move(report)));
  Random random(2);
  const int wanted = wanted_mutants(100, 10'000);
  std::map<std::string, std::pair<int, int>> of_kind, of_change;  // made, found
  for (int made = 0; made < wanted;) {
    const Original& original = originals[below(random, originals.size())];
    const auto& [path, leaves] = *std::next(
        original.kinds.begin(), static_cast<std::ptrdiff_t>(below(random, original.kinds.size())));
    const Pointer& leaf = leaves[below(random, leaves.size())];
    const auto change = static_cast<Edit>(below(random, static_cast<std::size_t>(Edit::last)));
    Json mutant = original.report;
    if (!mutate(mutant, leaf, leaves, change, random)) continue;
    ++made;
    const bool found = is_found(original, mutant, path, change);
    for (auto* counts : {&of_kind[path], &of_change[edit_names[static_cast<int>(change)]]})
      ++counts->first, counts->second += found ? 1 : 0;
    INFO(edit_names[static_cast<int>(change)] << " " << leaf.to_string() << " of "
                                              << original.report["scenario"].dump() << "\n"
                                              << original.report.at(leaf).dump());
    CHECK(found);
  }
  for (const auto& [change, counts] : of_change) CHECK(counts.first > 0);
  for (const Original& original : originals)
    for (const auto& [path, leaves] : original.kinds)
      CHECK((wanted < 10'000 || of_kind[path].first > 0));
  int found = 0;
  std::string by_change;
  for (const auto& [change, counts] : of_change) {
    found += counts.second;
    by_change += fmt::format(", {} {} of {}", change, counts.second, counts.first);
  }
  WARN(found << " of " << wanted << " mutants of " << of_kind.size() << " kinds of leaves found"
             << by_change);
}

}  // namespace
}  // namespace vtopo::mutants
