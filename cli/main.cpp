#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/verbs.hpp"
#include "sim/simulation/simulate.hpp"
#include "topology/error.hpp"
#include "topology/text.hpp"

namespace {

using namespace vtopo;

/// Exit codes of the command; 0 is success.
enum ExitCode { internal = 1, usage = 2, bad_input = 3, no_fit = 4 };

int complain(int code, std::string_view sentence) {
  std::fflush(stdout);
  fmt::print(stderr, "vtopo: {}\n", sentence);
  return code;
}

/// Sentence on the first word of the command line, if it is neither an option nor a verb.
std::optional<std::string> unknown_verb(CLI::App& command, std::string_view word) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : command.get_subcommands(nullptr)) verbs.push_back(verb->get_name());
  if (word.starts_with('-') || std::find(verbs.begin(), verbs.end(), word) != verbs.end())
    return std::nullopt;
  return fmt::format("unknown verb \"{}\"; accepted: {}{}", word, join(verbs, ", "),
                     suggestion(word, verbs));
}

int run_command(int argc, char** argv) {
  CLI::App command(
      "What a virtual topology costs on an interconnect, and which placement is better");
  command.name("vtopo");
  command.require_subcommand(1);
  command.option_defaults()->always_capture_default();
  command.set_version_flag("--version",
                           fmt::format("vtopo {} (SimGrid {})", VTOPO_VERSION, simgrid_version()));
  Run run;
  add_compare(command, run);
  add_evaluate(command, run);
  add_mappers(command, run);
  add_topology(command, run);
  if (argc < 2) {
    fmt::print(stderr, "{}", command.help());
    return usage;
  }
  if (const auto sentence = unknown_verb(command, argv[1])) return complain(usage, *sentence);
  try {
    command.parse(argc, argv);
  } catch (const CLI::Success& answer) {  // --help, --version
    return command.exit(answer);
  } catch (const CLI::ParseError& error) {
    return complain(usage, fmt::format("{}; see vtopo --help", error.what()));
  }
  return run();
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of write()
  try {
    return run_command(argc, argv);
  } catch (const UsageError& error) {
    return complain(usage, error.what());
  } catch (const InputError& error) {
    return complain(bad_input, error.what());
  } catch (const FitError& error) {
    return complain(no_fit, error.what());
  } catch (const std::bad_alloc&) {
    return complain(bad_input, "there is not enough memory for a problem of this size");
  } catch (const std::exception& error) {
    return complain(internal, error.what());
  }
}
