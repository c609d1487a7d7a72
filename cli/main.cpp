#include <fcntl.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options/examples_first.hpp"
#include "cli/options/scenario_file.hpp"
#include "cli/options/verb_groups.hpp"
#include "cli/output/colour.hpp"
#include "cli/output/output.hpp"
#include "cli/smpi/smpi_options.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/version.hpp"
#include "netmodels/process/child_process.hpp"
#include "netmodels/process/leftovers.hpp"
#include "sim/simulation/simulate.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace {

using namespace vtopo;

/// Exit codes of the command; 0 is success.
enum ExitCode { internal = 1, usage = 2, bad_input = 3, no_fit = 4 };

int complain(int code, std::string_view sentence) {
  say(sentence);
  return code;
}

/// Keeps what the simulator wrote, if that is more than the error tells, in a file for temporary
/// ones, and names it.
void keep_log(const LoggedSimulationError& error) {
  const std::string_view text = trim(error.log());
  if (std::string_view(error.what()).find(text) != std::string_view::npos) return;
  std::error_code none;
  std::string path =
      (std::filesystem::temp_directory_path(none) / "vtopo-simgrid-XXXXXX.log").string();
  const int descriptor = none ? -1 : mkstemps(path.data(), 4);
  if (descriptor == -1) return;
  const bool whole = write(descriptor, error.log().data(), error.log().size()) ==
                     static_cast<ssize_t>(error.log().size());
  close(descriptor);
  if (whole) return say(fmt::format("the log of SimGrid is \"{}\"", path));
  unlink(path.c_str());
}

/// Closed standard descriptors would be given to files and sockets that are opened later. Standard
/// output is opened for reading only, so that writing to it is still an error.
void open_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) == -1)
      open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

bool shows_progress = false;  // read by the signal handler

/// Takes temporary files off the disk and a progress bar off the terminal before a signal ends the
/// command.
void clean_up_and_end(int signal_number) {
  constexpr std::string_view erase_line = "\r\x1b[K";
  remove_leftovers();
  if (shows_progress && write(STDERR_FILENO, erase_line.data(), erase_line.size()) < 0)
    _exit(internal);
  std::signal(signal_number, SIG_DFL);
  raise(signal_number);
}

void set_signals() {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of write()
  shows_progress = is_capable_terminal(STDERR_FILENO);
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(number, clean_up_and_end) == SIG_IGN)
      std::signal(number, SIG_IGN);  // nohup stays in force
}

/// Sentence on the first of the words, if it is neither an option nor a verb, or else on the next
/// one if the verb has subcommands.
std::optional<std::string> unknown_verb(const CLI::App& command, std::span<char* const> words) {
  if (words.empty()) return std::nullopt;
  const std::string_view word = words.front();
  std::vector<std::string> verbs;
  const CLI::App* known = nullptr;
  for (const CLI::App* verb : command.get_subcommands([](const CLI::App*) { return true; })) {
    verbs.push_back(verb->get_name());
    if (verbs.back() == word) known = verb;
  }
  if (known != nullptr) return unknown_verb(*known, words.subspan(1));
  const auto is_positional = [](const CLI::Option* option) { return option->get_positional(); };
  if (verbs.empty() || word.starts_with('-') || !command.get_options(is_positional).empty())
    return std::nullopt;
  const bool is_verb = command.get_parent() == nullptr;
  return fmt::format("unknown {} \"{}\"; accepted: {}{}",
                     is_verb ? "verb" : command.get_name() + " subcommand", word, join(verbs, ", "),
                     suggestion(word, verbs));
}

/// The verb, with its subcommand, that was read last.
const CLI::App& last_verb(const CLI::App& command) {
  const auto verbs = command.get_subcommands();
  return verbs.empty() ? command : last_verb(*verbs.back());
}

std::string path_of(const CLI::App& verb) {
  return verb.get_parent() == nullptr ? verb.get_name()
                                      : path_of(*verb.get_parent()) + ' ' + verb.get_name();
}

/// Sentence on a word that the verb does not take: an option, if one is among them.
std::string unexpected(const CLI::App& verb, const std::vector<std::string>& words) {
  const auto is_option = [](const std::string& word) { return word.starts_with('-'); };
  const auto option = std::find_if(words.begin(), words.end(), is_option);
  if (option == words.end())
    return fmt::format("unexpected argument \"{}\" of {}", words.front(), path_of(verb));
  const std::string name = option->substr(0, option->find('='));
  std::vector<std::string> known;
  for (const CLI::Option* other : verb.get_options())
    for (const std::string& word : other->get_lnames()) known.push_back("--" + word);
  return fmt::format("unknown option \"{}\" of {}{}", name, path_of(verb), suggestion(name, known));
}

/// What was wrong with the words of the command, and where help is.
int complain_of_words(const CLI::App& command, const CLI::ParseError& error) {
  const CLI::App& verb = last_verb(command);
  const auto extras = command.remaining(true);
  const bool are_extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const std::string sentence =
      are_extras && !extras.empty() ? unexpected(verb, extras) : std::string(error.what());
  if (sentence.ends_with('?')) return complain(usage, sentence);
  return complain(usage, fmt::format("{}; see {} --help", sentence, path_of(verb)));
}

int run_command(int argc, char** argv) {
  CLI::App command(
      "What a virtual topology costs on an interconnect, and which placement is better");
  command.name("vtopo");
  command.require_subcommand(1);
  command.option_defaults()->always_capture_default();
  command.set_version_flag("--version", version_text, "version, and what it was built from");
  command.formatter(std::make_shared<VerbsByGroup>());
  Run run;
  add_bench(command, run);
  add_compare(command, run);
  add_completion(command, run);
  add_convert(command, run);
  add_dims(command, run);
  add_evaluate(command, run);
  add_man(command, run);
  add_map(command, run);
  add_mappers(command, run);
  add_mpirun(command, run);
  add_networks(command, run);
  add_platform(command, run);
  add_record(command, run);
  add_report(command, run);
  add_simulate(command, run);
  add_sweep(command, run);
  add_topology(command, run);
  for (CLI::App* verb : command.get_subcommands(nullptr))
    verb->formatter(std::make_shared<ExamplesFirst>());
  if (argc < 2) {
    std::fputs(command.help().c_str(), stderr);
    return usage;
  }
  if (const auto sentence = unknown_verb(command, {argv + 1, argv + argc}))
    return complain(usage, *sentence);
  try {
    std::vector<std::string> words = with_scenario_file(command, with_long_np(argc, argv));
    std::reverse(words.begin(), words.end());  // as the parser takes them
    command.parse(std::move(words));
  } catch (const CLI::Success& answer) {  // --help, --version
    std::ostringstream text;
    const int code = command.exit(answer, text, text);
    write_output("-", text.str());
    return code;
  } catch (const CLI::ParseError& error) {
    return complain_of_words(command, error);
  }
  return run();
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_descriptors();
  set_signals();
  try {
    return run_command(argc, argv);
  } catch (const UsageError& error) {
    return complain(usage, error.what());
  } catch (const InputError& error) {
    return complain(bad_input, error.what());
  } catch (const FitError& error) {
    return complain(no_fit, error.what());
  } catch (const LoggedSimulationError& error) {
    keep_log(error);
    return complain(internal, error.what());
  } catch (const std::bad_alloc&) {
    return complain(bad_input, "there is not enough memory for a problem of this size");
  } catch (const std::exception& error) {
    return complain(internal, error.what());
  }
}
