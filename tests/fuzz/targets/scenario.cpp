#include "cli/command/scenario_file.hpp"
#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

/// The canonical form says the same and is its own canonical form.
void run_scenario(std::string_view input) {
  const MemoryFile file(input);
  const ScenarioSettings settings = read_scenario_file(file.path());
  const std::string text = settings.canonical_json();
  const MemoryFile canonical(text);
  const ScenarioSettings again = read_scenario_file(canonical.path());
  require(again.arguments() == settings.arguments(), "the canonical form says something else");
  require(again.canonical_json() == text, "the canonical form has another canonical form");
  for (const std::string& word : settings.arguments())
    require(word.starts_with("--"), "an argument that is no option");
}

}  // namespace

Target scenario() {
  return {"scenario files", run_scenario, {}};
}

}  // namespace vtopo::fuzz::targets
