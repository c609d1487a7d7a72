#include "sim/check/check_report.hpp"
#include "sim/check/evidence.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {
namespace checking {
namespace {

constexpr int max_depth = 16;  // of lists within lists

/// @throws InputError for what a conversion would round or cut.
std::int64_t whole_number(const Json& entry, const char* name) {
  const Json& value = entry.at(name);
  if (value.is_number_integer()) return value.get<std::int64_t>();
  throw InputError(
      fmt::format("not an embedding: {} {}; expected a whole number", name, value.dump()));
}

std::optional<std::string> wrong_rank(const Json& embedding) {
  std::set<std::pair<std::int64_t, std::int64_t>> taken;
  std::map<std::int64_t, std::string> names;
  std::map<std::int64_t, std::int64_t> slots;  // of each host, that have been taken
  std::int64_t next = 0;
  for (const Json& entry : embedding.at("ranks")) {
    const auto rank = whole_number(entry, "rank"), host = whole_number(entry, "host_id");
    const auto slot = whole_number(entry, "slot");
    if (rank != next++)
      return fmt::format("rank {} stands where rank {} is expected", rank, next - 1);
    if (host < 0 || slot < 0 || !taken.emplace(host, slot).second)
      return fmt::format("rank {}: slot {} of host {} is taken", rank, slot, host);
    if (slot != slots[host]++)
      return fmt::format("rank {}: slot {} of host {} is not the next one", rank, slot, host);
    const auto name = entry.at("host").get<std::string>();
    if (names.emplace(host, name).first->second != name)
      return fmt::format("rank {}: host {} is called \"{}\" and \"{}\"", rank, host, names[host],
                         name);
  }
  if (embedding.at("num_ranks") != next)
    return fmt::format("num_ranks is {}, there are {}", embedding.at("num_ranks").dump(), next);
  return std::nullopt;
}

/// What the file says of where the embedding comes from, and members of ranks that are not known.
std::vector<std::string> unverified(const Json& embedding) {
  std::set<std::string> open{"that the network has these hosts and slots"};
  for (const auto& [key, value] : embedding.items()) {
    if (key != "scenario" && key != "schema" && key != "num_ranks" && key != "ranks")
      open.insert(key);
    if (key != "scenario") continue;
    for (const auto& [name, option] : value.items()) open.insert("scenario." + name);
  }
  for (const Json& entry : embedding.at("ranks"))
    for (const auto& [key, value] : entry.items())
      if (key != "rank" && key != "host" && key != "host_id" && key != "slot")
        open.insert("ranks[]." + key);
  return {open.begin(), open.end()};
}

}  // namespace

Json parse_report(const std::string& text) {
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  return Json::parse(
      text,
      [&](int depth, Json::parse_event_t event, const Json& value) {
        using Event = Json::parse_event_t;
        if (depth > max_depth)
          throw InputError("not a report: lists within lists within lists, more than 16 of them");
        if (event == Event::object_start) keys.emplace_back();
        if (event == Event::object_end) keys.pop_back();
        if (event == Event::key && !keys.back().insert(value.get<std::string>()).second)
          throw WrongFigure("there are two members " + value.dump() + " in one object");
        return true;
      },
      false);
}

}  // namespace checking

CheckResult check_embedding(const nlohmann::json& embedding) {
  try {
    return {checking::wrong_rank(embedding),
            {"each rank is on a slot of its own"},
            checking::unverified(embedding)};
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("not an embedding: {}", checking::without_number(error.what())));
  }
}

}  // namespace vtopo::detail
