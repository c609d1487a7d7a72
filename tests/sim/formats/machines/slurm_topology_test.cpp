#include "sim/formats/machines/slurm_topology.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "netmodels/machines/machine_file.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::TemporaryFile;

namespace {

const std::string machines = tests::source_path("examples/machines/");
constexpr CableAssumptions ten_gigabytes{{10e9}, {1e-6}, 1};

double bandwidth_between(const FabricSpec& spec, const std::string& a, const std::string& b) {
  auto name = [&](int vertex) {
    const auto at = static_cast<std::size_t>(vertex);
    return at < spec.hosts.size() ? spec.hosts[at] : spec.switches[at - spec.hosts.size()];
  };
  double sum = 0;
  for (const FabricCable& cable : spec.cables)
    if ((name(cable.a) == a && name(cable.b) == b) || (name(cable.a) == b && name(cable.b) == a))
      sum += cable.bandwidth.value;
  return sum;
}

std::string conf_error(const std::string& text) {
  const TemporaryFile file("slurm.conf", text);
  return tests::message_about(file.path(), [&] { read_slurm_conf(file.path(), {}); });
}

std::string yaml_error(const std::string& text) {
  const TemporaryFile file("slurm.yaml", text);
  return tests::message_about(file.path(), [&] { read_slurm_yaml(file.path(), {}); });
}

}  // namespace

TEST_CASE("A tree of Slurm becomes switches with uplinks as wide as what hangs below") {
  // By hand: four hosts of 10 GB/s below each leaf.
  const FabricSpec spec = read_slurm_conf(machines + "topology.conf", ten_gigabytes);
  CHECK(spec.hosts.size() == 8);
  CHECK(spec.hosts.front() == "node01");
  CHECK(spec.switches == std::vector<std::string>{"leaf1", "leaf2", "spine"});
  CHECK(spec.cables.size() == 10);
  CHECK(bandwidth_between(spec, "node05", "leaf2") == 10e9);
  CHECK(bandwidth_between(spec, "leaf1", "spine") == 40e9);
  const FabricSpec tapered = read_slurm_conf(machines + "topology.conf", {{10e9}, {1e-6}, 2});
  CHECK(bandwidth_between(tapered, "leaf1", "spine") == 20e9);
}

// As topology/tree of Slurm, which warns that several leaf switches contain the node.
TEST_CASE("A host in several leaf switches has a cable to each, with a remark") {
  const TemporaryFile file("two.conf",
                           "SwitchName=a Nodes=n[0-3]\nSwitchName=b Nodes=n[2-5]\n"
                           "SwitchName=top Switches=a,b Nodes=n[0-5]\n");
  std::vector<std::string> remarks;
  const FabricSpec spec = read_slurm_conf(
      file.path(), ten_gigabytes, [&](const std::string& remark) { remarks.push_back(remark); });
  CHECK(spec.cables.size() == 10);
  CHECK(remarks ==
        std::vector<std::string>{
            file.path() +
            ": host \"n2\" and 1 other are in several leaf switches, which Slurm warns of: "
            "a cable to each of them"});
  remarks.clear();
  read_slurm_conf(machines + "topology.conf", ten_gigabytes,
                  [&](const std::string& remark) { remarks.push_back(remark); });
  CHECK(remarks.empty());
}

TEST_CASE("The taper holds at every level, several parents share") {
  const TemporaryFile file("levels.conf",
                           "switchname=l1 NODES=a[1-4]\nSwitchName=l2 Nodes=a[5-8]\n"
                           "SwitchName=m1 Switches=l[1-2]\nSwitchName=m2 Switches=l[1-2]\n"
                           "SwitchName=top Switches=m[1-2] LinkSpeed=7\n");
  const FabricSpec spec = read_slurm_conf(file.path(), {{1e9}, {1e-6}, 2});
  // By hand: 4 GB/s of hosts below l1, halved, to two parents: 1 GB/s each. Half of the 8 GB/s of
  // all hosts goes through m1, halved: 2 GB/s.
  CHECK(bandwidth_between(spec, "l1", "m1") == 1e9);
  CHECK(bandwidth_between(spec, "m2", "top") == 2e9);
}

