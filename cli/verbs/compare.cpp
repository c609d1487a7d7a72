#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>

#include "cli/command/scenario_verb.hpp"
#include "cli/command/study_options.hpp"
#include "cli/command/what_if.hpp"
#include "cli/command/words.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/run/experiment.hpp"
#include "sim/scenario/auto_grid.hpp"
#include "sim/study/run.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail::verbs {

namespace {

constexpr std::array<std::string_view, 3> studied_groups{guest_group, network_group,
                                                         allocation_group};
constexpr int exit_exceeded = 5;

struct CompareOptions : WhatIfOptions {
  std::map<std::string, std::vector<std::string>, std::less<>> several;  ///< values by option
  StudyAxis grids;  ///< that several numbers of ranks stand for, each with its domain
  std::vector<std::string> with, without;  ///< changes
  StudyOptions view;                       ///< of several scenarios; but for format and output
};

bool may_be_several(const ScenarioOption& option) {
  return (option.kind == ScenarioOption::Kind::text || option.kind == ScenarioOption::Kind::list) &&
         std::find(studied_groups.begin(), studied_groups.end(), option.group) !=
             studied_groups.end();
}

/// Lets the options of the application, the interconnect and the allocation be given several times,
/// and adds `--with KEY=VALUE`, `--without KEY` and how the rows are summed up.
void add_study_options(Verb& verb, CompareOptions& options) {
  for (const ScenarioOption& option : scenario_options()) {
    if (!may_be_several(option)) continue;
    auto& values = options.several[std::string(option.name)];
    verb.read_each(verb.find_option("--" + std::string(option.name)),
                   [&values](const std::string& text) { values.push_back(text); });
  }
  verb.group("Several scenarios");
  verb.add("--with", &options.with,
           "KEY=VALUE, such as background=FILE or fail-link=random:3:seed=1..20 (20 draws): what "
           "it costs, metrics without and with it; several are set together");
  verb.add("--without", &options.without,
           "KEY, such as fail-link or background: metrics without it and with it");
  add_study_view(verb, options.view);
}

/// What all scenarios have, as settings that others can override.
ScenarioSettings base_settings(const CompareOptions& options) {
  ScenarioSettings settings;
  for (const ScenarioOption& option : scenario_options())
    if (!option.of_machine && (is_given(option, options.scenario) || option.name == "mapper"))
      settings.set(option.name, option.texts(options.scenario));
  return settings;
}

/// Whether machines are given as specifications and as files or names.
bool mixes_machines(const CompareOptions& options) {
  const auto given = [&](std::string_view name) {
    return !options.several.find(name)->second.empty();
  };
  return given("network") && given("platform");
}

/// Whether an option is one of the two that then give one axis together.
bool is_mixed(const CompareOptions& options, std::string_view name) {
  return (name == "network" || name == "platform") && mixes_machines(options);
}

/// The options with several values, in the order of the help; machines of both options are one
/// axis.
std::vector<StudyAxis> axes_of_several(const CompareOptions& options) {
  constexpr std::size_t most = 10'000;
  std::vector<StudyAxis> axes;
  if (!options.grids.empty()) axes.push_back(options.grids);
  std::size_t combinations = std::max<std::size_t>(options.grids.size(), 1);
  std::optional<std::size_t> machines;
  for (const ScenarioOption& option : scenario_options()) {
    const auto at = options.several.find(option.name);
    if (at == options.several.end()) continue;
    const bool of_mix = is_mixed(options, option.name);
    if (at->second.size() < 2 && !of_mix) continue;
    combinations *= at->second.size();
    if (combinations > most)
      throw UsageError(
          fmt::format("more than {} combinations: vtopo sweep runs them side by side", most));
    if (!of_mix || !machines) axes.emplace_back();
    if (of_mix && !machines) machines = axes.size() - 1;
    StudyAxis& axis = of_mix ? axes[*machines] : axes.back();
    for (const std::string& value : at->second) axis.emplace_back().set(option.name, {value});
  }
  return axes;
}

/// How each scenario is run: in turn, each with all threads.
StudyRunOptions run_options(const CompareOptions& options) {
  StudyRunOptions how{.words = {"compare", "--format=json", "--output=-"},
                      .keeps_interrupted = true};
  how.words.push_back("--timing=" + options.timing);
  if (!options.fail_if.empty()) how.words.push_back("--fail-if=" + options.fail_if);
  for (const ScenarioOption& option : scenario_options())
    if (option.of_machine && is_given(option, options.scenario))
      how.words.push_back(fmt::format("--{}={}", option.name, option.texts(options.scenario)[0]));
  return how;
}

/// Hands on what processes say on standard error: what several say in the same words once.
class Remarks {
 public:
  void add(const ScenarioEnd& end) {
    std::vector<std::string> sentences = end.sentences;
    if (end.process.status != 0 && !sentences.empty()) {
      if (!end.line.failed && exceeded_.empty()) exceeded_ = sentences.back();
      sentences.pop_back();
    }
    for (const std::string& sentence : sentences)
      if (!sentence.starts_with("not simulated: ") && said_.insert(sentence).second) say(sentence);
  }

