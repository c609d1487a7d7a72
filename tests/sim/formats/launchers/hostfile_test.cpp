#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/host_names.hpp"
#include "netmodels/models/torus/torus.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/placement/host_selection.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

const auto ring_of_ten = make_torus({{{10}}, {}});

/// Hostfile in the build folder with the given text.
std::string hostfile(const std::string& name, const std::string& text) {
  return tests::write_file("hostfile_test_" + name, text);
}

Allocation allocation_of(const std::string& path, std::vector<int> slots = {1}) {
  return make_allocation(*ring_of_ten, "file:" + path, slots, 1);
}

/// Sentence of the error, after the path.
std::string hostfile_complaint(const std::string& path) {
  return tests::message_about(path, [&] { allocation_of(path); });
}

}  // namespace

TEST_CASE("A hostfile may count slots in either notation") {
  const auto path = hostfile("good",
                             "# a job of four hosts\n"
                             "host-3\n"
                             "\n"
                             "  host-1:4   # SMPI and hydra\r\n"
                             "host-9 slots=2\n"
                             "host-0");
  const auto allocation = allocation_of(path, {3});
  CHECK(allocation.hosts == std::vector{HostId{3}, HostId{1}, HostId{9}, HostId{0}});
  CHECK(allocation.slots == std::vector{3, 4, 2, 3});
  CHECK(allocation_of(path, {5, 4, 2, 8}).slots == std::vector{5, 4, 2, 8});
  CHECK_THROWS_AS(allocation_of(path, {1, 2}), UsageError);
}

TEST_CASE("Slots that contradict a hostfile are refused") {
  const auto some = hostfile("some", "host-3\nhost-1:4\n"),
             all = hostfile("all", "host-3:4\nhost-1:2\n");
  CHECK(allocation_of(some, {4}).slots == std::vector{4, 4});
  CHECK(allocation_of(all, {1}).slots == std::vector{4, 2});  // what is not given
  CHECK(allocation_of(all, {4, 2}).slots == std::vector{4, 2});
  CHECK_THROWS_WITH(allocation_of(all, {4}),
                    "--slots 4 contradicts \"" + all +
                        "\", which gives host \"host-1\" 2 slots: accepted is one of them");
  CHECK_THROWS_AS(allocation_of(some, {4, 3}), UsageError);
}

TEST_CASE("A hostfile may be a table of ranks, as batch systems write it") {
  const auto path = hostfile("table",
                             "rank,host,xname\n2,host-4.site.org,x1\n0,host-7,x2\n"
                             "1,host-4,x1\n");
  const auto allocation = allocation_of(path);
  // Rank 0 is on host 7, ranks 1 and 2 are on host 4.
  CHECK(allocation.hosts == std::vector{HostId{7}, HostId{4}});
  CHECK(allocation.slots == std::vector{1, 2});
  const auto unordered = hostfile("hosts", "host,switch\nhost-4,s1\nhost-7,s1\n");
  CHECK(allocation_of(unordered).hosts == std::vector{HostId{4}, HostId{7}});
  CHECK(hostfile_complaint(hostfile("headless", "0,host-1\n"))
            .starts_with(":1:1: unknown host \"0\""));
  CHECK(hostfile_complaint(hostfile("rankless", "rank,site\n0,host-1\n"))
            .starts_with(":1:1: header \"rank,site\": expected a column \"host\""));
  const auto other = hostfile("other", ",Node Name,Task\n0,host-4,1\n1,host-7,0\n");
  CHECK(allocation_of(other).hosts == std::vector{HostId{7}, HostId{4}});
  CHECK(hostfile_complaint(hostfile("short", "rank,host\n0\n")) ==
        ":2:2: 1 fields where the header has 2");
  CHECK(hostfile_complaint(hostfile("again", "rank,host\n0,host-1\n0,host-2\n")) ==
        ":3:1: rank 0 is listed twice");
  CHECK(hostfile_complaint(hostfile("rank", "rank,host\n-1,host-1\n"))
            .starts_with(":2:1: rank \"-1\" is not an integer in 0.."));
  CHECK(hostfile_complaint(hostfile("nobody", "rank,host\n")) ==
        ": the hostfile names no host: accepted is one host per line");
}

