#include <catch2/catch.hpp>

#include <fstream>
#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "sim/formats/machines/hwloc_file.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"

using namespace vtopo;
using Catch::Contains;

namespace {

// lstopo-no-graphics -i "package:2 [numa] l3:2 core:3 pu:1" --of xml
const std::string two_packages = "tests/netmodels/models/endpoints/two_packages.xml";

std::string node_of(const std::string& keys) {
  return make_network("torus:4,node=" + keys, {})->description();
}

std::string written(const std::string& text) {
  std::string path = tests::own_folder() + "/node.xml";
  std::ofstream(path) << text;
  return path;
}

/// Objects of hwloc inside its document.
std::string document(const std::string& objects) {
  return written("<topology><object type=\"Machine\">" + objects + "</object></topology>");
}

std::string object(const std::string& type, const std::string& parts = "") {
  return "<object type=\"" + type + "\">" + parts + "</object>";
}

template <class Error>
std::string refusal(const std::string& keys) {
  return tests::message_of<Error>([&] { node_of(keys); });
}

}  // namespace

TEST_CASE("A file of hwloc says what joins the cores of a node") {
  const std::string path = tests::source_path(two_packages);
  CHECK(node_of(path) == "torus:4,node=3x2x2:l3=inf,package=inf,machine=inf");
  CHECK(node_of(path + ":package=50GBps,l3=400GBps") ==
        "torus:4,node=3x2x2:l3=400GBps,package=50GBps,machine=inf");
  CHECK(make_network("torus:4,node=" + path, {})->num_hosts() == 48);
}

TEST_CASE("A file of hwloc says in which place each processor is") {
  const auto pu = [](const std::string& number) {
    return "<object type=\"PU\" os_index=\"" + number + "\"/>";
  };
  using Places = std::vector<int>;
  // Cores in the order of the file, whatever the operating system's numbers; there is no
  // processor 2.
  CHECK(detail::read_hwloc_processors(
            document(object("Package", object("L3Cache", object("Core", pu("0") + pu("4")))) +
                     object("Package", object("Core", pu("3")) + object("Core", pu("1"))))) ==
        Places{0, 2, -1, 1, 0});
  // Without cores each processor is a place; numbers that no machine has are left out.
  CHECK(detail::read_hwloc_processors(document(pu("1") + pu("4000000000") + pu("0") +
                                               "<object type=\"PU\"/>")) == Places{2, 0});
  CHECK(detail::read_hwloc_processors(tests::source_path(two_packages)) ==
        Places{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  CHECK_THROWS_AS(detail::read_hwloc_processors("/nowhere.xml"), InputError);
}

TEST_CASE("Caches of one core, memory and devices join nothing in a file of hwloc") {
  const std::string core = object("L2Cache", object("Core", object("PU") + object("PU")));
  const std::string group = object("Group", object("NUMANode") + core + core + core);
  const std::string device = object("Bridge", object("PCIDev"));
  CHECK(node_of(document(object("Package", group + group) + device)) ==
        "torus:4,node=3x2:numa=inf,package=inf");
  // hwloc 1 has cores inside NUMA nodes; without cores the places are PUs.
  const std::string numa = object("NUMANode", object("PU") + object("PU"));
  CHECK(node_of(document(numa + numa)) == "torus:4,node=2x2:numa=inf,machine=inf");
  CHECK(node_of(document(core)) == "torus:4,node=1:machine=inf");
}

TEST_CASE("What is not a machine of equal parts is refused") {
  const std::string core = object("Core");
  CHECK_THAT(refusal<InputError>("no-such-file.xml"), Contains("no-such-file.xml: cannot be read"));
  CHECK_THAT(refusal<InputError>(written("nonsense")), Contains("is not a topology of hwloc"));
  CHECK_THAT(refusal<InputError>(written("<platform version=\"4.1\"/>")),
             Contains("is not a topology of hwloc; accepted: a file that \"lstopo FILE.xml\""));
  CHECK_THAT(refusal<InputError>(document("")), Contains("neither cores nor PUs"));
  CHECK_THAT(refusal<InputError>(
                 document(object("Package", core + core) + object("Package", core + core + core))),
             Contains("parts of a machine differ (2 in package and 3 in package)"));
  CHECK_THAT(refusal<UsageError>(tests::source_path(two_packages) + ":l4=1GBps"),
             Contains("node level \"l4\"; the file has: l3, package, machine"));
}
