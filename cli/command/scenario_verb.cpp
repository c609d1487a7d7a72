#include "cli/command/scenario_verb.hpp"

#include "sim/placement/embedding_files.hpp"

namespace vtopo::detail {

namespace {

using Kind = ScenarioOption::Kind;

/// The flag that takes `option` back; null if there is none.
const ScenarioOption* negation(const ScenarioOption& option) {
  for (const ScenarioOption& other : scenario_options())
    if (other.negates == option.name) return &other;
  return nullptr;
}

/// A flag that may be taken back, as the parser spells it.
CLI::Option* add_switch(Verb& verb, Scenario& scenario, const ScenarioOption& option,
                        const ScenarioOption& off) {
  return verb.add("--" + std::string(option.name) + ",!--" + std::string(off.name),
                  &scenario.simulate, option.help);
}

std::string default_text(const Scenario& scenario, const ScenarioOption& option) {
  const auto texts = option.texts(scenario);
  return texts.empty() || option.kind == Kind::many ? std::string() : texts.front();
}

}  // namespace

CLI::Option* add_scenario_option(Verb& verb, Scenario& scenario, std::string_view name,
                                 const std::string& as) {
  const ScenarioOption& option = scenario_option(name);
  if (const ScenarioOption* off = negation(option)) return add_switch(verb, scenario, option, *off);
  const bool is_flag = option.kind == Kind::flag;
  const auto read = [&scenario, &option, is_flag](const std::string& text) {
    if (is_flag && text == "false") return;
    read_option(option.name, [&] { option.set(scenario, text); });
  };
  std::string names = as.empty() ? "--" + std::string(name) : as;
  if (as.empty() && !option.also.empty()) names += ",--" + std::string(option.also);
  CLI::Option* added = verb.add(
      names, OptionReader{read, default_text(scenario, option), option.kind == Kind::many, is_flag},
      option.help);
  if (!is_flag) added->type_name(option.argument);
  if (option.most) added->check(whole_number(*option.most));
  verb.offer(added, option.words, option.comma_list);
  for (const auto other : option.needs)
    verb.extras[added].needs.push_back("--" + std::string(other));
  for (const auto other : option.excludes)
    verb.extras[added].excludes.push_back("--" + std::string(other));
  return added;
}

void add_scenario_group(Verb& verb, Scenario& scenario, std::string_view group,
                        std::string_view but) {
  verb.group(std::string(group));
  for (const ScenarioOption& option : scenario_options())
    if (option.group == group && option.negates.empty() && option.name != but)
      add_scenario_option(verb, scenario, option.name);
}

void add_list_output(Verb& verb, ListOutput& output) {
  verb.add("--format", &output.format, "table, csv or json (default: by extension)");
  verb.add("-o,--output", &output.output, "file (.txt, .csv, .json), or - for stdout");
}

void add_embedding_file(Verb& verb, Scenario& scenario, const std::string& help,
                        const std::string& instead_of) {
  CLI::Option* file = verb.add("--embedding", &scenario.embedding, help);
  if (!instead_of.empty()) file->excludes(instead_of);
  CLI::Option* format = verb.add("--embedding-format", &scenario.embedding_format,
                                 "csv, json, rankfile, ... (default: by extension; see vtopo map)");
  format->needs("--embedding");
  verb.offer(format, embedding_format_names());
}

void add_network_options(Verb& verb, Scenario& scenario) {
  add_scenario_group(verb, scenario, network_group);
  add_scenario_group(verb, scenario, edit_group);
}

void add_limit_options(Verb& verb, LimitOptions& options, const std::string& run_help,
                       const std::string& memory_help) {
  verb.add("--run-limit", &options.run_limit, run_help);
  verb.add("--memory-limit", &options.memory_limit, memory_help);
}

void add_platform_limit_options(Verb& verb, LimitOptions& options) {
  verb.group(std::string(network_group));
  add_limit_options(verb, options,
                    "of SimGrid on a platform file: of loading it and of each search for routes "
                    "(default: 1h)",
                    "of SimGrid on a platform file (default: as much as the machine has)");
}

std::vector<std::string> mapper_words() {
  return scenario_option("mapper").words;
}

std::vector<std::string> embedding_format_names() {
  std::vector<std::string> names;
  for (const EmbeddingFormat& format : embedding_formats()) names.push_back(format.name);
  return names;
}

std::vector<std::string> objective_words() {
  return scenario_option("objective").words;
}

std::vector<std::string> network_words() {
  return scenario_option("network").words;
}

}  // namespace vtopo::detail
