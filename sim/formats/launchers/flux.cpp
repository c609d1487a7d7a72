#include <fmt/format.h>
#include <cstdint>
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

std::vector<std::pair<std::string, int>> read_flux_resources(const std::string& path) {
  std::string text;
  for (LineFile file(path); file.next();) text.append(file.line()).push_back('\n');
  try {
    const auto resources = nlohmann::json::parse(text);
    std::vector<std::string> names;
    const auto& execution = resources.at("execution");
    for (const auto& list : execution.at("nodelist"))
      for (std::string& name : expand_host_list(list.get<std::string>()))
        names.push_back(std::move(name));
    std::vector<std::pair<std::string, int>> hosts;
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
  } catch (const nlohmann::json::exception&) {
    throw input_error({path},
                      "JSON, but not R of Flux: accepted are \"execution\" with \"R_lite\" and "
                      "\"nodelist\" (RFC 20)");
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
