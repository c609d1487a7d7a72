#include "sim/placement/formats/formats.hpp"
#include "sim/placement/formats/json_ranks.hpp"

#include <nlohmann/json.hpp>

namespace vtopo::detail::formats {

namespace {

using Json = nlohmann::ordered_json;

/// Options and values in order; an option that was given several times becomes an array.
Json scenario_object(const EmbeddingDocument& document) {
  Json object = Json::object();
  for (const auto& [option, value] : document.scenario) {
    Json& entry = object[option];
    if (entry.is_null()) {
      entry = value;
    } else {
      if (!entry.is_array()) entry = Json::array({entry});
      entry.push_back(value);
    }
  }
  return object;
}

std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// One line per rank, which a full indentation would spread over five.
std::string rank_lines(const EmbeddingDocument& document) {
  const std::vector<int> slots = slots_by_rank(document.embedding);
  std::string text;
  for (std::size_t r = 0; r < slots.size(); ++r) {
    const HostId host = document.embedding.hosts()[r];
    const HostPlace place = document.network.host_place(host);
    text += fmt::format(
        "{}\n    {{\"rank\": {}, \"host\": {}, \"host_id\": {}, \"slot\": {}{}}}",
        r == 0 ? "" : ",", r, quoted(document.network.host_name(host)), number(host), slots[r],
        place.core ? fmt::format(", \"node\": {}, \"core\": {}", quoted(place.node), *place.core)
                   : "");
  }
  return text;
}

std::string write_json(const EmbeddingDocument& document) {
  Json head = Json::object();
  head["schema"] = "vtopo/embedding/v1";
  head["mapper"] = document.mapper.empty() ? Json(nullptr) : Json(document.mapper);
  head["network"] = document.network.description();
  head["num_ranks"] = document.embedding.num_ranks();
  head["scenario"] = scenario_object(document);
  std::string text = head.dump(2, ' ', false, Json::error_handler_t::replace);
  text.resize(text.size() - 2);  // the closing brace comes after the ranks
  return text + ",\n  \"ranks\": [" + rank_lines(document) + "\n  ]\n}\n";
}

}  // namespace

/// vtopo's own JSON object, schema `vtopo/embedding/v1`: names and numbers of hosts, the mapper and
/// the scenario.
EmbeddingFormat json() {
  return {"json", "vtopo/embedding/v1: names, numbers and the scenario", write_json,
          read_json_ranks};
}

}  // namespace vtopo::detail::formats
