#include "netmodels/platform/lint/lint.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "netmodels/platform/platform.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

const std::filesystem::path lint_samples = tests::source_path("tests/netmodels/platform/lint");

/// Path of a file with this text.
std::string write(const std::string& name, const std::string& text) {
  return tests::write_file("lint-test-" + name + ".xml", text);
}

/// A platform of one Full zone.
std::string platform(const std::string& body) {
  return "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
         "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">" +
         body + "</zone></platform>";
}

/// Rule that a sample is about: the name of its file up to the first dot.
std::string rule_of(const std::filesystem::path& sample) {
  const std::string name = sample.filename().string();
  return name.substr(0, name.find('.'));
}

/// Line that holds the mark, from 1.
int marked_line(const std::string& text) {
  const auto mark = std::min(text.find("<!--here-->"), text.size());
  return 1 + static_cast<int>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(mark), '\n'));
}

std::vector<std::filesystem::path> sample_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(lint_samples))
    if (entry.path().extension() == ".xml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string list(const LintReport& report) {
  std::string text;
  for (const auto& finding : report.findings)
    text += to_string(finding.position) + ": " + std::string(finding.rule) + ": " +
            finding.sentence + '\n';
  return text;
}

bool has(const LintReport& report, std::string_view rule, int line) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const LintFinding& f) {
    return f.rule == rule && f.position.line == line;
  });
}

/// What load_platform, and SimGrid when it is asked for routes, say; empty: nothing.
std::string loading_error(const std::string& path) {
  try {
    const auto network = load_platform(path, {.simgrid_compatible = true});
    for (int h = 0; h < network->num_hosts(); ++h) network->hops(HostId{0}, HostId{h});
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("Each sample gives the finding that it is named after, in the marked line") {
  for (const auto& sample : sample_files()) {
    if (rule_of(sample) == "good") continue;
    const LintReport report = lint_platform(sample, true);
    INFO(sample << "\n" << list(report));
    const bool wide = sample.filename() == "not-utf8.utf16.xml";
    CHECK(has(report, rule_of(sample), wide ? 1 : marked_line(tests::read_file(sample))));
    for (const auto& finding : report.findings) {
      CHECK_FALSE(finding.sentence.empty());
      CHECK_FALSE(finding.instead.empty());
    }
  }
}

TEST_CASE("A good sample has no finding") {
  int count = 0;
  for (const auto& sample : sample_files()) {
    if (rule_of(sample) != "good") continue;
    const LintReport report = lint_platform(sample);
    INFO(sample << "\n" << list(report));
    CHECK(report.findings.empty());
    CHECK(loading_error(sample) == "");
    ++count;
  }
  CHECK(count >= 5);
}

TEST_CASE("A sample with warnings only loads, and its warning comes alone") {
  // Of these only a pair is an error, when its route is asked for.
  const std::set<std::string> pairs{"isolated-host", "missing-coordinates", "missing-route",
                                    "no-routing", "unreachable-host"};
  for (const auto& sample : sample_files()) {
    const LintReport report = lint_platform(sample, true);
    if (report.count(LintSeverity::error) > 0 || rule_of(sample) == "good") continue;
    INFO(sample << "\n" << list(report));
    CHECK(report.findings.size() == 1);
    const std::string error = loading_error(sample);
    if (pairs.contains(rule_of(sample)))
      CHECK(error.find("there is no route from ") != error.npos);
    else
      CHECK(error == "");
  }
}

TEST_CASE("What load_platform refuses has an error, and a pair without route a finding") {
  for (const auto& sample : sample_files()) {
    const std::string error = loading_error(sample);
    if (error.empty()) continue;
    INFO(sample << "\n" << error);
    const LintReport report = lint_platform(sample);
    CHECK_FALSE(report.findings.empty());
    if (error.find("there is no route from ") == error.npos)
      CHECK(report.count(LintSeverity::error) > 0);
  }
}

TEST_CASE("Rules are sorted, described, and each has a sample") {
  std::set<std::string> sampled;
  for (const auto& sample : sample_files()) sampled.insert(rule_of(sample));
  const auto rules = lint_rules();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    INFO(rules[i].name);
    if (i > 0) CHECK(rules[i - 1].name < rules[i].name);
    CHECK(rules[i].summary.ends_with('.'));
    const bool made_by_a_test = rules[i].name == "unreadable-file" || rules[i].name == "slow-floyd";
    CHECK(sampled.contains(std::string(rules[i].name)) != made_by_a_test);
  }
}

TEST_CASE("Shipped platforms have no errors") {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(tests::source_path("platforms"))) {
    if (entry.path().extension() != ".xml") continue;
    const LintReport report = lint_platform(entry.path());
    INFO(entry.path() << "\n" << list(report));
    CHECK(report.count(LintSeverity::error) == 0);
    ++count;
  }
  CHECK(count >= 4);
}

