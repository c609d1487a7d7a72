#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command/scenario_verb.hpp"
#include "cli/command/study_options.hpp"
#include "cli/command/verb.hpp"
#include "cli/mpirun/smpi_installation.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "netmodels/process/subprocess.hpp"
#include "sim/study/run.hpp"
#include "sim/study/scenario_files.hpp"
#include "sim/study/scenario_settings.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/parallel.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail::verbs {

namespace {

constexpr int exit_internal = 1, exit_bad_input = 3;
constexpr int max_jobs = 4096, max_shards = 1'000'000;

struct SweepOptions {
  std::string plan;
  std::string output;  ///< empty: beside the plan
  int jobs = 0;        ///< 0: as many as the hardware runs
  LimitOptions limits{"inf", "inf"};
  std::string shard = "1/1";
  bool resume = false;
  bool retry_failed = false;
  bool dry_run = false;
  bool run_programs = false;
  std::string engine = "local";
  int shards = 8;
  std::vector<std::string> batch;  ///< options for the batch system
  bool no_report = false;
  StudyOptions study;
};

/// Part i of n, from 1.
struct Shard {
  std::size_t number = 1, count = 1;
};

Shard parse_shard(const std::string& text) {
  const auto pieces = split(text, '/');
  const auto number = parse_integer(pieces.front());
  const auto count = parse_integer(pieces.back());
  if (pieces.size() != 2 || !number || !count || *number < 1 || *count < *number ||
      *count > max_shards)
    throw UsageError(
        fmt::format("--shard \"{}\"; accepted is i/n such as 3/8, from 1/8 to 8/8", text));
  return {static_cast<std::size_t>(*number), static_cast<std::size_t>(*count)};
}

/// File of a shard: `plan.jsonl` and `3` of `8` give `plan.shard-3-of-8.jsonl`.
std::string shard_output(const std::string& output, const std::string& shard, int shards) {
  const std::string extension = std::filesystem::path(output).extension().string();
  const std::string stem = output.substr(0, output.size() - extension.size());
  return fmt::format("{}.shard-{}-of-{}{}", stem, shard, shards, extension);
}

/// File of lines, which a report is made of at the end if the output is named as one. Without an
/// output in this folder, named as the plan, with the number of the shard if there are several.
std::string output_of(const SweepOptions& options, const Shard& shard) {
  if (names_study_report(options.output))
    return std::filesystem::path(options.output).replace_extension(".jsonl").string();
  if (!options.output.empty()) return options.output;
  const std::string all =
      std::filesystem::path(options.plan).filename().replace_extension(".jsonl").string();
  return shard.count == 1
             ? all
             : shard_output(all, std::to_string(shard.number), static_cast<int>(shard.count));
}

/// Every n-th scenario of the plan.
std::vector<StudyScenario> part_of(const StudyPlan& plan, const Shard& shard) {
  std::vector<StudyScenario> part;
  for (std::size_t i = shard.number - 1; i < plan.scenarios.size(); i += shard.count)
    part.push_back(plan.scenarios[i]);
  return part;
}

/// What a sweep before wrote, by key, without what runs again. Mends the file.
std::map<std::string, StudyLine> finished(const SweepOptions& options, const std::string& path,
                                          const AppendedFile& file) {
  std::size_t torn = 0;
  const std::vector<StudyLine> lines = read_study_lines(path, &torn);
  if (torn > 0) {
    say(fmt::format("the last line of \"{}\" was not finished; its scenario runs again", path));
    file.cut(torn);
  }
  std::map<std::string, StudyLine> there;
  std::string kept;
  bool runs_again = false;
  for (const StudyLine& line : lines) {
    const bool again = line.failed && options.retry_failed;
    runs_again = runs_again || again;
    if (again) continue;
    kept += line.text + '\n';
    there.emplace(line.key, line);
  }
  if (runs_again) write_output(path, kept);
  return there;
}

/// Refuses a plan that runs programs unless the command line allows it.
void check_programs(const SweepOptions& options, const StudyPlan& plan) {
  if (options.run_programs || options.dry_run) return;
  for (const StudyScenario& scenario : plan.scenarios)
    if (const auto program = program_named_in(scenario.settings))
      throw input_error({options.plan},
                        fmt::format("{} \"{}\" runs a program, which a plan alone cannot ask for: "
                                    "--run-programs allows it",
                                    program->key, program->text));
}

int run_dry(const SweepOptions& options, const StudyPlan& plan,
            const std::vector<StudyScenario>& part, const std::string& output) {
  constexpr std::size_t shown = 3;
  std::string text = fmt::format(
      "{}, {}, {} of them in shard {}, to {}\n", counted(plan.combinations, "combination"),
      counted(plan.scenarios.size(), "scenario"), part.size(), options.shard, output);
  for (std::size_t i = 0; i < std::min(shown, part.size()); ++i)
    text += fmt::format("{} {}\n", part[i].key, part[i].settings.canonical_json());
  if (part.size() > shown) text += "...\n";
  write_output("-", text);
  return 0;
}

/// Takes away the scenarios that have a line already, and counts them.
StudyOutcome leave_out_finished(const std::map<std::string, StudyLine>& there,
                                std::vector<StudyScenario>& part) {
  StudyOutcome outcome;
  std::erase_if(part, [&](const StudyScenario& scenario) {
    const auto at = there.find(scenario.key);
    if (at == there.end()) return false;
    ++outcome.ran;
    if (at->second.failed) ++outcome.failed;
    if (is_internal(at->second)) outcome.internal = true;
    return true;
  });
  return outcome;
}

int tell_end(const StudyOutcome& before, const StudyOutcome& outcome, std::size_t all,
             const std::string& output) {
  if (outcome.signal != 0) {
    say(fmt::format("stopped: {} of {} are in \"{}\"; go on with the same command and --resume",
                    before.ran + outcome.ran, counted(all, "scenario"), output));
    return 128 + outcome.signal;
  }
  const std::size_t failed = before.failed + outcome.failed;
  say(fmt::format("{} in \"{}\": {} ran, {} were there, {} failed{}", counted(all, "scenario"),
                  output, outcome.ran, before.ran, failed,
                  failed > 0 ? "; --resume --retry-failed runs these again" : ""));
  if (failed == 0) return 0;
  return before.internal || outcome.internal ? exit_internal : exit_bad_input;
}

/// The report named by the output's extension, and the table.
void report_at_end(const SweepOptions& options, const StudyOutput& report, const Shard& shard,
                   const std::string& lines) {
  const bool asked = report.path != "-";
  if (!asked && (options.no_report || shard.count > 1)) return;
  const Study study = read_study(std::vector<std::string>{lines});
  if (asked) {
    write_study(study, report);
    say(fmt::format("report in \"{}\"", report.path));
  }
  if (!options.no_report && shard.count == 1)
    write_study(study, {report.view, ReportForm::table, report.columns, "-"});
}

int run_local(const SweepOptions& options, const StudyOutput& report, const StudyPlan& plan) {
  const Shard shard = parse_shard(options.shard);
  const std::string output = output_of(options, shard);
  const int jobs = options.jobs > 0 ? options.jobs : hardware_threads();
  const StudyRunOptions how{
      {"compare", "--threads=1", "--timing=off", "--format=json", "--output=-"},
      static_cast<std::size_t>(jobs),
      parse_limits(options.limits)};
  std::vector<StudyScenario> part = part_of(plan, shard);
  if (options.dry_run) return run_dry(options, plan, part, output);
  if (!options.resume) check_files(part, {}, console());
  const std::size_t all = part.size();
  std::map<std::string, StudyLine> there;
  {
    const AppendedFile file(output, options.resume);
    there = finished(options, output, file);
  }
  const StudyOutcome before = leave_out_finished(there, part);
  if (options.resume) check_files(part, {}, console());
  const AppendedFile results(output, true), timings(output + ".timings.csv", true);
  if (timings.is_empty()) timings.append("key,exit_code,wall_seconds,cpu_seconds,peak_bytes");
  const StudyOutcome outcome = run_scenarios(part, how, console(), [&](const ScenarioEnd& end) {
    results.append(end.line.text);
    timings.append(fmt::format("{},{},{},{},{}", end.line.key, end.process.exit_code(),
                               end.process.wall.value, end.process.cpu.value,
                               end.process.peak.value));
  });
  const int code = tell_end(before, outcome, all, output);
  if (outcome.signal == 0 && all > 0) report_at_end(options, report, shard, output);
  return code;
}

/// File of a shard whose number a shell puts in: the rest is quoted.
std::string shard_word(const std::string& output, const std::string& number, int shards) {
  const std::string file = shard_output(output, "\n", shards);  // no number looks like this
  const std::size_t at = file.rfind('\n');
  return shell_quoted(file.substr(0, at)) + number + shell_quoted(file.substr(at + 1));
}

/// A batch system: its command takes a script and runs it once for each shard.
struct BatchSystem {
  std::string name;
  std::vector<std::string> submit;  ///< program and words before the options
  std::string shards;               ///< option that says which shards there are
  std::string shard;                ///< variable in which a task finds its shard
  std::string cores;                ///< option for the cores of a task
  std::string directive;            ///< what begins an option's line in the script; empty: none
};

const std::array<BatchSystem, 2>& batch_systems() {
  static const std::array<BatchSystem, 2> systems{
      {{"slurm", {"sbatch"}, "--array", "SLURM_ARRAY_TASK_ID", "--cpus-per-task", "#SBATCH"},
       {"flux", {"flux", "submit"}, "--cc", "FLUX_JOB_CC", "--cores-per-task", ""}}};
  return systems;
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names{"local"};
  for (const BatchSystem& system : batch_systems()) names.push_back(system.name);
  return names;
}

/// A task with its cores for each shard, and the user's options.
std::vector<std::string> batch_options(const BatchSystem& system, const SweepOptions& options) {
  std::vector<std::string> words{
      "--job-name=vtopo-sweep", fmt::format("{}=1-{}", system.shards, options.shards), "--ntasks=1",
      fmt::format("{}={}", system.cores, std::max(options.jobs, 1))};
  words.insert(words.end(), options.batch.begin(), options.batch.end());
  return words;
}

/// Script that runs the shard of its task. Shards resume what they find, so that it may be
/// submitted again.
std::string batch_script(const BatchSystem& system, const SweepOptions& options,
                         const std::string& output) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::string text = "#!/bin/bash\n";
  if (!system.directive.empty())
    for (const std::string& option : batch_options(system, options))
      text += fmt::format("{} {}\n", system.directive, option);
  text += fmt::format("cd {} || exit\n", shell_quoted(std::filesystem::current_path().string()));
  text += fmt::format("exec {} sweep {} --shard \"${}/{}\" --resume --jobs {}",
                      shell_quoted(program), shell_quoted(options.plan), system.shard,
                      options.shards, std::max(options.jobs, 1));
  text +=
      fmt::format(" '--run-limit' {} '--memory-limit' {}", shell_quoted(options.limits.run_limit),
                  shell_quoted(options.limits.memory_limit));
  if (options.retry_failed) text += " '--retry-failed'";
  if (options.run_programs) text += " '--run-programs'";
  return text + fmt::format(" -o {}\n", shard_word(output, fmt::format("\"${}\"", system.shard),
                                                   options.shards));
}

