// The elements of datatypes: MPI_Get_elements counts them in a message, MPI_Pack_external and
// MPI_Unpack_external convert them one by one. SMPI has neither.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/mpi/smpi_repairs/datatypes.hpp"
#include "sim/mpi/smpi_repairs/smpi.hpp"

using namespace vtopo::detail::overlay;

namespace {

/// What a datatype is made of.
struct Contents {
  int combiner = MPI_COMBINER_NAMED;
  std::vector<int> numbers;
  std::vector<MPI_Datatype> parts;

  explicit Contents(MPI_Datatype type) {
    int num_numbers = 0, num_addresses = 0, num_parts = 0;
    check(MPI_Type_get_envelope(type, &num_numbers, &num_addresses, &num_parts, &combiner));
    if (combiner == MPI_COMBINER_NAMED) return;
    numbers.resize(static_cast<std::size_t>(num_numbers));
    parts.resize(static_cast<std::size_t>(num_parts));
    std::vector<MPI_Aint> addresses(static_cast<std::size_t>(num_addresses));
    check(MPI_Type_get_contents(type, num_numbers, num_addresses, num_parts, numbers.data(),
                                addresses.data(), parts.data()));
  }

  /// Elements of a part, one after the other, in one of the type, which has so many bytes.
  std::int64_t copies_of(std::size_t part, std::int64_t size) const;
};

std::int64_t size_of(MPI_Datatype type) {
  int size = 0;
  check(PMPI_Type_size(type, &size));
  return size;
}

std::int64_t Contents::copies_of(std::size_t part, std::int64_t size) const {
  if (combiner == MPI_COMBINER_STRUCT) return numbers[part + 1];
  const std::int64_t one = size_of(parts[part]);
  return one == 0 ? 0 : size / one;
}

/// Bytes in front of the second element of a pair of a value and an index; other named types are
/// one element.
std::optional<std::int64_t> first_of_pair(MPI_Datatype type) {
  const auto bytes = [](std::size_t size) { return static_cast<std::int64_t>(size); };
  if (type == MPI_2FLOAT || type == MPI_2DOUBLE || type == MPI_2INT) return size_of(type) / 2;
  if (type == MPI_FLOAT_INT) return bytes(sizeof(float));
  if (type == MPI_DOUBLE_INT) return bytes(sizeof(double));
  if (type == MPI_LONG_INT) return bytes(sizeof(long));
  if (type == MPI_SHORT_INT) return bytes(sizeof(short));
  if (type == MPI_LONG_DOUBLE_INT) return bytes(sizeof(long double));
  return std::nullopt;
}

/// Basic elements in the first bytes of copies of a type, which are taken away.
/// @throws SmpiFailure (MPI_ERR_TYPE) if the bytes end inside an element.
std::int64_t take_elements(MPI_Datatype type, std::int64_t copies, std::int64_t& bytes) {
  const std::int64_t size = size_of(type);
  if (size == 0 || copies == 0 || bytes == 0) return 0;
  const Contents contents(type);
  std::int64_t whole = std::min(bytes / size, copies);
  std::int64_t taken = 0;
  const auto inside = [&](std::int64_t& rest) -> std::int64_t {
    if (contents.combiner == MPI_COMBINER_NAMED) {
      const auto first = first_of_pair(type);
      if (rest >= size) return rest -= size, first ? 2 : 1;
      if (rest != first) throw SmpiFailure{MPI_ERR_TYPE};
      return rest = 0, 1;
    }
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < contents.parts.size() && rest > 0; ++i)
      sum += take_elements(contents.parts[i], contents.copies_of(i, size), rest);
    return sum;
  };
  if (whole > 0) {
    std::int64_t one = size;
    taken = whole * inside(one);
    bytes -= whole * size;
  }
  if (whole < copies && bytes > 0) taken += inside(bytes);
  return taken;
}

/// @param status of a message that was received with copies of the type.
std::int64_t elements_of(const MPI_Status* status, MPI_Datatype type) {
  int received = 0;
  check(PMPI_Get_count(status, MPI_BYTE, &received));
  if (received == MPI_UNDEFINED) return MPI_UNDEFINED;
  std::int64_t bytes = received;
  if (size_of(type) == 0) return bytes == 0 ? 0 : MPI_UNDEFINED;
  const std::int64_t copies = bytes / size_of(type) + 1;
  try {
    return take_elements(type, copies, bytes);
  } catch (const SmpiFailure& failure) {
    if (failure.code != MPI_ERR_TYPE) throw;
    return MPI_UNDEFINED;
  }
}

template <class Count>
int get_elements(const char* name, const MPI_Status* status, MPI_Datatype datatype, Count* count) {
  if (status == MPI_STATUS_IGNORE || count == nullptr) return answered(name, MPI_ERR_ARG);
  if (datatype == MPI_DATATYPE_NULL) return answered(name, MPI_ERR_TYPE);
  const auto body = [&] { *count = static_cast<Count>(elements_of(status, datatype)); };
  return answered(name, ending_of(body).code);
}

