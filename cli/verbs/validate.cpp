#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command/verb.hpp"
#include "cli/mpirun/smpi_installation.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "netmodels/process/subprocess.hpp"
#include "netmodels/process/temporary_files.hpp"
#include "sim/research/validation/ledger.hpp"
#include "sim/research/validation/ledger_report.hpp"
#include "sim/research/validation/measured_runs.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::verbs {

namespace {

constexpr int most_ranks = 32;

/// What SMPI 3.32 calls an algorithm of these options.
struct SmpiSelector {
  std::string_view collective, options, name;
};

constexpr SmpiSelector selectors[] = {
    {"allreduce", "algorithm=recursive_doubling", "rdb"},
    {"allreduce", "algorithm=ring", "lr"},
    {"allreduce", "algorithm=segmented_ring", "ompi_ring_segmented"},
    {"allreduce", "algorithm=rabenseifner", "rab_rdb"},
    {"allgather", "algorithm=recursive_doubling", "rdb"},
    {"allgather", "algorithm=ring", "ring"},
    {"allgather", "algorithm=neighbor", "ompi_neighborexchange"},
    {"allgather", "algorithm=bruck", "bruck"},
    {"reduce_scatter", "algorithm=recursive_halving", "ompi_basic_recursivehalving"},
    {"reduce_scatter", "algorithm=ring", "ompi_ring"},
    {"reduce_scatter", "algorithm=butterfly", "ompi_butterfly"},
    {"reduce_scatter", "algorithm=pairwise", "mpich_pair"},
    {"reduce_scatter", "algorithm=recursive_doubling", "mpich_rdb"},
    {"alltoall", "algorithm=linear", "basic_linear"},
    {"alltoall", "algorithm=pairwise,order=shift", "ring"},
    {"alltoall", "algorithm=pairwise", "pair"},
    {"alltoall", "algorithm=bruck", "bruck"},
    {"bcast", "algorithm=linear", "flattree"},
    {"bcast", "algorithm=split_binary", "ompi_split_bintree"},
    {"bcast", "algorithm=chain", "ompi_pipeline"},
    {"bcast", "algorithm=binomial", "binomial_tree"},
    {"bcast", "algorithm=scatter_allgather", "scatter_rdb_allgather"},
    {"bcast", "algorithm=scatter_allgather_ring", "scatter_LR_allgather"},
    {"reduce", "algorithm=chain", "ompi_pipeline"},
    {"reduce", "algorithm=chain,radix=4", "ompi_chain"},
    {"reduce", "algorithm=binary", "ompi_binary"},
    {"reduce", "algorithm=binary,order=in_order", "ompi_in_order_binary"},
    {"reduce", "algorithm=binomial", "ompi_binomial"},
    {"reduce", "algorithm=linear,window=1", "ompi_basic_linear"},
    {"gather", "algorithm=binomial", "ompi_binomial"},
    {"gather", "algorithm=linear,window=1", "ompi_basic_linear"},
    {"scatter", "algorithm=binomial", "ompi_binomial"},
    {"scatter", "algorithm=linear,window=1", "ompi_basic_linear"},
    {"scatter", "algorithm=linear", "ompi_linear_nb"},
};

const SmpiSelector* selector_of(const MeasuredPoint& point) {
  const std::string options = pattern_options(point);
  const auto found =
      std::find_if(std::begin(selectors), std::end(selectors), [&](const SmpiSelector& row) {
        return row.collective == point.collective && row.options == options;
      });
  return found == std::end(selectors) ? nullptr : found;
}

/// The call of a rank in a time-independent trace; volumes are bytes, reductions take no time.
std::string call_of(const MeasuredPoint& point) {
  const auto volume = static_cast<long long>(call_volume(point).value);
  const std::string& name = point.collective;
  if (name == "allreduce") return fmt::format("allreduce {} 0", volume);
  if (name == "reduce") return fmt::format("reduce {} 0 0", volume);
  if (name == "bcast") return fmt::format("bcast {} 0", volume);
  if (name == "gather" || name == "scatter") return fmt::format("{0} {1} {1} 0", name, volume);
  if (name != "reduce_scatter") return fmt::format("{0} {1} {1}", name, volume);
  std::string call = "reducescatter";
  for (int r = 0; r < point.ranks; ++r) call += fmt::format(" {}", volume);
  return call + " 0";
}

/// The links and routes among the hosts of a run, as a platform of SimGrid.
std::string platform_of(const RunPlaces& places) {
  std::string hosts, routes;
  std::set<LinkId> used;
  const std::size_t num_hosts = places.hosts.size();
  for (std::size_t a = 0; a < num_hosts; ++a) {
    hosts += fmt::format("<host id=\"h{}\" speed=\"1Gf\"/>\n", a);
    for (std::size_t b = 0; b < num_hosts; ++b) {
      if (a == b) continue;
      std::vector<LinkId> links;
      places.network->append_route(places.hosts[a], places.hosts[b], links);
      routes += fmt::format("<route src=\"h{}\" dst=\"h{}\" symmetrical=\"NO\">", a, b);
      for (const LinkId link : links) routes += fmt::format("<link_ctn id=\"l{}\"/>", number(link));
      routes += "</route>\n";
      used.insert(links.begin(), links.end());
    }
  }
  std::string links;
  for (const LinkId link : used) {
    const LinkProperties of = places.network->link(link);
    links += fmt::format("<link id=\"l{}\" bandwidth=\"{}Bps\" latency=\"{}s\"/>\n", number(link),
                         std::min(of.bandwidth.value, 1e15), of.latency.value);
  }
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
         "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\"><zone id=\"run\" "
         "routing=\"Full\">\n" +
         hosts + links + routes + "</zone></platform>\n";
}

/// Files of one machine's runs in a folder of their own.
class SmpiReplays {
 public:
  explicit SmpiReplays(const MeasuredMachine& machine)
      : machine_(machine), smpirun_(find_smpirun()) {}

