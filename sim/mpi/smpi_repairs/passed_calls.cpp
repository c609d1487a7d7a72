// Functions that SMPI has right: they go to it as they are. Its own of the same names end a program
// whose handler is MPI_ERRORS_ARE_FATAL by a backtrace and a signal; here an error goes to the
// handler of the communicator or window among the arguments, else of MPI_COMM_WORLD, as the errors
// of all other functions do.

#include <string_view>
#include <type_traits>

#include "sim/mpi/smpi_repairs/intercommunicators.hpp"
#include "sim/mpi/smpi_repairs/smpi.hpp"

using namespace vtopo::detail::overlay;

namespace {

template <class Argument>
constexpr bool has_handler =
    std::is_same_v<Argument, MPI_Comm> || std::is_same_v<Argument, MPI_Win>;

/// The error goes to the first of the arguments that has a handler.
template <class First, class... Others>
int answered_by(std::string_view name, int code, [[maybe_unused]] First first, Others... others) {
  if constexpr (has_handler<First>)
    return answered(name, code, first);
  else if constexpr (sizeof...(Others) == 0)
    return answered(name, code);
  else
    return answered_by(name, code, others...);
}

/// Not with an intercommunicator.
void check_group(std::string_view name, MPI_Comm comm) {
  refuse_intercommunicator(name, comm);
}

template <class Argument>
void check_group(std::string_view, const Argument&) {}

/// A function of MPI with the signature of SMPI's.
template <class Name, auto function>
struct Passed;
template <class Name, class... P, int (*function)(P...)>
struct Passed<Name, function> {
  static int call(P... arguments) {
    if constexpr (Name::is_in_group) (check_group(Name::text, arguments), ...);
    const int code = function(arguments...);
    return code == MPI_SUCCESS ? code : answered_by(Name::text, code, arguments...);
  }
};

}  // namespace

