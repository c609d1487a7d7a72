#include "sim/formats/foreign.hpp"

#include <fmt/format.h>

#include "sim/formats/launchers/launchers.hpp"
#include "sim/formats/machines/hwloc_file.hpp"
#include "sim/formats/traces/foreign_traces.hpp"
#include "sim/formats/traffic/foreign_traffic.hpp"
#include "topology/base/error.hpp"
#include "topology/base/foreign_formats.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

Recording read_dense(const std::string& path, const TrafficOptions& options) {
  return read_dense_csv(path, options.format.has_value(), options.weights);
}

/// The extension says that it is a matrix.
Recording read_mat(const std::string& path, const TrafficOptions& options) {
  return read_dense_csv(path, true, options.weights);
}

Recording read_prof(const std::string& path, const TrafficOptions& options) {
  if (options.record_kinds != RecordKinds::all)
    throw UsageError(
        fmt::format("record kinds of {}: a recording of Open MPI's monitoring has kinds of lines; "
                    "accepted is --prof-kinds, such as --prof-kinds E,I",
                    path));
  return read_openmpi_prof(path, parse_prof_kinds(join(options.prof_kinds, ",")));
}

Recording read_trace(const std::string& path, const TrafficOptions& options) {
  return read_smpi_trace(path, options.record_kinds);
}

Recording read_scotch(const std::string& path, const TrafficOptions&) {
  return read_scotch_graph(path);
}

std::vector<TrafficFormatInfo> traffic() {
  using enum TrafficFormat;
  constexpr double largest_int = 2147483647;  // of the 32-bit METIS and Scotch of Debian
  const TrafficAbilities all;
  const TrafficAbilities matrix{.parallel_edges = false, .messages = false};
  TrafficAbilities integer_matrix = matrix;
  integer_matrix.largest_integer = largest_exact;
  const TrafficAbilities undirected{false, false, false, false, largest_int};
  return {{dense_csv, "dense", "", "CSV: N lines of N volumes, rows are senders", matrix,
           read_dense, write_dense_csv, is_dense_csv},
          {treematch, "mat", ".mat", "TreeMatch, TopoMatch: the same between blanks, whole numbers",
           integer_matrix, read_mat, write_treematch},
          {openmpi_prof, "prof", ".prof", "Open MPI monitoring: a folder, or one file of a rank",
           all, read_prof},
          {smpi_trace, "smpi", "",
           "SimGrid time-independent trace: the list that smpirun -trace-ti writes", all,
           read_trace, nullptr, is_smpi_trace},
          {metis_graph, "metis", ".graph", "METIS: undirected, whole numbers", undirected,
           weighted<read_metis_graph>, write_metis_graph, nullptr, read_metis_vertex_weights},
          {scotch_graph, "scotch", ".grf", "Scotch: undirected, whole numbers", undirected,
           read_scotch, write_scotch_graph},
          {matrix_market, "mtx", ".mtx", "MatrixMarket coordinate: rows are senders", matrix,
           weighted<read_matrix_market>, write_matrix_market},
          {graphml, "graphml", ".graphml", "GraphML: weight and messages of edges", all,
           weighted<read_graphml>, write_graphml},
          {dot, "dot", ".dot", "Graphviz: weight and messages of edges", all, weighted<read_dot>,
           write_dot}};
}

std::vector<EmbeddingFormat> embeddings() {
  using namespace formats;
  return {bgq(),   flux(),  hydra(),    jax(),   map(),  megatron(), mpich_rank_order(),
          part(),  prrte(), rankfile(), slurm(), smpi(), taskmap(),  torchrun(),
          vcoord()};
}

std::vector<TraceFormat> traces() {
  return {{"vtopo", "VTOPO_RECORD_TRACE of libvtopo_record.so: a folder with a file per rank",
           is_vtopo_trace, read_vtopo_trace},
          {"smpi", "smpirun -trace-ti: list of a file per rank, or one file", is_smpi_program,
           read_smpi_program},
          {"goal", "LogGOPSim's schedules as text", is_goal, read_goal}};
}

}  // namespace

/// Named by the link options of vtopo::formats: without them the linker would leave out this
/// object, which the core does not name.
constinit const ForeignFormats vtopo_foreign_formats{
    traffic,          embeddings,      traces,        foreign_machine_format, read_foreign_machine,
    read_node_places, read_hwloc_file, read_host_list};

}  // namespace vtopo::detail
