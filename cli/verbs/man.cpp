#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/command/man_page.hpp"
#include "cli/command/verb.hpp"
#include "cli/output/output.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

struct ManOptions {
  std::vector<std::string> words;  ///< of the verb
  std::string folder;              ///< of all pages, if given
};

const Verb& find_verb(const Verb& command, const std::string& path) {
  const auto verbs = all_verbs(command);
  const auto found = std::find_if(verbs.begin(), verbs.end(),
                                  [&](const Verb* verb) { return verb->path == path; });
  if (found != verbs.end()) return **found;
  std::vector<std::string> paths;
  for (const Verb* verb : verbs)
    if (!verb->path.empty()) paths.push_back(verb->path);
  throw UsageError(fmt::format("unknown verb \"{}\"; accepted: {}{}", path, join(paths, ", "),
                               suggestion(path, paths)));
}

int run_man(const ManOptions& options) {
  const ManualEdition edition{VTOPO_VERSION, VTOPO_DATE};
  const Verb command = whole_command();
  if (options.folder.empty()) {
    const std::string path = join(options.words, " ");
    const Verb& verb = find_verb(command, path);
    write_output("-", man_page(verb, command, edition));
    return 0;
  }
  std::error_code error;  // a folder that is not there is reported when the first page is written
  std::filesystem::create_directories(options.folder, error);
  for (const Verb* verb : all_verbs(command))
    write_output((std::filesystem::path(options.folder) / (man_page_name(*verb) + ".1")).string(),
                 man_page(*verb, command, edition));
  return 0;
}

}  // namespace

}  // namespace vtopo::detail

namespace vtopo::detail::verbs {

Verb man() {
  auto options = std::make_shared<ManOptions>();
  Verb verb{"man", "the manual page of a verb, or all of them"};
  verb.listed = {VerbHeading::this_command, 2};
  verb.examples =
      "Examples:\n"
      "  vtopo man compare | man -l -\n"
      "  vtopo man platform route | man -t -l - >route.ps\n"
      "  vtopo man --folder share/man/man1        # a file for every verb\n"
      "\n"
      "cmake --install puts them where man looks for them.";
  verb.add("VERB", &options->words, "verb, and its subcommand (default: vtopo)");
  verb.add("--folder", &options->folder, "write all pages to this folder, which is made if need be")
      .excludes("VERB");
  verb.run = [options](const Invocation&) { return run_man(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
