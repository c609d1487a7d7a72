// Every platform file below some folders through lint, describe and the routes of random pairs,
// beside SimGrid: SimGrid's own example files are the acceptance set (README.md). Nothing of them
// is part of this project.

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <simgrid/s4u.hpp>

#include "netmodels/platform/platform.hpp"
#include "netmodels/platform/platform_server.hpp"
#include "netmodels/process/child_process.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo {

using namespace vtopo::detail;

namespace {

namespace fs = std::filesystem;

constexpr int num_pairs = 100;
constexpr double slow_seconds = 20;

using Pair = std::pair<std::string, std::string>;

/// A route as either side gives it; none: `links` is -1.
struct RouteRecord {
  int links = -1;
  double latency = 0;
};

/// SimGrid's view of a file.
struct Expected {
  bool loads = false;
  std::vector<Pair> pairs;
  std::vector<RouteRecord> routes;
};

/// Pairs of different hosts; all if there are few.
std::vector<Pair> draw_pairs(const std::vector<std::string>& hosts) {
  std::vector<Pair> pairs;
  if (hosts.size() <= 10) {
    for (const auto& a : hosts)
      for (const auto& b : hosts)
        if (a != b) pairs.emplace_back(a, b);
    return pairs;
  }
  std::mt19937_64 random(1);
  while (pairs.size() < num_pairs) {
    const auto& a = hosts[random() % hosts.size()];
    const auto& b = hosts[random() % hosts.size()];
    if (a != b) pairs.emplace_back(a, b);
  }
  return pairs;
}

/// SimGrid with the file loaded, in a child, from the folder of the file: traces stand beside it.
void serve_file(Channel& channel, const fs::path& file, const std::vector<Pair>& wanted) {
  fs::current_path(file.parent_path());
  char name[] = "bare", quiet[] = "--log=root.thres:critical";
  const std::string path = "--cfg=path:" + file.parent_path().parent_path().string();
  std::string path_argument = path;
  char* arguments[] = {name, quiet, path_argument.data(), nullptr};
  int count = 3;
  simgrid::s4u::Engine engine(&count, arguments);
  engine.load_platform(file.string());
  engine.seal_platform();
  const auto hosts = engine.get_all_hosts();
  channel.send_value(hosts.size());
  for (const auto* host : hosts) channel.send_text(host->get_name());
  for (const auto& [from, to] : wanted) {
    std::vector<simgrid::s4u::Link*> links;
    double latency = 0;
    RouteRecord record;
    try {
      engine.host_by_name(from)->route_to(engine.host_by_name(to), links, &latency);
      record.latency = latency;
      record.links = narrow<int>(std::count_if(links.begin(), links.end(), [](const auto* link) {
        return !is_cluster_loopback(link->get_name());
      }));
      if (record.links == 0 && latency == 0) record.links = -1;  // nothing can be sent over it
    } catch (const std::exception&) {
    }
    channel.send_value(record);
  }
}

Expected ask_simgrid(const fs::path& file) {
  Expected expected;
  const Limits limits{Seconds{60}, {}};
  std::vector<std::string> hosts;
  {
    ChildProcess child([&](Channel& channel) { serve_file(channel, file, {}); }, limits);
    const auto count = child.channel().receive_value<std::size_t>();
    for (std::size_t h = 0; h < count.value_or(0); ++h)
      hosts.push_back(child.channel().receive_text().value_or(""));
    expected.loads = count && child.exit_description().find("exit code 0") != std::string::npos;
  }
  if (hosts.size() < 2) return expected;
  expected.pairs = draw_pairs(hosts);
  while (expected.routes.size() < expected.pairs.size()) {  // another child behind each crash
    const std::vector<Pair> rest(expected.pairs.begin() + std::ptrdiff_t(expected.routes.size()),
                                 expected.pairs.end());
    ChildProcess child([&](Channel& channel) { serve_file(channel, file, rest); }, limits);
    const auto count = child.channel().receive_value<std::size_t>();
    for (std::size_t h = 0; h < count.value_or(0); ++h) child.channel().receive_text();
    std::size_t i = 0;
    for (; i < rest.size(); ++i) {
      const auto record = child.channel().receive_value<RouteRecord>();
      if (!record) break;
      expected.routes.push_back(*record);
    }
    if (i < rest.size()) expected.routes.push_back({});
  }
  return expected;
}

double latency_of(const Network& network, const std::vector<LinkId>& links) {
  double sum = 0;
  for (const LinkId link : links) sum += network.link(link).latency.value;
  return sum;
}

std::vector<RouteRecord> ask_vtopo(const fs::path& file, const std::vector<Pair>& pairs) {
  const auto network = load_platform(file.string(), {});
  std::map<std::string, HostId> ids;
  for (int h = 0; h < network->num_hosts(); ++h) ids[network->host_name(HostId{h})] = HostId{h};
  std::vector<RouteRecord> records;
  for (const auto& [from, to] : pairs) {
    RouteRecord record;
    try {
      std::vector<LinkId> links;
      network->append_route(ids.at(from), ids.at(to), links);
      record = {int_size(links), latency_of(*network, links) +
                                     network->flow_latency(ids.at(from), ids.at(to)).value};
    } catch (const InputError&) {
    } catch (const SimulationError&) {
    }
    records.push_back(record);
  }
  return records;
}

struct Compared {
  int equal = 0;
  int without_route = 0;  ///< of them, on both sides
  int differ = 0;
  int latencies_differ = 0;
  std::string first_difference;
  std::string error;
};

std::string text_of(const RouteRecord& record) {
  return record.links < 0 ? "none" : fmt::format("{} links {} s", record.links, record.latency);
}

Compared compare(const fs::path& file, const Expected& expected) {
  Compared result;
  std::vector<RouteRecord> own;
  try {
    own = ask_vtopo(file, expected.pairs);
  } catch (const std::exception& error) {
    result.error = error.what();
    return result;
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    const RouteRecord &mine = own[i], &theirs = expected.routes[i];
    const bool same_latency = mine.links < 0 || std::abs(mine.latency - theirs.latency) <=
                                                    1e-9 * (1e-3 + std::abs(theirs.latency));
    if (mine.links == theirs.links && same_latency) {
      ++result.equal;
      if (mine.links < 0) ++result.without_route;
      continue;
    }
    ++(mine.links == theirs.links ? result.latencies_differ : result.differ);
    if (result.first_difference.empty())
      result.first_difference =
          fmt::format("{} to {}: {}, SimGrid {}", expected.pairs[i].first, expected.pairs[i].second,
                      text_of(mine), text_of(theirs));
  }
  return result;
}

struct Run {
  int exit = 0;
  double seconds = 0;  ///< elapsed
};

/// The command, ended where it has not come back in time.
Run run(const std::string& command) {
  const auto start = std::chrono::steady_clock::now();
  const int status =
      std::system(fmt::format("timeout {} {} >/dev/null 2>&1", 3 * slow_seconds, command).c_str());
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, elapsed.count()};
}

