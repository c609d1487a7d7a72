#include <string_view>

#include "sim/check/evidence.hpp"

// What a report is made of: members that it must have, and what nobody has vouched for.
namespace vtopo::detail::checking {
namespace {

using Kind = bool (*)(const Json&);

bool is_number(const Json& value) {
  return value.is_number();
}
bool is_text(const Json& value) {
  return value.is_string() && value != "";
}
bool is_list(const Json& value) {
  return value.is_array();
}
bool is_object(const Json& value) {
  return value.is_object();
}
bool is_number_or_null(const Json& value) {
  return value.is_number() || value.is_null();
}
bool is_text_or_null(const Json& value) {
  return is_text(value) || value.is_null();
}

struct Member {
  const char* name;
  Kind is_so;
};

constexpr Member report_members[] = {
    {"schema", is_text}, {"version", is_text}, {"scenario", is_object}, {"bounds", is_object},
    {"rows", is_list},   {"best", is_object},  {"verdict", is_text}};

constexpr Member bounds_members[] = {{"hop_bytes_bound", is_number},
                                     {"congestion_bound", is_number},
                                     {"hop_bytes_bound_kind", is_text_or_null},
                                     {"congestion_bound_kind", is_text_or_null}};

constexpr Member row_members[] = {{"mapper", is_text},
                                  {"seed", is_number},
                                  {"ranks", is_number},
                                  {"hosts", is_number},
                                  {"edges", is_number},
                                  {"total_bytes", is_number},
                                  {"intra_host_bytes", is_number},
                                  {"max_dilation", is_number},
                                  {"mean_dilation", is_number},
                                  {"mean_hops_per_byte", is_number},
                                  {"hop_bytes", is_number},
                                  {"max_link_load", is_number},
                                  {"mean_link_load", is_number},
                                  {"max_flows_per_link", is_number},
                                  {"max_congestion", is_number},
                                  {"jsum", is_number},
                                  {"jmax", is_number},
                                  {"hop_bytes_bound", is_number},
                                  {"congestion_bound", is_number},
                                  {"mapping_seconds", is_number_or_null},
                                  {"makespan", is_number_or_null},
                                  {"solver", is_text_or_null},
                                  {"network_model", is_text_or_null},
                                  {"simulation_seconds", is_number_or_null},
                                  {"routing", is_text},
                                  {"hop_bytes_bound_kind", is_text_or_null},
                                  {"congestion_bound_kind", is_text_or_null},
                                  {"mean_congestion", is_number},
                                  {"hop_histogram", is_list},
                                  {"top_links", is_list}};

constexpr Member top_link_members[] = {{"name", is_text},
                                       {"kind", is_text_or_null},
                                       {"bytes", is_number},
                                       {"flows", is_number},
                                       {"seconds", is_number}};

constexpr Member phase_members[] = {{"name", is_text},
                                    {"repeat", is_number},
                                    {"edges", is_number},
                                    {"total_bytes", is_number},
                                    {"hop_bytes", is_number},
                                    {"max_dilation", is_number},
                                    {"max_link_load", is_number},
                                    {"max_flows_per_link", is_number},
                                    {"max_congestion", is_number},
                                    {"step_makespan", is_number_or_null},
                                    {"static_bound", is_number},
                                    {"makespan", is_number_or_null},
                                    {"start", is_number_or_null},
                                    {"end", is_number_or_null}};

constexpr Member best_members[] = {{"row", is_number},
                                   {"mapper", is_text},
                                   {"by", is_text},
                                   {"baseline", is_text},
                                   {"gain", is_object}};

void require_members(const Evidence& e, const std::string& path, const Json& object,
                     const auto& members) {
  e.require(object.is_object(), path + " is not an object");
  for (const auto& [name, is_so] : members) {
    const std::string of = path.empty() ? name : path + "." + name;
    const auto found = object.find(name);
    e.require(found != object.end(), of + " is missing");
    e.require(is_so(*found), fmt::format("{} is {}", of, found->dump().substr(0, 40)));
  }
}

/// Why nothing here can say whether it is right, by the end of its path.
constexpr std::pair<std::string_view, std::string_view> reasons[] = {
    {"version", "of the command that wrote the report"},
    {"_seconds", "measured"},
    {".solver", "which of two gave the time"},
    {"assumptions", "of the machine's file"},
    {"assumptions[]", "of the machine's file"},
    {"noise", "of the machine's file"},
    {".embedding[]", "what a mapper finds, where others are as good"}};

std::string with_reason(const std::string& path) {
  for (const auto& [end, reason] : reasons)
    if (path.ends_with(end)) return fmt::format("{} ({})", path, reason);
  return path;
}

/// Paths of values that nobody has vouched for; entries of lists have no numbers, and lists in
/// lists of the evidence have the path of the outer one.
void append_unclaimed(const Evidence& e, const Json& value, const std::string& path,
                      std::set<std::string>& paths) {
  if (e.claimed.contains(&value)) return;
  if (!value.is_structured() || value.empty()) {
    paths.insert(path);
    return;
  }
  const bool is_inner = path.ends_with("[]");
  for (const auto& [key, member] : value.items())
    append_unclaimed(e, member,
                     value.is_array() ? (is_inner ? path : path + "[]")
                     : path.empty()   ? key
                                      : path + "." + key,
                     paths);
}

}  // namespace

void check_shape(const Evidence& e) {
  require_members(e, "", e.report, report_members);
  require_members(e, "bounds", e.bounds(), bounds_members);
  require_members(e, "best", e.report.at("best"), best_members);
  const Json& rows = e.report.at("rows");
  e.require(!rows.empty() && rows.size() == e.json.at("rows").size(),
            fmt::format("rows: {}, and evidence of {}", rows.size(), e.json.at("rows").size()));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::string row = fmt::format("rows[{}]", r);
    require_members(e, row, rows[r], row_members);
    for (std::size_t i = 0; i < rows[r].at("top_links").size(); ++i)
      require_members(e, fmt::format("{}.top_links[{}]", row, i), rows[r].at("top_links")[i],
                      top_link_members);
    const Json phases = rows[r].value("phases", Json::array());
    e.require(phases.is_array() && rows[r].contains("phases") == !phases.empty(),
              row + ".phases is not a list of phases");
    for (std::size_t p = 0; p < phases.size(); ++p)
      require_members(e, fmt::format("{}.phases[{}]", row, p), phases[p], phase_members);
  }
  e.equal("schema", e.report.at("schema"), "vtopo/compare/v1");
}

