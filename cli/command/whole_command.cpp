#include "cli/command/verb.hpp"

namespace vtopo::detail {

namespace {

/// Gives a verb and those below their paths and `--help`, which the parser adds by itself.
void complete(Verb& verb, const std::string& path) {
  verb.path = path;
  verb.options.push_front(
      {"-h,--help", std::monostate(), "Print this help message and exit", "Options", "", ""});
  for (Verb& sub : verb.verbs) complete(sub, path.empty() ? sub.name : path + ' ' + sub.name);
}

}  // namespace

Verb whole_command() {
  Verb command{"vtopo",
               "What a virtual topology costs on an interconnect, and which placement is better"};
  command.add("--version", std::monostate(), "version, and what it was built from");
  command.verbs = verb_table();
  complete(command, "");
  return command;
}

}  // namespace vtopo::detail
