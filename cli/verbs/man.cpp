#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/options/man_page.hpp"
#include "cli/output/output.hpp"
#include "cli/verbs/verbs.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

namespace {

struct ManOptions {
  std::vector<std::string> words;  ///< of the verb
  std::string folder;              ///< of all pages, if given
};

const CommandVerb& find_verb(const CommandVerb& command, const std::string& path) {
  const auto verbs = all_verbs(command);
  const auto found = std::find_if(verbs.begin(), verbs.end(),
                                  [&](const CommandVerb* verb) { return verb->path == path; });
  if (found != verbs.end()) return **found;
  std::vector<std::string> paths;
  for (const CommandVerb* verb : verbs)
    if (!verb->path.empty()) paths.push_back(verb->path);
  throw UsageError(fmt::format("unknown verb \"{}\"; accepted: {}{}", path, join(paths, ", "),
                               suggestion(path, paths)));
}

int run_man(const ManOptions& options, const CLI::App& app) {
  const ManualEdition edition{VTOPO_VERSION, VTOPO_DATE};
  const CommandVerb command = command_tree(app);
  if (options.folder.empty()) {
    const CommandVerb& verb = find_verb(command, join(options.words, " "));
    write_output("-", man_page(verb, command, edition));
    return 0;
  }
  std::error_code error;  // a folder that is not there is told when the first page is written
  std::filesystem::create_directories(options.folder, error);
  for (const CommandVerb* verb : all_verbs(command))
    write_output((std::filesystem::path(options.folder) / (man_page_name(*verb) + ".1")).string(),
                 man_page(*verb, command, edition));
  return 0;
}

}  // namespace

void add_man(CLI::App& command, Run& run) {
  auto options = std::make_shared<ManOptions>();
  CLI::App* verb = command.add_subcommand("man", "the manual page of a verb, or all of them");
  verb->footer(
      "Examples:\n"
      "  vtopo man compare | man -l -\n"
      "  vtopo man platform route | man -t -l - >route.ps\n"
      "  vtopo man --folder share/man/man1        # a file for every verb\n"
      "\n"
      "cmake --install puts them where man looks for them.");
  auto* words =
      verb->add_option("VERB", options->words, "verb, and its subcommand (default: vtopo)");
  verb->add_option("--folder", options->folder,
                   "write all pages to this folder, which is made if need be")
      ->excludes(words);
  verb->callback([options, &command, &run] {
    run = [options, &command] { return run_man(*options, command); };
  });
}

}  // namespace vtopo
