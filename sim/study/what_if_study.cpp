#include "sim/study/what_if_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "cli/output/threshold.hpp"
#include "sim/scenario/scenario_files.hpp"
#include "sim/scenario/scenario_settings.hpp"
#include "sim/study/study.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr std::array<std::string_view, 3> studied_groups{guest_group, network_group,
                                                         allocation_group};
constexpr int exit_exceeded = 5;

bool may_be_several(const ScenarioOption& option) {
  return (option.kind == ScenarioOption::Kind::text || option.kind == ScenarioOption::Kind::list) &&
         std::find(studied_groups.begin(), studied_groups.end(), option.group) !=
             studied_groups.end();
}

/// One scenario of a study, as what differs from the first.
struct StudiedScenario {
  ScenarioSettings settings;
  std::string_view change;  ///< empty: there is none
};

/// Everything that the options say, as settings that others can override.
ScenarioSettings base_settings(const StudiedOptions& options) {
  ScenarioSettings settings;
  for (const ScenarioOption& option : scenario_options()) {
    const auto texts = option.texts(options.scenario);
    if (!option.of_machine && !texts.empty()) settings.set(option.name, texts);
  }
  return settings;
}

/// What no setting says.
Scenario base_scenario(const StudiedOptions& options) {
  Scenario scenario;
  scenario.threads = options.scenario.threads;
  scenario.limits = options.scenario.limits;
  scenario.embedding = options.scenario.embedding;
  scenario.embedding_format = options.scenario.embedding_format;
  return scenario;
}

/// Whole numbers of a range `1..20` in a text, and what stands around it.
struct TextRange {
  std::string before, after;
  std::int64_t first = 0, last = 0;
};

std::optional<TextRange> range_in(const std::string& text) {
  constexpr std::string_view digits = "0123456789";
  const auto dots = text.find("..");
  if (dots == std::string::npos || dots == 0) return std::nullopt;
  const auto last_other = text.find_last_not_of(digits, dots - 1);
  const std::size_t start = last_other == std::string::npos ? 0 : last_other + 1;
  const std::size_t end = std::min(text.find_first_not_of(digits, dots + 2), text.size());
  const auto first = parse_integer(text.substr(start, dots - start));
  const auto last = parse_integer(text.substr(dots + 2, end - dots - 2));
  if (!first || !last) return std::nullopt;
  return TextRange{text.substr(0, start), text.substr(end), *first, *last};
}

/// The values of `random:3:seed=1..20`, or the one.
std::vector<std::string> drawn_values(const std::string& text) {
  constexpr std::int64_t most = 10'000;
  const auto range = range_in(text);
  if (!range) return {text};
  if (range->last < range->first || range->last - range->first >= most)
    throw UsageError(fmt::format("range {}..{} in \"{}\"; accepted are 1 to {} numbers upwards",
                                 range->first, range->last, text, most));
  std::vector<std::string> values;
  for (std::int64_t number = range->first; number <= range->last; ++number)
    values.push_back(fmt::format("{}{}{}", range->before, number, range->after));
  return values;
}

const ScenarioOption& changed_option(std::string_view key) {
  if (const ScenarioOption* option = find_scenario_key(key)) return *option;
  throw UsageError(unknown_scenario_key(key));
}

/// Adds `KEY=VALUE` to each of the layers; a range in the value gives more of them.
void add_change(const std::string& text, std::vector<ScenarioSettings>& layers) {
  const auto at = text.find('=');
  if (at == std::string::npos || at == 0)
    throw UsageError(
        fmt::format("--with \"{}\"; accepted is KEY=VALUE, such as "
                    "fail-link=random:3:seed=1..20",
                    text));
  const ScenarioOption& option = changed_option(text.substr(0, at));
  std::vector<ScenarioSettings> result;
  for (const ScenarioSettings& layer : layers)
    for (const std::string& value : drawn_values(text.substr(at + 1))) {
      ScenarioSettings changed = layer;
      std::vector<std::string> values = layer.values(option.name);
      values.push_back(value);
      if (option.kind != ScenarioOption::Kind::many) values = {value};
      changed.set(option.name, std::move(values));
      result.push_back(std::move(changed));
    }
  layers = std::move(result);
}

/// The sides of each scenario: without the change, and with it once per draw.
std::vector<StudiedScenario> sides(const StudiedOptions& options, const ScenarioSettings& base) {
  if (options.with.empty() && options.without.empty()) return {{base, {}}};
  ScenarioSettings before = base;
  for (const std::string& key : options.without) {
    changed_option(key);
    if (!base.has(key)) throw UsageError(fmt::format("--without {}: it is not given", key));
    before.set(key, {});
  }
  std::vector<ScenarioSettings> layers(1);
  for (const std::string& change : options.with) add_change(change, layers);
  std::vector<StudiedScenario> result{{before, without_change}};
  for (const ScenarioSettings& layer : layers) {
    StudiedScenario after{base, with_change};
    after.settings.override_with(layer);
    result.push_back(std::move(after));
  }
  return result;
}