  /// Sentence on the first row that meets the condition of `--fail-if`; empty: none does.
  const std::string& exceeded() const { return exceeded_; }

 private:
  std::set<std::string> said_;
  std::string exceeded_;
};

/// @throws what is wrong with a change, where the scenario without it has nothing wrong.
void check_change(const StudyScenario& without, const StudyScenario& with, const Scenario& base) {
  Observer nobody;
  try {
    build_experiment(scenario_from(with.settings, base), nobody);
  } catch (const Error&) {
    try {
      build_experiment(scenario_from(without.settings, base), nobody);
    } catch (const Error&) {
      return;  // what does not go together is a result of the scenario
    }
    throw;
  }
}

int run_several(const CompareOptions& options) {
  if (!options.rank_times.empty()) throw UsageError("--rank-times takes one scenario, not several");
  if (!options.trace_search.empty())
    throw UsageError("--trace-search takes one scenario, not several");
  if (options.scenario.sensitivity)
    throw UsageError("--sensitivity varies the machine of one scenario, not of several");
  if (!options.scenario.embedding.empty())
    throw UsageError(
        "--embedding takes one scenario, not several; --mapper file:path=FILE takes any");
  StudyOptions view = options.view;
  view.format = options.format;
  view.output = options.output;
  view.columns = options.columns;
  const StudyOutput output = study_output(view);
  const bool has_changes = !options.with.empty() || !options.without.empty();
  const ScenarioSettings base = base_settings(options);
  std::vector<StudyAxis> axes = axes_of_several(options);
  if (has_changes) axes.push_back(change_axis(base, options.with, options.without));
  const std::vector<StudyScenario> scenarios = combined(base, axes);
  Study study = make_study(has_changes);
  std::vector<std::vector<std::string>> settings;
  for (std::size_t s = 0; s < scenarios.size(); ++s) {
    const bool before = has_changes && s % axes.back().size() == 0;
    settings.push_back(settings_of(study, scenario_from(scenarios[s].settings),
                                   before ? without_change : with_change));
  }
  Scenario limited;
  limited.limits = options.scenario.limits;
  limited.threads = options.scenario.threads;
  check_files(scenarios, limited, console());
  if (has_changes) check_change(scenarios[0], scenarios[1], limited);
  Remarks remarks;
  int code = 0;
  const StudyOutcome outcome =
      run_scenarios(scenarios, run_options(options), console(), [&](const ScenarioEnd& end) {
        const auto at = static_cast<std::size_t>(&end.scenario - scenarios.data());
        remarks.add(end);
        add_line(study, settings[at], end.line, "compare");
        if (code == 0) code = end.line.exit_code;
      });
  if (outcome.signal != 0) return 128 + outcome.signal;
  if (outcome.cut_short)
    say(fmt::format("interrupted: {} of {} scenarios have rows", outcome.ran, scenarios.size()));
  if (outcome.failed == outcome.ran) {
    say(study.rows.front().error);
    return code;
  }
  write_study(study, output);
  if (remarks.exceeded().empty()) return code;
  say(remarks.exceeded());
  return exit_exceeded;
}

/// Replaces `cart:auto` by the grids that it stands for, of each number of ranks.
void list_grids(CompareOptions& options) {
  Scenario& scenario = options.scenario;
  std::vector<std::string>& topologies = options.several["topology"];
  const auto others = std::count_if(topologies.begin(), topologies.end(),
                                    [](const std::string& text) { return text != auto_grid; });
  if (scenario.topology != auto_grid || others > 0) return;
  topologies.clear();
  std::vector<std::string>& numbers = options.several["ranks"];
  std::vector<Scenario> given(std::max<std::size_t>(numbers.size(), 1), scenario);
  for (std::size_t n = 0; n < numbers.size(); ++n)
    scenario_option("ranks").set(given[n], numbers[n]);
  numbers.clear();
  for (const Scenario& ranks : given) {
    const BalancedGrids grids = balanced_grids(ranks);
    say(grids.assumed);
    if (options.grids.empty()) scenario = grids.scenarios.front();
    for (const Scenario& grid : grids.scenarios) {
      ScenarioSettings& settings = options.grids.emplace_back();
      for (const char* option : {"topology", "domain"})
        settings.set(option, scenario_option(option).texts(grid));
    }
  }
}

/// Runs the one scenario of the options, or each of several in turn; returns the exit code.
int run_compare(CompareOptions options, const Invocation& invocation) {
  bool several = !options.with.empty() || !options.without.empty();
  for (const auto& [name, values] : options.several)
    if (!values.empty() && !is_mixed(options, name))
      scenario_option(name).set(options.scenario, values.front());
  list_grids(options);
  several = several || options.grids.size() > 1 || mixes_machines(options);
  for (const auto& [name, values] : options.several) several = several || values.size() > 1;
  // Of a single baseline the file alone would be the row.
  if (is_given(invocation, "embedding") && is_given(invocation, "mapper")) {
    const auto& format = options.scenario.embedding_format;
    options.scenario.mappers = fmt::format(
        "{}:path={}{},{}", mapper_of(MapperRole::embedding_file).name, options.scenario.embedding,
        format ? ",format=" + *format : "", options.scenario.mappers);
    options.scenario.embedding.clear();
    options.scenario.embedding_format.reset();
  }
  const std::vector<std::string> loaded = load_plugins(options.scenario.plugins);
  if (!is_given(invocation, "mapper"))
    for (const std::string& name : loaded) options.scenario.mappers += ',' + name;
  return several ? run_several(options) : run_what_if(options);
}

}  // namespace

