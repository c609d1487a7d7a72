#include "cli/mpirun/smpi_run.hpp"
#include "cli/output/console.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "cli/command/verb.hpp"
#include "cli/mpirun/foreground_program.hpp"
#include "cli/mpirun/smpi_installation.hpp"
#include "cli/mpirun/smpi_results.hpp"
#include "cli/output/output.hpp"
#include "netmodels/machines/machine_file.hpp"
#include "netmodels/machines/shipped_machines.hpp"
#include "netmodels/platform/generate.hpp"
#include "netmodels/platform/platform_text.hpp"
#include "netmodels/process/temporary_files.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "topology/base/error.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

using Environment = decltype(Executable::environment);

/// Whether the network has a specification, perhaps in a platform file: vtopo reads it, SimGrid
/// does not.
bool has_specification(const SmpiOptions& options) {
  if (!options.network.empty()) return true;
  std::ifstream file(machine_path(options.platform), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.find("\"vtopo-network\"") != std::string::npos;
}

/// Whether the ranks can make the network of the job by its specification. Then no file holds it:
/// SimGrid asks the library for routes.
bool is_known_by_name(const SmpiOptions& options, const SmpiJob& job) {
  return job.has_specification && !job.machine.edited && !options.host_names &&
         !options.simgrid_compatible;
}

/// A platform file of SimGrid that is simulated as it is, but for what would open files.
bool is_simulated_as_given(const SmpiOptions& options, const SmpiJob& job) {
  if (job.has_specification || job.machine.edited) return false;
  return (options.platform_format ? **options.platform_format
                                  : machine_format_of(options.platform)) == MachineFormat::simgrid;
}

/// The bytes that were checked: the file may be another by now.
std::string checked_platform(const SmpiOptions& options) {
  return text_for_simgrid(read_platform_file(options.platform));
}

/// The hosts of a job with the routes between them and their links: of a whole machine a file holds
/// too many.
class HostsOfJob final : public Network {
 public:
  /// @param hosts ascending.
  HostsOfJob(std::shared_ptr<const Network> whole, std::vector<HostId> hosts)
      : whole_(std::move(whole)), hosts_(std::move(hosts)) {
    for (const HostId source : hosts_)
      for (const HostId destination : hosts_) {
        if (source != destination) whole_->append_route(source, destination, routes_);
        ends_.push_back(routes_.size());
      }
    links_ = routes_;
    std::sort(links_.begin(), links_.end());
    links_.erase(std::unique(links_.begin(), links_.end()), links_.end());
    for (LinkId& link : routes_)
      link = id_at<LinkId>(static_cast<std::size_t>(
          std::lower_bound(links_.begin(), links_.end(), link) - links_.begin()));
  }

  LinkProperties link(LinkId link) const override { return whole_->link(links_[index(link)]); }
  /// Short: SimGrid reads millions of them.
  std::string link_name(LinkId link) const override {
    return fmt::format("{}", number(links_[index(link)]));
  }
  std::string host_name(HostId host) const override { return whole_->host_name(of(host)); }
  std::optional<LinkEnds> link_ends(LinkId) const override { return std::nullopt; }
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    const std::size_t pair = index(source) * hosts_.size() + index(destination);
    const auto at = [&](std::size_t place) {
      return routes_.begin() + static_cast<std::ptrdiff_t>(place);
    };
    links.insert(links.end(), at(ends_[pair]), at(ends_[pair + 1]));
  }
  int hops(HostId source, HostId destination) const override {
    return whole_->hops(of(source), of(destination));
  }

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts;
    facts.num_hosts = static_cast<int>(hosts_.size());
    facts.num_links = static_cast<int>(links_.size());
    facts.description = whole_->description();
    facts.routing = whole_->routing();
    facts.diameter = whole_->facts().diameter;
    facts.injection_bandwidth = [this](HostId host) {
      return whole_->injection_bandwidth(of(host));
    };
    return facts;
  }

  HostId of(HostId host) const { return hosts_[index(host)]; }

  std::shared_ptr<const Network> whole_;
  std::vector<HostId> hosts_;            ///< ascending
  std::vector<LinkId> links_;            ///< those of the routes, ascending
  std::vector<LinkId> routes_;           ///< of all pairs, one after the other; places in `links_`
  std::vector<std::size_t> ends_ = {0};  ///< of each pair, by source, in `routes_`
};