TEST_CASE("The default topology of topology.yaml is the machine of topology.conf") {
  const FabricSpec conf = read_slurm_conf(machines + "topology.conf", ten_gigabytes);
  const FabricSpec yaml = read_slurm_yaml(machines + "topology.yaml", ten_gigabytes);
  CHECK(yaml.hosts == conf.hosts);
  for (const std::string& leaf : {std::string("leaf1"), std::string("leaf2")}) {
    CHECK(bandwidth_between(yaml, leaf, "spine") == bandwidth_between(conf, leaf, "spine"));
    for (const std::string& host : conf.hosts)
      CHECK(bandwidth_between(yaml, host, leaf) == bandwidth_between(conf, host, leaf));
  }
}

TEST_CASE("Blocks of Slurm are switches under one core") {
  const TemporaryFile conf("blocks.conf",
                           "BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n[3-4]\n"
                           "BlockSizes=2,4\n");
  const FabricSpec spec = read_slurm_conf(conf.path(), ten_gigabytes);
  CHECK(spec.switches == std::vector<std::string>{"b1", "b2", "core"});
  CHECK(bandwidth_between(spec, "b2", "core") == 20e9);
  const TemporaryFile yaml("blocks.yaml",
                           "- topology: a\n  flat: true\n- topology: b\n  block:\n    blocks:\n"
                           "      - {block: b1, nodes: 'n[1-2]'}\n"
                           "      - {block: b2, nodes: 'n[3-4]'}\n");
  CHECK(bandwidth_between(read_slurm_yaml(yaml.path(), ten_gigabytes), "b2", "core") == 20e9);
}

// What Slurm's parser makes of each file (src/common/parse_config.c, hostlist.c), by hand.
TEST_CASE("Lines and values of topology.conf are read as Slurm reads them") {
  const std::vector<std::string> hosts{"n1", "n2", "n3", "n4"};
  for (const std::string text :
       {"SwitchName=s1 Nodes=\"n[1-2]\"\nSwitchName=s2 Nodes=\"n[3-4]\"\nSwitchName=top "
        "Switches=\"s[1-2]\"\n",
        "SwitchName=s1 Nodes=n[1-2],\\\nn[3-4]\n", "SwitchName=s1 \\  \n\\\n Nodes=n[1-4]\\\n",
        "SwitchName = s1 Nodes\t= n[1-4] LinkSpeed =1\n",
        "SWITCHNAME=s1 nodes=\"n1 n2,, n3\tn4,\" # \"n5\"\n",
        "switchname=s1 Nodes=n[1-3],n4 # \\\nSwitchName=t Switches=s1 # Nodes=n5\n",
        "SwitchName=\"s1\" Nodes=n[1-4] \\ # goes on\nLinkSpeed=4\r\n",
        "blockname = b1 nodes = \"n[1-2]\"\nBLOCKNAME=b2 Nodes=n[3-4]\nBlockSizes=\"2,4\"\n"}) {
    CAPTURE(text);
    const TemporaryFile file("tree.conf", text);
    CHECK(read_slurm_conf(file.path(), ten_gigabytes).hosts == hosts);
    const TemporaryFile unnamed("tree", text);
    CHECK(machine_format_of(unnamed.path()) == MachineFormat::slurm_conf);
  }
  const TemporaryFile escaped("tree.conf",
                              "SwitchName=s\\#1 Nodes=n1\nSwitchName=t Switches=s\\#1\n");
  CHECK(read_slurm_conf(escaped.path(), ten_gigabytes).switches ==
        std::vector<std::string>{"s#1", "t"});
}

