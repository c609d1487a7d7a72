#include "topology/traffic/formats.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "topology/base/error.hpp"
#include "topology/base/foreign_formats.hpp"
#include "topology/base/host_list.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

Recording read_record(const std::string& path, const TrafficOptions& options) {
  return read_vtopo_record(path, options.record_kinds);
}

std::vector<TrafficFormatInfo> make_formats() {
  using enum TrafficFormat;
  const TrafficAbilities all;
  std::vector<TrafficFormatInfo> own{
      {edge_list_csv, "edges", ".csv", "header src,dst,bytes[,messages]; a line per edge", all,
       weighted<read_edge_list_csv>, write_edge_list_csv},
      {vtopo_record, "record", ".record", "recording of vtopo record", all, read_record,
       write_vtopo_record}};
  auto rows = with_foreign(std::move(own), &ForeignFormats::traffic);
  std::sort(rows.begin(), rows.end(),
            [](const auto& a, const auto& b) { return a.format < b.format; });
  return rows;
}

}  // namespace

Bytes read_volume(const LineFile& file, const Token& token, WeightRule rule) {
  const auto number = parse_number(token.text);
  if (!number || *number >= 0 || !std::isfinite(*number))
    return Bytes{read_number(file, token, "volume")};
  if (rule != WeightRule::value) return Bytes{-*number};
  throw input_error(file.at(token.column),
                    fmt::format("volume \"{}\" is negative: accepted are numbers >= 0, and with "
                                "--weights abs or --weights pattern any",
                                token.text));
}

const std::vector<TrafficFormatInfo>& traffic_formats() {
  static const std::vector<TrafficFormatInfo> all = make_formats();
  return all;
}

const TrafficFormatInfo& traffic_format_info(TrafficFormat format) {
  const auto& all = traffic_formats();
  const auto same = [&](const TrafficFormatInfo& info) { return info.format == format; };
  const auto found = std::find_if(all.begin(), all.end(), same);
  if (found == all.end()) foreign_formats("this format of traffic");
  return *found;
}

namespace {

NodeRanks in_order(std::span<const std::string> names) {
  NodeRanks result;
  constexpr std::size_t shown = 3;
  std::string who;
  for (std::size_t n = 0; n < names.size(); ++n) {
    result.ranks.push_back(id_at<Rank>(n));
    if (n < shown || n + 1 == names.size())
      who += fmt::format("{}\"{}\" is rank {}",
                         n == 0      ? ""
                         : n > shown ? ", ..., "
                                     : ", ",
                         names[n], n);
  }
  result.remark = fmt::format(
      "the names of the nodes are not the numbers 0 to {}: nodes are ranks in the order of the "
      "file, {}",
      int_size(names) - 1, who);
  return result;
}

}  // namespace

NodeRanks ranks_of_names(std::span<const std::string> names) {
  NodeRanks result;
  std::vector<bool> seen(names.size());
  for (const std::string& name : names) {
    const std::string_view stem = stem_of(name);
    const auto number = parse_integer(std::string_view(name).substr(stem.size()));
    if (stem != stem_of(names.front()) || !number || *number >= int_size(names) ||
        seen[index(*number)])
      return in_order(names);
    seen[index(*number)] = true;
    result.ranks.push_back(Rank{narrow<int>(*number)});
  }
  return result;
}

}  // namespace vtopo::detail
