// Functions that SMPI does not have, or has wrong, and that are made here. MPI_Mprobe, MPI_Improbe,
// MPI_Mrecv and MPI_Imrecv: a message that was found is received at once, into a buffer of the
// overlay's own, so that nobody else can receive it. MPI_Type_create_subarray: SMPI's has the
// extent of one element instead of that of the whole array. MPI_Type_create_darray. Names of what
// has none, values of an info that are cut.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/mpi/smpi_repairs/datatypes.hpp"
#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/smpi_repairs/polls.hpp"
#include "sim/mpi/smpi_repairs/requests.hpp"
#include "sim/mpi/smpi_repairs/smpi.hpp"

using namespace vtopo::detail::overlay;

namespace {

/// A message that was found.
struct Matched {
  MPI_Comm comm = MPI_COMM_NULL;
  std::vector<char> bytes;
  MPI_Request arriving = MPI_REQUEST_NULL;
  MPI_Status status{};
};

/// MPI_MESSAGE_NO_PROC of vtopo_mpi.h: that of MPI_PROC_NULL.
void* const no_process = reinterpret_cast<void*>(1);

int match(const MPI_Status& found, MPI_Comm comm, MPI_Message* message) {
  auto* matched = new Matched{comm, {}, MPI_REQUEST_NULL, found};
  int size = 0;
  PMPI_Get_count(&found, MPI_BYTE, &size);
  matched->bytes.resize(static_cast<std::size_t>(size));
  *message = matched;
  return PMPI_Irecv(matched->bytes.data(), size, MPI_BYTE, found.MPI_SOURCE, found.MPI_TAG, comm,
                    &matched->arriving);
}

int find(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  if (flag == nullptr || message == nullptr) return MPI_ERR_ARG;
  MPI_Status found{};
  const int code = polled(
      flag, [&] { return PMPI_Iprobe(source, tag, comm, flag, &found); }, "MPI_Improbe");
  if (code != MPI_SUCCESS || *flag == 0) return code;
  if (status != MPI_STATUS_IGNORE) *status = found;
  if (source == MPI_PROC_NULL) {
    *message = no_process;
    return MPI_SUCCESS;
  }
  return match(found, comm, message);
}

/// Puts a message that has come where it belongs.
int deliver(const Matched& matched, void* buf, int count, MPI_Datatype datatype) {
  int unit = 0;
  int code = PMPI_Type_size(datatype, &unit);
  const auto size = static_cast<int>(matched.bytes.size());
  int position = 0;
  if (code == MPI_SUCCESS && unit > 0)
    code = PMPI_Unpack(matched.bytes.data(), size, &position, buf,
                       size / unit < count ? size / unit : count, datatype, matched.comm);
  if (code == MPI_SUCCESS && unit > 0 && size / unit > count) code = MPI_ERR_TRUNCATE;
  return code;
}

/// Waits for the message and puts it where it belongs; the handle is null after.
int take(void* buf, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Status* status) {
  if (message == nullptr || *message == nullptr) return MPI_ERR_REQUEST;
  if (*message == no_process) {
    *message = nullptr;
    return PMPI_Recv(buf, count, datatype, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_SELF, status);
  }
  const std::unique_ptr<Matched> matched(static_cast<Matched*>(*message));
  *message = nullptr;
  PMPI_Wait(&matched->arriving, MPI_STATUS_IGNORE);
  if (status != MPI_STATUS_IGNORE) *status = matched->status;
  return deliver(*matched, buf, count, datatype);
}

/// The same when the request is complete, with a type of the type, which may be freed meanwhile.
/// (SMPI's PMPI_Type_dup loses all blocks but one.)
int take_later(void* buf, int count, MPI_Datatype datatype, MPI_Message* message,
               MPI_Request* request) {
  if (message == nullptr || *message == nullptr || request == nullptr) return MPI_ERR_REQUEST;
  if (*message == no_process) {
    *message = nullptr;
    return PMPI_Irecv(buf, count, datatype, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_SELF, request);
  }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (const int code = PMPI_Type_contiguous(1, datatype, &type); code != MPI_SUCCESS) return code;
  PMPI_Type_commit(&type);
  const std::shared_ptr<Matched> matched(static_cast<Matched*>(*message));
  *message = nullptr;
  CollectiveRequest rest{
      .comm = matched->comm, .times = {}, .messages = {matched->arriving}, .done = {}};
  rest.status = matched->status;
  rest.active = true;
  rest.at_end = [=]() mutable {
    const int code = deliver(*matched, buf, count, type);
    PMPI_Type_free(&type);
    check(code);
  };
  const Uncharged own_time;
  *request = make_request(std::move(rest));
  return MPI_SUCCESS;
}

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
    check(code);
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
      return make_hvector(parts[d], 1, stride, old, made);
    });
    place += starts[d] * stride;
    stride *= sizes[d];
  }
  const int one = 1;
  steps.next([&](MPI_Datatype old, MPI_Datatype* made) {
    return make_hindexed(1, &one, &place, old, made);
  });
  steps.next(
      [&](MPI_Datatype old, MPI_Datatype* made) { return make_resized(old, 0, stride, made); });
  return steps.type();
}

