// Constructors of datatypes. SMPI has the bounds of many wrong (negative strides, blocks without
// elements, structures that are not aligned), knows no true extent, and looks for the second of
// several elements behind the last block of the first. What a type reaches is computed here, as the
// standard says, and kept as an attribute; a type that SMPI would read in other places gets a
// frame.

#include "sim/mpi/smpi_repairs/datatypes.hpp"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <vector>

#include "sim/mpi/smpi_repairs/smpi.hpp"

namespace vtopo::detail::overlay {

namespace {

int copy_reach(MPI_Datatype, int, void*, void* kept, void* copy, int* flag) {
  auto* reach = new Reach(*static_cast<const Reach*>(kept));
  reach->framed = MPI_DATATYPE_NULL;  // a duplicate is of the type, frame and all
  reach->is_structure = false;
  reach->bytes_of.clear();
  *static_cast<void**>(copy) = reach;
  *flag = 1;
  return MPI_SUCCESS;
}

int delete_reach(MPI_Datatype, int, void* kept, void*) {
  delete static_cast<Reach*>(kept);
  return MPI_SUCCESS;
}

int reach_key() {
  static int key = MPI_KEYVAL_INVALID;
  if (key == MPI_KEYVAL_INVALID) PMPI_Type_create_keyval(copy_reach, delete_reach, &key, nullptr);
  return key;
}

MPI_Aint alignment_of_named(MPI_Datatype type, MPI_Aint extent) {
  constexpr MPI_Aint word = 4, longest = 16;
  const MPI_Datatype of_words[] = {MPI_2INT,      MPI_2FLOAT,          MPI_SHORT_INT,
                                   MPI_FLOAT_INT, MPI_C_FLOAT_COMPLEX, MPI_COMPLEX8};
  if (std::find(std::begin(of_words), std::end(of_words), type) != std::end(of_words)) return word;
  const MPI_Datatype of_two[] = {MPI_2DOUBLE, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_C_DOUBLE_COMPLEX,
                                 MPI_COMPLEX16};
  if (std::find(std::begin(of_two), std::end(of_two), type) != std::end(of_two)) return 2 * word;
  return std::clamp<MPI_Aint>(extent & -extent, 1, longest);
}

/// Where the data of a pair ends: behind its index, not behind the gap that follows.
MPI_Aint end_of_named(MPI_Datatype type, MPI_Aint upper) {
  if (type == MPI_DOUBLE_INT) return sizeof(double) + sizeof(int);
  if (type == MPI_LONG_INT) return sizeof(long) + sizeof(int);
  if (type == MPI_LONG_DOUBLE_INT) return sizeof(long double) + sizeof(int);
  return upper;
}

Reach reach_of_named(MPI_Datatype type) {
  Reach reach;
  if (type == MPI_LB) reach.lower.rank = Bound::Rank::set;
  if (type == MPI_UB) reach.upper.rank = Bound::Rank::set;
  int size = 0;
  PMPI_Type_size(type, &size);
  if (size == 0) return reach;
  MPI_Aint lower = 0, extent = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  reach.lower = reach.true_lower = {lower, Bound::Rank::of_data};
  reach.upper = {lower + extent, Bound::Rank::of_data};
  reach.true_upper = {end_of_named(type, lower + extent), Bound::Rank::of_data};
  reach.alignment = alignment_of_named(type, extent);
  return reach;
}

/// The bound moved by some bytes, if it is further out than another one or hides it.
/// @param sign 1: further out is more, -1: less.
void widen(Bound& bound, Bound other, MPI_Aint bytes, int sign) {
  other.at += bytes;
  if (other.rank > bound.rank || (other.rank == bound.rank && other.rank != Bound::Rank::none &&
                                  sign * (other.at - bound.at) > 0))
    bound = other;
}

/// A type that SMPI reads where the standard says: a structure of the type between markers of its
/// bounds and two empty blocks, at its address and where the next element has its own. SMPI begins
/// an element at the first block and the next one behind the last.
int frame(Reach& reach, MPI_Datatype* made) {
  const int lengths[] = {0, 1, 1, 1, 0};
  const MPI_Aint places[] = {0, reach.lower.at, reach.upper.at, 0, reach.extent()};
  const MPI_Datatype types[] = {MPI_BYTE, MPI_LB, MPI_UB, *made, MPI_BYTE};
  MPI_Datatype outer = MPI_DATATYPE_NULL;
  const int code = PMPI_Type_create_struct(5, lengths, places, types, &outer);
  if (code != MPI_SUCCESS) return code;
  reach.framed = *made;
  PMPI_Type_free(made);  // the frame holds it
  *made = outer;
  return code;
}

constexpr MPI_Aint not_known = -1;

/// @param first where SMPI begins to read an element, from its address, or `not_known`.
/// @param next where it takes the next element to be.
int keep(Reach reach, MPI_Aint first, MPI_Aint next, MPI_Datatype* made) {
  MPI_Aint lower = 0, extent = 0;
  PMPI_Type_get_extent(*made, &lower, &extent);
  const bool is_right =
      lower == reach.lower.at && extent == reach.extent() && first == 0 && next == reach.extent();
  const int code = is_right ? MPI_SUCCESS : frame(reach, made);
  if (code != MPI_SUCCESS) return code;
  return PMPI_Type_set_attr(*made, reach_key(), new Reach(reach));
}

/// The extent of a structure is a multiple of what its elements are aligned to, as that of the
/// compiler's (MPI-4.0, 5.1.6), unless the program sets it.
void align(Reach& reach) {
  if (std::max(reach.lower.rank, reach.upper.rank) == Bound::Rank::set) return;
  if (const MPI_Aint beyond = reach.extent() % reach.alignment; beyond > 0)
    reach.upper.at += reach.alignment - beyond;
}

/// Whether SMPI made bytes of a structure, whose types are all named then.
bool is_bytes(MPI_Datatype made) {
  int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
  PMPI_Type_get_envelope(made, &integers, &addresses, &types, &combiner);
  return combiner != MPI_COMBINER_INDEXED;
}

/// @param code of SMPI's constructor.
/// @param blocks what the type is made of: all of them, or those that decide of its bounds, with
/// the first and the last.
int made_of(int code, const std::vector<Block>& blocks, MPI_Datatype* made,
            bool is_structure = false) {
  if (code != MPI_SUCCESS) return code;
  Reach reach, element;
  reach.is_structure = is_structure;
  MPI_Datatype known = MPI_DATATYPE_NULL;
  for (const Block& block : blocks) {
    if (block.type != known) element = reach_of(known = block.type);
    reach.add(block.place, block.copies, element);
  }
  if (is_structure) align(reach);
  if (is_structure && is_bytes(*made)) reach.bytes_of = blocks;
  if (blocks.empty()) return keep(reach, 0, 0, made);
  const Block& last = blocks.back();
  int size = 0;
  PMPI_Type_size(last.type, &size);
  const bool has_gaps = last.copies > 0 && size != element.extent();  // not all of SMPI's see them
  return keep(reach, has_gaps ? not_known : blocks.front().place,
              last.place + last.copies * element.extent(), made);
}

/// Blocks of one type.
/// @param length_of of a block, by its number; place_of in bytes.
template <class LengthOf, class PlaceOf>
std::vector<Block> blocks_of(int count, LengthOf length_of, PlaceOf place_of, MPI_Datatype type) {
  std::vector<Block> blocks;
  for (int i = 0; i < count; ++i) blocks.push_back({place_of(i), length_of(i), type});
  return blocks;
}

/// A block per place.
/// @param lengths a list, or the length of all; unit: bytes of a place.
template <class Lengths, class Place>
int indexed_of(int code, int count, Lengths lengths, const Place* places, MPI_Aint unit,
               MPI_Datatype old, MPI_Datatype* made) {
  if (code != MPI_SUCCESS) return code;
  const auto length_of = [&](int i) -> MPI_Aint {
    if constexpr (std::is_pointer_v<Lengths>)
      return lengths[i];
    else
      return lengths;
  };
  return made_of(code,
                 blocks_of(
                     count, length_of, [&](int i) { return unit * places[i]; }, old),
                 made);
}

/// Equal blocks: the first and the last decide.
int vector_of(int code, int count, int length, MPI_Aint stride, MPI_Datatype old,
              MPI_Datatype* made) {
  if (code != MPI_SUCCESS) return code;
  return made_of(code,
                 blocks_of(
                     std::min(count, 2), [&](int) { return length; },
                     [&](int i) { return i * (count - 1) * stride; }, old),
                 made);
}

/// Bytes from one element of a type to the next.
MPI_Aint step_of(MPI_Datatype type) {
  return type == MPI_DATATYPE_NULL ? 0 : reach_of(type).extent();
}

int make_structure(int count, const int* lengths, const MPI_Aint* places, const MPI_Datatype* types,
                   MPI_Datatype* made) {
  const int code = PMPI_Type_create_struct(count, lengths, places, types, made);
  std::vector<Block> blocks;
  for (int i = 0; i < count && code == MPI_SUCCESS; ++i)
    blocks.push_back({places[i], lengths[i], types[i]});
  return made_of(code, blocks, made, true);
}

/// What the type is as the program made it.
MPI_Datatype as_made(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return type;
  const Reach reach = reach_of(type);
  return reach.framed == MPI_DATATYPE_NULL ? type : reach.framed;
}

template <class Number>
int true_extent(const char* name, MPI_Datatype type, Number* lower, Number* extent) {
  if (type == MPI_DATATYPE_NULL) return answered(name, MPI_ERR_TYPE);
  if (lower == nullptr || extent == nullptr) return answered(name, MPI_ERR_ARG);
  const Reach reach = reach_of(type);
  *lower = reach.true_lower.at;
  *extent = reach.true_extent();
  return MPI_SUCCESS;
}

}  // namespace

void Reach::add(MPI_Aint place, MPI_Aint copies, const Reach& element) {
  if (copies < 1) return;
  const MPI_Aint last = (copies - 1) * element.extent();
  const MPI_Aint least = place + std::min<MPI_Aint>(0, last);
  const MPI_Aint most = place + std::max<MPI_Aint>(0, last);
  widen(lower, element.lower, least, -1);
  widen(upper, element.upper, most, 1);
  widen(true_lower, element.true_lower, least, -1);
  widen(true_upper, element.true_upper, most, 1);
  alignment = std::max(alignment, element.alignment);
}

Reach reach_of(MPI_Datatype type) {
  void* kept = nullptr;
  int there = 0;
  PMPI_Type_get_attr(type, reach_key(), &kept, &there);
  return there != 0 ? *static_cast<const Reach*>(kept) : reach_of_named(type);
}

int make_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* made) {
  return vector_of(PMPI_Type_hvector(count, length, stride, old, made), count, length, stride, old,
                   made);
}

