// Constructors of datatypes of which SMPI has the extent wrong: blocks without elements count for
// it, and structures are not aligned.

#include <algorithm>
#include <iterator>
#include <vector>

#include "sim/mpi/smpi_repairs/smpi.hpp"

using namespace vtopo::detail::overlay;

namespace {

/// Displacements of blocks, those without elements where the first one with some is: they have no
/// place, and SMPI makes the type reach to them. Empty: as they are.
template <class Place>
std::vector<Place> places_of_blocks(int count, const int* lengths, const Place* displacements) {
  if (count < 1 || lengths == nullptr || displacements == nullptr) return {};
  const int* filled = std::find_if(lengths, lengths + count, [](int length) { return length > 0; });
  if (filled == lengths + count) return {};
  std::vector<Place> places(displacements, displacements + count);
  for (int i = 0; i < count; ++i)
    if (lengths[i] == 0) places[static_cast<std::size_t>(i)] = displacements[filled - lengths];
  return places;
}

/// Key of what the elements of a structure are aligned to: SMPI makes structures without gaps
/// bytes.
int alignment_key() {
  static int key = MPI_KEYVAL_INVALID;
  if (key == MPI_KEYVAL_INVALID)
    PMPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &key, nullptr);
  return key;
}

MPI_Aint alignment_of_named(MPI_Datatype type) {
  constexpr MPI_Aint word = 4, longest = 16;
  const MPI_Datatype of_words[] = {MPI_2INT,      MPI_2FLOAT,          MPI_SHORT_INT,
                                   MPI_FLOAT_INT, MPI_C_FLOAT_COMPLEX, MPI_COMPLEX8};
  if (std::find(std::begin(of_words), std::end(of_words), type) != std::end(of_words)) return word;
  const MPI_Datatype of_two[] = {MPI_2DOUBLE, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_C_DOUBLE_COMPLEX,
                                 MPI_COMPLEX16};
  if (std::find(std::begin(of_two), std::end(of_two), type) != std::end(of_two)) return 2 * word;
  MPI_Aint lower = 0, extent = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  return std::clamp<MPI_Aint>(extent & -extent, 1, longest);
}

/// Of the element that wants the most.
MPI_Aint alignment_of(MPI_Datatype type) {
  int there = 0, integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
  void* kept = nullptr;
  PMPI_Type_get_attr(type, alignment_key(), &kept, &there);
  if (there != 0) return reinterpret_cast<MPI_Aint>(kept);
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (combiner == MPI_COMBINER_NAMED || types == 0) return alignment_of_named(type);
  std::vector<int> numbers(static_cast<std::size_t>(integers));
  std::vector<MPI_Aint> places(static_cast<std::size_t>(addresses));
  std::vector<MPI_Datatype> old(static_cast<std::size_t>(types));
  PMPI_Type_get_contents(type, integers, addresses, types, numbers.data(), places.data(),
                         old.data());
  MPI_Aint most = 1;
  for (const MPI_Datatype one : old) most = std::max(most, alignment_of(one));
  return most;
}

/// The extent of a structure is a multiple of what its elements are aligned to, as that of the
/// compiler's (MPI-4.0, 5.1.6); in SMPI it ends behind the last element.
void align(int count, const int* lengths, const MPI_Datatype* types, MPI_Datatype* made) {
  MPI_Aint most = 1, lower = 0, extent = 0;
  for (int i = 0; i < count; ++i) {
    if (types[i] == MPI_LB || types[i] == MPI_UB) return;
    if (lengths[i] > 0) most = std::max(most, alignment_of(types[i]));
  }
  PMPI_Type_get_extent(*made, &lower, &extent);
  if (const MPI_Aint beyond = extent % most; beyond > 0) {
    MPI_Datatype longer = MPI_DATATYPE_NULL;
    if (PMPI_Type_create_resized(*made, lower, extent + most - beyond, &longer) != MPI_SUCCESS)
      return;
    PMPI_Type_free(made);
    *made = longer;
  }
  PMPI_Type_set_attr(*made, alignment_key(), reinterpret_cast<void*>(most));
}

}  // namespace

int MPI_Type_create_struct(int count, const int* blocklengths, const MPI_Aint* displacements,
                           const MPI_Datatype* types, MPI_Datatype* newtype) {
  const auto places = places_of_blocks(count, blocklengths, displacements);
  const int code = PMPI_Type_create_struct(
      count, blocklengths, places.empty() ? displacements : places.data(), types, newtype);
  if (code == MPI_SUCCESS) align(count, blocklengths, types, newtype);
  return answered("MPI_Type_create_struct", code);
}

int MPI_Type_indexed(int count, const int* blocklengths, const int* displacements,
                     MPI_Datatype oldtype, MPI_Datatype* newtype) {
  const auto places = places_of_blocks(count, blocklengths, displacements);
  return answered(
      "MPI_Type_indexed",
      PMPI_Type_indexed(count, blocklengths, places.empty() ? displacements : places.data(),
                        oldtype, newtype));
}

int MPI_Type_create_hindexed(int count, const int* blocklengths, const MPI_Aint* displacements,
                             MPI_Datatype oldtype, MPI_Datatype* newtype) {
  const auto places = places_of_blocks(count, blocklengths, displacements);
  return answered(
      "MPI_Type_create_hindexed",
      PMPI_Type_create_hindexed(count, blocklengths, places.empty() ? displacements : places.data(),
                                oldtype, newtype));
}
