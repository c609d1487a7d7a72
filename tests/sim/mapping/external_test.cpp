#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/sim/guests.hpp"
#include "tests/sim/ring_network.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::TemporaryFile;

namespace {

/// Shell script that is removed with the test.
class Script : public TemporaryFile {
 public:
  Script(const std::string& name, const std::string& body)
      : TemporaryFile(name + ".sh", "#!/bin/sh\n" + body) {
    std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  }
};

/// Three ranks in a line, the middle one with a self loop, on four of the hosts of a ring.
struct Fixture {
  std::shared_ptr<const Network> network = make_network("torus:6", {});
  Allocation allocation{{HostId{5}, HostId{0}, HostId{2}}, {1, 2, 1}};
  CommGraph guest{3, std::vector<DirectedEdge>{{Rank{0}, Rank{1}, {2.5}},
                                               {Rank{1}, Rank{1}, {9}},
                                               {Rank{2}, Rank{1}, {4}},
                                               {Rank{1}, Rank{2}, {3}}}};

  MappingProblem problem() const { return {guest, *network, allocation}; }

  Embedding map(const std::string& command, std::map<std::string, std::string> options = {}) const {
    options["command"] = command;
    return run_mapper({"external", options}, problem());
  }

  /// The sentence without the name of the script.
  std::string failure(const std::string& name, const std::string& body) const {
    const Script script("external-" + name, body);
    try {
      map(script.path());
    } catch (const InputError& error) {
      std::string text = error.what();
      if (const auto at = text.find(script.path()); at != std::string::npos)
        text.replace(at, script.path().size(), "X");
      return text;
    }
    return "nothing";
  }
};

}  // namespace

TEST_CASE("A program finds the problem in files and its mapping is read") {
  const Fixture fixture;
  // By hand: METIS counts from 1, both directions together, 2.5 rounds away from zero; hops on a
  // ring of six between hosts 5, 0 and 2.
  const Script script("external-files", R"(set -e
printf '3 2 001\n2 3\n1 3 3 7\n2 7\n' | cmp - "$1"
printf '3\n0 1 3\n1 0 2\n3 2 0\n' | cmp - "$2"
printf '1\thost-5\n2\thost-0\n1\thost-2\n' | cmp - "$3"
! test -e "$4"
! read line
printf '1\n1\n\n0\n' >"$4"
)");
  CHECK(fixture.map(script.path()).hosts() == std::vector{HostId{0}, HostId{0}, HostId{5}});
}

TEST_CASE("Lines of a program's output report values") {
  const Fixture fixture;
  const Script script("external-values", R"(set -e
echo report_value 9.5
echo other words
echo report_value x
echo report_value 7 40
echo report_value 6 many
printf '1\n1\n0\n' >"$4"
printf 'report_value 5'
)");
  std::vector<std::pair<double, std::int64_t>> reported;
  SearchControl control;
  control.improved = [&](double value, std::int64_t steps) { reported.emplace_back(value, steps); };
  run_mapper({"external", {{"command", script.path()}}}, fixture.problem(), control);
  CHECK(reported == std::vector<std::pair<double, std::int64_t>>{{9.5, 0}, {7, 40}});
}

TEST_CASE("A program may ask for an edge list and for the platform") {
  const Fixture fixture;
  const std::string copy = tests::own_folder() + "/temporary-external.xml";
  const Script script("external-forms", R"(set -e
printf 'src,dst,bytes\n0,1,2.5\n1,1,9\n1,2,3\n2,1,4\n' | cmp - "$1"
cp "$2" ')" + copy + R"('
printf 'rank,host\n2,host-5\n0,host-2\n1,host-0\n' >"$4"
)");
  CHECK(fixture.map(script.path(), {{"guest", "csv"}, {"network", "xml"}}).hosts() ==
        std::vector{HostId{2}, HostId{0}, HostId{5}});
  const auto read = load_platform(copy, {});
  std::filesystem::remove(copy);
  REQUIRE(read->num_hosts() == 6);
  CHECK(read->hops(HostId{5}, HostId{2}) == 3);
}

TEST_CASE("A program that fails is told with its last words") {
  const Fixture fixture;
  CHECK(fixture.failure("exit", "echo first; echo no idea >&2; exit 3") ==
        "program \"X\" ended with exit code 3: no idea");
  CHECK(fixture.failure("crash", "kill -SEGV $$") ==
        "program \"X\" was ended by signal 11 (Segmentation fault)");
  CHECK(fixture.failure("silent", "exit 0") == "program \"X\" wrote no mapping");
  CHECK_THROWS_WITH(fixture.map("/no/such/program"),
                    "\"/no/such/program\" cannot be run: No such file or directory");
  const TemporaryFile text("external-text", "exit 0\n");  // no shell tries it
  CHECK_THROWS_WITH(fixture.map(text.path()),
                    "\"" + text.path() + "\" cannot be run: Permission denied");
}

