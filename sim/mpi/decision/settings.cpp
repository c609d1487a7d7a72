#include "sim/mpi/decision/settings.hpp"

#include <charconv>

#include "netmodels/machines/machine_file.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/mpi/smpi_repairs/environment.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::overlay {

namespace {

bool read_switch(const char* name, bool otherwise) {
  const std::string text = environment(name);
  if (text.empty()) return otherwise;
  if (text == "0" || text == "1") return text == "1";
  throw UsageError(fmt::format("{}={}: accepted are 0 and 1", name, text));
}

bool read_reorder() {
  const std::string text = environment("VTOPO_REORDER");
  if (text.empty() || text == "0" || text == "1") return text != "0";
  throw UsageError(fmt::format("VTOPO_REORDER={}: accepted are 0, 1 and force", text));
}

template <class Number>
std::optional<Number> read_number(const char* name) {
  const std::string text = environment(name);
  if (text.empty()) return std::nullopt;
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text[0] == '-')
    throw UsageError(fmt::format("{}={}: accepted is a whole number >= 0", name, text));
  return value;
}

/// A part of a whole: 2%, or 0.02.
std::optional<double> read_share(const char* name) {
  const std::string text = environment(name);
  if (text.empty()) return std::nullopt;
  const bool percent = text.ends_with('%');
  const auto number = parse_number(trim(std::string_view(text).substr(0, text.size() - percent)));
  const double share = number.value_or(-1) / (percent ? 100 : 1);
  if (!(share >= 0 && share <= 1))
    throw UsageError(fmt::format("{}={}: accepted are 0% to 100%, or 0 to 1", name, text));
  return share;
}

MapperSpec one_mapper(const std::string& text) {
  const std::vector<MapperSpec> specs = parse_mappers(text);
  if (specs.size() != 1) throw UsageError(fmt::format("\"{}\": accepted is one mapper", text));
  return specs.front();
}

/// Runs a parser of a value and names the value's place in its errors.
template <class Parse>
auto parsed(const std::string& name, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}={}: {}", name, text, error.what()));
  }
}

/// The time of what the topology is made for is what counts without an objective.
std::optional<Objective> read_objective(const std::string& text) {
  Objective objective = parse_objective(text);
  return objective.time == TimeFirst::no ? std::optional(std::move(objective)) : std::nullopt;
}

MappingChoice read_choice() {
  MappingChoice choice;
  const auto read = [](const char* name, auto parse, auto& value) {
    if (const std::string text = environment(name); !text.empty())
      value = parsed(name, text, [&](const std::string& t) { return parse(t); });
  };
  read("VTOPO_MAPPER", one_mapper, choice.mapper);
  read("VTOPO_OBJECTIVE", read_objective, choice.objective);
  read(
      "VTOPO_TIME_LIMIT", [](const std::string& t) { return parse_seconds(t); }, choice.time_limit);
  read(
      "VTOPO_BYTES", [](const std::string& t) { return parse_bytes(t); }, choice.message);
  choice.steps = read_number<std::int64_t>("VTOPO_STEPS");
  choice.seed = read_number<std::uint64_t>("VTOPO_SEED").value_or(1);
  choice.min_gain = read_share("VTOPO_MIN_GAIN").value_or(choice.min_gain);
  return choice;
}

DimsRule read_dims_rule() {
  const std::string text = environment("VTOPO_DIMS_RULE");
  if (text.empty()) return DimsRule::optimal;
  return parsed("VTOPO_DIMS_RULE", text, [](const auto& t) { return parse_dims_rule(t); });
}

Settings read_settings() {
  const bool force = environment("VTOPO_REORDER") == "force";
  read_switch("VTOPO_STRICT", false);  // sim/mpi/preload acts on it
  return {force || read_reorder(),     force,         read_switch("VTOPO_CHARGE_MAPPING", false),
          environment("VTOPO_REPORT"), read_choice(), read_dims_rule()};
}

}  // namespace

const Settings& settings() {
  static const Settings the_settings = read_settings();
  return the_settings;
}

MappingChoice mapping_choice(const Info& info) {
  MappingChoice choice = settings().mapping;
  for (const auto& [key, value] : info) {
    if (key == "vtopo_mapper") choice.mapper = parsed(key, value, one_mapper);
    if (key == "vtopo_objective") choice.objective = parsed(key, value, read_objective);
    if (key == "vtopo_time_limit")
      choice.time_limit = parsed(key, value, [](const auto& t) { return parse_seconds(t); });
  }
  return choice;
}

std::shared_ptr<const Network> network_of_environment() {
  const std::string spec = environment("VTOPO_NETWORK");
  const std::string platform = environment("VTOPO_PLATFORM");
  if (!spec.empty() && !platform.empty())
    throw UsageError("VTOPO_NETWORK and VTOPO_PLATFORM are both set: accepted is one of them");
  RoutingOptions routing{Routing::automatic};
  if (const std::string rule = environment("VTOPO_ROUTING"); !rule.empty())
    routing.rule = parse_routing(rule);
  NetworkDefaults defaults;
  if (const std::string text = environment("VTOPO_BANDWIDTH"); !text.empty())
    defaults.bandwidth = parse_bandwidth(text);
  if (const std::string text = environment("VTOPO_LATENCY"); !text.empty())
    defaults.latency = parse_seconds(text);
  if (!spec.empty()) return make_network(spec, defaults, routing);
  if (platform.empty()) return nullptr;
  MachineOptions options;
  options.platform.routing = routing.rule;
  options.cables = {defaults.bandwidth, defaults.latency, {}};
  options.routing = routing;
  return load_machine(platform, options);
}

}  // namespace vtopo::detail::overlay
