#include "cli/mpirun/mpi_compiler.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cli/mpirun/smpi_installation.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

[[noreturn]] void become(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  argv.reserve(words.size());
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  throw InputError(fmt::format(
      "{} cannot be run ({}): it is part of SimGrid, in Debian the package libsimgrid-dev",
      words[0], std::strerror(errno)));
}

int compile(const MpiCompiler& compiler, std::vector<std::string> rest) {
  if (!rest.empty() && rest.front() == "--") rest.erase(rest.begin());
  if (rest.empty())
    throw UsageError(fmt::format("no source is given: vtopo compile {} -O2 -o program program.c",
                                 compiler.verb));
  std::vector<std::string> words{compiler.command};
  words.insert(words.end(), compiler.flags.begin(), compiler.flags.end());
  // SMPI makes programs shared libraries, for which the linker leaves a main in an archive out.
  for (const char* main : {"main", "user_main_"})  // of C and of Fortran
    words.push_back(fmt::format("-Wl,--undefined={}", main));
  if (!compiler.is_fortran) {
    words.emplace_back("-include");
    words.push_back(find_mpi_header());
  } else if (const auto modules = find_fortran_modules()) {
    words.push_back("-I" + *modules);
  }
  words.insert(words.end(), rest.begin(), rest.end());
  // What SMPI lacks is found when the program runs: in the overlay.
  ::setenv("SMPI_NO_UNDEFINED_CHECK", "1", 1);
  become(words);
}

}  // namespace

Verb compiler_verb(const MpiCompiler& compiler) {
  Verb verb{compiler.verb,
            fmt::format("compiles {} programs for mpirun and record, in place of an MPI compiler",
                        compiler.language)};
  verb.examples = fmt::format(
      "Examples:\n"
      "  vtopo compile {0} -O2 -o program program.{1}\n"
      "  make MPI{2}='vtopo compile {0}'\n"
      "\n"
      "Everything behind the verb goes to {3}, which compiles programs for simulated ranks.",
      compiler.verb,
      compiler.verb == "fc"   ? "f90"
      : compiler.verb == "cc" ? "c"
                              : "cpp",
      compiler.verb == "fc"   ? "FC"
      : compiler.verb == "cc" ? "CC"
                              : "CXX",
      compiler.command);
  verb.rest = "ARGUMENT...";
  verb.only_rest = true;
  verb.run = [compiler](const Invocation& invocation) {
    return compile(compiler, invocation.rest);
  };
  return verb;
}

}  // namespace vtopo::detail
