#include "cli/mpirun/mpi_compiler.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

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

/// Whether a word names a source that a compiler has preprocessed: it begins with a line of the
/// preprocessor's, or has the functions of SMPI's header in its text and no line for it.
bool is_preprocessed(const std::string& word) {
  const auto dot = word.rfind('.');
  if (dot == std::string::npos || word.front() == '-') return false;
  const std::string_view ending = std::string_view(word).substr(dot + 1);
  constexpr std::string_view endings[] = {"c", "cc", "cp", "cpp", "cxx", "c++", "C", "CPP"};
  if (std::find(std::begin(endings), std::end(endings), ending) == std::end(endings)) return false;
  std::ifstream file(word);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.starts_with("# 0 \"") || text.starts_with("# 1 \"")) return true;
  return text.find("smpi_usleep(") != std::string::npos &&
         text.find("#include") == std::string::npos && text.find("# include") == std::string::npos;
}

/// The words of the user. Headers and macros of the command line are for sources that are not
/// preprocessed: others are named so to the compiler.
std::vector<std::string> with_preprocessed(const MpiCompiler& compiler,
                                           const std::vector<std::string>& rest) {
  std::vector<std::string> words;
  std::string language = "none";
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (i > 0 && rest[i - 1] == "-x") language = rest[i];
    if (!compiler.is_fortran && (i == 0 || rest[i - 1] != "-o") && is_preprocessed(rest[i])) {
      const char* text = compiler.verb == "cxx" ? "c++-cpp-output" : "cpp-output";
      words.insert(words.end(), {"-x", text, rest[i], "-x", language});
    } else {
      words.push_back(rest[i]);
    }
  }
  return words;
}

/// What makes a program of the objects: an entry for those who start it by themselves, and the
/// libraries in which every function must be. The overlay is named in the program only if it has
/// functions of it that SMPI lacks.
void add_program_parts(std::vector<std::string>& words) {
  std::string overlay;
  try {
    overlay = find_topology_library();
  } catch (const InputError&) {
    ::setenv("SMPI_NO_UNDEFINED_CHECK", "1", 1);  // without it nobody knows what there is
    return;
  }
  ::unsetenv("SMPI_NO_UNDEFINED_CHECK");
  if (const auto start = find_program_start()) {
    words.insert(words.end(), {"-Xlinker", *start, "-Wl,-e,vtopo_program_start"});
  }
  words.insert(words.end(),
               {"-Wl,--push-state,--as-needed", "-Xlinker", overlay, "-Wl,--pop-state", "-Xlinker",
                "-rpath", "-Xlinker", overlay.substr(0, overlay.rfind('/'))});
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
  // Addresses of vtopo_mpi.h.
  words.emplace_back(
      "-Wl,--defsym=vtopo_mpi_bottom=-111,--defsym=vtopo_mpi_in_place=-222,"
      "--defsym=vtopo_mpi_unweighted=2,--defsym=vtopo_mpi_weights_empty=1");
  const bool is_library = std::find(rest.begin(), rest.end(), "-shared") != rest.end();
  const std::vector<std::string> own = with_preprocessed(compiler, rest);
  words.insert(words.end(), own.begin(), own.end());
  if (is_library)
    ::setenv("SMPI_NO_UNDEFINED_CHECK", "1", 1);  // programs may have what it calls
  else
    add_program_parts(words);
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
