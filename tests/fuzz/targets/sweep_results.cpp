#include "sim/study/lines.hpp"
#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

/// Whole lines and what is torn off make the file; whole lines are read again.
void run_sweep_results(std::string_view input) {
  const MemoryFile file(input);
  std::size_t torn = 0, bytes = 0;
  std::string text;
  for (const StudyLine& line : read_study_lines(file.path(), &torn)) text += line.text + "\n";
  bytes = text.size() + torn;
  require(bytes == input.size(), "lines and torn bytes are not the file");
  const MemoryFile whole(text);
  read_study_lines(whole.path());
  line_of_report({"key", {}}, input);
}

}  // namespace

Target sweep_results() {
  return {"results of sweeps", run_sweep_results, {}};
}

}  // namespace vtopo::fuzz::targets