Seconds loopback_latency(const SmpiOptions& options) {
  return read_option("loopback-latency", [&] { return parse_seconds(options.loopback_latency); });
}

/// A file that lists links and routes: those between the hosts of the job, if they are few.
std::string generated_platform(const SmpiOptions& options, const SmpiJob& job) {
  PlatformSource source;
  source.network = options.network.empty() ? "of a file" : options.network;
  source.bandwidth = options.bandwidth.text();
  source.latency = options.latency.text();
  source.loopback = LoopbackLink{*options.loopback_bandwidth, loopback_latency(options)};
  std::vector<HostId> hosts = job.placement.embedding.hosts();
  std::sort(hosts.begin(), hosts.end());
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  if (hosts.size() * hosts.size() > max_routes)
    return generate_platform(*job.machine.network, source, PlatformForm::zones).xml;
  check_for_simgrid(*job.machine.network);
  return generate_platform(HostsOfJob(job.machine.network, hosts), source, PlatformForm::zones).xml;
}

/// The job's files in a folder of their own.
struct JobFiles {
  TemporaryFolder folder;
  std::string platform;  ///< path

  std::string status() const { return folder.file("status"); }
  std::string report() const { return folder.file("constructors"); }
  /// smpirun splits what it is given at blanks.
  /// @throws InputError for a folder that it would split or expand.
  void check_for_launcher() const {
    if (folder.file("").find_first_of(" \t\n*?[:") != std::string::npos)
      throw InputError(
          fmt::format("smpirun takes no folder for temporary files with blanks, colons or any of "
                      "*?[ in its path, as \"{}\": set TMPDIR to another one",
                      folder.file("")));
  }

  std::string run() const { return folder.file("run"); }
  std::string recording() const { return folder.file("recording.csv"); }
  std::string hosts() const { return folder.file("hosts"); }
  std::string start() const { return folder.file("start"); }
};

void write_file(const std::string& path, std::string_view text) {
  errno = 0;
  std::ofstream file(path);
  file << text;
  if (!file.flush())
    throw InputError(fmt::format("cannot write \"{}\": {}", path, std::strerror(errno)));
}

