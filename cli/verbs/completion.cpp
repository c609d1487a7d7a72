#include <memory>

#include "cli/options/completion_scripts.hpp"
#include "cli/output/output.hpp"
#include "cli/verbs/verbs.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

namespace {

struct CompletionOptions {
  std::string shell;
  std::string output = "-";
};

int run_completion(const CompletionOptions& options, const CLI::App& command) {
  struct Shell {
    std::string name;
    std::string (*script)(const CommandVerb&);
  };
  const Shell shells[] = {
      {"bash", bash_completion}, {"fish", fish_completion}, {"zsh", zsh_completion}};
  std::vector<std::string> names;
  for (const auto& [name, script] : shells) {
    names.push_back(name);
    if (name != options.shell) continue;
    write_output(options.output, script(command_tree(command)));
    return 0;
  }
  throw UsageError(fmt::format("unknown shell \"{}\"; accepted: {}{}", options.shell,
                               join(names, ", "), suggestion(options.shell, names)));
}

}  // namespace

void add_completion(CLI::App& command, Run& run) {
  auto options = std::make_shared<CompletionOptions>();
  CLI::App* verb =
      command.add_subcommand("completion", "a script by which bash, zsh or fish completes vtopo");
  verb->footer(
      "Examples:\n"
      "  source <(vtopo completion bash)\n"
      "  mkdir -p ~/.zfunc && vtopo completion zsh -o ~/.zfunc/_vtopo\n"
      "  vtopo completion fish | source        # in fish\n"
      "\n"
      "cmake --install puts them where shells look for them.");
  verb->add_option("shell", options->shell, "bash, zsh or fish")->required();
  verb->add_option("-o,--output", options->output, "file to write, or - for standard output");
  verb->callback([options, &command, &run] {
    run = [options, &command] { return run_completion(*options, command); };
  });
}

}  // namespace vtopo