Verb compare() {
  auto options = std::make_shared<CompareOptions>();
  options->scenario.mappers =
      "block,round_robin,random,greedy,exchange," + mapper_of(MapperRole::default_choice).name;
  Verb verb{"compare", "several placements side by side, and which is best"};
  verb.listed = {VerbHeading::placing, 1};
  verb.examples =
      "Examples:\n"
      "  vtopo compare 8x8x8 torus:8x8x8\n"
      "  vtopo compare examples/lammps-lj-64 platforms/theta.xml --hosts random:64\n"
      "  vtopo compare 16px16p 'fat-tree:2;16,4;1,8;1,1' --ranks-per-node 4 -o page.html\n"
      "  vtopo compare 8px8p torus:8x8 --pattern phased,allreduce:algorithm=ring,sub=1-0\n"
      "  vtopo compare examples/ring.goal torus:4x4\n"
      "  vtopo compare 64 torus:4x4x4 --domain 512x512x256\n"
      "  vtopo compare 8x8 torus:8x8 --fail-link 3 --scale-bandwidth 0.5\n"
      "  vtopo compare 8x8 torus:8x8 --with fail-link=random:3:seed=1..20 --mapper block,greedy\n"
      "\n"
      "Options of the application, the machine and the hosts may be given several times: every "
      "combination is a scenario, and the table has a column for what differs. A number of ranks "
      "stands for all balanced grids.";
  add_plain_arguments(verb);
  verb.common = {"--nodes",     "--slots",     "--mapper",          "--bytes",       "--domain",
                 "--ranks",     "--pattern",   "--routing",         "--fail-link",   "--background",
                 "--objective", "--top-links", "--scale-bandwidth", "--sensitivity", "--with",
                 "--columns",   "--format",    "--output",          "--fail-if",     "--embedding"};
  add_what_if_options(verb, *options,
                      "comma list of NAME[:option=value], or all (see vtopo mappers)");
  add_study_options(verb, *options);
  verb.extras[verb.find_option("--network")]
      .excludes.clear();  // machines of both kinds side by side
  add_embedding_file(verb, options->scenario, "one more placement, such as vtopo map writes", "");
  verb.run = [options](const Invocation& invocation) { return run_compare(*options, invocation); };
  return verb;
}

}  // namespace vtopo::detail::verbs