/// How an array of processes shares the elements of one dimension: who has which runs of them.
struct Distribution {
  int elements, kind, argument, processes;

  /// Blocks of this many elements go round.
  int block() const {
    if (kind == MPI_DISTRIBUTE_NONE) {
      if (processes != 1) throw SmpiFailure{MPI_ERR_ARG};
      return elements;
    }
    const bool is_default = argument == MPI_DISTRIBUTE_DFLT_DARG;
    const int even = (elements + processes - 1) / processes;
    if (kind == MPI_DISTRIBUTE_CYCLIC) return is_default ? 1 : argument;
    if (kind != MPI_DISTRIBUTE_BLOCK || (!is_default && argument < even))
      throw SmpiFailure{MPI_ERR_ARG};
    return is_default ? even : argument;
  }

  /// Type of what the process at that coordinate has, of elements of a type, `stride` bytes apart.
  void select(Steps& steps, int coordinate, MPI_Aint stride) const {
    const int size = block();
    if (elements < 1 || processes < 1 || size < 1) throw SmpiFailure{MPI_ERR_ARG};
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    const auto round = static_cast<std::int64_t>(size) * processes;
    for (std::int64_t at = static_cast<std::int64_t>(size) * coordinate; at < elements;
         at += round) {
      lengths.push_back(static_cast<int>(std::min<std::int64_t>(size, elements - at)));
      places.push_back(static_cast<MPI_Aint>(at) * stride);
    }
    steps.next(
        [&](MPI_Datatype old, MPI_Datatype* made) { return make_resized(old, 0, stride, made); });
    steps.next([&](MPI_Datatype old, MPI_Datatype* made) {
      return make_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), old,
                           made);
    });
  }
};

/// @param dimensions the fastest last, with the coordinate of the process in each.
MPI_Datatype distributed(const std::vector<std::pair<Distribution, int>>& dimensions,
                         MPI_Datatype element) {
  MPI_Aint lower = 0;
  MPI_Aint stride = 0;
  PMPI_Type_get_extent(element, &lower, &stride);
  Steps steps(element);
  for (std::size_t d = dimensions.size(); d-- > 0;) {
    dimensions[d].first.select(steps, dimensions[d].second, stride);
    stride *= dimensions[d].first.elements;
  }
  steps.next(
      [&](MPI_Datatype old, MPI_Datatype* made) { return make_resized(old, 0, stride, made); });
  return steps.type();
}

/// A predefined type of so many bytes.
int predefined(const char* name, const std::map<int, MPI_Datatype>& types, int size,
               MPI_Datatype* datatype) {
  const auto found = types.find(size);
  if (datatype == nullptr || found == types.end()) return answered(name, MPI_ERR_ARG);
  *datatype = found->second;
  return MPI_SUCCESS;
}

const std::map<int, MPI_Datatype>& types_of(int typeclass) {
  static const std::map<int, MPI_Datatype> none;
  static const std::map<int, std::map<int, MPI_Datatype>> all{
      {MPI_TYPECLASS_REAL, {{4, MPI_REAL4}, {8, MPI_REAL8}, {16, MPI_REAL16}}},
      {MPI_TYPECLASS_INTEGER,
       {{1, MPI_INTEGER1}, {2, MPI_INTEGER2}, {4, MPI_INTEGER4}, {8, MPI_INTEGER8}}},
      {MPI_TYPECLASS_COMPLEX, {{8, MPI_COMPLEX8}, {16, MPI_COMPLEX16}, {32, MPI_COMPLEX32}}}};
  const auto found = all.find(typeclass);
  return found == all.end() ? none : found->second;
}

