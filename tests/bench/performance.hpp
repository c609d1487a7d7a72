#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo {

/// A periodic halo of a grid, one rank per host.
struct HaloProblem {
  std::shared_ptr<const Network> network;
  Cartesian grid;
  CommGraph guest;
  Allocation allocation;
  Embedding embedding;
};

enum class HaloPlaces { drawn, neighbours };
enum class HaloVolumes { equal, unequal };

/// @param sizes of the grid, as many ranks as the network has hosts. `neighbours` puts rank r of a
/// cube on the torus of its size where neighbours are neighbours, elsewhere on host r.
HaloProblem make_halo(const std::string& network, const std::vector<int>& sizes, HaloPlaces places,
                      HaloVolumes volumes = HaloVolumes::equal);

/// Bytes per second, read and written, of copies between arrays larger than caches; one core.
double copy_bandwidth();

// Tables in Markdown, printed to standard output as they are measured; processor time.

/// Routes and their sums, beside SimGrid's `Host::route_to` and beside `copy_bandwidth`.
void print_routes(double bandwidth);

/// An MPI library's figures: lines `name nanoseconds` as mpi_inquiries.c writes them.
struct MpiFigures {
  std::string library;
  std::string file;
};

/// Topology inquiries of vtopo's library beside MPI libraries.
void print_inquiries(const std::vector<MpiFigures>& libraries);

/// `simulate` beside a program with SimGrid alone.
void print_simulations();

/// Evaluation, mapping, bounds and solver from a thousand ranks to a million.
/// @param seconds a measurement that would take longer is left out.
void print_scaling(double seconds);

}  // namespace vtopo
