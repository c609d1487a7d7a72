#include <memory>

#include "cli/command/completion.hpp"
#include "cli/command/verb.hpp"
#include "cli/output/output.hpp"

namespace vtopo::detail::verbs {

namespace {

struct CompletionOptions {
  std::string shell;
  std::string output = "-";
};

int run_completion(const CompletionOptions& options) {
  write_output(options.output, completion_script(options.shell));
  return 0;
}

}  // namespace

Verb completion() {
  auto options = std::make_shared<CompletionOptions>();
  Verb verb{"completion", "a script by which bash, zsh or fish completes vtopo"};
  verb.listed = {VerbHeading::this_command, 1};
  verb.examples =
      "Examples:\n"
      "  source <(vtopo completion bash)\n"
      "  mkdir -p ~/.zfunc && vtopo completion zsh -o ~/.zfunc/_vtopo\n"
      "  vtopo completion fish | source        # in fish\n"
      "\n"
      "cmake --install puts them where shells look for them.";
  verb.add("shell", &options->shell, "bash, zsh or fish")->required();
  verb.add("-o,--output", &options->output, "file to write, or - for standard output");
  verb.run = [options](const Invocation&) { return run_completion(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