  std::optional<Seconds> time(const MeasuredPoint& point, std::string_view selector) {
    write_run(point);
    std::string list;
    for (int r = 0; r < point.ranks; ++r) {
      const std::string file = folder_.file(fmt::format("rank-{}", r));
      write_output(file, fmt::format("{0} init\n{0} {1}\n{0} finalize\n", r, call_of(point)));
      list += file + '\n';
    }
    write_output(folder_.file("list"), list);
    replay(point, selector);
    return read_time();
  }

 private:
  /// Platform and hosts, unless they are those of the point before.
  void write_run(const MeasuredPoint& point) {
    if (place_key(point) == place_) return;
    place_ = place_key(point);
    write_output(folder_.file("platform.xml"), platform_of(machine_.places(point)));
    std::string hosts;
    for (int r = 0; r < point.ranks; ++r) hosts += fmt::format("h{}\n", r);
    write_output(folder_.file("hosts"), hosts);
  }

  void replay(const MeasuredPoint& point, std::string_view selector) const {
    const EndpointCosts costs = costs_of(machine_.parameters());
    const std::string overhead = fmt::format("0:{}:0", costs.overhead.value);
    const int output =
        ::open(folder_.file("output").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    Executable program{
        {smpirun_, "-np", std::to_string(point.ranks), "-platform", folder_.file("platform.xml"),
         "-hostfile", folder_.file("hosts"), "-replay", folder_.file("list"),
         "--log=root.fmt:%.12r:%m%n", fmt::format("--cfg=smpi/{}:{}", point.collective, selector),
         "--cfg=smpi/os:" + overhead, "--cfg=smpi/ois:" + overhead, "--cfg=smpi/or:" + overhead,
         "--cfg=smpi/bw-factor:0:1", "--cfg=smpi/lat-factor:0:1", "--cfg=network/crosstraffic:0"}};
    program.output = program.errors = output;
    program.folder = folder_.path();
    program.limits.time = Seconds{60};
    Subprocess process(program);
    while (!process.has_ended() && Subprocess::Clock::now() < *process.deadline()) ::usleep(1000);
    process.wait();
    ::close(output);
  }

  /// `0.000614123456:Simulation time 0.000614`.
  std::optional<Seconds> read_time() const {
    LineFile file(folder_.file("output"));
    std::optional<Seconds> time;
    while (file.next()) {
      const auto colon = file.line().find(":Simulation time");
      if (colon == std::string_view::npos) continue;
      if (const auto seconds = parse_number(trim(file.line().substr(0, colon))))
        time = Seconds{*seconds};
    }
    return time;
  }

  const MeasuredMachine& machine_;
  std::string smpirun_, place_;
  TemporaryFolder folder_;
};

/// Has SMPI simulate points of a ledger with its own version of their algorithms: up to `most`,
/// spread evenly over those of at least `least_counted` on up to 32 ranks whose algorithm SMPI has.
/// It sees the links of the machine with one route for each pair of hosts, and the machine's
/// overhead; factors of its own are 1. Points that it cannot simulate stay without a time.
/// @param progress share of the points that are done.
/// @throws InputError if smpirun is missing.
void add_smpi_times(const MeasuredMachine& machine, int most, const Progress& progress,
                    MachineLedger& ledger) {
  std::vector<LedgerRow*> rows;
  for (LedgerRow& row : ledger.rows)
    if (row.prediction.time && row.point.ranks <= most_ranks && row.point.tasks_per_node == 1 &&
        row.point.bytes.value >= least_counted.value && selector_of(row.point) != nullptr)
      rows.push_back(&row);
  SmpiReplays replays(machine);
  const auto count = std::min(rows.size(), static_cast<std::size_t>(std::max(most, 0)));
  for (std::size_t i = 0; i < count; ++i) {
    LedgerRow& row = *rows[i * rows.size() / count];
    row.smpi = replays.time(row.point, selector_of(row.point)->name);
    if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(count));
  }
}

struct ValidateOptions {
  std::string folder;
  MachineSelection selection;
  int smpi = 0;  ///< points per machine
  std::string output = "-";
};

constexpr int max_smpi_points = 100000;

using LedgerWriter = std::string (*)(const Ledgers&);

/// By the extension of the file.
LedgerWriter ledger_writer(const std::string& output) {
  if (output == "-" || output.ends_with(".txt")) return ledger_text;
  if (output.ends_with(".csv")) return ledger_csv;
  if (output.ends_with(".json")) return ledger_json;
  if (output.ends_with(".md")) return ledger_markdown;
  if (output.ends_with(".html")) return ledger_page;
  throw UsageError(fmt::format(
      "-o {}: accepted extensions are .txt, .csv, .json, .md and .html, or - for stdout", output));
}

int run_validate(const ValidateOptions& options) {
  const LedgerWriter write = ledger_writer(options.output);
  check_output(options.output);
  if (options.smpi > 0) find_smpirun();
  Console console;
  const std::vector<MachineFiles> machines = machine_files(options.folder, options.selection);
  for (const MachineFiles& files : machines) {
    const auto work = console.begin("reading " + files.machine);
    const MeasuredMachine machine(options.folder, files.platform);
    machine.check(files.points);
    std::vector<MeasuredPoint> of_pairs;
    for (const MeasuredPair& pair : files.pairs) of_pairs.push_back(pair.a);
    machine.check(of_pairs);
  }
  Ledgers ledgers;
  for (const MachineFiles& files : machines) {
    const auto work = console.begin("predicting " + files.machine);
    MeasuredMachine machine(options.folder, files.platform);
    ledgers.push_back(make_ledger(machine, files, work->callback()));
    if (options.smpi == 0) continue;
    work->rename("SMPI on " + files.machine);
    add_smpi_times(machine, options.smpi, work->callback(), ledgers.back());
  }
  write_output(options.output, write(ledgers));
  return 0;
}

}  // namespace