TEST_CASE("Errors come before warnings, each in the order of the file, at the attribute") {
  const auto report =
      lint_platform(write("several",
                          "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                          "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
                          "<zone id=\"z\" routing=\"Full\">\n<host id=\"a\"\n   speed=\"-1Gf\"/>\n"
                          "<host id=\"b\" speed=\"1GF\" core=\"x\"/>\n</zone></platform>\n"));
  REQUIRE(report.findings.size() == 4);
  // By hand: the columns of the attributes.
  CHECK(report.findings[3].rule == "missing-route");
  CHECK(list(report).find(":4:7: missing-route") != std::string::npos);
  CHECK(report.findings[0].rule == "negative-speed");
  CHECK(report.findings[0].position.line == 6);
  CHECK(report.findings[0].position.column == 4);
  CHECK(report.findings[0].value == "-1Gf");
  CHECK(report.findings[1].rule == "unknown-unit");
  CHECK(report.findings[1].instead == "1Gf");
  CHECK(report.findings[1].position.column == 14);
  CHECK(report.findings[2].rule == "bad-core");
  CHECK(report.findings[2].position.column == 26);
}

TEST_CASE("Suggestions name what was meant") {
  const auto instead = [](const std::string& link) {
    const auto report = lint_platform(
        write("suggestion",
              platform("<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>" + link +
                       "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>")),
        true);
    REQUIRE(!report.findings.empty());
    return report.findings[0].instead;
  };
  const auto bandwidth = [&](const std::string& text) {
    return instead("<link id=\"l\" bandwidth=\"" + text + "\" latency=\"0\"/>");
  };
  CHECK(bandwidth("10GB/s") == "10GBps");
  CHECK(bandwidth("10gbps") == "10Gbps");
  CHECK(bandwidth("10 MBps") == "10MBps");
  CHECK(bandwidth("8Gbps") == "1000000000Bps if bits are meant, 8GBps if bytes are");
  CHECK(instead("<link id=\"l\" bandwidth=\"1GBps\" lat=\"0\"/>").find("latency=") == 0);
  CHECK(instead("<link id=\"l\" bandwidth=\"1GBps\" latency=\"1\xc2\xb5s\"/>") == "1us");
}

TEST_CASE("A link without limit is as vtopo and WRENCH write it, one of 1 PB/s is absurd") {
  const auto findings = [](const std::string& bandwidth) {
    return list(lint_platform(
        write("unlimited", platform("<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" "
                                    "speed=\"1Gf\"/><link id=\"l\" bandwidth=\"" +
                                    bandwidth +
                                    "\" latency=\"0s\"/>"
                                    "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>"))));
  };
  CHECK(findings("1000000000GBps").empty());  // 1e18 bytes per second
  CHECK(findings("1000EBps").empty());
  CHECK(findings("1PBps").find("absurd-bandwidth") != std::string::npos);
  CHECK(findings("10Gbps").empty());  // bits are legal and often meant
}