/// SimGrid copies the program into the folder and aborts where that does not fit.
void check_room(const std::string& program, const TemporaryFolder& folder) {
  std::error_code unknown;
  const auto size = std::filesystem::file_size(program, unknown);
  if (unknown || size == 0) return;  // said by who starts it
  const std::string copy = folder.file("copy");
  const int descriptor = ::open(copy.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  const int error =
      descriptor == -1 ? errno : posix_fallocate(descriptor, 0, static_cast<off_t>(size));
  if (descriptor != -1) ::close(descriptor);
  std::filesystem::remove(copy, unknown);
  if (error == ENOSPC || error == EDQUOT || error == EFBIG)
    throw InputError(fmt::format("cannot copy \"{}\" to \"{}\": {}", program, folder.path(),
                                 std::strerror(error)));
}

/// What smpirun runs instead of the simulation: it adds the library and the program's arguments,
/// which smpirun would split at blanks, and keeps the status, on which smpirun would comment.
std::string start_script(const SmpiOptions& options, const SmpiJob& job, const JobFiles& files) {
  std::string arguments;
  for (std::size_t i = 1; i < options.program.size(); ++i)
    arguments += ' ' + shell_quoted(options.program[i]);
  const char* temporary = std::getenv("TMPDIR");  // smpirun's own is the job's folder
  return fmt::format("exec 3>&2 2>/dev/null\nenv {} LD_PRELOAD={} \"$@\" --{} 2>&3\necho $? >{}\n",
                     temporary == nullptr ? "-u TMPDIR" : "TMPDIR=" + shell_quoted(temporary),
                     shell_quoted(job.library), arguments, shell_quoted(files.status()));
}

void write_files(const SmpiOptions& options, const SmpiJob& job, JobFiles& files) {
  files.check_for_launcher();
  files.platform = job.platform.empty() ? job.library : files.folder.file("platform.xml");
  if (!job.platform.empty()) write_file(files.platform, job.platform);
  std::string hosts;
  for (const HostId host : job.placement.embedding.hosts()) {
    const std::string name = job.machine.network->host_name(host);
    if (name.find_first_of(": \t\r\n") != std::string::npos)
      throw InputError(fmt::format(
          "host \"{}\": smpirun takes names without colons, blanks and line ends only", name));
    hosts += name + '\n';
  }
  check_room(job.program, files.folder);
  write_file(files.hosts(), hosts);
  write_file(files.start(), start_script(options, job, files));
}

/// The settings of the overlay; those of the user's environment do not count.
Environment environment(const SmpiOptions& options, const SmpiJob& job, const JobFiles& files,
                        bool reorder) {
  const auto given = [](const auto& option) {
    return option ? std::optional(option->text()) : std::nullopt;
  };
  const bool by_name = is_known_by_name(options, job);
  Environment result{{"VTOPO_NETWORK", std::nullopt}, {"VTOPO_PLATFORM", std::nullopt}};
  const bool is_specification = by_name && !options.network.empty();
  result[is_specification ? 0 : 1].second = is_specification ? options.network
                                            : by_name        ? machine_path(options.platform)
                                                             : files.platform;
  result.emplace_back("VTOPO_BANDWIDTH", options.bandwidth.text());
  result.emplace_back("VTOPO_LATENCY", options.latency.text());
  result.emplace_back("VTOPO_ROUTING",
                      by_name ? to_string(job.machine.network->routing()) : "simgrid");
  result.emplace_back("VTOPO_LOOPBACK_BANDWIDTH", options.loopback_bandwidth.text());
  result.emplace_back("VTOPO_LOOPBACK_LATENCY", options.loopback_latency);
  result.emplace_back("VTOPO_REORDER", !reorder ? "0" : options.force_reorder ? "force" : "1");
  result.emplace_back("VTOPO_MAPPER",
                      options.mappers.empty() ? std::nullopt : std::optional(options.mappers));
  result.emplace_back("VTOPO_OBJECTIVE", given(options.objective));
  result.emplace_back("VTOPO_STEPS",
                      options.steps ? std::optional(std::to_string(*options.steps)) : std::nullopt);
  result.emplace_back("VTOPO_TIME_LIMIT", given(options.time_limit));
  result.emplace_back("VTOPO_SEED", std::to_string(options.seed));
  result.emplace_back("VTOPO_BYTES", options.message_bytes.empty()
                                         ? std::nullopt
                                         : std::optional(options.message_bytes));
  result.emplace_back("VTOPO_CHARGE_MAPPING", options.charge_mapping ? "1" : "0");
  result.emplace_back("VTOPO_REPORT", files.report());
  result.emplace_back("VTOPO_RUN", files.run());
  result.emplace_back("VTOPO_RECORD", files.recording());
  result.emplace_back("TMPDIR", files.folder.path());
  return result;
}

/// A setting of SimGrid that follows from options of the verb.
struct OwnSetting {
  std::string_view name, instead;
};

constexpr std::array own_settings{
    OwnSetting{"smpi/np", "-np"},
    OwnSetting{"smpi/hostfile", "--hosts, --launcher-mapper or --embedding"},
    OwnSetting{"smpi/simulate-computation", "--charge-computation"},
    OwnSetting{"smpi/tmpdir", "the environment's TMPDIR"},
    OwnSetting{"network/model", "--network-model"},
};

std::string checked_option(const std::string& option) {
  const auto colon = option.find(':');
  if (colon == std::string::npos || colon == 0 ||
      option.find_first_of(" \t\n") != std::string::npos)
    throw UsageError(
        fmt::format("--smpi-option \"{}\": accepted is NAME:VALUE without blanks, such "
                    "as smpi/allreduce:rdb",
                    option));
  for (const auto& [name, instead] : own_settings)
    if (name == std::string_view(option).substr(0, colon))
      throw UsageError(fmt::format("--smpi-option \"{}\": vtopo sets {} itself; use {} instead",
                                   option, name, instead));
  return "--cfg=" + option;
}

std::vector<std::string> command(const SmpiOptions& options, const SmpiJob& job,
                                 const JobFiles& files) {
  std::vector<std::string> words{
      job.smpirun, "-np", std::to_string(options.np), "-platform", files.platform, "-hostfile",
      files.hosts(), "-wrapper", "sh " + files.start(), "-quiet", "--log=root.thres:critical",
      // On a deadlock, of which the overlay says more.
      "--log=ker_engine.app:file:/dev/null", "--cfg=network/model:" + options.network_model.text()};
  if (*options.network_model == NetworkModel::cm02) {
    words.emplace_back("--cfg=network/crosstraffic:no");
    words.emplace_back("--cfg=network/TCP-gamma:1e15");
  }
  words.emplace_back(options.charge_computation ? "--cfg=smpi/host-speed:1Gf"
                                                : "--cfg=smpi/simulate-computation:no");
  for (const std::string& option : options.smpi_options) words.push_back(checked_option(option));
  words.push_back(job.program);
  return words;
}

/// Exit code of the simulation; nothing if smpirun did not come so far.
std::optional<int> status_of(const JobFiles& files) {
  std::ifstream file(files.status());
  int status = 0;
  return file >> status ? std::optional(status) : std::nullopt;
}

void place_job(const SmpiOptions& options, SmpiJob& job) {
  job.machine = load_network(options, console());
  job.placement = place_ranks(options, *job.machine.network);
}

/// The file that SMPI simulates, if any.
/// @throws UsageError for routes that SimGrid cannot have.
std::string platform_of(const SmpiOptions& options, const SmpiJob& job) {
  if (!is_known_by_name(options, job))
    return is_simulated_as_given(options, job) ? checked_platform(options)
                                               : generated_platform(options, job);
  loopback_latency(options);
  check_for_simgrid(*job.machine.network);
  return {};
}

/// Takes SimGrid's routes where a machine states a rule that splits flows, or a file cannot hold
/// those of `auto`: there are too many.
void make_platform(const SmpiOptions& options, SmpiJob& job) {
  job.has_specification = has_specification(options);
  try {
    job.platform = platform_of(options, job);
  } catch (const UsageError& error) {
    if (*options.routing != Routing::automatic ||
        job.machine.network->routing() == Routing::simgrid)
      throw;
    console().remark(fmt::format("simulated with --routing simgrid: {}", error.what()));
    SmpiOptions with_simgrid = options;
    with_simgrid.routing = "simgrid";
    place_job(with_simgrid, job);
    job.platform = platform_of(with_simgrid, job);
  }
}

}  // namespace