TEST_CASE("What Slurm's parser would make another name of is refused with its place") {
  const std::string accepted = ": accepted are parameters such as Nodes=n[0-3] or Nodes=\"n1, n2\"";
  CHECK(conf_error("SwitchName=a Nodes=\"n1\n") == ":1:14: \"Nodes=\"n1\"" + accepted);
  CHECK(conf_error("SwitchName=a Nodes=\"n1\"x\n") == ":1:14: \"Nodes=\"n1\"x\"" + accepted);
  CHECK(conf_error("SwitchName=a Nodes= LinkSpeed=1\n") == ":1:14: \"Nodes=\"" + accepted);
  CHECK(conf_error("SwitchName=a \\\n  Node=n1\n").find(":2:3: unknown parameter \"Node\"") == 0);
  CHECK(conf_error("SwitchName=a Nodes=n1, n2\n") == ":1:24: \"n2\"" + accepted);
  CHECK(conf_error("SwitchName=a Nodes+=n1\n").find(":1:14: unknown parameter \"Nodes+\"") == 0);
  CHECK(conf_error("SwitchName=a Nodes=\"\"\n") ==
        ":1: switch \"a\" has neither hosts nor other switches");
}

TEST_CASE("Faults of topology.conf get a sentence with their line") {
  CHECK(conf_error("SwitchName=a Nodes=n[1-2]\nSwitchName=a Nodes=n3\n") ==
        ":2: switch \"a\" is declared twice (first in line 1)");
  CHECK(conf_error("SwitchName=a Switches=leaf2\nSwitchName=leaf1 Nodes=n\n") ==
        ":1: switch \"leaf2\" below \"a\" is declared nowhere; did you mean \"leaf1\"?");
  CHECK(conf_error("SwitchName=a Switches=b\nSwitchName=b Switches=a\nSwitchName=c Nodes=n\n") ==
        ":1: switch \"a\" lies below itself");
  CHECK(conf_error("SwitchName=a Nodes=a\n") == ":1: \"a\" is both a switch and a host");
  CHECK(conf_error("SwitchName=a\n") == ":1: switch \"a\" has neither hosts nor other switches");
  CHECK(conf_error("SwitchName=a Nodes=n[1\n") ==
        ":1: an unpaired bracket in the host list \"n[1\": accepted are names such as a1 and "
        "a[0-3,7] separated by commas");
  CHECK(conf_error("SwitchName=a Node=n1\n") ==
        ":1:14: unknown parameter \"Node\"; accepted: SwitchName, Nodes, Switches, LinkSpeed, "
        "BlockName, BlockSizes; did you mean \"Nodes\"?");
  CHECK(conf_error("SwitchName=a Nodes\n") ==
        ":1:14: \"Nodes\": accepted are parameters such as Nodes=n[0-3] or Nodes=\"n1, n2\"");
  CHECK(conf_error("Nodes=n1\n") == ":1: a line without SwitchName= or BlockName=");
  CHECK(conf_error("# nothing\n") ==
        ": no SwitchName= or BlockName= line: this is not a topology.conf of Slurm");
  CHECK(conf_error("SwitchName=a Nodes=n\nBlockName=b Nodes=m\n") ==
        ":2: SwitchName and BlockName in one file");
  CHECK(conf_error("SwitchName=a Switches=b\nSwitchName=b Switches=c\nSwitchName=c Switches=b\n") ==
        ": the file names no hosts");
}

