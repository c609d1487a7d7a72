// Writes random calls as a script, and what vtopo answers to them.
// Arguments: number of processes, number of rounds, seed, script file, answers file.

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "tests/conformance/cases.hpp"

int main(int argc, char** argv) {
  using namespace vtopo::conformance;
  if (argc != 6) {
    std::cerr << "arguments: processes rounds seed script answers\n";
    return 2;
  }
  Stage stage(std::atoi(argv[1]), static_cast<std::uint64_t>(std::atoll(argv[3])));
  for (int round = 0; round < std::atoi(argv[2]); ++round)
    for (const auto& run : {communicator_case, cart_case, graph_case, dist_graph_adjacent_case,
                            dist_graph_case, erroneous_case}) {
      run(stage);
      stage.end_case();
    }
  std::ofstream(argv[4]) << stage.script();
  std::ofstream(argv[5]) << stage.answers();
}
