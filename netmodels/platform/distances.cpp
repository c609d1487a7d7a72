#include "netmodels/platform/distances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <utility>
#include <variant>

#include "netmodels/links.hpp"
#include "netmodels/models/flow_sums.hpp"
#include "netmodels/models/modelled_network.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr int max_distance_hosts = 4096;  ///< every pair of them has a link
constexpr double max_distance = 1000000;  ///< as of trees

const std::vector<NetworkKey>& distances_keys() {
  static const std::vector<NetworkKey> keys{{"matrix",
                                             "first or second, default first",
                                             "of a file with two, as those of QAPLIB",
                                             {"first", "second"}}};
  return keys;
}

/// Numbers of a text, row by row. Whatever is not a number may be the name of a row or a column.
class MatrixText {
 public:
  static constexpr double name = -1;  ///< stands for a cell that is not a number

  /// Adds a row; `fail` throws an error about the piece at a position.
  template <class Fail>
  void add_row(std::span<const Token> cells, Fail fail) {
    if (cells.size() > 1 && cells.back().text.empty()) cells = cells.first(cells.size() - 1);
    auto& row = rows_.emplace_back();
    for (const Token& cell : cells) {
      const auto number = parse_number(cell.text);
      if (number && !(std::isfinite(*number) && *number >= 0))
        fail(cell, fmt::format("distance \"{}\": accepted are numbers >= 0", cell.text));
      if (!number && !row.empty() && rows_.size() > 1)
        fail(cell, fmt::format("distance \"{}\" is not a number", cell.text));
      row.push_back(number.value_or(name));
    }
  }

  /// Entries row by row, or a sentence on what is wrong.
  std::variant<std::vector<double>, std::string> entries(std::size_t matrix) const {
    if (rows_.empty()) return "has no numbers; accepted is a square matrix";
    if (rows_.front().size() == 1 && rows_.front().front() >= 1) return sized_entries(matrix);
    if (matrix != 0) return "matrix=second: the file has one matrix";
    for (std::size_t names = 0; names < 2; ++names)
      for (std::size_t header = 0; header < 2; ++header)
        if (is_square(header, names)) return square_entries(header, names);
    return not_square();
  }

 private:
  /// Size, then one matrix or two, in lines of any length.
  std::variant<std::vector<double>, std::string> sized_entries(std::size_t matrix) const {
    const double size = rows_.front().front();
    std::vector<double> all;
    for (std::size_t r = 1; r < rows_.size(); ++r)
      all.insert(all.end(), rows_[r].begin(), rows_[r].end());
    const double count = static_cast<double>(all.size());
    if (size != std::floor(size) || (count != size * size && count != 2 * size * size))
      return fmt::format(
          "begins with the size {0}, and {1} numbers follow; accepted are {0} times {0}, or twice "
          "as many",
          size, all.size());
    const auto half = static_cast<std::ptrdiff_t>(size * size);
    if (matrix != 0 && count == size * size) return "matrix=second: the file has one matrix";
    const auto first = all.begin() + (matrix == 0 ? 0 : half);
    return std::vector<double>(first, first + half);
  }

  /// Whether there is a square matrix behind so many rows and columns of names. Those of a column
  /// below names may be numbers.
  bool is_square(std::size_t header, std::size_t names) const {
    if (rows_.size() <= header) return false;
    const std::size_t size = rows_.size() - header;
    const auto& top = rows_.front();
    if (header == 1 && (names == 0 ? std::count(top.begin(), top.end(), name) != std::ssize(top)
                                   : top.front() != name && top.size() != size))
      return false;
    for (std::size_t r = header; r < rows_.size(); ++r) {
      if (rows_[r].size() != size + names) return false;
      if (header == 0 && names == 1 && rows_[r].front() != name) return false;
      for (std::size_t c = names; c < rows_[r].size(); ++c)
        if (rows_[r][c] == name) return false;
    }
    return true;
  }

  std::vector<double> square_entries(std::size_t header, std::size_t names) const {
    std::vector<double> all;
    for (std::size_t r = header; r < rows_.size(); ++r)
      all.insert(all.end(), rows_[r].begin() + static_cast<std::ptrdiff_t>(names), rows_[r].end());
    return all;
  }

  std::string not_square() const {
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (rows_[r].size() != rows_.back().size())
        return fmt::format(
            "row {} has {} entries and row {} has {}; accepted is a square matrix, with a row and "
            "a column of names or without",
            r + 1, rows_[r].size(), rows_.size(), rows_.back().size());
    return fmt::format(
        "has {} rows of {} entries; accepted is a square matrix, with a row and a column of names "
        "or without",
        rows_.size(), rows_.back().size());
  }

  std::vector<std::vector<double>> rows_;
};

/// The text of a file, or of the specification itself: `0,1;1,0`.
MatrixText matrix_text(const SpecText& spec) {
  MatrixText text;
  const std::string path(spec.parameters);
  std::error_code none;
  if (path.find(';') == std::string::npos || std::filesystem::exists(path, none)) {
    LineFile file(path);
    while (file.next_content()) {
      const bool commas = file.line().find(',') != std::string_view::npos;
      const bool semicolons = file.line().find(';') != std::string_view::npos;
      text.add_row(commas       ? file.fields(',')
                   : semicolons ? file.fields(';')
                                : file.words(),
                   [&](const Token& cell, const std::string& sentence) {
                     throw input_error(file.at(cell.column), sentence);
                   });
    }
    return text;
  }
  for (const auto row : split(spec.parameters, ';')) {
    std::vector<Token> cells;
    for (const auto cell : split(row, ',')) cells.push_back({trim(cell)});
    text.add_row(cells, [&](const Token&, const std::string& sentence) { spec.fail(sentence); });
  }
  return text;
}

