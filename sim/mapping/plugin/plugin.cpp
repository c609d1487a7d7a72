#include "sim/mapping/plugin/plugin.hpp"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "netmodels/process/child_process.hpp"
#include "sim/mapping/api/tables.hpp"
#include "sim/mapping/plugin/plugin_problem.hpp"
#include "sim/mapping/plugin/vtopo_plugin.h"
#include "topology/base/error.hpp"

namespace vtopo {

using namespace detail;

namespace {

/// What the process of a mapper sends.
enum class Said : std::int32_t { progress, value, hosts, failure };

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
  if (control.improved)
    control.improved = [&channel](double value, std::int64_t steps) {
      channel.send_value(Said::value);
      channel.send_value(SearchPoint{0, steps, value});
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
      } else if (*said == Said::value) {
        if (const auto point = child.channel().receive_value<SearchPoint>())
          control_.report_value(point->value, point->steps);
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
          fmt::format("{} puts rank {} on host {} of the allocation, whose slots ({}) are full",
                      name, r, places[r], allocation.slots[place]));
    hosts.push_back(allocation.hosts[place]);
  }
  return {std::move(hosts), allocation};
}

/// Lets a mapper of a plugin map, in a process of its own, and checks what it returns. What it
/// prints is a remark.
/// @throws InputError if the mapper fails, aborts, exits or goes on when it should have stopped, a
/// rank has no host of the allocation or a host more ranks than slots; the sentence names the
/// plugin and the rank.
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

/// Loads a plugin in another process first.
/// @param load may throw InputError.
/// @throws InputError if that process ends.
/// Loads a plugin in another process first.
/// @param load may throw InputError.
/// @throws InputError if that process ends.
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

using ListMappers = const vtopo_mapper_plugin* (*)(std::uint32_t, std::size_t*);

constexpr const char* entry_point = "vtopo_mapper_plugins";
constexpr std::size_t max_mappers = 1000;

[[noreturn]] void fail(const std::string& path, std::string_view what) {
  throw InputError(fmt::format("plugin \"{}\": {}", path, what));
}

/// What the loader says, without the path in front.
std::string loader_error(const std::string& path) {
  const char* const said = dlerror();
  std::string text = said == nullptr ? "it cannot be loaded" : said;
  if (text.starts_with(path + ": ")) text.erase(0, path.size() + 2);
  return text;
}

ListMappers load(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) fail(path, "there is no such file");
  if (!std::filesystem::is_regular_file(status)) fail(path, "it is not a regular file");
  const std::string absolute = std::filesystem::absolute(path).string();
  // Never closed: the table of mappers keeps its functions.
  void* const library = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail(path, loader_error(absolute));
  void* const symbol = dlsym(library, entry_point);
  if (symbol == nullptr)
    fail(path, fmt::format("it is not a plugin: it has no function {}", entry_point));
  return reinterpret_cast<ListMappers>(symbol);
}

bool is_name(std::string_view name) {
  return !name.empty() && name != "all" && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
}

void check(const vtopo_mapper_plugin& mapper, std::size_t number, const std::string& path) {
  if (mapper.abi_version != VTOPO_PLUGIN_ABI)
    fail(path,
         fmt::format("its mapper {} is made for version {} of the interface; this vtopo has {}",
                     number, mapper.abi_version, VTOPO_PLUGIN_ABI));
  if (mapper.name == nullptr || !is_name(mapper.name))
    fail(path,
         fmt::format("the name of its mapper {} is \"{}\"; accepted are letters, digits and _",
                     number, mapper.name == nullptr ? "" : mapper.name));
  const bool options_missing = mapper.options == nullptr && mapper.num_options > 0;
  if (mapper.summary == nullptr || mapper.reference == nullptr || mapper.map == nullptr ||
      options_missing)
    fail(path, fmt::format("its mapper {} lacks a summary, a reference, options or a function",
                           mapper.name));
  for (std::size_t i = 0; i < mapper.num_options; ++i)
    if (mapper.options[i].name == nullptr || !is_name(mapper.options[i].name) ||
        mapper.options[i].summary == nullptr)
      fail(path,
           fmt::format("option {} of its mapper {} lacks a name or a summary", i, mapper.name));
}

MapperInfo make_info(const vtopo_mapper_plugin& mapper, const std::string& path) {
  MapperInfo info{.name = mapper.name, .summary = mapper.summary, .reference = mapper.reference};
  for (std::size_t i = 0; i < mapper.num_options; ++i) {
    const vtopo_mapper_option& option = mapper.options[i];
    info.options.push_back(
        {option.name, option.summary, option.default_value == nullptr ? "" : option.default_value});
  }
  info.anytime = (mapper.flags & VTOPO_MAPPER_ANYTIME) != 0;
  info.map = [&mapper, path, options = info.options](const MappingProblem& problem,
                                                     const SearchControl& control) {
    return run_plugin(mapper, path, options, problem, control);
  };
  return info;
}

std::vector<MapperInfo> list_mappers(const std::string& path) {
  const ListMappers list = load(path);
  std::size_t count = 0;
  const vtopo_mapper_plugin* const mappers = list(VTOPO_PLUGIN_ABI, &count);
  if (mappers == nullptr)
    fail(path, fmt::format("it does not know version {} of the interface, which this vtopo has",
                           VTOPO_PLUGIN_ABI));
  if (count == 0 || count > max_mappers)
    fail(path, fmt::format("it has {} mappers; accepted are 1 to {}", count, max_mappers));
  std::vector<MapperInfo> result;
  for (std::size_t i = 0; i < count; ++i) {
    check(mappers[i], i, path);
    result.push_back(make_info(mappers[i], path));
  }
  return result;
}

}  // namespace

std::vector<MapperInfo> load_plugin(const std::string& path) {
  try_plugin(path, [&] { list_mappers(path); });
  return list_mappers(path);
}

void add_plugin(const std::string& path) {
  register_mappers(load_plugin(path), fmt::format("plugin \"{}\"", path));
}

}  // namespace vtopo
