#include "netmodels/machines/shipped_machines.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "tests/support/folders.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("The machines that come with vtopo are the files of platforms, by name") {
  CHECK(std::filesystem::equivalent(shipped_machine_folder(), tests::source_path("platforms")));
  const auto machines = shipped_machines();
  CHECK(machines.size() >= 20);
  for (const ShippedMachine& machine : machines) {
    INFO(machine.name);
    CHECK(std::filesystem::path(machine.file).filename() == machine.name + ".xml");
    CHECK(machine_path(machine.name) == machine.file);
  }
}

TEST_CASE("A machine is found in any case, without dashes, and by the beginning of its name") {
  CHECK(find_shipped_machine("lumi").value().name == "lumi");
  CHECK(find_shipped_machine("LUMI").value().name == "lumi");
  CHECK(find_shipped_machine("MareNostrum5").value().name == "mare-nostrum-5-acc");
  CHECK(find_shipped_machine("tpu_v4").value().name == "tpu-v4-pod");
  CHECK_FALSE(find_shipped_machine("front"));  // frontera and frontier
  CHECK_FALSE(find_shipped_machine("fu"));     // fewer than three letters
  CHECK_FALSE(find_shipped_machine(""));
}

TEST_CASE("A word that is neither file nor machine is an error with the nearest name") {
  CHECK_THROWS_AS(machine_path("lumii"), InputError);
  CHECK_THROWS_WITH(machine_path("lumii"), Catch::EndsWith("; did you mean \"lumi\"?"));
  CHECK_THROWS_WITH(machine_path("front"), Catch::EndsWith("; did you mean frontera or frontier?"));
  CHECK_THROWS_WITH(machine_path("zzzzzzzzzz"), Catch::EndsWith("vtopo machines lists those"));
}

TEST_CASE("An existing file wins over a name, and a path is never a name") {
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(tests::own_folder());
  std::filesystem::create_directory("fugaku");  // a folder is not a platform
  std::ofstream("lumi") << "a file";
  const std::string file = machine_path("lumi"), name = machine_path("fugaku");
  std::filesystem::current_path(here);
  CHECK(file == "lumi");
  CHECK(std::filesystem::path(name).filename() == "fugaku.xml");
  CHECK(machine_path("./lumi") == "./lumi");
  CHECK(machine_path("lumi.xml") == "lumi.xml");
}
