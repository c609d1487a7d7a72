#include "topology/traffic/traffic_formats.hpp"

#include <algorithm>
#include <filesystem>

#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/text.hpp"
#include "topology/traffic/formats.hpp"

namespace vtopo::detail {

namespace {

constexpr double largest_int = 2147483647;          // of the 32-bit METIS and Scotch of Debian
constexpr double largest_exact = 9007199254740992;  // 2^53: every whole number below is a double

Recording read_dense(const std::string& path, const TrafficOptions& options) {
  return read_dense_csv(path, options.format.has_value());
}

/// The extension says that it is a matrix.
Recording read_mat(const std::string& path) {
  return read_dense_csv(path, true);
}

Recording read_prof(const std::string& path, const TrafficOptions& options) {
  if (options.record_kinds != RecordKinds::all)
    throw UsageError(
        fmt::format("record kinds of {}: a recording of Open MPI's monitoring has kinds of lines; "
                    "accepted is --prof-kinds, such as --prof-kinds E,I",
                    path));
  return read_openmpi_prof(path, parse_prof_kinds(join(options.prof_kinds, ",")));
}

Recording read_record(const std::string& path, const TrafficOptions& options) {
  return read_vtopo_record(path, options.record_kinds);
}

Recording read_trace(const std::string& path, const TrafficOptions& options) {
  return read_smpi_trace(path, options.record_kinds);
}

/// Reader of a format that needs no options.
template <Recording (*read)(const std::string&)>
Recording plain(const std::string& path, const TrafficOptions&) {
  return read(path);
}

std::vector<TrafficFormatInfo> make_formats() {
  using enum TrafficFormat;
  const TrafficAbilities all;
  const TrafficAbilities matrix{.parallel_edges = false, .messages = false};
  TrafficAbilities integer_matrix = matrix;
  integer_matrix.largest_integer = largest_exact;
  const TrafficAbilities undirected{false, false, false, false, largest_int};
  return {{edge_list_csv, "edges", ".csv", "header src,dst,bytes[,messages]; a line per edge", all,
           plain<read_edge_list_csv>, write_edge_list_csv},
          {dense_csv, "dense", "", "CSV: N lines of N volumes, rows are senders", matrix,
           read_dense, write_dense_csv},
          {treematch, "mat", ".mat", "TreeMatch, TopoMatch: the same between blanks, whole numbers",
           integer_matrix, plain<read_mat>, write_treematch},
          {openmpi_prof, "prof", ".prof", "Open MPI monitoring: a folder, or one file of a rank",
           all, read_prof, nullptr},
          {vtopo_record, "record", ".record", "recording of vtopo record", all, read_record,
           write_vtopo_record},
          {smpi_trace, "smpi", "",
           "SimGrid time-independent trace: the list that smpirun -trace-ti "
           "writes",
           all, read_trace, nullptr},
          {metis_graph, "metis", ".graph", "METIS: undirected, whole numbers", undirected,
           plain<read_metis_graph>, write_metis_graph},
          {scotch_graph, "scotch", ".grf", "Scotch: undirected, whole numbers", undirected,
           plain<read_scotch_graph>, write_scotch_graph},
          {matrix_market, "mtx", ".mtx", "MatrixMarket coordinate: rows are senders", matrix,
           plain<read_matrix_market>, write_matrix_market},
          {graphml, "graphml", ".graphml", "GraphML: weight and messages of edges", all,
           plain<read_graphml>, write_graphml},
          {dot, "dot", ".dot", "Graphviz: weight and messages of edges", all, plain<read_dot>,
           write_dot}};
}

}  // namespace

const std::vector<TrafficFormatInfo>& traffic_formats() {
  static const std::vector<TrafficFormatInfo> all = make_formats();
  return all;
}

const TrafficFormatInfo& traffic_format_info(TrafficFormat format) {
  const auto& all = traffic_formats();
  const auto same = [&](const TrafficFormatInfo& info) { return info.format == format; };
  return *std::find_if(all.begin(), all.end(), same);
}

TrafficFormat traffic_format_to_write(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  std::vector<std::string> known;
  for (const TrafficFormatInfo& info : traffic_formats()) {
    if (info.write == nullptr || info.extension.empty()) continue;
    if (info.extension == extension) return info.format;
    known.push_back(info.extension);
  }
  throw UsageError(
      fmt::format("no traffic format is written by the extension \"{}\" of {}; "
                  "accepted are {}, or the format by its name{}",
                  extension, path, join(known, ", "), suggestion(extension, known)));
}

TrafficText write_traffic(const CommGraph& graph, TrafficFormat format, Bytes unit) {
  const TrafficFormatInfo& info = traffic_format_info(format);
  if (info.write == nullptr)
    throw UsageError(
        fmt::format("format {} is only read: the program that is traced writes it", info.name));
  FittedTraffic fitted = fit_traffic(graph, info, unit);
  std::string text = info.write(fitted.graph);
  if (text.size() > LineFile::max_file_bytes)
    throw UsageError(fmt::format("format {} needs {} bytes; accepted are files of up to {} bytes",
                                 info.name, text.size(), LineFile::max_file_bytes));
  return {std::move(text), std::move(fitted.losses)};
}

}  // namespace vtopo::detail
