#include <cmath>
#include <vector>

#include "netmodels/network_table.hpp"
#include "netmodels/platform/platform_file.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

/// Hosts named by a radical such as `0-63` or `0-3,8-11,20`.
struct Radical {
  std::int64_t count = 0;
  std::int64_t first = 0;
  bool contiguous = true;
};

std::optional<Radical> parse_radical(std::string_view text) {
  Radical radical;
  std::int64_t next = 0;
  for (const auto piece : split(text, ',')) {
    const auto dash = piece.find('-');
    const auto first = parse_integer(trim(piece.substr(0, dash)));
    const auto last =
        dash == std::string_view::npos ? first : parse_integer(trim(piece.substr(dash + 1)));
    if (!first || !last || *first < 0 || *last < *first || *last > max_id) return std::nullopt;
    if (radical.count == 0) radical.first = *first;
    radical.contiguous = radical.contiguous && (radical.count == 0 || *first == next);
    next = *last + 1;
    radical.count += *last - *first + 1;
  }
  return radical;
}

Radical radical_of(const PlatformFile& file, pugi::xml_node cluster) {
  const std::string_view text = cluster.attribute("radical").value();
  const auto radical = parse_radical(text);
  if (!radical)
    throw input_error(file.position(cluster),
                      fmt::format("radical \"{}\" of <{}>; accepted: numbers and ranges such "
                                  "as 0-63 or 0-3,8-11",
                                  text, cluster.name()));
  return *radical;
}

/// `topo_parameters` without the blanks that SimGrid allows between numbers.
std::string parameters_of(pugi::xml_node cluster) {
  std::string text;
  for (const char c : std::string_view(cluster.attribute("topo_parameters").value()))
    if (c != ' ' && c != '\t') text += c;
  return text;
}

/// Specification of a cluster that vtopo has in closed form; else empty.
std::string spec_of(pugi::xml_node cluster) {
  return spec_of_cluster(cluster.attribute("topology").value(), parameters_of(cluster));
}

/// The element, or the only zone inside it, if that is a cluster.
pugi::xml_node only_cluster(pugi::xml_node parent) {
  pugi::xml_node only;
  for (const auto child : parent.children()) {
    const std::string_view name = child.name();
    if (child.type() != pugi::node_element || name == "prop") continue;
    if (only) return {};
    only = child;
  }
  const std::string_view name = only.name();
  if (name == "cluster") return only;
  return name == "zone" || name == "AS" ? only_cluster(only) : pugi::xml_node();
}

}  // namespace

void check_cluster(const PlatformFile& file, pugi::xml_node cluster) {
  const Radical radical = radical_of(file, cluster);
  const std::string spec = spec_of(cluster);
  if (spec.empty()) return;
  const std::string parameters = parameters_of(cluster);
  if (parameters.empty() || parameters.find_first_not_of("0123456789,;") != std::string::npos)
    throw input_error(file.position(cluster),
                      fmt::format("topo_parameters \"{}\" of <cluster>; accepted: numbers "
                                  "separated by , and ; as SimGrid describes them",
                                  cluster.attribute("topo_parameters").value()));
  try {
    const auto network = make_network(spec, {});
    if (network->num_hosts() != radical.count)
      throw UsageError(fmt::format("radical \"{}\" names {} hosts, but {} has {}",
                                   cluster.attribute("radical").value(), radical.count, spec,
                                   network->num_hosts()));
  } catch (const UsageError& error) {
    throw input_error(file.position(cluster), error.what());
  }
}

void check_cluster_for_simgrid(const PlatformFile& file, pugi::xml_node cluster) {
  constexpr std::int64_t max_hosts = std::int64_t{1} << 22;  // 5 KiB each
  if (const Radical radical = radical_of(file, cluster); radical.count > max_hosts)
    throw input_error(
        file.position(cluster),
        fmt::format("radical \"{}\" names {} hosts; SimGrid is asked to build at most "
                    "{}",
                    cluster.attribute("radical").value(), radical.count, max_hosts));
  const std::string spec = spec_of(cluster);
  if (spec.empty()) return;
  const auto built = make_network(spec, {})->simgrid_cluster();
  if (built && !built->fatal.empty())
    throw input_error(file.position(cluster), "SimGrid cannot build " + built->fatal);
}

std::optional<ClusterModel> closed_form_cluster(const PlatformFile& file) {
  const auto cluster = only_cluster(file.document.child("platform"));
  if (!cluster || spec_of(cluster).empty()) return std::nullopt;
  const std::string_view sharing = cluster.attribute("sharing_policy").as_string("SPLITDUPLEX");
  const Radical radical = radical_of(file, cluster);
  if (sharing != "SPLITDUPLEX" || cluster.attribute("limiter_link") || !radical.contiguous)
    return std::nullopt;
  ClusterModel model{spec_of(cluster), {}};
  try {
    model.defaults.bandwidth = parse_bandwidth(cluster.attribute("bw").value());
    model.defaults.latency = parse_seconds(cluster.attribute("lat").value());
  } catch (const UsageError& error) {
    throw input_error(file.position(cluster), error.what());
  }
  model.defaults.host_prefix = cluster.attribute("prefix").value();
  model.defaults.host_suffix = cluster.attribute("suffix").value();
  model.defaults.first_host_number = static_cast<int>(radical.first);
  return model;
}

}  // namespace vtopo::detail