int make_hindexed(int count, const int* lengths, const MPI_Aint* places, MPI_Datatype old,
                  MPI_Datatype* made) {
  return indexed_of(PMPI_Type_create_hindexed(count, lengths, places, old, made), count, lengths,
                    places, 1, old, made);
}

int make_resized(MPI_Datatype old, MPI_Aint lower, MPI_Aint extent, MPI_Datatype* made) {
  const int code = PMPI_Type_create_resized(old, lower, extent, made);
  if (code != MPI_SUCCESS) return code;
  Reach reach = reach_of(old);
  reach.lower = {lower, Bound::Rank::set};
  reach.upper = {lower + extent, Bound::Rank::set};
  reach.framed = MPI_DATATYPE_NULL;
  reach.is_structure = false;
  reach.bytes_of.clear();
  return keep(reach, 0, lower + extent, made);
}

}  // namespace vtopo::detail::overlay

using namespace vtopo::detail::overlay;

int MPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return answered("MPI_Type_contiguous", vector_of(PMPI_Type_contiguous(count, oldtype, newtype),
                                                   std::min(count, 1), count, 0, oldtype, newtype));
}

int MPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype,
                    MPI_Datatype* newtype) {
  return answered("MPI_Type_vector",
                  vector_of(PMPI_Type_vector(count, blocklength, stride, oldtype, newtype), count,
                            blocklength, stride * step_of(oldtype), oldtype, newtype));
}

int MPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                            MPI_Datatype* newtype) {
  return answered("MPI_Type_create_hvector",
                  make_hvector(count, blocklength, stride, oldtype, newtype));
}

int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                     MPI_Datatype* newtype) {
  return answered("MPI_Type_hvector", make_hvector(count, blocklength, stride, oldtype, newtype));
}

int MPI_Type_indexed(int count, const int* blocklengths, const int* displacements,
                     MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return answered(
      "MPI_Type_indexed",
      indexed_of(PMPI_Type_indexed(count, blocklengths, displacements, oldtype, newtype), count,
                 blocklengths, displacements, step_of(oldtype), oldtype, newtype));
}

int MPI_Type_create_hindexed(int count, const int* blocklengths, const MPI_Aint* displacements,
                             MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return answered("MPI_Type_create_hindexed",
                  make_hindexed(count, blocklengths, displacements, oldtype, newtype));
}

int MPI_Type_hindexed(int count, const int* blocklengths, const MPI_Aint* displacements,
                      MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return answered("MPI_Type_hindexed",
                  make_hindexed(count, blocklengths, displacements, oldtype, newtype));
}

int MPI_Type_create_indexed_block(int count, int blocklength, const int* displacements,
                                  MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return answered(
      "MPI_Type_create_indexed_block",
      indexed_of(
          PMPI_Type_create_indexed_block(count, blocklength, displacements, oldtype, newtype),
          count, blocklength, displacements, step_of(oldtype), oldtype, newtype));
}