/// Words that submit the script.
std::vector<std::string> submission(const BatchSystem& system, const SweepOptions& options,
                                    const std::string& script) {
  std::vector<std::string> words = system.submit;
  if (system.directive.empty()) {
    const std::vector<std::string> more = batch_options(system, options);
    words.insert(words.end(), more.begin(), more.end());
  }
  words.push_back(script);
  return words;
}

/// Runs the words, whose output goes to stdout and stderr of this process.
void submit(std::vector<std::string> words) {
  std::vector<std::string> by_hand(words.size());
  std::transform(words.begin(), words.end(), by_hand.begin(), shell_word);
  const auto program = program_on_path(words.front());
  if (!program)
    throw InputError(fmt::format("{} is not on PATH; \"{}\" is written, submit it by hand: {}",
                                 words.front(), words.back(), fmt::join(by_hand, " ")));
  const std::string script = words.back(), name = std::exchange(words.front(), *program);
  Subprocess process({.words = std::move(words),
                      .input = STDIN_FILENO,
                      .output = STDOUT_FILENO,
                      .errors = STDERR_FILENO});
  if (process.wait().status != 0)
    throw InputError(fmt::format("{} did not take \"{}\"", name, script));
}

int run_batch(const BatchSystem& system, const SweepOptions& options) {
  if (options.shard != "1/1")
    throw UsageError(fmt::format("--engine {} makes the shards: give --shards", system.name));
  parse_limits(options.limits);
  for (const std::string& option : options.batch)
    if (option.find_first_of("\r\n") != std::string::npos)
      throw UsageError(
          "--batch-option with a line end: accepted is one option, such as --time=2:00:00");
  const std::string output = output_of(options, {});
  const std::string text = batch_script(system, options, output);
  if (options.dry_run) {
    write_output("-", text);
    return 0;
  }
  const std::string script = fmt::format("{}.{}", output, system.submit.front());
  write_output(script, text);
  submit(submission(system, options, script));
  say(fmt::format("when all {} tasks have ended: vtopo sweep merge -o {} {}", options.shards,
                  shell_quoted(output), shard_word(output, "*", options.shards)));
  return 0;
}

