#include "sim/mapping/plugin/plugin_run.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>
#include <utility>

#include "netmodels/process/child_process.hpp"
#include "netmodels/process/shared_memory.hpp"
#include "sim/mapping/plugin/plugin_problem.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

/// What the process of a mapper sends.
enum class Said : std::int32_t { progress, hosts, failure };

/// How long a mapper may go on after it has been told to stop.
constexpr std::chrono::seconds grace{2};

std::string name_of(const vtopo_mapper_plugin& mapper, const std::string& path) {
  return fmt::format("mapper {} of plugin \"{}\"", mapper.name, path);
}

/// How the call failed, to follow the name of the mapper, or nothing.
std::optional<std::string> call(const vtopo_mapper_plugin& mapper, vtopo_problem& problem,
                                std::vector<std::int32_t>& hosts) {
  std::int32_t code = 0;
  try {
    code = mapper.map(&problem, &plugin_api(), hosts.data());
  } catch (const std::exception& error) {
    return fmt::format("threw: {}", error.what());
  } catch (...) {
    return "threw something";
  }
  if (code == 0) return std::nullopt;
  return fmt::format("failed with code {}{}{}", code, problem.error.empty() ? "" : ": ",
                     problem.error);
}

/// The plugin's side of the fork. If the mapper calls exit, nothing of this program runs.
void map_in_child(const vtopo_mapper_plugin& mapper, const std::vector<MapperOption>& options,
                  const MappingProblem& problem, SearchControl control, const Channel& channel) {
  for (const int number : {SIGINT, SIGTERM}) std::signal(number, SIG_IGN);
  on_exit([](int status, void*) { _exit(status); }, nullptr);
  if (control.progress)
    control.progress = [&channel](double share) {
      channel.send_value(Said::progress);
      channel.send_value(share);
    };
  vtopo_problem handle(problem, control, options);
  std::vector<std::int32_t> hosts(static_cast<std::size_t>(problem.guest.num_ranks()), -1);
  const auto failure = call(mapper, handle, hosts);
  std::fflush(nullptr);
  if (failure) {
    channel.send_value(Said::failure);
    channel.send_text(*failure);
  } else {
    channel.send_value(Said::hosts);
    channel.send_vector(hosts);
  }
}

/// A mapper of a plugin in a process of its own.
class PluginProcess {
 public:
  PluginProcess(std::string name, const SearchControl& control)
      : name_(std::move(name)), control_(control) {}

  std::vector<std::int32_t> hosts(const std::function<void(Channel&, const SearchControl&)>& map) {
    SearchControl own = control_;
    own.stop = stop_.get();
    std::fflush(nullptr);  // or the child writes it again
    ChildProcess child([&](Channel& channel) { map(channel, own); });
    while (is_readable(child.channel())) {
      const auto said = child.channel().receive_value<Said>();
      if (!said) break;
      if (*said == Said::progress) {
        const auto share = child.channel().receive_value<double>();
        if (share && control_.progress) control_.progress(*share);
      } else if (*said == Said::failure) {
        fail(child.channel().receive_text().value_or("failed"));
      } else if (auto hosts = child.channel().receive_vector<std::int32_t>()) {
        report_output(child.log());
        return std::move(*hosts);
      }
    }
    fail(child.exit_description() +
         (child.end().status == 0 ? " before it had placed the ranks" : ""));
  }

 private:
  [[noreturn]] void fail(const std::string& how) const {
    throw InputError(fmt::format("{} {}", name_, how));
  }

  /// Waits for what the child says, or its end; tells it to stop when the search has to.
  bool is_readable(const Channel& channel) {
    constexpr int milliseconds = 20;
    std::optional<SearchControl::Clock::time_point> end;
    while (!channel.wait_readable(milliseconds)) {
      if (!control_.must_stop()) continue;
      const auto now = SearchControl::Clock::now();
      if (!end) end = now + grace;
      stop_->store(true, std::memory_order_relaxed);
      if (now > *end)
        fail(control_.is_interrupted() ? "did not stop when it was interrupted"
                                       : "did not end within the time limit");
    }
    return true;
  }

  /// What a mapper prints has no place in reports.
  void report_output(const std::string& log) const {
    const std::string words = last_words(log);
    if (control_.remark && !words.empty())
      control_.remark(fmt::format("{} printed: {}", name_, words));
  }

  std::string name_;
  const SearchControl& control_;
  std::shared_ptr<std::atomic<bool>> stop_ = make_shared_memory<std::atomic<bool>>();
};

Embedding checked(const std::string& name, const std::vector<std::int32_t>& places,
                  const Allocation& allocation) {
  std::vector<int> used(allocation.hosts.size());
  std::vector<HostId> hosts;
  for (std::size_t r = 0; r < places.size(); ++r) {
    const auto place = static_cast<std::size_t>(places[r]);
    if (places[r] < 0 || place >= used.size())
      throw InputError(
          fmt::format("{} puts rank {} on host {} of the allocation; accepted are 0 to {}", name, r,
                      places[r], used.size() - 1));
    if (used[place]++ == allocation.slots[place])
      throw InputError(
          fmt::format("{} puts rank {} on host {} of the allocation, whose slots ({}) are "
                      "full",
                      name, r, places[r], allocation.slots[place]));
    hosts.push_back(allocation.hosts[place]);
  }
  return {std::move(hosts), allocation};
}

}  // namespace

Embedding run_plugin(const vtopo_mapper_plugin& mapper, const std::string& path,
                     const std::vector<MapperOption>& options, const MappingProblem& problem,
                     const SearchControl& control) {
  const std::string name = name_of(mapper, path);
  const auto hosts =
      PluginProcess(name, control).hosts([&](Channel& channel, const SearchControl& own) {
        map_in_child(mapper, options, problem, own, channel);
      });
  return checked(name, hosts, problem.allocation);
}

void try_plugin(const std::string& path, const std::function<void()>& load) {
  ChildProcess child([&](Channel& channel) {
    on_exit([](int status, void*) { _exit(status); }, nullptr);
    try {
      load();
    } catch (const InputError&) {
      // The sentence is the caller's, who loads it again.
    }
    channel.send_value(true);
  });
  if (!child.channel().receive_value<bool>())
    throw InputError(fmt::format("plugin \"{}\": it cannot be loaded: the process that tried {}",
                                 path, child.exit_description()));
}

}  // namespace vtopo::detail