int MPI_Type_create_hindexed_block(int count, int blocklength, const MPI_Aint* displacements,
                                   MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return answered("MPI_Type_create_hindexed_block",
                  indexed_of(PMPI_Type_create_hindexed_block(count, blocklength, displacements,
                                                             oldtype, newtype),
                             count, blocklength, displacements, 1, oldtype, newtype));
}

int MPI_Type_create_struct(int count, const int* blocklengths, const MPI_Aint* displacements,
                           const MPI_Datatype* types, MPI_Datatype* newtype) {
  return answered("MPI_Type_create_struct",
                  make_structure(count, blocklengths, displacements, types, newtype));
}

int MPI_Type_struct(int count, const int* blocklengths, const MPI_Aint* displacements,
                    const MPI_Datatype* types, MPI_Datatype* newtype) {
  return answered("MPI_Type_struct",
                  make_structure(count, blocklengths, displacements, types, newtype));
}

int MPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent,
                            MPI_Datatype* newtype) {
  return answered("MPI_Type_create_resized", make_resized(oldtype, lb, extent, newtype));
}

int MPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint* lb, MPI_Aint* extent) {
  return true_extent("MPI_Type_get_true_extent", datatype, lb, extent);
}

int MPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count* lb, MPI_Count* extent) {
  return true_extent("MPI_Type_get_true_extent_x", datatype, lb, extent);
}

int MPI_Type_get_envelope(MPI_Datatype datatype, int* num_integers, int* num_addresses,
                          int* num_datatypes, int* combiner) {
  const int code = PMPI_Type_get_envelope(as_made(datatype), num_integers, num_addresses,
                                          num_datatypes, combiner);
  if (code != MPI_SUCCESS) return answered("MPI_Type_get_envelope", code);
  const Reach reach = reach_of(datatype);
  if (!reach.bytes_of.empty()) {
    *num_addresses = *num_datatypes = static_cast<int>(reach.bytes_of.size());
    *num_integers = *num_datatypes + 1;
  }
  // SMPI calls structures indexed.
  if (!reach.bytes_of.empty() || (reach.is_structure && *combiner == MPI_COMBINER_INDEXED))
    *combiner = MPI_COMBINER_STRUCT;
  return MPI_SUCCESS;
}

int MPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses,
                          int max_datatypes, int* integers, MPI_Aint* addresses,
                          MPI_Datatype* datatypes) {
  constexpr const char* call_name = "MPI_Type_get_contents";
  if (datatype == MPI_DATATYPE_NULL) return answered(call_name, MPI_ERR_TYPE);
  const Reach reach = reach_of(datatype);
  const auto count = static_cast<int>(reach.bytes_of.size());
  if (count == 0)
    return answered(call_name,
                    PMPI_Type_get_contents(as_made(datatype), max_integers, max_addresses,
                                           max_datatypes, integers, addresses, datatypes));
  if (max_integers < count + 1 || max_addresses < count || max_datatypes < count)
    return answered(call_name, MPI_ERR_COUNT);
  *integers = count;
  for (const Block& block : reach.bytes_of) {
    *++integers = static_cast<int>(block.copies);
    *addresses++ = block.place;
    *datatypes++ = block.type;
  }
  return MPI_SUCCESS;
}

/// SMPI's copies of vectors and indexed types take bytes for elements, so that data go astray.
/// Theirs are made as one element of the type, without its attributes.
int MPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype* newtype) {
  int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
  if (oldtype != MPI_DATATYPE_NULL)
    PMPI_Type_get_envelope(oldtype, &integers, &addresses, &types, &combiner);
  if (combiner != MPI_COMBINER_VECTOR && combiner != MPI_COMBINER_INDEXED)
    return answered("MPI_Type_dup", PMPI_Type_dup(oldtype, newtype));
  const int code = MPI_Type_contiguous(1, oldtype, newtype);
  return code == MPI_SUCCESS ? MPI_Type_commit(newtype) : code;
}