TEST_CASE("Faults of topology.yaml get a sentence with their line") {
  CHECK(yaml_error("- topology: [\n").find("not YAML") != std::string::npos);
  CHECK(yaml_error("hello\n") ==
        ":1:1: accepted is a list of topologies, each \"- topology: NAME\"");
  CHECK(yaml_error("") == ": accepted is a list of topologies, each \"- topology: NAME\"");
  CHECK(yaml_error("- topology: a\n  flat: true\n") ==
        ": only the type flat, which names no hosts: accepted are tree, block, torus3d and ring");
  CHECK(yaml_error("- topology: a\n  mesh: true\n") ==
        ": no topology of type tree, block, torus3d or ring");
  CHECK(yaml_error("- topology: a\n  tree: 7\n") ==
        ":2:9: accepted is a list named \"switches\" here");
  CHECK(yaml_error("- topology: a\n  tree:\n    switches:\n      - switch: s\n") ==
        ":4:9: switch \"s\" has neither hosts nor other switches");
  CHECK(yaml_error("- topology: a\n  tree:\n    switches:\n      - 3\n") ==
        ":4:9: accepted is a map of fields here");
  CHECK(yaml_error(
            "- topology: a\n  tree:\n    switches:\n      - nodes: {a: b}\n        switch: s\n") ==
        ":4:16: accepted for \"nodes\" is a host list");
  CHECK(yaml_error(std::string(100000, '[')).find("not YAML") != std::string::npos);
}

// Index of a node as Slurm's torus3d counts it: (z * Y + y) * X + x, so x varies fastest.
TEST_CASE("Tori and rings of topology.yaml are tori") {
  const TemporaryFile torus("torus.yaml",
                            "- topology: flat\n  flat: true\n- topology: t\n  torus3d:\n"
                            "    toruses:\n      - name: pod\n        dims: {x: 3, y: 2, z: 2}\n"
                            "        nodes: n[01-12]\n        placements:\n"
                            "          - dims: {x: 1, y: 2, z: 2}\n");
  const auto network = load_machine(torus.path(), {});
  CHECK(network->num_hosts() == 12);
  CHECK(network->host_name(HostId{11}) == "n12");
  // By hand: n01 (0,0,0) to n03 (2,0,0) over the wrap of three, to n12 (2,1,1) two more.
  CHECK(network->hops(HostId{0}, HostId{2}) == 1);
  CHECK(network->hops(HostId{0}, HostId{11}) == 3);
  MachineOptions renamed;
  renamed.host_names = parse_host_names("m[1-12]");
  CHECK(load_machine(torus.path(), renamed)->host_name(HostId{11}) == "m12");
  renamed.host_names = parse_host_names("m[1-2]");
  CHECK_THROWS_AS(load_machine(torus.path(), renamed), InputError);
  // Regions of topology/torus3d: boxes with their own order, here the halves in y. By hand: b3 is
  // cell 0 of y = 1 in z = 1.
  const std::string halves =
      "# from SwitchName=s1\n- topology: t\n  torus3d:\n    toruses:\n      - name: pod\n"
      "        dims: {x: 2, y: 2, z: 2}\n        regions:\n"
      "          - anchor: {x: 0, y: 1, z: 0}\n            dims: {x: 2, y: 1, z: 2}\n"
      "            nodes: b[1-4]\n          - dims: {x: 2, y: 1, z: 2}\n            nodes: ";
  const TemporaryFile regions("regions.yaml", halves + "a[1-4]\n");
  const auto boxes = load_machine(regions.path(), {});
  for (const auto& [cell, name] :
       {std::pair{0, "a1"}, {1, "a2"}, {2, "b1"}, {3, "b2"}, {4, "a3"}, {6, "b3"}, {7, "b4"}})
    CHECK(boxes->host_name(HostId{cell}) == name);
  const auto complaint = [](const std::string& text) {
    const TemporaryFile file("regions.yaml", text);
    return tests::message_about(file.path(), [&] { load_machine(file.path(), {}); });
  };
  CHECK(complaint(halves + "a[1-3]\n") == ":11:13: 3 nodes in a region of 4: accepted are as many");
  CHECK(complaint(halves.substr(0, halves.find("          - dims"))) ==
        ":5:9: 4 of 8 coordinates are in no region: accepted are regions that name every node");
  CHECK(complaint(halves + "a[1-4]\n            anchor: {x: 0, y: 1}\n") ==
        ":11:13: node \"a1\" has the coordinates of \"b1\"");
  CHECK(complaint(halves + "a[1-4]\n            anchor: {x: 1}\n") ==
        ":11:13: a region that ends beyond the torus");
  const TemporaryFile ring("ring.yaml",
                           "- topology: r\n  ring:\n    rings:\n      - ring: a\n"
                           "        nodes: [a1, 'a[2-5]', b]\n");
  const auto circle = load_machine(ring.path(), {});
  CHECK(circle->host_name(HostId{5}) == "b");
  CHECK(circle->hops(HostId{0}, HostId{5}) == 1);
  CHECK(circle->diameter() == 3);
}