/// A number in memory and as external32 has it (MPI-4.0, 14.5.2), where `long` has 4 bytes.
struct Number {
  std::size_t bytes = 0;     ///< in memory
  std::size_t external = 0;  ///< in external32
  std::size_t gap = 0;       ///< behind it in memory
  enum class Kind { is_signed, is_unsigned, long_double } kind = Kind::is_unsigned;
};

#ifdef __x86_64__
__extension__ typedef __float128 Quad;  // what external32 has for `long double`
#else
using Quad = long double;
#endif
static_assert(std::endian::native == std::endian::little && sizeof(Quad) == 16);

Number number_of(MPI_Datatype type, std::size_t bytes) {
  using Kind = Number::Kind;
  constexpr std::size_t external_long = 4, external_wide = 2;
  const auto is_one_of = [type](std::initializer_list<MPI_Datatype> types) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  if (type == MPI_LONG_DOUBLE) return {bytes, sizeof(Quad), 0, Kind::long_double};
  if (type == MPI_LONG) return {bytes, external_long, 0, Kind::is_signed};
  if (type == MPI_UNSIGNED_LONG) return {bytes, external_long, 0, Kind::is_unsigned};
  if (type == MPI_WCHAR) return {bytes, external_wide, 0, Kind::is_unsigned};
  if (is_one_of({MPI_BYTE, MPI_CHAR, MPI_PACKED})) return {1, 1};
  return {bytes, bytes};
}

/// The numbers that an element of a named type is made of.
std::vector<Number> numbers_of(MPI_Datatype type) {
  const auto size = static_cast<std::size_t>(size_of(type));
  if (size == 0) return {};
  const auto two = [](Number one) { return std::vector{one, one}; };
  if (type == MPI_C_LONG_DOUBLE_COMPLEX) return two(number_of(MPI_LONG_DOUBLE, size / 2));
  const auto equal = {MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_COMPLEX8, MPI_COMPLEX16,
                      MPI_COMPLEX32,       MPI_2FLOAT,           MPI_2DOUBLE,  MPI_2INT};
  if (std::find(equal.begin(), equal.end(), type) != equal.end()) return two({size / 2, size / 2});
  const auto first = first_of_pair(type);
  if (!first) return {number_of(type, size)};
  const MPI_Datatype value = type == MPI_LONG_INT          ? MPI_LONG
                             : type == MPI_LONG_DOUBLE_INT ? MPI_LONG_DOUBLE
                                                           : type;
  Number number = number_of(value, static_cast<std::size_t>(*first));
  const std::size_t index = (number.bytes + sizeof(int) - 1) / sizeof(int) * sizeof(int);
  number.gap = index - number.bytes;
  return {number, {sizeof(int), sizeof(int), size - index - sizeof(int)}};
}

/// Calls `visit` with each named type in copies of a type and how many elements of it follow each
/// other, in the order of a packed buffer.
template <class Visit>
void visit_named(MPI_Datatype type, std::int64_t copies, const Visit& visit) {
  const Contents contents(type);
  if (contents.combiner == MPI_COMBINER_NAMED) return visit(type, copies);
  const std::int64_t size = size_of(type);
  for (std::int64_t copy = 0; copy < copies; ++copy)
    for (std::size_t i = 0; i < contents.parts.size(); ++i)
      visit_named(contents.parts[i], contents.copies_of(i, size), visit);
}

/// @throws SmpiFailure for a number that external32 has no room for.
void write_external(const Number& number, const char* native, char* external) {
  if (number.kind == Number::Kind::long_double) {
    long double value = 0;
    std::memcpy(&value, native, sizeof value);
    const auto quad = static_cast<Quad>(value);
    std::memcpy(external, &quad, sizeof quad);
  } else {
    const bool is_negative =
        number.kind == Number::Kind::is_signed && (native[number.external - 1] & 0x80) != 0;
    for (std::size_t i = number.external; i < number.bytes; ++i)
      if (native[i] != (is_negative ? '\xff' : '\0')) throw SmpiFailure{MPI_ERR_CONVERSION};
    std::memcpy(external, native, number.external);
  }
  std::reverse(external, external + number.external);
}

void read_external(const Number& number, const char* external, char* native) {
  std::array<char, sizeof(Quad)> bytes{};
  std::reverse_copy(external, external + number.external, bytes.data());
  if (number.kind == Number::Kind::long_double) {
    Quad quad = 0;
    std::memcpy(&quad, bytes.data(), sizeof quad);
    const auto value = static_cast<long double>(quad);
    std::memcpy(native, &value, sizeof value);
    return;
  }
  const bool is_negative =
      number.kind == Number::Kind::is_signed && (bytes[number.external - 1] & 0x80) != 0;
  std::memset(native, is_negative ? 0xff : 0, number.bytes);
  std::memcpy(native, bytes.data(), number.external);
}