/// Distances row by row.
std::vector<int> read_distances(const SpecText& spec, std::size_t matrix) {
  const auto fail = [&](const std::string& sentence) {
    throw InputError(fmt::format("\"{}\": {}", spec.parameters, sentence));
  };
  const auto entries = matrix_text(spec).entries(matrix);
  if (const auto* sentence = std::get_if<std::string>(&entries)) fail(*sentence);
  const auto& values = std::get<std::vector<double>>(entries);
  const auto size = static_cast<std::size_t>(std::lround(std::sqrt(double(values.size()))));
  if (size > max_distance_hosts)
    fail(
        fmt::format("distances between {} hosts; accepted are up to {}", size, max_distance_hosts));
  std::vector<int> distances;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t from = i / size, to = i % size;
    if (values[i] != std::floor(values[i]) || values[i] > max_distance)
      fail(
          fmt::format("distance {} from host {} to host {}: hops are whole numbers from 0 to {}; "
                      "multiply measured ones",
                      values[i], from, to, max_distance));
    if (from == to && values[i] != 0)
      fail(
          fmt::format("distance {} from host {} to itself; accepted is 0: messages within a host "
                      "make no hop",
                      values[i], from));
    distances.push_back(static_cast<int>(values[i]));
  }
  return distances;
}

/// Hosts whose distances are given, in both directions apart. Each has a link of its own to every
/// other one: link i * (n - 1) + j leads from host i to host j, or j + 1 from i on.
class Distances final : public ModelledNetwork {
 public:
  Distances(std::string description, std::vector<int> distances, const NetworkDefaults& defaults)
      : ModelledNetwork(defaults),
        description_(std::move(description)),
        hosts_(static_cast<int>(std::lround(std::sqrt(double(distances.size()))))),
        distances_(std::move(distances)),
        link_(link_properties({}, defaults)) {}

  LinkProperties link(LinkId link) const override {
    const auto [from, to] = *link_ends(link);
    LinkProperties properties = link_;
    properties.hops = hops(HostId{from}, HostId{to});
    return properties;
  }
  std::string link_name(LinkId link) const override {
    const auto [from, to] = *link_ends(link);
    return host_name(HostId{from}) + "->" + host_name(HostId{to});
  }
  std::optional<LinkEnds> link_ends(LinkId link) const override {
    const int from = number(link) / (hosts_ - 1), to = number(link) % (hosts_ - 1);
    return LinkEnds{from, to < from ? to : to + 1};
  }
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    if (source != destination) links.push_back(link_between(source, destination));
  }
  std::unique_ptr<LinkTraffic> make_link_traffic() const override {
    return make_walked_traffic(hosts_ * (hosts_ - 1),
                               [this](HostId source, HostId destination, const auto& sink) {
                                 if (source != destination) sink(link_between(source, destination));
                               });
  }
  int hops(HostId source, HostId destination) const override {
    return distances_[index(source) * static_cast<std::size_t>(hosts_) + index(destination)];
  }

 private:
  LinkId link_between(HostId source, HostId destination) const {
    const int from = number(source), to = number(destination);
    return LinkId{from * (hosts_ - 1) + (to < from ? to : to - 1)};
  }
  NetworkFacts make_facts() const override {
    NetworkFacts facts =
        modelled_facts(hosts_, hosts_ * (hosts_ - 1), description_, Routing::simgrid, false);
    facts.distances_only = true;
    facts.injection_bandwidth = [this](HostId) { return link_.bandwidth * (hosts_ - 1); };
    facts.diameter = [this] { return *std::max_element(distances_.begin(), distances_.end()); };
    return facts;
  }

  std::string description_;
  int hosts_;
  std::vector<int> distances_;  ///< row: source
  LinkProperties link_;         ///< of all, but the hops
};

std::shared_ptr<const Network> make_distances(const SpecText& spec, const NetworkDefaults& defaults,
                                              const RoutingOptions& routing) {
  if (routing.rule != Routing::simgrid)
    spec.fail(fmt::format("routing \"{}\" chooses among routes, and distances say nothing of them",
                          to_string(routing.rule)));
  const std::size_t matrix = SpecKeys(spec, distances_keys()).choice("matrix").value_or(0);
  return std::make_shared<Distances>(
      fmt::format("{}:{}{}", spec.kind, spec.parameters, matrix == 0 ? "" : ",matrix=second"),
      read_distances(spec, matrix), defaults);
}

}  // namespace

std::vector<NetworkInfo> matrix_networks() {
  return {{.name = "distances",
           .syntax = "FILE with a square matrix (text, CSV, QAPLIB), or its rows, separated by ; - "
                     "hops are its entries",
           .keys = distances_keys(),
           .example = "distances:0,1,2,1;1,0,1,2;2,1,0,1;1,2,1,0",
           .source = "R. E. Burkard, S. E. Karisch, F. Rendl, \"QAPLIB - a quadratic assignment "
                     "problem library\" (J. Global Optimization 10, 1997)",
           .make = make_distances}};
}

}  // namespace vtopo::detail