bool is_platform(const fs::path& file) {
  if (file.extension() != ".xml") return false;
  std::ifstream stream(file);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  for (const char* zone : {"<zone", "<AS ", "<cluster"})
    if (text.find("<platform") != text.npos && text.find(zone) != text.npos) return true;
  return false;
}

std::vector<fs::path> files_below(int count, char** folders) {
  std::vector<fs::path> files;
  for (int i = 0; i < count; ++i)
    for (const auto& entry : fs::recursive_directory_iterator(folders[i]))
      if (entry.is_regular_file() && is_platform(entry.path()))
        files.push_back(fs::absolute(entry.path()));
  std::sort(files.begin(), files.end());
  return files;
}

struct Totals {
  int files = 0, load = 0, hangs = 0, refused = 0, lint_errors = 0, routes = 0, without_route = 0,
      differ = 0, latencies = 0;
};

void report(const std::string& vtopo, const fs::path& file, Totals& totals) {
  const Run lint = run(fmt::format("'{}' platform lint '{}'", vtopo, file.string()));
  const Run describe =
      run(fmt::format("'{}' platform describe --platform '{}'", vtopo, file.string()));
  const Expected expected = ask_simgrid(file);
  const Compared compared = compare(file, expected);
  const bool usable = expected.loads;
  ++totals.files;
  totals.load += usable;
  totals.hangs += lint.seconds > slow_seconds || describe.seconds > slow_seconds;
  totals.refused += usable && (describe.exit != 0 || !compared.error.empty());
  totals.lint_errors += usable && lint.exit != 0;
  totals.routes += compared.equal + compared.differ + compared.latencies_differ;
  totals.without_route += compared.without_route;
  totals.differ += compared.differ;
  totals.latencies += compared.latencies_differ;
  fmt::print("{:<46} {:<5} {:>4} {:>8} {:>7.2f} {:>5} {:>6} {:>7}  {}\n",
             file.parent_path().filename().string() + "/" + file.filename().string(),
             usable ? "loads" : "no", lint.exit, describe.exit, describe.seconds, compared.equal,
             compared.differ, compared.latencies_differ,
             compared.error.empty() ? compared.first_difference : compared.error);
  std::fflush(stdout);
}

}  // namespace

}  // namespace vtopo

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: platform_files VTOPO FOLDER...\n");
    return 2;
  }
  fmt::print("{:<46} {:<5} {:>4} {:>8} {:>7} {:>5} {:>6} {:>7}\n", "file", "SimG.", "lint",
             "describe", "seconds", "equal", "differ", "latency");
  vtopo::Totals totals;
  for (const auto& file : vtopo::files_below(argc - 2, argv + 2))
    vtopo::report(argv[1], file, totals);
  fmt::print(
      "{} files, {} load in SimGrid; over {} s: {}; refused though SimGrid loads them: {} (by "
      "lint: {}); {} pairs compared ({} without route on both sides): {} differ in links, {} in "
      "latency only\n",
      totals.files, totals.load, vtopo::slow_seconds, totals.hangs, totals.refused,
      totals.lint_errors, totals.routes, totals.without_route, totals.differ, totals.latencies);
  return totals.hangs + totals.refused + totals.differ + totals.latencies > 0;
}