// By hand: zones c and d of two hosts each, and a host h.
TEST_CASE("A route that is missing between zones with hosts is an error") {
  const auto rules = [](const std::string& routes) {
    std::string text;
    const auto report = lint_platform(
        write("zones",
              platform("<cluster id=\"c\" prefix=\"c\" suffix=\"\" radical=\"0-1\" speed=\"1Gf\" "
                       "bw=\"1GBps\" lat=\"1us\" router_id=\"rc\"/><cluster id=\"d\" prefix=\"d\" "
                       "suffix=\"\" radical=\"0-1\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" "
                       "router_id=\"rd\"/><link id=\"l\" bandwidth=\"1GBps\" latency=\"1us\"/>" +
                       routes)));
    for (const LintFinding& finding : report.findings)
      text += fmt::format("{} {};", to_string(finding.severity), finding.rule);
    return text;
  };
  const std::string link = "><link_ctn id=\"l\"/></zoneRoute>";
  const std::string there = "<zoneRoute src=\"c\" dst=\"d\" gw_src=\"rc\" gw_dst=\"rd\"";
  CHECK(rules(there + link) == "");
  CHECK(rules(there + " symmetrical=\"NO\"" + link) == "error missing-zone-route;");
  CHECK(rules("") == "error missing-zone-route;warning unused-link;");
}

TEST_CASE("A tag that does not fit names the line of the open one") {
  const auto sentence = [](const std::string& text) {
    const auto report = lint_platform(write("tags", text));
    REQUIRE(report.findings.size() == 1);
    return report.findings[0].sentence;
  };
  const std::string start =
      "<?xml version='1.0'?>\n<platform version=\"4.1\">\n<zone id=\"a>b\">\n";
  CHECK(sentence(start + "<!-- <host> -->\n<host id=\"h\"></zone></platform>\n") ==
        "malformed XML: </zone> in line 5, where <host> of line 5 is open");
  CHECK(sentence(start + "<host id=\"h\"/>\n</platform>\n") ==
        "malformed XML: </platform> in line 5, where <zone> of line 3 is open");
  CHECK(sentence(start + "<host id=\"h\"/>\n</zone>\n") ==
        "malformed XML: the file ends where <platform> of line 2 is open");
}

TEST_CASE("A character that only looks like another one is named by its code") {
  const auto quotes = lint_platform(write("quotes", platform("<host id=\"h\" speed=\xe2\x80\x9c"
                                                             "1Gf\xe2\x80\x9d/>")));
  REQUIRE(quotes.findings.size() == 1);
  CHECK_THAT(quotes.findings[0].sentence,
             Catch::Contains("in \"speed=") && Catch::Contains("U+201C in it only looks like"));
  const auto report = lint_platform(
      write("minus", platform("<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0\xe2\x88\x92"
                              "15\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"/>")));
  CHECK(list(report).find("U+2212 in it only looks like \"-\"") != std::string::npos);
}

TEST_CASE("A network in a property is checked as the loader does") {
  const auto report = [](const std::string& value) {
    return lint_platform(write("property", platform("<prop id=\"vtopo-network\" value=\"" + value +
                                                    "\"/><host id=\"h\" speed=\"1Gf\"/>")));
  };
  CHECK(report("torus:4x4").count(LintSeverity::error) == 0);
  const LintReport bad = report("torus:4x0");
  REQUIRE(bad.count(LintSeverity::error) == 1);
  CHECK(bad.findings[0].rule == "refused-by-vtopo");
  CHECK(bad.findings[0].sentence.starts_with("<prop id=\"vtopo-network\" value=\"torus:4x0\">: "));
  CHECK(bad.findings[0].position.line == 1);
}

TEST_CASE("Paths that hold no file are one error each") {
  const std::string fifo = tests::own_folder() + "/lint-test-fifo";
  std::filesystem::remove(fifo);
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  for (const std::string& path : {std::string("/nowhere/x.xml"), tests::source_path(""), fifo,
                                  std::string("/dev/zero"), std::string("/nowhere/x.so")}) {
    const LintReport report = lint_platform(path);
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].rule == "unreadable-file");
    CHECK_FALSE(report.findings[0].sentence.empty());
  }
  std::filesystem::remove(fifo);
}