// The arguments are those of SMPI's function; the name of MPI goes on to the function that has
// them.
#if defined(__x86_64__)
#define VTOPO_GO_TO(target) "jmp *" target "(%rip)\n"
#elif defined(__aarch64__)
#define VTOPO_GO_TO(target) "adrp x16, " target "\nldr x16, [x16, :lo12:" target "]\nbr x16\n"
#else
#error "the overlay does not know this processor's instructions"
#endif
#define VTOPO_PASSED(name) VTOPO_PASSED_AS(name, false)
#define VTOPO_PASSED_IN_GROUP(name) VTOPO_PASSED_AS(name, true)
#define VTOPO_PASSED_AS(name, in_group)                                                          \
  namespace {                                                                                    \
  struct NameOf##name {                                                                          \
    static constexpr std::string_view text = "MPI_" #name;                                       \
    static constexpr bool is_in_group = in_group;                                                \
  };                                                                                             \
  }                                                                                              \
  extern "C" {                                                                                   \
  extern decltype(&PMPI_##name) const vtopo_target_##name;                                       \
  __attribute__((used)) decltype(&PMPI_##name) const vtopo_target_##name =                       \
      &Passed<NameOf##name, &PMPI_##name>::call;                                                 \
  }                                                                                              \
  __asm__(".pushsection .text\n.globl MPI_" #name "\n.type MPI_" #name ", @function\nMPI_" #name \
          ":\n" VTOPO_GO_TO("vtopo_target_" #name) ".size MPI_" #name ", .-MPI_" #name           \
                                                   "\n.popsection\n");

VTOPO_PASSED(Address)
VTOPO_PASSED(Alloc_mem)
VTOPO_PASSED(Attr_delete)
VTOPO_PASSED(Attr_get)
VTOPO_PASSED(Bsend)
VTOPO_PASSED(Bsend_init)
VTOPO_PASSED(Buffer_attach)
VTOPO_PASSED(Buffer_detach)
VTOPO_PASSED(Comm_create_errhandler)
VTOPO_PASSED(Comm_create_keyval)
VTOPO_PASSED(Comm_delete_attr)
VTOPO_PASSED(Comm_get_attr)
VTOPO_PASSED(Comm_get_errhandler)
VTOPO_PASSED(Comm_get_info)
VTOPO_PASSED(Comm_get_name)
VTOPO_PASSED(Comm_set_errhandler)
VTOPO_PASSED(Comm_set_info)
VTOPO_PASSED(Comm_set_name)
VTOPO_PASSED(Errhandler_create)
VTOPO_PASSED(Errhandler_free)
VTOPO_PASSED(Errhandler_get)
VTOPO_PASSED(Errhandler_set)
VTOPO_PASSED(Free_mem)
VTOPO_PASSED(Get)
VTOPO_PASSED(Get_address)
VTOPO_PASSED(Get_count)
VTOPO_PASSED(Get_library_version)
VTOPO_PASSED(Get_version)
VTOPO_PASSED(Grequest_complete)
VTOPO_PASSED(Grequest_start)
VTOPO_PASSED(Group_compare)
VTOPO_PASSED(Group_difference)
VTOPO_PASSED(Group_free)
VTOPO_PASSED(Group_incl)
VTOPO_PASSED(Group_intersection)
VTOPO_PASSED(Group_rank)
VTOPO_PASSED(Group_size)
VTOPO_PASSED(Group_union)
VTOPO_PASSED_IN_GROUP(Iallgather)
VTOPO_PASSED_IN_GROUP(Iallgatherv)
VTOPO_PASSED_IN_GROUP(Ialltoall)
VTOPO_PASSED_IN_GROUP(Ialltoallv)
VTOPO_PASSED_IN_GROUP(Ialltoallw)
VTOPO_PASSED_IN_GROUP(Ibcast)
VTOPO_PASSED(Ibsend)
VTOPO_PASSED_IN_GROUP(Igather)
VTOPO_PASSED_IN_GROUP(Igatherv)
VTOPO_PASSED(Info_create)
VTOPO_PASSED(Info_delete)
VTOPO_PASSED(Info_dup)
VTOPO_PASSED(Info_free)
VTOPO_PASSED(Info_get_nkeys)
VTOPO_PASSED(Info_get_nthkey)
VTOPO_PASSED(Info_get_valuelen)
VTOPO_PASSED(Info_set)
VTOPO_PASSED(Irecv)
VTOPO_PASSED(Irsend)
VTOPO_PASSED_IN_GROUP(Iscatter)
VTOPO_PASSED_IN_GROUP(Iscatterv)
VTOPO_PASSED(Isend)
VTOPO_PASSED(Issend)
VTOPO_PASSED(Keyval_create)
VTOPO_PASSED(Op_commutative)
VTOPO_PASSED(Op_create)
VTOPO_PASSED(Pack)
VTOPO_PASSED(Pack_size)
VTOPO_PASSED(Put)
VTOPO_PASSED(Recv_init)
VTOPO_PASSED(Reduce_local)
VTOPO_PASSED(Rget)
VTOPO_PASSED(Rput)
VTOPO_PASSED(Rsend_init)
VTOPO_PASSED(Send_init)
VTOPO_PASSED(Ssend_init)
VTOPO_PASSED(Status_set_cancelled)
VTOPO_PASSED(Status_set_elements)
VTOPO_PASSED(Status_set_elements_x)
VTOPO_PASSED(Test_cancelled)
VTOPO_PASSED(Type_commit)
VTOPO_PASSED(Type_create_indexed)
VTOPO_PASSED(Type_create_keyval)
VTOPO_PASSED(Type_delete_attr)
VTOPO_PASSED(Type_extent)
VTOPO_PASSED(Type_free_keyval)
VTOPO_PASSED(Type_get_attr)
VTOPO_PASSED(Type_get_extent)
VTOPO_PASSED(Type_get_extent_x)
VTOPO_PASSED(Type_lb)
VTOPO_PASSED(Type_set_attr)
VTOPO_PASSED(Type_set_name)
VTOPO_PASSED(Type_size)
VTOPO_PASSED(Type_size_x)
VTOPO_PASSED(Type_ub)
VTOPO_PASSED(Unpack)
VTOPO_PASSED(Win_attach)
VTOPO_PASSED(Win_create_errhandler)
VTOPO_PASSED(Win_create_keyval)
VTOPO_PASSED(Win_delete_attr)
VTOPO_PASSED(Win_detach)
VTOPO_PASSED(Win_flush)
VTOPO_PASSED(Win_flush_all)
VTOPO_PASSED(Win_flush_local)
VTOPO_PASSED(Win_flush_local_all)
VTOPO_PASSED(Win_free_keyval)
VTOPO_PASSED(Win_get_errhandler)
VTOPO_PASSED(Win_get_group)
VTOPO_PASSED(Win_get_info)
VTOPO_PASSED(Win_set_attr)
VTOPO_PASSED(Win_set_errhandler)
VTOPO_PASSED(Win_set_info)
VTOPO_PASSED(Win_set_name)