/// Bytes of the real kind with that many decimal digits and that range of exponents, or 0.
int bytes_of_real(int digits, int range) {
  const auto leaves_out = [](int wanted, int has) {
    return wanted != MPI_UNDEFINED && wanted > has;
  };
  if (digits == MPI_UNDEFINED && range == MPI_UNDEFINED) return 0;
  if (!leaves_out(digits, 6) && !leaves_out(range, 37)) return 4;
  if (!leaves_out(digits, 15) && !leaves_out(range, 307)) return 8;
  return leaves_out(digits, 33) || leaves_out(range, 4931) ? 0 : 16;
}

/// Error codes and classes of the program, with their texts; all processes add the same ones.
struct AddedErrors {
  struct Error {
    int error_class;
    std::string text{};
  };
  std::map<int, Error> codes;    ///< by code
  std::map<int, int> num_added;  ///< by rank

  /// The code that the calling process adds next.
  int add(int error_class) {
    const int code = MPI_ERR_LASTCODE + ++num_added[world_rank()];
    codes.try_emplace(code, Error{error_class < 0 ? code : error_class});
    return code;
  }
};

AddedErrors& added_errors() {
  static AddedErrors all;
  return all;
}

}  // namespace

int MPI_Add_error_class(int* errorclass) {
  if (errorclass == nullptr) return answered("MPI_Add_error_class", MPI_ERR_ARG);
  *errorclass = added_errors().add(-1);
  return MPI_SUCCESS;
}

int MPI_Add_error_code(int errorclass, int* errorcode) {
  const bool is_known = errorclass >= 0 && (errorclass <= MPI_ERR_LASTCODE ||
                                            added_errors().codes.contains(errorclass));
  if (errorcode == nullptr || !is_known) return answered("MPI_Add_error_code", MPI_ERR_ARG);
  *errorcode = added_errors().add(errorclass);
  return MPI_SUCCESS;
}

int MPI_Add_error_string(int errorcode, char* string) {
  const auto found = added_errors().codes.find(errorcode);
  if (string == nullptr || found == added_errors().codes.end())
    return answered("MPI_Add_error_string", MPI_ERR_ARG);
  found->second.text = std::string(string).substr(0, MPI_MAX_ERROR_STRING - 1);
  return MPI_SUCCESS;
}

int MPI_Error_class(int errorcode, int* errorclass) {
  const auto found = added_errors().codes.find(errorcode);
  if (errorclass == nullptr || found == added_errors().codes.end())
    return answered("MPI_Error_class", PMPI_Error_class(errorcode, errorclass));
  *errorclass = found->second.error_class;
  return MPI_SUCCESS;
}

int MPI_Error_string(int errorcode, char* string, int* resultlen) {
  const auto found = added_errors().codes.find(errorcode);
  if (string == nullptr || resultlen == nullptr || found == added_errors().codes.end())
    return answered("MPI_Error_string", PMPI_Error_string(errorcode, string, resultlen));
  const std::string& text = found->second.text;
  string[text.copy(string, text.size())] = '\0';
  *resultlen = static_cast<int>(text.size());
  return MPI_SUCCESS;
}

int MPI_Type_match_size(int typeclass, int size, MPI_Datatype* datatype) {
  return predefined("MPI_Type_match_size", types_of(typeclass), size, datatype);
}

int MPI_Type_create_f90_real(int prec, int exp, MPI_Datatype* newtype) {
  return predefined("MPI_Type_create_f90_real", types_of(MPI_TYPECLASS_REAL),
                    bytes_of_real(prec, exp), newtype);
}

int MPI_Type_create_f90_complex(int prec, int exp, MPI_Datatype* newtype) {
  return predefined("MPI_Type_create_f90_complex", types_of(MPI_TYPECLASS_COMPLEX),
                    2 * bytes_of_real(prec, exp), newtype);
}

int MPI_Type_create_f90_integer(int count, MPI_Datatype* newtype) {
  const int bytes = count <= 2 ? 1 : count <= 4 ? 2 : count <= 9 ? 4 : count <= 18 ? 8 : 0;
  return predefined("MPI_Type_create_f90_integer", types_of(MPI_TYPECLASS_INTEGER), bytes, newtype);
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                MPI_Status* status) {
  return answered("MPI_Improbe", find(source, tag, comm, flag, message, status), comm);
}

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  const int code = MPI_Probe(source, tag, comm, MPI_STATUS_IGNORE);
  int flag = 0;
  if (code != MPI_SUCCESS) return code;
  return answered("MPI_Mprobe", find(source, tag, comm, &flag, message, status), comm);
}