int run_sweep_verb(const SweepOptions& options) {
  if (options.plan.empty()) throw UsageError("the plan is missing: vtopo sweep PLAN.json");
  const std::vector<std::string> engines = engine_names();
  if (std::find(engines.begin(), engines.end(), options.engine) == engines.end())
    throw UsageError(fmt::format("unknown engine \"{}\"; accepted: {}{}", options.engine,
                                 fmt::join(engines, ", "), suggestion(options.engine, engines)));
  StudyOptions study = options.study;
  if (names_study_report(options.output)) study.output = options.output;
  check_sweep_output(options.output);
  const StudyOutput report = study_output(study);
  if (options.retry_failed && !options.resume && options.engine == "local")
    throw UsageError("--retry-failed goes with --resume");
  check_not_input({options.output}, {options.plan});
  const StudyPlan plan = read_plan(options.plan);
  check_programs(options, plan);
  for (const BatchSystem& system : batch_systems())
    if (system.name == options.engine) return run_batch(system, options);
  return run_local(options, report, plan);
}

void add_run_options(Verb& verb, SweepOptions& options) {
  verb.add("PLAN", &options.plan,
           "JSON file: a base scenario and axes (share/vtopo/sweep_plan.schema.json)");
  verb.group("Results");
  verb.add("-o,--output", &options.output,
           "file of one JSON line per scenario (default: name of the plan with .jsonl, in "
           "this folder); measured times go to FILE.timings.csv. A .csv, .json or .html is the "
           "report on them; the lines are beside it then, in a .jsonl");
  verb.add("--resume", &options.resume, "go on with the file: run what is not in it");
  verb.add("--retry-failed", &options.retry_failed, "on resuming, run what failed again");
  verb.add(
      "--dry-run", &options.dry_run,
      "print the number of scenarios and the first of them, or the script of the batch system; run "
      "nothing");
  verb.add("--no-report", &options.no_report, "print no table at the end");
  add_study_view(verb, options.study);
  verb.group("How scenarios are run");
  verb.add("-j,--jobs", &options.jobs,
           "processes side by side (0: as many as the hardware runs; in a batch system: one)")
      ->check(whole_number(max_jobs));
  verb.add("--run-programs", &options.run_programs,
           "let the plan name plugins and the mapper external, which run programs");
  add_limit_options(verb, options.limits, "a scenario that takes longer fails",
                    "a scenario that asks for more addresses than this, such as 4GiB, fails");
  verb.add("--shard", &options.shard,
           "i/n: only the scenarios i, i + n, i + 2n, ... of the plan, counted from 1");
  verb.add("--engine", &options.engine,
           "local, slurm (a job array of sbatch) or flux (jobs of flux submit)");
  verb.add("--shards", &options.shards, "tasks of the batch system")
      ->check(whole_number(max_shards, 1));
  verb.add("--batch-option,--sbatch", &options.batch,
           "option for the batch system, such as --batch-option=--time=2:00:00; may be repeated");
}

}  // namespace