TEST_CASE("A mapping that is none is told with its line") {
  const Fixture fixture;
  const auto mapping = [&](const std::string& lines) {
    return fixture.failure("mapping", "printf '" + lines + "' >\"$4\"");
  };
  CHECK(mapping("1\\n3\\n0\\n") ==
        "mapping of \"X\":2:1: host \"3\" of rank 1: accepted is one number from 0 to 2");
  CHECK(mapping("1\\nzero\\n") ==
        "mapping of \"X\":2:1: host \"zero\" of rank 1: accepted is one number from 0 to 2");
  CHECK(mapping("1\\n0 2\\n") ==
        "mapping of \"X\":2:3: host \"0 2\" of rank 1: accepted is one number from 0 to 2");
  CHECK(mapping("0\\n0\\n1\\n") ==
        "mapping of \"X\":2:1: rank 1 on host 0: its slots (1) are full");
  CHECK(mapping("1\\n1\\n") == "mapping of \"X\":2:2: 2 ranks have a host; the guest has 3");
  CHECK(mapping("1\\n1\\n0\\n2\\n") ==
        "mapping of \"X\":4:1: a host for rank 3; the guest has 3 ranks");
  CHECK(
      mapping("rank,host\\n0,host-4\\n") ==
      "mapping of \"X\":2:1: rank 0 on host \"host-4\", which is not in the allocation of 3 hosts");
  CHECK(mapping("\\0").find("mapping of \"X\"") == 0);
  CHECK(mapping("").find("mapping of \"X\"") == 0);
}

TEST_CASE("A program that hangs is killed at the deadline with all that it started") {
  const Fixture fixture;
  // What it started waits for a file, which comes when it should be gone.
  const std::string sign = tests::own_folder() + "/temporary-external-sign", go = sign + "-go";
  std::filesystem::remove(sign);
  std::filesystem::remove(go);
  const Script script("external-hang", "(until [ -e '" + go + "' ]; do sleep 0.02; done; touch '" +
                                           sign + "') & sleep 1000");
  const auto problem = fixture.problem();
  const MapperSpec spec{"external", {{"command", script.path()}}};
  SearchControl control;
  control.deadline = SearchControl::Clock::now() + std::chrono::milliseconds(100);
  CHECK_THROWS_WITH(run_mapper(spec, problem, control),
                    "program \"" + script.path() + "\" did not end within the time limit");
  std::atomic<bool> stop = true;
  CHECK_THROWS_WITH(run_mapper(spec, problem, {.stop = &stop}),
                    "program \"" + script.path() + "\" was interrupted");
  const TemporaryFile gone("external-sign-go", "");
  const Script patient("external-patient", "sleep 0.5; printf '0\\n1\\n1\\n' >\"$4\"");
  fixture.map(patient.path());
  CHECK_FALSE(std::filesystem::exists(sign));
}

TEST_CASE("Nothing stays in the folder for temporary files") {
  const Fixture fixture;
  const std::string folder = tests::own_folder() + "/temporary-external-folder";
  std::filesystem::create_directory(folder);
  const char* const before = getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TMPDIR", folder.c_str(), 1);
  fixture.failure("exit", "exit 3");
  fixture.failure("mapping", "echo nothing >\"$4\"; mkdir \"$4.more\"; echo x >\"$4.more/x\"");
  before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", kept.c_str(), 1);
  CHECK(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

TEST_CASE("Nothing runs that is not named, and no network is written that cannot be") {
  const Fixture fixture;
  CHECK(unsupported_reason({"external", {}}, fixture.problem()) == "needs command=PROGRAM");
  const auto large = make_network("torus:4097", {});
  const auto all = make_allocation(*large, "all", std::vector{1}, 1);
  const CommGraph guest(4);
  const MappingProblem problem{guest, *large, all};
  CHECK_THROWS_WITH(run_mapper({"external", {{"command", "x"}}}, problem),
                    "mapper external needs at most 4096 hosts for network=distances; network=xml "
                    "has no limit");
  const RingNetwork unmodelled(6, {{10}, {0}}, {{5}, {0}});
  CHECK_THROWS_WITH(
      run_mapper({"external", {{"command", "x"}, {"network", "xml"}}},
                 {fixture.guest, unmodelled, fixture.allocation}),
      "mapper external needs a torus, mesh, fat tree or dragonfly without edits for network=xml");
  CHECK_THROWS_WITH(fixture.map("x", {{"network", "json"}}),
                    "network \"json\" of mapper external: accepted are distances, xml");
  CHECK_THROWS_WITH(fixture.map("x", {{"guest", "dot"}}),
                    "guest \"dot\" of mapper external: accepted are metis, csv");
}