TEST_CASE("A wrong hostfile is an error with line and column") {
  CHECK(hostfile_complaint(hostfile("unknown", "host-1\n  hots-2\n")) ==
        ":2:3: unknown host \"hots-2\": accepted are the 10 hosts \"host-0\" to \"host-9\"; did "
        "you mean \"host-2\"?");
  CHECK(hostfile_complaint(hostfile("zero", "host-1:0\n")) ==
        ":1:8: slots \"0\": accepted is a number from 1 to 2147483647");
  CHECK(hostfile_complaint(hostfile("word", "host-1 slots=2 fast\n")) ==
        ":1:16: unexpected \"fast\": accepted are name, name:slots, name slots=n and "
        "the host lists of batch systems");
  CHECK(hostfile_complaint(hostfile("both", "host-1:2 slots=2\n")) ==
        ":1:10: unexpected \"slots=2\": accepted are name, name:slots, name slots=n and "
        "the host lists of batch systems");
  CHECK(hostfile_complaint(hostfile("slots", "host-1 slots=x\n")) ==
        ":1:14: slots \"x\": accepted is a number from 1 to 2147483647");
  CHECK(hostfile_complaint(hostfile("empty", "# nobody\n")) ==
        ": the hostfile names no host: accepted is one host per line");
  CHECK(hostfile_complaint(tests::own_folder() + "/no_such_hostfile") == ": no such file");
  CHECK(hostfile_complaint(tests::own_folder()) == ": is a folder where a file is needed");
}

namespace {

/// `3:2 4:1`: hosts and slots of a hostfile on `torus:10`.
std::string slots_of(const std::string& text) {
  const auto allocation = allocation_of(hostfile("list", text));
  std::string result;
  for (std::size_t i = 0; i < allocation.hosts.size(); ++i)
    result +=
        fmt::format("{}{}:{}", i == 0 ? "" : " ", number(allocation.hosts[i]), allocation.slots[i]);
  return result;
}

}  // namespace

// By the manuals of the launchers and batch systems: what each writes for two slots on host 3 and
// one on host 4.
TEST_CASE("Lists of hosts of launchers and batch systems are read") {
  for (const std::string text :
       {"host-3\nhost-4\nhost-3\n",                          // PBS, OAR, LSF: a line per slot
        "host-3:2\nhost-4\n#host-5\n",                       // hydra; lines without number: 1
        "host-3:1\nhost-4:1\nhost-3:1\n",                    // hydra, in pieces
        "host-3:2 binding=user:0,1 ifname=ib0\nhost-4:1\n",  // hydra
        "host-3:2:mlx5_0\nhost-4:1:mlx5_1\n",                // MVAPICH
        "host-3 slots=2 max_slots=4\nhost-4 slots=1\n",      // Open MPI
        "host-3  slots = 2 max-slots= 8\nuser@host-4 slots =1\n",
        "host-3 cpu=2 user=me\nhost-4 count=1\n",
        "host-3 2 all.q@host-3 UNDEFINED\nhost-4 1 all.q@host-4 <NULL>\n",  // SGE
        "host-3 host-4 host-3\n",                                           // LSB_HOSTS
        "host-3 2 host-4 1\n",                                              // LSB_MCPU_HOSTS
        "LSB_MCPU_HOSTS=\"host-3 2 host-4 1\"\n",
        "host-3 0,1 0 0\nhost-3 2,3 0 0\nhost-4 0 0 0\n",  // LSB_AFFINITY_HOSTFILE
        "host-3/0*2+host-4/1\n",
        "host-3/0+host-3/1+host-4/0\n",  // PBS, exec_host
        "host-3/4-5+host-4/0\n",
        "host-3/1,7+host-4/2\n",  // Torque
        "host-3/1,host-3/0,host-4/0\n",
        "(host-3:ncpus=2:mem=1gb)+(host-4:ncpus=1)\n",  // PBS, exec_vnode
        "(host-3:ncpus=1:mem=1gb+host-4:ncpus=1)+(host-3:ncpus=1)\n",
        "host-3:ncpus=8:mpiprocs=2+host-4:ncpus=1\n", "host-3:ppn=2\nhost-4:ppn=1:fast\n",
        "host-3 np=2 gpus=1\nhost-4 np=1\n", "2*host-3:1*host-4\n", "2*host-3:host-4\n",
        "host-3 slots=2,max_slots=3\nhost-4 slots=1\n",
        "host-3 max_slots=2\nhost-4 slots=1 max_slots=4\n",  // mpirun(1): slots default to the
                                                             // limit
        "// PRRTE\nhost-3 slots=2\n  // none\nhost-4\n", "host-[3] slots=2\nhost-[4-4] slots=1\n",
        "+n3 slots=2\n+n4 slots=1\n", "host,slots\nhost-3,2\nhost-4,1\n",
        "slots;\"hostname\"\n2;host-3\n1;\"host-4\"\n",
        "host\track\tnp\nhost-3\tr1\t2\nhost-4\tr1\t1\n", "host\nhost-3\nhost-4\nhost-3\n",
        "host-3 slots=2 cores=8\nhost-4 slots=1\n", "host-[3-4]\nhost-3\n",
        "host-[3]*2,host-4*1\n",  // Slurm
        "SLURM_JOB_ID=7\nSLURM_JOB_NODELIST=host-[3-4]\nSLURM_TASKS_PER_NODE='2,1'\n",
        "export SLURM_NODELIST=host-3,host-4\nexport SLURM_TASKS_PER_NODE=2,1\n",
        "{\"version\": 1, \"execution\": {\"R_lite\": [{\"rank\": \"0\", \"children\": {\"core\": "
        "\"0-1\"}}, {\"rank\": \"1\", \"children\": {\"core\": \"3\", \"gpu\": \"0\"}}], "
        "\"nodelist\": [\"host-[3-4]\"]}}\n"}) {
    CAPTURE(text);
    CHECK(slots_of(text) == (text.find("host-3:2\n") == 0 ? "3:2 4:1" : "3:2 4:1"));
  }
  CHECK(slots_of("SLURM_JOB_NODELIST=host-[3-5]\nSLURM_TASKS_PER_NODE=4(x2),1\n") == "3:4 4:4 5:1");
  CHECK(slots_of("host-3,host-5\n") == "3:1 5:1");
}