Verb validate() {
  auto options = std::make_shared<ValidateOptions>();
  Verb verb{"validate", "holds the clock against measured times of collective operations"};
  verb.listed = {VerbHeading::others, 4};
  verb.examples =
      "DIR holds runs.csv, with a line machine,run,nodes,collective,algorithm,library,bytes,\n"
      "...,median_s per measured point, and allocations/MACHINE-RUN.csv with rank,host. Each\n"
      "machine is described by its platform file: network, rule of its routes, and five numbers\n"
      "that vtopo calibrate has found.\n"
      "\n"
      "Examples:\n"
      "  vtopo validate examples/measured --platforms examples/measured\n"
      "  vtopo validate examples/measured --machine hill --platforms examples/measured -o "
      "ledger.json\n"
      "  vtopo validate examples/measured --smpi 5 --platforms examples/measured -o ledger.html";
  verb.add("folder", &options->folder, "folder with runs.csv and allocations/")
      ->type_name("DIR")
      ->required();
  verb.add("--machine", &options->selection.machine, "only this machine of runs.csv");
  verb.add("--platform", &options->selection.platform, "its platform file (default: by its name)");
  verb.add("--platforms", &options->selection.platforms,
           "folder of platform files (default: those that vtopo brings)");
  verb.add(
          "--smpi", &options->smpi,
          "of each machine, have SimGrid's SMPI simulate so many points of up to 32 nodes with the "
          "same algorithms, for comparison")
      ->check(whole_number(max_smpi_points));
  verb.add("-o,--output", &options->output,
           "file (.txt, .csv, .json, .md, .html), or - for stdout");
  verb.run = [options](const Invocation&) { return run_validate(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
