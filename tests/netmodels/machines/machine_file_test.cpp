#include "netmodels/machines/machine_file.hpp"

#include <catch2/catch.hpp>

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