// By hand: 0-3 are four numbers, 0-1 and 4 are three, 10-11 and 14-16 five.
TEST_CASE("Ranges of Torque count as many slots as they have numbers") {
  CHECK(slots_of("host-3/0-3+host-4/0-1\n") == "3:4 4:2");
  CHECK(slots_of("host-3/0-1,4+host-5/10-11,14-16\n") == "3:3 5:5");
  CHECK_THAT(hostfile_complaint(hostfile("torque", "host-3/3-1\n")),
             Catch::StartsWith(":1:1: \"host-3/3-1\": accepted is a node of PBS or Torque"));
}

TEST_CASE("What leaves the number of slots open is refused") {
  const auto complaint = [](const std::string& text) {
    return hostfile_complaint(hostfile("open", text));
  };
  CHECK(complaint("host-3 0\n") == ":1:8: slots \"0\": accepted is a number from 1 to 2147483647");
  CHECK_THAT(complaint("host-3 0 all.q@host-3 UNDEFINED\n"),
             Catch::StartsWith(":1:8: slots \"0\""));
  CHECK(
      complaint("host-4 cores=4\n") ==
      ":1:8: \"cores=4\" does not say how many ranks a host takes: accepted are slots=n, and in a "
      "table a column slots or rank");
  CHECK_THAT(complaint("host-3 slots=2,4\n"), Catch::StartsWith(":1:8: unexpected"));
  CHECK_THAT(complaint("host-3 0-3\n"), Catch::StartsWith(":1:8: unknown host \"0-3\""));
  CHECK_THAT(complaint("host-3:mem=2gb\n"), Catch::StartsWith(":1:8: \"mem=2gb\" does not say"));
  CHECK_THAT(complaint("host,cores\nhost-3,4\n"),
             Catch::StartsWith(":1:1: \"cores\" does not say"));
  CHECK_THAT(complaint("host,slots\nhost-3,0\n"), Catch::StartsWith(":2:8: slots \"0\""));
  CHECK_THAT(complaint("host,slots\nhost-3\n"), Catch::StartsWith(":2:7: 1 fields"));
  CHECK_THAT(complaint("+n10\n"), Catch::StartsWith(":1:1: unknown host \"+n10\""));
}

TEST_CASE("Hosts that come back behind others are said, as MPICH takes them in that order") {
  const auto remark_on = [](const std::string& hosts) {
    const int one[] = {1};
    std::string remark;
    make_allocation(*ring_of_ten, hosts, one, 1, &remark);
    return remark;
  };
  const auto remark = [&](const std::string& text) {
    return remark_on("file:" + hostfile("order", text));
  };
  CHECK_THAT(remark("host-3:1\nhost-4:1\nhost-3:1\nhost-4:1\n"),
             Catch::Contains("host \"host-3\" comes back behind others") &&
                 Catch::Contains("--embedding-format hydra"));
  CHECK_THAT(remark("rank,host\n0,host-1\n1,host-2\n2,host-1\n"), Catch::Contains("\"host-1\""));
  CHECK(remark("host-3\nhost-3\nhost-4\nhost-4\n").empty());
  CHECK(remark_on("first:4").empty());
}