TEST_CASE("Tori that do not fit, and several, are refused with their line") {
  const auto error = [](const std::string& dims, const std::string& nodes) {
    const TemporaryFile file("torus.yaml",
                             "- topology: t\n  torus3d:\n    toruses:\n      - name: pod\n"
                             "        dims: " +
                                 dims + "\n        nodes: " + nodes + "\n");
    return tests::message_about(file.path(), [&] { load_machine(file.path(), {}); });
  };
  CHECK(error("{x: 2, y: 2, z: 2}", "n[1-7]") ==
        ":4:9: 7 nodes in a torus of 8: accepted are as many");
  CHECK(error("{x: 2, y: a, z: 2}", "n[1-8]") == ":5:15: y: \"a\" is not a size from 1 to 65535");
  CHECK(error("{x: 1, y: 1, z: 2}", "n[1-2]\n      - name: q") ==
        ":7:9: 2 toruses: accepted is one, as the file does not say how several are joined");
}

// What scontrol prints, after src/plugins/topology of Slurm; the hosts that a switch repeats of
// those below it have no cables to it.
TEST_CASE("What scontrol show topology prints is the machine of its topology.conf") {
  const std::string conf =
      "SwitchName=s1 Nodes=n[1-2]\nSwitchName=s2 Nodes=n[3-4]\n"
      "SwitchName=top Nodes=login Switches=s[1-2]\n";
  const TemporaryFile shown(
      "shown.txt",
      "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[1-2]\n"
      "SwitchName=s2 Level=0 LinkSpeed=1 Nodes=n[3-4]\n"
      "SwitchName=top Level=1 LinkSpeed=1 Nodes=login,n[1-4] Switches=s[1-2]\n");
  const TemporaryFile written("topology.conf", conf);
  const FabricSpec a = read_slurm_conf(shown.path(), ten_gigabytes);
  const FabricSpec b = read_slurm_conf(written.path(), ten_gigabytes);
  CHECK(a.cables.size() == b.cables.size());
  CHECK(bandwidth_between(a, "login", "top") == 10e9);
  CHECK(bandwidth_between(a, "s2", "top") == 20e9);
  CHECK(make_fabric(a)->hops(HostId{0}, HostId{2}) == 4);
  const TemporaryFile blocks(
      "blocks.txt",
      "BlockName=b1 BlockIndex=0 Nodes=n[1-2] BlockSize=2\nBlockName=b2 BlockIndex=1 "
      "Nodes=n[3-4] BlockSize=2\nAggregatedBlock=b[1-2] BlockIndex=2 Nodes=n[1-4] BlockSize=4\n");
  const FabricSpec block = read_slurm_conf(blocks.path(), ten_gigabytes);
  CHECK(block.hosts.size() == 4);
  CHECK(block.switches == std::vector<std::string>{"b1", "b2", "core"});
}

