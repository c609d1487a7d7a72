// MPI_Type_create_subarray: SMPI's has the extent of one element instead of that of the whole
// array.

#include <vector>

#include "sim/mpi/errors.hpp"

using namespace vtopo::detail::overlay;

namespace {

/// Makes a type of another one, which is freed unless it is the program's own.
class Steps {
 public:
  explicit Steps(MPI_Datatype first) : first_(first), type_(first) {}
  template <class Make>
  void next(Make&& make) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    const int code = make(type_, &made);
    if (type_ != first_) PMPI_Type_free(&type_);
    type_ = made;
    if (code != MPI_SUCCESS) throw SmpiFailure{code};
  }
  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype first_, type_;
};

MPI_Datatype subarray(std::vector<int> sizes, std::vector<int> parts, std::vector<int> starts,
                      MPI_Datatype element) {
  MPI_Aint lower = 0;
  MPI_Aint stride = 0;
  PMPI_Type_get_extent(element, &lower, &stride);
  Steps steps(element);
  MPI_Aint place = 0;
  for (std::size_t d = sizes.size(); d-- > 0;) {  // the last one varies fastest
    if (sizes[d] < 1 || parts[d] < 1 || starts[d] < 0 || starts[d] > sizes[d] - parts[d])
      throw SmpiFailure{MPI_ERR_ARG};
    steps.next([&](MPI_Datatype old, MPI_Datatype* made) {
      return PMPI_Type_create_hvector(parts[d], 1, stride, old, made);
    });
    place += starts[d] * stride;
    stride *= sizes[d];
  }
  const int one = 1;
  steps.next([&](MPI_Datatype old, MPI_Datatype* made) {
    return PMPI_Type_create_hindexed(1, &one, &place, old, made);
  });
  steps.next([&](MPI_Datatype old, MPI_Datatype* made) {
    return PMPI_Type_create_resized(old, 0, stride, made);
  });
  return steps.type();
}

}  // namespace

int MPI_Type_create_subarray(int ndims, const int* array_of_sizes, const int* array_of_subsizes,
                             const int* array_of_starts, int order, MPI_Datatype oldtype,
                             MPI_Datatype* newtype) {
  int code = MPI_SUCCESS;
  if (newtype == nullptr || ndims < 1 || (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN))
    return answered("MPI_Type_create_subarray", MPI_ERR_ARG);
  *newtype = MPI_DATATYPE_NULL;
  if (oldtype == MPI_DATATYPE_NULL) return answered("MPI_Type_create_subarray", MPI_ERR_TYPE);
  const auto ordered = [&](const int* values) {
    std::vector<int> result(values, values + ndims);
    return order == MPI_ORDER_C ? result : std::vector<int>(result.rbegin(), result.rend());
  };
  try {
    *newtype = subarray(ordered(array_of_sizes), ordered(array_of_subsizes),
                        ordered(array_of_starts), oldtype);
  } catch (const SmpiFailure& failure) {
    code = failure.code;
  }
  return answered("MPI_Type_create_subarray", code);
}