Verb sweep() {
  auto options = std::make_shared<SweepOptions>();
  Verb verb{"sweep", "every combination of a plan in parallel, resumable"};
  verb.listed = {VerbHeading::many, 1};
  verb.examples =
      "Examples:\n"
      "  vtopo sweep examples/sweep.json -o results.jsonl\n"
      "  vtopo sweep examples/sweep.json -o results.jsonl --resume\n"
      "  parallel vtopo sweep examples/sweep.json --shard {}/8 --jobs 1 ::: $(seq 8)\n"
      "  vtopo sweep examples/sweep.json --engine slurm --shards 100 "
      "--batch-option=--time=2:00:00\n"
      "  vtopo sweep merge -o sweep.jsonl sweep.shard-*-of-8.jsonl\n"
      "  vtopo sweep report results.jsonl --group-by network -o results.html\n"
      "\n"
      "A plan such as\n"
      "  {\"base\": {\"topology\": \"cart:8x8\", \"bytes\": \"64KiB\"},\n"
      "   \"axes\": {\"network\": [\"torus:8x8\", \"mesh:8x8\"], \"mapper\": [\"block\", "
      "\"greedy\"],\n"
      "            \"seed\": {\"from\": 1, \"to\": 10}}}\n"
      "has 40 scenarios. Each runs in a process of its own; what fails is a line with an error, "
      "and\n"
      "the exit code is 3 (input) or 1 (anything else). A second run with --resume goes on after "
      "any\n"
      "end, SIGKILL included.";
  add_run_options(verb, *options);
  verb.run = [options](const Invocation&) { return run_sweep_verb(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
