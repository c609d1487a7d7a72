#include <catch2/catch.hpp>

#include <limits>
#include <string>

#include "netmodels/network_spec.hpp"
#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;

namespace {

std::string spec_error(const std::string& spec) {
  return tests::message_of<UsageError>([&] { make_network(spec, {}); });
}

}  // namespace

TEST_CASE("A network describes itself by its canonical specification") {
  for (const char* spec : {"torus:8x8x4m", "fat-tree:2;4,4;1,2;1,2", "dragonfly:9,4;6,3;16,1;4"})
    CHECK(make_network(spec, {})->description() == spec);
  CHECK(make_network("mesh:3x2", {})->description() == "torus:3mx2m");
  CHECK(make_network("torus:4,4,8", {})->description() == "torus:4x4x8");
}

TEST_CASE("A malformed network is one sentence that names the value") {
  CHECK(spec_error("torus:8x0x8") ==
        "torus size 0 in \"torus:8x0x8\": accepted are 1 to 2147483647");
  CHECK(spec_error("torus:3,3x") == "torus size \"3x\" in \"torus:3,3x\" is not an integer");
  CHECK(spec_error("torus:-2x2") ==
        "torus size -2 in \"torus:-2x2\": accepted are 1 to 2147483647");
  CHECK(spec_error("torus:") == "torus size \"\" in \"torus:\" is not an integer");
  CHECK(spec_error("torus:65536x65536") == "torus with more than 2147483647 hosts");
  CHECK(spec_error("tours:8x8").find("did you mean \"torus\"?") != std::string::npos);
  CHECK(spec_error("fat-tree:2;4;1,2;1,2") ==
        "\"fat-tree:2;4;1,2;1,2\": 1 numbers of children for 2 levels");
  CHECK(spec_error("fat-tree:4,4").find("a fat tree is written") != std::string::npos);
  for (const char* spec : {"fat-tree:1;16;1073741824;1073741824",
                           "fat-tree:1;4;2147483647;2147483647", "fat-tree:2;2,2;2147483647,2;1,1"})
    CHECK(spec_error(spec) == "fat tree with more than 2147483647 directed links or switches");
  CHECK(spec_error("dragonfly:9;6,3;16,1;4").find("a dragonfly is written") != std::string::npos);
  CHECK(spec_error("dragonfly:99999,1;999,1;9999,1;9").find("2147483647") != std::string::npos);
  CHECK_THROWS_AS(make_network("torus:4", {{std::numeric_limits<double>::infinity()}, {0}}),
                  UsageError);
}