/// Goes through copies of a type in external32 and as MPI_Pack has them; returns the bytes of
/// external32.
/// @param convert called with a number and the offsets of both.
template <class Convert>
std::size_t convert_all(int count, MPI_Datatype type, Convert&& convert) {
  std::size_t external = 0, native = 0;
  visit_named(type, count, [&](MPI_Datatype named, std::int64_t copies) {
    const auto numbers = numbers_of(named);
    for (std::int64_t copy = 0; copy < copies; ++copy)
      for (const Number& number : numbers) {
        convert(number, native, external);
        native += number.bytes + number.gap;
        external += number.external;
      }
  });
  return external;
}

std::size_t external_size(int count, MPI_Datatype type) {
  return convert_all(count, type, [](auto&&...) {});
}

void check_external(const char* datarep, int count, MPI_Datatype type) {
  if (datarep == nullptr || count < 0) throw SmpiFailure{MPI_ERR_ARG};
  if (std::string_view(datarep) != "external32") throw SmpiFailure{MPI_ERR_UNSUPPORTED_DATAREP};
  if (type == MPI_DATATYPE_NULL) throw SmpiFailure{MPI_ERR_TYPE};
}

/// Moves a position in a buffer by some bytes and returns what it was.
/// @throws SmpiFailure if the buffer ends before.
MPI_Aint advance(MPI_Aint* position, std::size_t bytes, MPI_Aint buffer_bytes) {
  const auto length = static_cast<MPI_Aint>(bytes);
  if (position == nullptr || *position < 0) throw SmpiFailure{MPI_ERR_ARG};
  if (buffer_bytes - *position < length) throw SmpiFailure{MPI_ERR_TRUNCATE};
  return std::exchange(*position, *position + length);
}

std::vector<char> packed_buffer(int count, MPI_Datatype type) {
  return std::vector<char>(static_cast<std::size_t>(count * size_of(type)));
}

}  // namespace

int MPI_Get_elements(MPI_Status* status, MPI_Datatype datatype, int* count) {
  return get_elements("MPI_Get_elements", status, datatype, count);
}

int MPI_Get_elements_x(MPI_Status* status, MPI_Datatype datatype, MPI_Count* count) {
  return get_elements("MPI_Get_elements_x", status, datatype, count);
}

int MPI_Pack_external_size(char* datarep, int incount, MPI_Datatype datatype, MPI_Aint* size) {
  const auto body = [&] {
    check_external(datarep, incount, datatype);
    if (size == nullptr) throw SmpiFailure{MPI_ERR_ARG};
    *size = static_cast<MPI_Aint>(external_size(incount, datatype));
  };
  return answered("MPI_Pack_external_size", ending_of(body).code);
}

int MPI_Pack_external(char* datarep, void* inbuf, int incount, MPI_Datatype datatype, void* outbuf,
                      MPI_Aint outsize, MPI_Aint* position) {
  const auto body = [&] {
    check_external(datarep, incount, datatype);
    std::vector<char> native = packed_buffer(incount, datatype);
    int packed = 0;
    check(PMPI_Pack(inbuf, incount, datatype, native.data(), static_cast<int>(native.size()),
                    &packed, MPI_COMM_SELF));
    std::vector<char> external(external_size(incount, datatype));
    convert_all(incount, datatype, [&](const Number& number, std::size_t from, std::size_t to) {
      write_external(number, native.data() + from, external.data() + to);
    });
    const MPI_Aint at = advance(position, external.size(), outsize);
    std::copy(external.begin(), external.end(), static_cast<char*>(outbuf) + at);
  };
  return answered("MPI_Pack_external", ending_of(body).code);
}

int MPI_Unpack_external(char* datarep, void* inbuf, MPI_Aint insize, MPI_Aint* position,
                        void* outbuf, int outcount, MPI_Datatype datatype) {
  const auto body = [&] {
    check_external(datarep, outcount, datatype);
    std::vector<char> native = packed_buffer(outcount, datatype);
    const MPI_Aint at = advance(position, external_size(outcount, datatype), insize);
    convert_all(outcount, datatype, [&](const Number& number, std::size_t to, std::size_t from) {
      read_external(number, static_cast<const char*>(inbuf) + at + from, native.data() + to);
    });
    int unpacked = 0;
    check(PMPI_Unpack(native.data(), static_cast<int>(native.size()), &unpacked, outbuf, outcount,
                      datatype, MPI_COMM_SELF));
  };
  return answered("MPI_Unpack_external", ending_of(body).code);
}