TEST_CASE("Hosts stand in JSON, with blanks around the colon, and in other capitals") {
  const int one[] = {1};
  const auto read = [&](const std::string& hosts, std::string* remark = nullptr) {
    const Allocation found = make_allocation(*ring_of_ten, hosts, one, 1, remark);
    std::string text;
    for (std::size_t i = 0; i < found.hosts.size(); ++i)
      text += fmt::format("{}:{} ", number(found.hosts[i]), found.slots[i]);
    return text;
  };
  for (const char* text :
       {"host-3:2\nhost-5:4\n", "\"host-3\" slots=\"2\"\n'host-5' procs=4\n",
        "host-3 : 2\nhost-5: 4\n", "host-3 :2\n\n% comment\nhost-5 : 4\n",
        "[\"host-3:2\", \"host-5:4\"]\n", "{\"host-3\": 2,\n \"host-5\": 4}\n",
        "[\n{\"host\": \"host-3\", \"slots\": 2}, {\"hostname\": \"host-5\", \"ntasks\": 4}]",
        "{\"schema\": \"x\", \"hosts\": [\"host-3\", \"host-5\"], \"slots\": [2, 4]}"}) {
    CAPTURE(text);
    CHECK(read("file:" + hostfile("forms", text)) == "3:2 5:4 ");
  }
  CHECK(read("file:" + hostfile("json", "{\"nodes\": [\"host-[3-4]\"]}")) == "3:1 4:1 ");
  std::string remark;
  CHECK(read("file:" + hostfile("capitals", "HOST-3:2\nHost-5:4\n"), &remark) == "3:2 5:4 ");
  CHECK_THAT(remark, Catch::Contains("\"HOST-3\" is the machine's \"host-3\""));
  CHECK(read("+n3,+n5:4") == "3:1 5:4 ");
  remark.clear();
  CHECK(read("Host-3:2,host-5:4", &remark) == "3:2 5:4 ");
  CHECK(remark == "hosts: \"Host-3\" is the machine's \"host-3\"");
  // Names that differ in capitals alone: none is guessed.
  const auto two = with_host_names(
      make_network("torus:2", {}),
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"Nx", "nx"}));
  CHECK(make_allocation(*two, "slurm:nx", one, 1).hosts.front() == HostId{1});
  CHECK_THROWS_WITH(make_allocation(*two, "slurm:NX", one, 1),
                    Catch::Contains("unknown host \"NX\"") && Catch::Contains("did you mean"));
}

TEST_CASE("A wrong list of a batch system is an error with line and column") {
  CHECK(hostfile_complaint(hostfile("pbs", "host-3/x\n")) ==
        ":1:1: \"host-3/x\": accepted is a node of PBS or Torque such as name/0, name/0*4 or "
        "name/0-3,6");
  CHECK_THAT(hostfile_complaint(hostfile("tasks",
                                         "SLURM_JOB_NODELIST=host-[3-4]\n"
                                         "SLURM_TASKS_PER_NODE=4(x3)\n")),
             Catch::StartsWith(":2: tasks \"4(x3)\" of 2 nodes"));
  for (const char* text :
       {"{\"version\": {}}\n", "[\n1, 2]\n", "[{\"slots\": 2}]\n", "[\"host-3\"\n"})
    CHECK_THAT(hostfile_complaint(hostfile("json", text)),
               Catch::StartsWith(": JSON, but no list of hosts"));
  CHECK_THAT(hostfile_complaint(hostfile("json", "{\"host-3\": 0}\n")),
             Catch::StartsWith(": slots 0: accepted is a number from 1"));
  CHECK_THAT(hostfile_complaint(hostfile("address", "host-3\n2001:db8::7 slots=2\n")),
             Catch::StartsWith(":2:1: unknown host \"2001:db8::7\""));
  CHECK_THAT(hostfile_complaint(hostfile("address", "[fe80::1%eth0]:4\n")),
             Catch::StartsWith(":1:1: unknown host \"fe80::1%eth0\""));
  CHECK_THAT(hostfile_complaint(hostfile("brackets", "host-3\nhost-[4\n")),
             Catch::StartsWith(":2:1: an unpaired bracket"));
  CHECK_THAT(hostfile_complaint(hostfile("unknown", "host-3 site=a\n")),
             Catch::StartsWith(":1:8: unexpected \"site=a\""));
}

TEST_CASE("A hostfile that names a host that is down is refused") {
  const auto network = apply_edits(make_network("torus:8", {}), NetworkEdits{{}, {"host-3"}, {}});
  const int one[] = {1};
  const auto path = hostfile("failed", "host-1\nhost-3\n");
  CHECK(tests::message_about(path, [&] { make_allocation(*network, "file:" + path, one, 1); }) ==
        ":2:1: host \"host-3\" is down: accepted are hosts that work");
}

TEST_CASE("A hostfile needs no kind in front") {
  const int one[] = {1};
  const std::string path = hostfile("bare", "host-5:2\nhost-1\n");
  CHECK(tests::numbers_of(make_allocation(*ring_of_ten, path, one, 1).hosts) == std::vector{5, 1});
}