TEST_CASE("Include of Slurm reads a file beside the one that names it") {
  const std::string folder = tests::own_folder() + "/slurm_include";
  std::filesystem::create_directories(folder + "/sub");
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder + "/" + name) << text;
    return folder + "/" + name;
  };
  write("sub/leaves.conf", "SwitchName=l1 Nodes=a[1-2]\ninclude more.conf # the second\n");
  write("sub/more.conf", "SwitchName=l2 Nodes=b[1-2]\n");
  const std::string top =
      write("topology.conf", "# all\nInclude sub/leaves.conf\nSwitchName=top Switches=l[1-2]\n");
  const FabricSpec spec = read_slurm_conf(top, ten_gigabytes);
  CHECK(spec.hosts == std::vector<std::string>{"a1", "a2", "b1", "b2"});
  CHECK(spec.switches == std::vector<std::string>{"l1", "l2", "top"});
  CHECK(bandwidth_between(spec, "l2", "top") == 20e9);  // two hosts of 10 GB/s
  CHECK(machine_format_of(top) == MachineFormat::slurm_conf);
  const std::string loop = write("loop.conf", "SwitchName=l1 Nodes=a1\nInclude loop.conf\n");
  CHECK(tests::message_about(loop, [&] { read_slurm_conf(loop, {}); }) ==
        ":2: Include \"loop.conf\": the file includes itself");
  const std::string gone = write("gone.conf", "Include nothing.conf\n");
  CHECK(tests::message_of<InputError>([&] { read_slurm_conf(gone, {}); }) ==
        folder + "/nothing.conf: no such file");
}

TEST_CASE("A topology.yaml may be in flow style or JSON") {
  for (const std::string text :
       {"[{\"topology\": \"t\", \"tree\": {\"switches\": [{\"switch\": \"s\", \"nodes\": "
        "\"n[1-3]\"}]}}]",
        "---\n- {cluster_default: true, topology: t, tree: {switches: [{switch: s, nodes: "
        "'n[1-3]'}]}}\n",
        "# Slurm\n- cluster_default: true\n  topology: t\n  block:\n    blocks: [{block: s, nodes: "
        "[n1, n2, n3]}]\n"}) {
    CAPTURE(text);
    const TemporaryFile file("flow.json", text);
    REQUIRE(machine_format_of(file.path()) == MachineFormat::slurm_yaml);
    CHECK(load_machine(file.path(), {})->num_hosts() == 3);
  }
}

TEST_CASE("A file that no reader takes is not called malformed XML, nor Slurm's") {
  const std::string sentence =
      ": not a machine file that vtopo knows: accepted are platforms of SimGrid (XML), "
      "topology.conf and topology.yaml of Slurm, what \"scontrol show topology\", ibnetdiscover "
      "(-p "
      "too) and iblinkinfo print, and net files of ibsim";
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
           {"network.yml", "topology: [ Ring, Switch ]\nnpus_count: [ 4, 2 ]\n"},
           {"dragonfly.conf", "LPGROUPS\n{\n   MODELNET_GRP { repetitions=\"36\"; }\n}\n"},
           {"notes.xml", "hosts: a b c\n"},
           {"notes.txt", "SwitchName is a word\n"},
           {"empty.conf", ""}}) {
    CAPTURE(name);
    const TemporaryFile file(name, text);
    CHECK(tests::message_about(file.path(), [&] { load_machine(file.path(), {}); }) == sentence);
  }
}

TEST_CASE("A machine's file is known by its content") {
  CHECK(machine_format_of("a.xml") == MachineFormat::simgrid);
  const TemporaryFile yaml("hosts.conf", "# a yaml file\n- topology: a\n  flat: true\n");
  CHECK(machine_format_of(yaml.path()) == MachineFormat::slurm_yaml);
  CHECK(machine_format_of(machines + "fabric.ibnetdiscover") == MachineFormat::ibnetdiscover);
  const TemporaryFile slurm("tree.txt", "SwitchName=a Nodes=n[1-3]\n");
  CHECK(machine_format_of(slurm.path()) == MachineFormat::slurm_conf);
  CHECK(load_machine(slurm.path(), {})->num_hosts() == 3);
  CHECK(load_machine(machines + "topology.yaml", {})->diameter() == 4);
  CHECK(parse_machine_format("slurm-yaml") == MachineFormat::slurm_yaml);
  CHECK(tests::message_of<UsageError>([] { parse_machine_format("slurn"); }) ==
        "platform format \"slurn\"; accepted: simgrid, slurm, slurm-yaml, ibnetdiscover; did you "
        "mean \"slurm\"?");
}
