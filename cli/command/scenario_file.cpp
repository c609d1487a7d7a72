#include "cli/command/scenario_file.hpp"

#include <algorithm>
#include <optional>

#include "sim/scenario/placed_json.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

const PlacedJson& scenario_of(const PlacedDocument& document) {
  const PlacedJson* inside = document.root.find("scenario");
  return inside == nullptr ? document.root : *inside;
}

/// `bytes` of `--bytes` and `--bytes=1MiB`; absent for other words.
std::optional<std::string> option_name(const std::string& word) {
  if (!word.starts_with("--") || word.size() == 2) return std::nullopt;
  return word.substr(2, word.find('=') - 2);
}

std::optional<std::string> scenario_path(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with("--scenario=")) return words[i].substr(11);
    if (words[i] == "--scenario" && i + 1 < words.size()) return words[i + 1];
  }
  return std::nullopt;
}

/// Refuses keys that are good for other verbs.
void check_keys(const Verb& verb, const PlacedDocument& document) {
  for (const PlacedJson::Key& key : scenario_of(document).keys)
    if (find_scenario_key(key.name) != nullptr && verb.find_option("--" + key.name) == nullptr)
      throw document.error(key, fmt::format("vtopo {} has no option --{}", verb.name, key.name));
}

/// Refuses what would run a program that only the file names.
void check_programs(const PlacedDocument& document, const ScenarioSettings& settings) {
  const auto program = program_named_in(settings);
  if (!program) return;
  for (const PlacedJson::Key& key : scenario_of(document).keys)
    if (key.name == program->key)
      throw document.error(
          key, fmt::format("{} \"{}\" runs a program, which a file alone cannot ask for: give "
                           "--{} on the command line, too",
                           program->key, program->text, program->key));
}

}  // namespace

ScenarioSettings read_scenario_file(const std::string& path) {
  const PlacedDocument document = read_scenario_document(path);
  return read_settings(document, scenario_of(document));
}

std::vector<std::string> with_scenario_file(const Verb& verb, std::vector<std::string> words) {
  if (verb.find_option("--scenario") == nullptr) return words;
  const auto path = scenario_path(words);
  if (!path || path->empty()) return words;  // the second is refused with all empty values
  std::vector<std::string> given;
  for (const std::string& word : words)
    if (const auto name = option_name(word)) given.push_back(*name);
  const bool has_plugins = std::find(given.begin(), given.end(), "plugin") != given.end();
  const PlacedDocument document = read_scenario_document(*path);
  ScenarioSettings settings = read_settings(document, scenario_of(document), !has_plugins);
  check_keys(verb, document);
  for (const std::string& name : given) settings.give_way_to(name);
  const bool has_embedding = std::find(given.begin(), given.end(), "embedding") != given.end();
  if (has_embedding) settings.give_way_to("mapper");
  check_programs(document, settings);
  const std::vector<std::string> arguments = settings.arguments();
  words.insert(words.begin(), arguments.begin(), arguments.end());
  return words;
}

}  // namespace vtopo::detail