void list_unclaimed(Evidence& e) {
  std::set<std::string> paths;
  for (const auto& [key, member] : e.report.items())
    if (key != "evidence") append_unclaimed(e, member, key, paths);
  append_unclaimed(e, e.json, "evidence", paths);
  const Json& evidence = e.report.contains("evidence") ? e.report.at("evidence") : e.json;
  for (const auto& [key, member] : evidence.items())  // of a file, whose hash is right
    if (evidence.contains("file") && key != "file" && key != "sha256")
      append_unclaimed(e, member, "evidence." + key, paths);
  for (const std::string& path : paths) e.open.insert(with_reason(path));
}

/// Kinds are those of links, numbered as these need them; routes are in the order of their hosts,
/// those that some flow takes, or those of all hosts.
void check_lists(const Evidence& e) {
  const Json &kinds = e.json.at("link_kinds"), &routes = e.json.at("routes");
  std::size_t next = 0;
  for (const Json& link : e.json.at("links")) {
    const std::size_t kind = whole(link.at(3));
    e.require(kind <= next && link.size() <= 5, "evidence: links and kinds are not in their order");
    e.require(link.size() < 5 || link[4] == 0, "evidence: a link with more than its ends");
    if (kind == next) ++next;
  }
  e.require(next == kinds.size(), "evidence: a kind without links");
  for (std::size_t k = 0; k < kinds.size(); ++k)
    e.require(kinds[k].size() == 5 &&
                  std::find(kinds.begin(), kinds.begin() + static_cast<std::ptrdiff_t>(k),
                            kinds[k]) == kinds.begin() + static_cast<std::ptrdiff_t>(k),
              "evidence: a kind of links is listed twice");
  std::pair<std::size_t, std::size_t> before{0, 0};
  std::size_t between_hosts_of_job = 0;
  bool uses_all = true, is_of_job = true;
  for (const Json& route : routes) {
    const std::pair ends{whole(route.at(0)), whole(route.at(1))};
    e.require(before < ends && route.size() <= 6, "evidence: routes are not in their order");
    const bool is_used = e.used_routes.contains(&e.routes.at(ends));
    const bool is_between = e.place_of.contains(ends.first) && e.place_of.contains(ends.second);
    between_hosts_of_job += is_between ? 1 : 0;
    uses_all = uses_all && is_used, is_of_job = is_of_job && (is_used || is_between);
    before = ends;
  }
  e.require(
      uses_all || (is_of_job && between_hosts_of_job == e.hosts.size() * (e.hosts.size() - 1)),
      "evidence: some routes that no flow takes");
  e.require(routes.is_array(), "evidence: routes are not a list");
  e.vouch_if(routes.empty(), routes);
}

}  // namespace vtopo::detail::checking
