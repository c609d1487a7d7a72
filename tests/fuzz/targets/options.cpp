#include <array>

#include "cli/command/what_if.hpp"
#include "netmodels/edits/network_edits.hpp"
#include "netmodels/machines/machine_file.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/api/objective.hpp"
#include "sim/placement/embedding_files.hpp"
#include "sim/research/bench/instance.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/fuzz/target.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

const Network& network() {
  static const auto made = make_network("torus:4x4m", {});
  return *made;
}

void mapper(std::string_view text) {
  for (const MapperSpec& spec : parse_mappers(text)) {
    const auto again = parse_mappers(to_string(spec));
    require(again.size() == 1 && to_string(again[0]) == to_string(spec), "another mapper");
  }
}

void objective(std::string_view text) {
  const Objective parsed = parse_objective(text);
  const Objective again = parse_objective(to_string(parsed));
  require(again == parsed, "another objective");
}

void threshold(std::string_view text) {
  require(parse_threshold(text).field != nullptr, "no field");
}

void hosts(std::string_view text) {
  if (text.starts_with("file")) return;  // a target of its own
  static const std::array one{1};
  require(make_allocation(network(), text, one, 1).num_hosts() >= 1, "no host");
}

void fail_link(std::string_view text) {
  resolve_edits(network(), {{std::string(text)}, {}, {}});
}

void fail_host(std::string_view text) {
  resolve_edits(network(), {{}, {std::string(text)}, {}});
}

void scale_bandwidth(std::string_view text) {
  resolve_edits(network(), {{}, {}, {parse_scaled_links(text)}});
}

void bench(std::string_view text) {
  if (text.find("qap:") != std::string_view::npos) return;  // files have targets of their own
  require(!choose_instances(text).empty(), "no instance");
}

void slots(std::string_view text) {
  require(!parse_slots(std::string(text)).empty(), "no slots");
}

void quantities(std::string_view text) {
  const auto parse = [text](auto parser) {
    try {
      require(parser(text).value >= 0, "a negative quantity");
    } catch (const UsageError&) {
    }
  };
  parse(parse_bytes);
  parse(parse_bandwidth);
  parse(parse_seconds);
}

/// Words of which one of a list is accepted.
void words(std::string_view text) {
  const auto parse = [text](auto parser) {
    try {
      parser(text);
    } catch (const UsageError&) {
    }
  };
  parse(parse_prof_kinds);
  parse(parse_record_kinds);
  parse(parse_weights);
  parse(parse_traffic_format);
  parse(parse_machine_format);
  parse([](std::string_view name) { parse_routing(name); });
  parse([](std::string_view name) { parse_network_model(std::string(name)); });
  parse([](std::string_view name) { embedding_format_of(name, std::nullopt); });
}

struct Option {
  std::string name;
  void (*parse)(std::string_view);
};

const std::array options_table{Option{"mapper", mapper},
                               Option{"objective", objective},
                               Option{"threshold", threshold},
                               Option{"hosts", hosts},
                               Option{"fail-link", fail_link},
                               Option{"fail-host", fail_host},
                               Option{"scale-bandwidth", scale_bandwidth},
                               Option{"bench", bench},
                               Option{"slots", slots},
                               Option{"quantities", quantities},
                               Option{"words", words}};

std::vector<std::string> option_names() {
  std::vector<std::string> names;
  for (const Option& option : options_table) names.push_back(option.name);
  return names;
}

void run_options(std::string_view input) {
  static const std::vector<std::string> names = option_names();
  const NamedInput named = named_input(names, input);
  options_table[named.format].parse(named.content);
}

}  // namespace

Target options() {
  return {"values of options of the command", run_options, {}};
}

}  // namespace vtopo::fuzz::targets