int MPI_Mrecv(void* buf, int count, MPI_Datatype datatype, MPI_Message* message,
              MPI_Status* status) {
  return answered("MPI_Mrecv", take(buf, count, datatype, message, status));
}

int MPI_Imrecv(void* buf, int count, MPI_Datatype datatype, MPI_Message* message,
               MPI_Request* request) {
  return answered("MPI_Imrecv", take_later(buf, count, datatype, message, request));
}

int MPI_Type_create_subarray(int ndims, const int* array_of_sizes, const int* array_of_subsizes,
                             const int* array_of_starts, int order, MPI_Datatype oldtype,
                             MPI_Datatype* newtype) {
  if (newtype == nullptr || ndims < 1 || (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN))
    return answered("MPI_Type_create_subarray", MPI_ERR_ARG);
  *newtype = MPI_DATATYPE_NULL;
  if (oldtype == MPI_DATATYPE_NULL) return answered("MPI_Type_create_subarray", MPI_ERR_TYPE);
  const auto ordered = [&](const int* values) {
    std::vector<int> result(values, values + ndims);
    return order == MPI_ORDER_C ? result : std::vector<int>(result.rbegin(), result.rend());
  };
  const auto body = [&] {
    *newtype = subarray(ordered(array_of_sizes), ordered(array_of_subsizes),
                        ordered(array_of_starts), oldtype);
  };
  return answered("MPI_Type_create_subarray", ending_of(body).code);
}

int MPI_Type_create_darray(int size, int rank, int ndims, int* array_of_gsizes,
                           int* array_of_distribs, int* array_of_dargs, int* array_of_psizes,
                           int order, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  constexpr const char* call_name = "MPI_Type_create_darray";
  std::int64_t processes = 1;
  for (int d = 0; d < ndims; ++d) processes *= array_of_psizes[d];
  if (newtype == nullptr || ndims < 1 || (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN) ||
      processes != size || rank < 0 || rank >= size)
    return answered(call_name, MPI_ERR_ARG);
  *newtype = MPI_DATATYPE_NULL;
  if (oldtype == MPI_DATATYPE_NULL) return answered(call_name, MPI_ERR_TYPE);
  std::vector<std::pair<Distribution, int>> dimensions;
  for (int d = 0, left = size, at = rank; d < ndims; ++d) {  // processes in C's order in any case
    left /= array_of_psizes[d];
    dimensions.push_back(
        {{array_of_gsizes[d], array_of_distribs[d], array_of_dargs[d], array_of_psizes[d]},
         at / left});
    at %= left;
  }
  if (order == MPI_ORDER_FORTRAN) std::reverse(dimensions.begin(), dimensions.end());
  const auto body = [&] { *newtype = distributed(dimensions, oldtype); };
  return answered(call_name, ending_of(body).code);
}

/// What has no name has the empty one; SMPI leaves the text as it is.
int MPI_Type_get_name(MPI_Datatype datatype, char* name, int* resultlen) {
  const int code = PMPI_Type_get_name(datatype, name, resultlen);
  if (code == MPI_SUCCESS && *resultlen == 0) *name = '\0';
  return answered("MPI_Type_get_name", code);
}

int MPI_Win_get_name(MPI_Win win, char* name, int* resultlen) {
  const int code = PMPI_Win_get_name(win, name, resultlen);
  if (code == MPI_SUCCESS && *resultlen == 0) *name = '\0';
  return answered("MPI_Win_get_name", code, win);
}

/// The text has room for `valuelen` characters and the end, which SMPI does not write behind a
/// value that is cut.
int MPI_Info_get(MPI_Info info, const char* key, int valuelen, char* value, int* flag) {
  const int code = PMPI_Info_get(info, key, valuelen, value, flag);
  if (code == MPI_SUCCESS && *flag != 0 && valuelen > 0) {
    int whole = 0;
    PMPI_Info_get_valuelen(info, key, &whole, flag);
    if (whole >= valuelen) value[valuelen] = '\0';
  }
  return answered("MPI_Info_get", code);
}
