#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/placement/formats/formats.hpp"
#include "sim/placement/formats/scenario_object.hpp"
#include "sim/placement/placed_ranks.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/text.hpp"
#include "topology/base/tracking_iterator.hpp"

namespace vtopo::detail::formats {

namespace {

constexpr std::string_view schema = "vtopo/embedding/v1";

/// Hears the parser and places the objects of the top-level array `ranks`.
class RankListener : public nlohmann::json_sax<nlohmann::json> {
 public:
  RankListener(const std::string& path, const std::string& text, PlacedRanks& ranks)
      : path_(path), text_(text), ranks_(ranks), end_(text.data()) {}

  const char** read_end() { return &end_; }

  void check_end() const {
    if (!has_schema_)
      throw input_error({path_}, fmt::format("no key \"schema\"; accepted is \"{}\"", schema));
    if (!has_ranks_) throw input_error({path_}, "no array \"ranks\"");
    if (num_ranks_ && *num_ranks_ != num_placed_)
      throw input_error({path_}, fmt::format("\"num_ranks\" is {}, but the array \"ranks\" has {}",
                                             *num_ranks_, num_placed_));
    if (contradiction_ && !is_of_other_network_)
      throw input_error(contradiction_at_, *contradiction_);
  }

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool number_unsigned(number_unsigned_t number) override {
    if (is_in_rank() && key_ == "rank" && number < 16777216) {
      rank_ = Rank{static_cast<int>(number)};
      return true;
    }
    if (is_in_rank() && key_ == "host_id") host_id_ = number;
    if (depth_ == 1 && key_ == "num_ranks") num_ranks_ = number;
    return value();
  }
  bool string(string_t& text) override {
    if (is_in_rank() && key_ == "host") {
      host_ = ranks_.host_named(text, here(text.size() + 1));
      host_name_ = text;
      return true;
    }
    if (depth_ == 1 && key_ == "schema") {
      if (text != schema)
        throw input_error(here(text.size() + 1),
                          fmt::format("schema \"{}\"; accepted is \"{}\"", text, schema));
      has_schema_ = true;
    }
    if (depth_ == 1 && key_ == "network")
      is_of_other_network_ = text != ranks_.network().description();
    return value();
  }

  bool start_object(std::size_t) override {
    ++depth_;
    if (is_in_rank()) {
      rank_.reset();
      host_.reset();
      host_id_.reset();
      start_ = here(1);
    }
    return true;
  }
  bool key(string_t& name) override {
    key_ = name;
    return true;
  }
  bool end_object() override {
    if (is_in_rank()) place();
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_++ == 1 && key_ == "ranks") is_in_ranks_ = has_ranks_ = true;
    return true;
  }
  bool end_array() override {
    if (--depth_ == 1) is_in_ranks_ = false;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    throw input_error(here(1), "this is not a JSON document, or it ends too early");
  }

 private:
  /// An object of the array `ranks` of the document: three brackets are open.
  bool is_in_rank() const { return is_in_ranks_ && depth_ == 3; }

  /// Any other value: wrong only where a rank or a host is expected.
  bool value() const {
    if (is_in_rank() && (key_ == "rank" || key_ == "host"))
      throw input_error(here(1), fmt::format("\"{}\" is no {}", key_,
                                             key_ == "rank" ? "number from 0 to 16777215"
                                                            : "string with the name of a host"));
    if (is_in_ranks_ && depth_ == 2)
      throw input_error(here(1), "the array \"ranks\" holds something that is not an object");
    return true;
  }

  void place() {
    if (!rank_ || !host_)
      throw input_error(start_, fmt::format("this object has no \"{}\"; accepted is "
                                            "{{\"rank\": 0, \"host\": \"NAME\"}}",
                                            rank_ ? "host" : "rank"));
    ranks_.place(*rank_, *host_, start_);
    ++num_placed_;
    if (!contradiction_ && host_id_) check_host_id();
  }

  /// Names decide; on the network that the document was made for, numbers must agree.
  void check_host_id() {
    const Network& network = ranks_.network();
    const auto is = static_cast<std::uint64_t>(number(*host_));
    if (network.host_name(*host_) != host_name_ || is == *host_id_) return;
    contradiction_ = fmt::format("\"host_id\" {} is not host \"{}\", which has number {}",
                                 *host_id_, host_name_, is);
    contradiction_at_ = start_;
  }

  /// Place `back` characters before the next one to be read.
  FilePosition here(std::size_t back) const {
    const auto num_read = static_cast<std::size_t>(end_ - text_.data());
    const std::size_t end = num_read - std::min(num_read, back);
    FilePosition position{path_, line_, 0};
    for (; scanned_ < end; ++scanned_)
      if (text_[scanned_] == '\n') {
        ++line_;
        line_start_ = scanned_ + 1;
      }
    position.line = line_;
    position.column = static_cast<int>(end - std::min(end, line_start_)) + 1;
    return position;
  }

  const std::string& path_;
  const std::string& text_;
  PlacedRanks& ranks_;
  const char* end_;                  ///< behind what has been read
  mutable std::size_t scanned_ = 0;  ///< where lines have been counted up to
  mutable std::size_t line_start_ = 0;
  mutable int line_ = 1;
  int depth_ = 0;  ///< open brackets
  bool is_in_ranks_ = false, has_ranks_ = false, has_schema_ = false;
  std::string key_;
  std::optional<Rank> rank_;
  std::optional<HostId> host_;
  std::string host_name_;
  std::optional<std::uint64_t> host_id_, num_ranks_;
  std::uint64_t num_placed_ = 0;
  bool is_of_other_network_ = false;          ///< than the one at hand, as the document says
  std::optional<std::string> contradiction_;  ///< the first between name and number of a host
  FilePosition contradiction_at_;
  FilePosition start_;
};

/// Places the ranks of a document of schema `vtopo/embedding/v1`: `rank` and `host` (the name) of
/// each object in `ranks`; other keys are not looked at.
/// @throws InputError with file, line and column.
void read_json_ranks(const std::string& path, PlacedRanks& ranks) {
  const std::string text = read_lines(path);
  RankListener listener(path, text, ranks);
  const TrackingIterator begin(text.data(), listener.read_end());
  const TrackingIterator end(text.data() + text.size(), listener.read_end());
  nlohmann::json::sax_parse(begin, end, &listener);
  listener.check_end();
}

using Json = nlohmann::ordered_json;

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
  head["scenario"] = scenario_object(document.scenario);
  std::string text = head.dump(2, ' ', false, Json::error_handler_t::replace);
  text.resize(text.size() - 2);  // the closing brace comes after the ranks
  return text + ",\n  \"ranks\": [" + rank_lines(document) + "\n  ]\n}\n";
}

}  // namespace

/// vtopo's own JSON object, schema `vtopo/embedding/v1`: names and numbers of hosts, the mapper and
/// the scenario.
EmbeddingFormat json() {
  return {"json", "vtopo/embedding/v1: names, numbers and the scenario", write_json,
          reader(read_json_ranks)};
}

}  // namespace vtopo::detail::formats
