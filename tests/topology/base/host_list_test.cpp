#include "topology/base/host_list.hpp"

#include <catch2/catch.hpp>

#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::message_of;

namespace {

using Names = std::vector<std::string>;

std::string list_error(const std::string& list) {
  return message_of<UsageError>([&] { expand_host_list(list); });
}

}  // namespace

// Expected names follow the host list expressions of Slurm's manual (scontrol show hostnames).
TEST_CASE("Host lists expand ranges, lists and several brackets") {
  CHECK(expand_host_list("login") == Names{"login"});
  CHECK(expand_host_list("a,b") == Names{"a", "b"});
  CHECK(expand_host_list("tux[0-2,7]") == Names{"tux0", "tux1", "tux2", "tux7"});
  CHECK(expand_host_list("n[08-11]") == Names{"n08", "n09", "n10", "n11"});
  CHECK(expand_host_list("r[1-2]n[0-1],x") == Names{"r1n0", "r1n1", "r2n0", "r2n1", "x"});
  CHECK(expand_host_list("n[1-2]-ib") == Names{"n1-ib", "n2-ib"});
}

// ClusterShell's node sets (clustershell.readthedocs.io): 0-8/4 is 0, 4, 8.
TEST_CASE("Ranges of host lists may have steps") {
  CHECK(expand_host_list("n[00-09/4,11]") == Names{"n00", "n04", "n08", "n11"});
  CHECK(expand_host_list("r[1-2]n[0-3:2]") == Names{"r1n0", "r1n2", "r2n0", "r2n2"});
  for (const std::string range : {"0-8/0", "0-8/", "0-8/x", "8/2", "4/2-8", "0-8/-1"})
    CHECK_THAT(list_error("n[" + range + "]"), Catch::StartsWith("the range \"" + range + "\""));
}

TEST_CASE("Host lists that make no sense get a sentence") {
  const std::string accepted = ": accepted are names such as a1 and a[0-3,7] separated by commas";
  CHECK(list_error("a,,b") == "an empty name in the host list \"a,,b\"" + accepted);
  CHECK(list_error("") == "an empty name in the host list \"\"" + accepted);
  CHECK(list_error("a[1") == "an unpaired bracket in the host list \"a[1\"" + accepted);
  CHECK(list_error("a1]") == "an unpaired bracket in the host list \"a1]\"" + accepted);
  CHECK(list_error("a[[1]]") == "an unpaired bracket in the host list \"a[[1]]\"" + accepted);
  CHECK(list_error("a[3-1]") == "the range \"3-1\" in the host list \"a[3-1]\"" + accepted);
  CHECK(list_error("a[]") == "the range \"\" in the host list \"a[]\"" + accepted);
  CHECK(list_error("a[1--2]") == "the range \"1--2\" in the host list \"a[1--2]\"" + accepted);
  CHECK(list_error("a[x]") == "the range \"x\" in the host list \"a[x]\"" + accepted);
}

TEST_CASE("Host lists do not fill the memory") {
  CHECK(list_error("a[0-999999999]").starts_with("more than 1048576 names"));
  CHECK(list_error("a[0-9999]b[0-9999]").starts_with("more than 1048576 names"));
  CHECK(list_error(std::string(3000, 'a') + "[0-999999]")
            .starts_with("names of more than 67108864 letters in all"));
  CHECK(list_error("a[0-99999999999999999999]").starts_with("the range"));
}

// As Slurm writes them (scontrol show hostlist); each list expands to its names again.
TEST_CASE("names are compressed to the list that expands to them") {
  const auto check = [](const std::string& list) {
    CHECK(compressed_host_list(expand_host_list(list)) == list);
  };
  check("login");
  check("n[1-3,7,9-10]");
  check("n[008-011,100]");
  check("a[0-1],b2,c[3,5]");
  check("nid[001000-001003,005000]");
  check("x,y-3,y");
  CHECK(compressed_host_list(Names{"n9", "n10", "n011"}) == "n[9-10,011]");
  CHECK(compressed_host_list(Names{"n09", "n10"}) == "n[09-10]");
  CHECK(compressed_host_list(Names{"n2", "n1"}) == "n[2,1]");
  CHECK(compressed_host_list(Names{"a,b"}) == std::nullopt);
  CHECK(compressed_host_list(Names{"a 1"}) == std::nullopt);
  CHECK(compressed_host_list({}) == "");
}
