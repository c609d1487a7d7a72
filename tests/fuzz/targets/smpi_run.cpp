#include "cli/mpirun/smpi_results.hpp"
#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

constexpr std::string_view recording =
    "# vtopo-record 1\n# ranks 2\n"
    "source,destination,bytes,messages,collective_bytes,collective_messages\n"
    "0,1,8,1,0,0\n# end 1\n";

/// The program under simulation runs beside the overlay and may have written into its files.
void run_smpi_run(std::string_view input) {
  const std::size_t half = std::min(input.find('\0'), input.size());
  const MemoryFile told(input.substr(0, half));
  const MemoryFile constructors(input.substr(std::min(half + 1, input.size())));
  const MemoryFile recorded(recording);
  read_run({told.path(), constructors.path(), recorded.path()}, {}, 0);
}

}  // namespace

Target smpi_run() {
  return {"what the MPI overlay tells of a run", run_smpi_run, {}};
}

}  // namespace vtopo::fuzz::targets
