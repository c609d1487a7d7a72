! A type of Fortran as a datatype, a part of an array, packed data, an own operation.
module particles
  use iso_c_binding, only: c_ptr, c_f_pointer
  use mpi_f08
  implicit none
  type, bind(C) :: particle
    double precision :: place(3)
    integer :: number
  end type particle
contains
  ! The larger of two numbers without their signs.
  subroutine larger(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    if (datatype /= MPI_INTEGER) call MPI_Abort(MPI_COMM_WORLD, 3)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    b = max(abs(a), abs(b))
  end subroutine larger
end module particles

program derived_types
  use mpi_f08
  use particles
  use iso_fortran_env, only: int64
  use iso_c_binding, only: c_bool
  implicit none
  type(MPI_Datatype) :: record, sized, part
  type(MPI_Op) :: operation
  type(particle) :: mine(2), theirs(2)
  integer :: rank, ranks, failed, bytes, position, field(6, 6), got(6, 6), value, greatest
  integer(MPI_ADDRESS_KIND) :: base, first, second, lower, extent
  integer(int64) :: large, largest
  logical(c_bool) :: truths(2)
  character(len=100) :: packed
  failed = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Get_address(mine(1), base)
  call MPI_Get_address(mine(1)%number, first)
  call MPI_Get_address(mine(2), second)
  call MPI_Type_create_struct(2, [3, 1], [0_MPI_ADDRESS_KIND, first - base], [MPI_DOUBLE_PRECISION, MPI_INTEGER], record)
  call MPI_Type_create_resized(record, 0_MPI_ADDRESS_KIND, second - base, sized)
  call MPI_Type_commit(sized)
  call MPI_Type_get_extent(sized, lower, extent)
  call MPI_Type_size(sized, bytes)
  call expect(lower == 0 .and. extent == second - base .and. bytes == 28)
  mine = [particle([1d0, 2d0, 3d0] * rank, rank), particle([4d0, 5d0, 6d0] * rank, 10 * rank)]
  call MPI_Sendrecv(mine, 2, sized, modulo(rank + 1, ranks), 0, theirs, 2, sized, modulo(rank - 1, ranks), 0, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE)
  value = modulo(rank - 1, ranks)
  call expect(theirs(1)%number == value .and. theirs(2)%number == 10 * value .and. theirs(2)%place(3) == 6d0 * value)
  call MPI_Type_free(record)
  call MPI_Type_free(sized)
  field = rank
  got = -1
  call MPI_Type_create_subarray(2, [6, 6], [2, 3], [1, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, part)
  call MPI_Type_commit(part)
  call MPI_Sendrecv(field, 1, part, rank, 0, got, 1, part, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call expect(count(got == rank) == 6 .and. all(got(2:3, 3:5) == rank))
  call MPI_Type_free(part)
  position = 0
  call MPI_Pack([rank, 2], 2, MPI_INTEGER, packed, 100, position, MPI_COMM_WORLD)
  call expect(position == 8)
  position = 4
  call MPI_Unpack(packed, 100, position, value, 1, MPI_INTEGER, MPI_COMM_WORLD)
  call expect(value == 2)
  call MPI_Op_create(larger, .true., operation)
  call MPI_Allreduce(-rank, greatest, 1, MPI_INTEGER, operation, MPI_COMM_WORLD)
  call expect(greatest == ranks - 1)
  call MPI_Op_free(operation)
  large = 2_int64**40 + rank
  call MPI_Allreduce(large, largest, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD)
  call expect(largest == 2_int64**40 + ranks - 1)
  truths = [.true._c_bool, .true._c_bool]
  truths(1) = rank == 0
  call MPI_Allreduce(MPI_IN_PLACE, truths, 2, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD)
  call expect((truths(1) .eqv. ranks == 1) .and. truths(2))
  call report()
  call MPI_Finalize()
contains
  include 'checks.inc'
end program derived_types
