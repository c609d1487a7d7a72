#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <string>

#include "sim/run/observer.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail::python {

/// Traffic between ranks from three buffers of equal length, as numpy arrays, `array.array` and
/// memory views have: they are read where they are, with whatever strides, into the rows of the
/// graph. Parallel edges stay.
/// @param num_ranks absent: the largest rank has the last edge.
/// @throws UsageError for a negative number of ranks, ranks outside [0, num_ranks), volumes that
/// are not finite and >= 0, and buffers that are not of numbers.
CommGraph graph_of_edges(std::optional<int> num_ranks, const pybind11::buffer& sources,
                         const pybind11::buffer& destinations, const pybind11::buffer& volumes);

/// The same from compressed rows, as scipy.sparse.csr_matrix has them: row r has the entries
/// offsets[r] to offsets[r + 1] - 1.
CommGraph graph_of_rows(const pybind11::buffer& offsets, const pybind11::buffer& destinations,
                        const pybind11::buffer& volumes);

/// The same from a square matrix: row r has what rank r sends; 0 is not an edge.
CommGraph graph_of_matrix(const pybind11::buffer& matrix);

/// What distinguishes a graph from others of as many ranks, as it lies in memory: per edge its
/// source, destination, messages and volume.
pybind11::bytes packed_edges(const CommGraph& graph);

/// Declares the class of problems that mappers in Python get, and `_register_mapper`.
void declare_mappers(pybind11::module_& module);

}  // namespace vtopo::detail::python
