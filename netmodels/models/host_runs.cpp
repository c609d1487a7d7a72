#include "netmodels/models/host_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Calls `visit(first, count)` for each run of equal values.
template <class Values, class Visit>
void for_each_run_of_equals(const Values& values, Visit visit) {
  for (auto first = values.begin(); first != values.end();) {
    const auto next = std::find_if(first, values.end(), [&](const auto& v) { return v != *first; });
    visit(*first, next - first);
    first = next;
  }
}

class HostRunsReader {
 public:
  HostRunsReader(const SpecText& spec, const HostRuns& limits) : spec_(spec), limits_(limits) {}

  std::vector<std::vector<int>> read(std::string_view text) {
    for (const auto run : split(text, '/')) add_groups(run);
    if (std::ssize(hosts_) != limits_.num_groups)
      spec_.fail(fmt::format("{} has hosts of {} {}; accepted: {}", limits_.key, hosts_.size(),
                             limits_.groups, limits_.num_groups));
    return std::move(hosts_);
  }

 private:
  /// Reads `COUNT` in front of a separator, if there is one, and drops both.
  int count(std::string_view& text, char separator, std::string_view of) const {
    const auto end = text.find(separator);
    if (end == std::string_view::npos) return 1;
    const int count = spec_.positive(fmt::format("number of {}", of), text.substr(0, end));
    text.remove_prefix(end + 1);
    return count;
  }

  void add_groups(std::string_view run) {
    const int groups = count(run, ':', limits_.groups);
    if (groups > limits_.num_groups - std::ssize(hosts_))
      spec_.fail(fmt::format("{} has hosts of more than {} {}; accepted: {}", limits_.key,
                             limits_.num_groups, limits_.groups, limits_.num_groups));
    hosts_.insert(hosts_.end(), static_cast<std::size_t>(groups), switches(run));
  }

  std::vector<int> switches(std::string_view list) const {
    std::vector<int> result;
    for (auto piece : split(list, '+')) {
      const int switches = count(piece, '*', limits_.switches);
      if (switches > limits_.max_switches - std::ssize(result))
        spec_.fail(fmt::format("more than {} {} in \"{}\"; accepted: 1 to {}", limits_.max_switches,
                               limits_.switches, list, limits_.max_switches));
      const auto hosts = parse_integer(piece);
      if (!hosts || *hosts < 0 || *hosts > limits_.max_hosts)
        spec_.fail(fmt::format("\"{}\" hosts in \"{}\" of {}; accepted: 0 to {}", piece, list,
                               limits_.key, limits_.max_hosts));
      result.insert(result.end(), static_cast<std::size_t>(switches), static_cast<int>(*hosts));
    }
    return result;
  }

  const SpecText& spec_;
  const HostRuns& limits_;
  std::vector<std::vector<int>> hosts_;
};

}  // namespace

std::vector<std::vector<int>> HostRuns::parse(const SpecText& spec, std::string_view text) const {
  auto hosts = HostRunsReader(spec, *this).read(text);
  bool full = true, any = false;
  for (const auto& group : hosts) {
    full = full && std::ssize(group) == max_switches;
    for (const int of_switch : group) {
      full = full && of_switch == max_hosts;
      any = any || of_switch > 0;
    }
  }
  if (!any) spec.fail(fmt::format("{} has no host; accepted: at least one", key));
  if (full) hosts.clear();
  return hosts;
}

std::string HostRuns::describe(const std::vector<std::vector<int>>& hosts) const {
  std::string text;
  for_each_run_of_equals(hosts, [&](const std::vector<int>& group, std::ptrdiff_t equal_groups) {
    text += text.empty() ? fmt::format(",{}=", key) : "/";
    if (equal_groups > 1) text += fmt::format("{}:", equal_groups);
    bool is_first = true;
    for_each_run_of_equals(group, [&](int of_switch, std::ptrdiff_t equal_switches) {
      text += is_first ? "" : "+";
      if (equal_switches > 1) text += fmt::format("{}*", equal_switches);
      text += fmt::format("{}", of_switch);
      is_first = false;
    });
  });
  return text;
}

}  // namespace vtopo::detail
