#include <fmt/format.h>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>

#include "sim/formats/launchers/launchers.hpp"
#include "topology/base/error.hpp"
#include "topology/base/host_list.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::formats {

namespace {

constexpr std::int64_t max_set = 16777216;

/// How many numbers a set such as `0-3,7` has.
std::int64_t set_size(std::string_view set) {
  std::int64_t count = 0;
  for (const auto piece : split(set, ',')) {
    const std::size_t dash = piece.find('-', 1);
    const auto first = parse_integer(piece.substr(0, dash));
    const auto last = dash == piece.npos ? first : parse_integer(piece.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last > max_set)
      throw UsageError(fmt::format("\"{}\" is not a set of numbers such as 0-3,7", set));
    count += *last - *first + 1;
  }
  return count;
}

std::string write_flux(const EmbeddingDocument& document) {
  return host_per_rank(document, ",[]", "flux");
}

}  // namespace

std::vector<std::pair<std::string, std::string>> flux_run(const EmbeddingDocument& document,
                                                          const std::string& taskmap) {
  const std::vector<std::string> nodes = nodes_in_use(document);
  const auto list = compressed_host_list(nodes);
  return {{"Flux", fmt::format("flux run -N {} -n {} --requires='hosts:{}' --taskmap={} ./program",
                               nodes.size(), document.embedding.num_ranks(),
                               list ? *list : join(nodes, ","), taskmap)}};
}

namespace {

/// R of Flux: a slot for each core.
JsonHosts flux_resources(const nlohmann::json& resources) {
  std::vector<std::string> names;
  const auto& execution = resources.at("execution");
  for (const auto& list : execution.at("nodelist"))
    for (std::string& name : expand_host_list(list.get<std::string>()))
      names.push_back(std::move(name));
  JsonHosts hosts;
  for (const auto& part : execution.at("R_lite")) {
    const auto& children = part.at("children");
    const std::int64_t cores =
        children.contains("core") ? set_size(children.at("core").get<std::string>()) : 1;
    for (auto left = set_size(part.at("rank").get<std::string>()); left > 0; --left) {
      if (hosts.size() == names.size())
        throw UsageError(
            fmt::format("R_lite has more ranks than the nodelist of {} nodes", names.size()));
      std::string name = names[hosts.size()];
      hosts.emplace_back(std::move(name), narrow<int>(cores));
    }
  }
  return hosts;
}

std::optional<int> json_slots(const nlohmann::json& value) {
  if (value.is_null()) return std::nullopt;
  const auto slots = value.get<std::int64_t>();
  if (!value.is_number_integer() || slots < 1 || slots > std::numeric_limits<int>::max())
    throw UsageError(fmt::format("slots {}: accepted is a number from 1 to {}", value.dump(),
                                 std::numeric_limits<int>::max()));
  return narrow<int>(slots);
}

/// The first of these keys that an object has; null if it has none.
nlohmann::json value_of(const nlohmann::json& object, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (object.contains(key)) return object.at(key);
  return nullptr;
}

/// Names, or objects with a name and perhaps its slots.
/// @param slots of all of them, or an array with those of each; may be null.
JsonHosts listed_in(const nlohmann::json& list, const nlohmann::json& slots) {
  JsonHosts hosts;
  if (list.is_string()) return {{list.get<std::string>(), json_slots(slots)}};
  for (const auto& entry : list) {
    const auto own = slots.is_array() ? slots.at(hosts.size()) : slots;
    if (entry.is_string())
      hosts.emplace_back(entry.get<std::string>(), json_slots(own));
    else
      hosts.emplace_back(
          value_of(entry, {"host", "hostname", "name", "node"}).get<std::string>(),
          json_slots(value_of(entry, {"slots", "ntasks", "tasks", "ranks", "np", "count"})));
  }
  return hosts;
}

JsonHosts hosts_in(const nlohmann::json& document) {
  if (document.is_array()) return listed_in(document, nullptr);
  if (document.contains("execution")) return flux_resources(document);
  const auto list = value_of(document, {"hosts", "nodes", "hostnames", "nodelist"});
  if (list.is_array() || list.is_string()) return listed_in(list, value_of(document, {"slots"}));
  JsonHosts hosts;
  for (const auto& [name, slots] : (list.is_object() ? list : document).items())
    hosts.emplace_back(name, json_slots(slots));
  return hosts;
}

}  // namespace

JsonHosts read_json_hosts(const std::string& path) {
  std::string text;
  for (LineFile file(path); file.next();) text.append(file.line()).push_back('\n');
  try {
    return hosts_in(nlohmann::json::parse(text));
  } catch (const nlohmann::json::exception&) {
    throw input_error({path},
                      "JSON, but no list of hosts: accepted are [\"n0\", \"n1\"], "
                      "[{\"host\": \"n0\", \"slots\": 4}], such a list as \"hosts\", "
                      "{\"n0\": 4}, and R of Flux with \"R_lite\" and \"nodelist\" (RFC 20)");
  } catch (const UsageError& error) {
    throw input_error({path}, error.what());
  }
}

/// Flux: `flux run --taskmap=hostfile:FILE`, one host per task in rank order.
EmbeddingFormat flux() {
  return {"flux",
          "Flux: flux run --taskmap=hostfile:FILE",
          write_flux,
          reader(read_host_lines),
          nullptr,
          [](const EmbeddingDocument& document, const std::string& file) {
            return flux_run(document, "hostfile:" + file);
          }};
}

}  // namespace vtopo::detail::formats
