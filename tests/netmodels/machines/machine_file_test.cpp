#include "netmodels/machines/machine_file.hpp"

#include <catch2/catch.hpp>

#include "netmodels/machines/node_map.hpp"
#include "tests/support/folders.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;

TEST_CASE("A platform file is refused in a program without the library that reads it") {
  // This program links vtopo::netmodels alone.
  CHECK_THROWS_AS(load_machine(tests::source_path("platforms/two-rooms.xml"), {}), UsageError);
  CHECK_THROWS_WITH(load_machine(tests::source_path("platforms/two-rooms.xml"), {}),
                    "a platform file of SimGrid needs the library vtopo::platform, which this "
                    "program was linked without");
}

TEST_CASE("Files of other programs are refused in a program without the library that reads them") {
  const std::string machines = tests::source_path("examples/machines/");
  const std::string needs =
      " needs the library vtopo::formats, which this program was linked without";
  CHECK_THROWS_WITH(load_machine(machines + "topology.conf", {}),
                    "a machine's file that is not XML" + needs);
  MachineOptions named;
  named.format = MachineFormat::slurm_conf;
  CHECK_THROWS_WITH(load_machine(machines + "topology.conf", named),
                    "a listing of a machine" + needs);
  CHECK_THROWS_WITH(detail::read_node_map(machines + "nodes.xname"),
                    "a file with the places of nodes" + needs);
}
