#pragma once

#include <smpi/smpi.h>

#include <vector>

namespace vtopo::detail::overlay {

/// Where elements of a datatype begin or end: a bound that a program set (MPI_Type_create_resized,
/// MPI_LB, MPI_UB) hides those of data (MPI-4.0, 5.1.6).
struct Bound {
  enum class Rank { none, of_data, set };
  MPI_Aint at = 0;  ///< bytes from the address of the buffer
  Rank rank = Rank::none;
};

/// Copies of a type, one after the other.
struct Block {
  MPI_Aint place;
  MPI_Aint copies;
  MPI_Datatype type;
};

/// What a datatype reaches (MPI-4.0, 5.1.7 and 5.1.8).
struct Reach {
  Bound lower, upper;                       ///< which give the extent
  Bound true_lower, true_upper;             ///< of the data
  MPI_Aint alignment = 1;                   ///< of the element that wants the most
  MPI_Datatype framed = MPI_DATATYPE_NULL;  ///< the type as the program made it; null: itself
  bool is_structure = false;
  std::vector<Block> bytes_of;  ///< what a structure is made of that SMPI has as bytes; else empty

  MPI_Aint extent() const { return upper.at - lower.at; }
  MPI_Aint true_extent() const { return true_upper.at - true_lower.at; }
  /// Takes in copies of an element one after the other, the first at that place.
  void add(MPI_Aint place, MPI_Aint copies, const Reach& element);
};

Reach reach_of(MPI_Datatype type);

/// Memory for elements with their gaps, to be addressed as a buffer of a program.
class Elements {
 public:
  Elements(int count, MPI_Datatype type) {
    Reach reach;
    reach.add(0, count, reach_of(type));
    first_ = reach.true_lower.at;
    bytes_.resize(static_cast<std::size_t>(reach.true_extent()));
  }
  void* address() { return bytes_.data() - first_; }

 private:
  MPI_Aint first_ = 0;
  std::vector<char> bytes_;
};

// What the functions of MPI with these names do, without an error handler; they return its code.
int make_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* made);
int make_hindexed(int count, const int* lengths, const MPI_Aint* places, MPI_Datatype old,
                  MPI_Datatype* made);
int make_resized(MPI_Datatype old, MPI_Aint lower, MPI_Aint extent, MPI_Datatype* made);

}  // namespace vtopo::detail::overlay