SmpiJob prepare(const SmpiOptions& options) {
  SmpiJob job{{}, {{}, Embedding({}, {})}, {}, {}, {}, false, {}};
  job.smpirun = find_smpirun();
  job.library = find_topology_library();
  job.program = find_mpi_program(options.program.front());
  parse_limits(options.limits);
  if (!options.message_bytes.empty())
    read_option("bytes", [&] { return parse_bytes(options.message_bytes); });
  for (const std::string& option : options.smpi_options) checked_option(option);
  if (!options.mappers.empty() && parse_mappers(options.mappers).size() != 1)
    throw UsageError(
        fmt::format("--mapper takes one mapper, \"{}\" names several; --compare "
                    "compares it with the order as launched",
                    options.mappers));
  place_job(options, job);
  make_platform(options, job);
  return job;
}

SmpiRun run_on_simulated_ranks(const SmpiOptions& options, const SmpiJob& job, bool reorder,
                               bool shows_output) {
  JobFiles files;
  write_files(options, job, files);
  const Limits limits = parse_limits(options.limits);
  const ForegroundEnd end =
      run_in_foreground({.words = command(options, job, files),
                         .environment = environment(options, job, files, reorder),
                         .output = shows_output ? STDOUT_FILENO : -1,
                         .limits = limits,
                         .folder = files.folder.path()});
  const SmpiFiles results{files.run(), files.report(), files.recording()};
  SmpiRun run = read_run(results, end, status_of(files));
  if (run.sentence && limits.memory && std::isfinite(limits.memory->value) && !end.limit_hit &&
      end.interrupted == 0)
    *run.sentence += fmt::format("; its --memory-limit is {}", format_bytes(*limits.memory));
  return run;
}

}  // namespace vtopo::detail
