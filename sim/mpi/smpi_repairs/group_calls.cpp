// Functions of groups with a list of ranks, which may be null where it has none; SMPI takes that
// for an error.

#include "sim/mpi/smpi_repairs/smpi.hpp"

using namespace vtopo::detail::overlay;

namespace {

/// A list of that many elements.
template <class Element>
Element* list_of(int count, Element* list) {
  static Element none{};
  return count == 0 && list == nullptr ? &none : list;
}

}  // namespace

int MPI_Group_excl(MPI_Group group, int n, const int* ranks, MPI_Group* newgroup) {
  return answered("MPI_Group_excl", PMPI_Group_excl(group, n, list_of(n, ranks), newgroup));
}

int MPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group* newgroup) {
  return answered("MPI_Group_range_incl",
                  PMPI_Group_range_incl(group, n, list_of(n, ranges), newgroup));
}

int MPI_Group_range_excl(MPI_Group group, int n, int ranges[][3], MPI_Group* newgroup) {
  return answered("MPI_Group_range_excl",
                  PMPI_Group_range_excl(group, n, list_of(n, ranges), newgroup));
}

int MPI_Group_translate_ranks(MPI_Group group1, int n, const int* ranks1, MPI_Group group2,
                              int* ranks2) {
  return answered(
      "MPI_Group_translate_ranks",
      PMPI_Group_translate_ranks(group1, n, list_of(n, ranks1), group2, list_of(n, ranks2)));
}