/// Every combination of the values, the last option fastest.
std::vector<StudiedScenario> scenarios_of(const StudiedOptions& options) {
  constexpr std::size_t most = 10'000;
  std::vector<ScenarioSettings> all{base_settings(options)};
  for (const ScenarioOption& option : scenario_options()) {
    const auto at = options.several.find(option.name);
    if (at == options.several.end() || at->second.size() < 2) continue;
    std::vector<ScenarioSettings> next;
    for (const ScenarioSettings& settings : all)
      for (const std::string& value : at->second) {
        ScenarioSettings layer;
        layer.set(option.name, {value});
        next.push_back(settings);
        next.back().override_with(layer);
      }
    if (next.size() > most)
      throw UsageError(
          fmt::format("more than {} combinations: vtopo sweep runs them side by side", most));
    all = std::move(next);
  }
  std::vector<StudiedScenario> result;
  for (const ScenarioSettings& settings : all)
    for (StudiedScenario& side : sides(options, settings)) result.push_back(std::move(side));
  return result;
}

/// What a scenario that failed says, and the exit code of its kind.
std::pair<std::string, int> failure_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const UsageError& usage) {
    return {usage.what(), 2};
  } catch (const InputError& input) {
    return {input.what(), 3};
  } catch (const FitError& fit) {
    return {fit.what(), 4};
  } catch (const Error& other) {
    return {other.what(), 1};
  }
}

/// Says what several scenarios have to say in the same words once.
class OnceSaid : public Observer {
 public:
  void remark(const std::string& sentence) override {
    if (said_.insert(sentence).second) console().remark(sentence);
  }
  std::unique_ptr<Work> begin(const std::string& label, bool timed) override {
    return console().begin(label, timed);
  }
  std::unique_ptr<StopRequest> listen() override { return console().listen(); }

 private:
  std::set<std::string> said_;
};

/// A study under way.
class Studying {
 public:
  Studying(const StudiedOptions& options, bool has_changes)
      : options_(options), study_(make_study(has_changes)) {
    if (options.fail_if.empty()) return;
    threshold_ = parse_threshold(options.fail_if);
    if (threshold_->note) say(*threshold_->note);
  }

  void run(const StudiedScenario& studied) {
    const Scenario scenario = scenario_from(studied.settings, base_scenario(options_));
    const auto settings = settings_of(study_, scenario, studied.change);
    RunHooks hooks;
    hooks.simulation_needed_by = simulation_needed_by(options_);
    hooks.timing = options_.timing == "on";
    try {
      const Report report = vtopo::run(scenario, observer_, hooks);
      add_report(study_, settings, report);
      ++ran_;
      if (threshold_ && !exceeded_) exceeded_ = exceeded(*threshold_, report);
    } catch (const Error&) {
      first_ = first_ ? first_ : std::current_exception();
      const auto [sentence, code] = failure_of(std::current_exception());
      add_failure(study_, settings, sentence, code);
      code_ = code_ == 0 ? code : code_;
    }
  }

  /// @throws the first failure if there is nothing else.
  int end(const StudyOptions& view) {
    if (ran_ == 0) std::rethrow_exception(first_);
    write_study(study_, view);
    if (exceeded_) say(*exceeded_);
    return exceeded_ ? exit_exceeded : code_;
  }

 private:
  const StudiedOptions& options_;
  OnceSaid observer_;
  Study study_;
  std::optional<Threshold> threshold_;
  std::optional<std::string> exceeded_;
  std::exception_ptr first_;
  int ran_ = 0, code_ = 0;
};

int run_several(const StudiedOptions& options) {
  if (!options.rank_times.empty()) throw UsageError("--rank-times takes one scenario, not several");
  StudyOptions view = options.view;
  view.format = options.format;
  view.output = options.output;
  check_study_output(view);
  const std::vector<StudiedScenario> scenarios = scenarios_of(options);
  std::vector<ScenarioSettings> settings;
  for (const StudiedScenario& scenario : scenarios) settings.push_back(scenario.settings);
  check_files(settings, base_scenario(options), console());
  Studying studying(options, !options.with.empty() || !options.without.empty());
  for (const StudiedScenario& scenario : scenarios) studying.run(scenario);
  return studying.end(view);
}

}  // namespace

void add_study_options(Verb& verb, StudiedOptions& options) {
  for (Option& option : verb.options) {
    const ScenarioOption* known = find_scenario_key(option.all_names().back().substr(2));
    if (known == nullptr || !may_be_several(*known)) continue;
    auto& values = options.several[std::string(known->name)];
    option.target = OptionReader{[&values](const std::string& text) { values.push_back(text); },
                                 option.default_text, true};
  }
  verb.group("Several scenarios");
  verb.add("--with", &options.with,
           "KEY=VALUE, such as background=FILE or fail-link=random:3:seed=1..20 (20 draws): what "
           "it costs, metrics without and with it; several are set together");
  verb.add("--without", &options.without,
           "KEY, such as fail-link or background: metrics without it and with it");
  add_study_view(verb, options.view);
}

int run_studied(StudiedOptions options) {
  bool several = !options.with.empty() || !options.without.empty();
  for (const auto& [name, values] : options.several) {
    if (!values.empty()) scenario_option(name).set(options.scenario, values.front());
    several = several || values.size() > 1;
  }
  load_plugins(options.scenario.plugins);
  return several ? run_several(options) : run_what_if(options);
}

}  // namespace vtopo::detail
