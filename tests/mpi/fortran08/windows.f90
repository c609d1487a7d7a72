! Shared windows, locks and atomic operations; reductions that do not block, with an operation that does not commute.
program windows
  use mpi_f08
  use iso_c_binding
  implicit none
  type(MPI_Comm) :: node, reversed
  type(MPI_Win) :: shared, counters
  type(MPI_Op) :: op
  type(MPI_Datatype) :: pair
  type(MPI_Request) :: request
  type(c_ptr) :: base
  integer(MPI_ADDRESS_KIND) :: bytes
  integer, pointer :: part(:)
  integer :: rank, ranks, own, unit, failed, i, got, one, got_pair(2), up(2), all_of(2), mine(2)
  integer, allocatable :: tickets(:)
  procedure(MPI_User_function) :: compose
  failed = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, node)
  call MPI_Comm_rank(node, own)
  ! The part of a process has as many numbers as its rank, and one.
  bytes = 4 * (own + 1)
  call MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, node, base, shared)
  call c_f_pointer(base, part, [own + 1])
  call MPI_Win_fence(0, shared)
  part = 100 + own
  call MPI_Win_fence(0, shared)
  call MPI_Comm_size(node, got)
  do i = 0, got - 1
    call MPI_Win_shared_query(shared, i, bytes, unit, base)
    call c_f_pointer(base, part, [i + 1])
    call expect(bytes == 4 * (i + 1) .and. unit == 4 .and. all(part == 100 + i))
  end do
  call MPI_Win_fence(0, shared)
  call MPI_Win_free(shared)
  ! Tickets of process 0.
  bytes = 8
  call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, counters)
  call c_f_pointer(base, part, [2])
  call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, counters)
  part = 0
  call MPI_Win_unlock(rank, counters)
  call MPI_Barrier(MPI_COMM_WORLD)
  one = 1
  call MPI_Win_lock_all(0, counters)
  call MPI_Fetch_and_op(one, got, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, MPI_SUM, counters)
  call MPI_Win_unlock_all(counters)
  allocate (tickets(ranks))
  call MPI_Allgather(got, 1, MPI_INTEGER, tickets, 1, MPI_INTEGER, MPI_COMM_WORLD)
  call expect(all([(any(tickets == i), i = 0, ranks - 1)]))
  do i = 1, 3
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, counters)
    call MPI_Get(got, 1, MPI_INTEGER, 0, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, counters)
    call MPI_Win_flush(0, counters)
    got = got + 1
    call MPI_Put(got, 1, MPI_INTEGER, 0, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, counters)
    call MPI_Win_unlock(0, counters)
  end do
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, counters)
  call MPI_Compare_and_swap(one, one, got, MPI_INTEGER, 0, 1_MPI_ADDRESS_KIND, counters)
  call MPI_Win_unlock(0, counters)
  call expect(got == 3 * ranks)
  call MPI_Win_free(counters)
  ! x -> a x + b, modulo a prime.
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, reversed)
  call MPI_Comm_rank(reversed, own)
  call MPI_Type_contiguous(2, MPI_INTEGER, pair)
  call MPI_Type_commit(pair)
  call MPI_Op_create(compose, .false., op)
  mine = [own + 2, 3 * own + 1]
  all_of = [2, 1]
  up = all_of
  do i = 1, ranks - 1
    all_of = after(all_of, [i + 2, 3 * i + 1])
    if (i == own) up = all_of
  end do
  call MPI_Iallreduce(mine, got_pair, 1, pair, op, reversed, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call expect(all(got_pair == all_of))
  got_pair = mine
  call MPI_Iscan(MPI_IN_PLACE, got_pair, 1, pair, op, reversed, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call expect(all(got_pair == up))
  call MPI_Scan(mine, got_pair, 1, pair, op, reversed)
  call expect(all(got_pair == up))
  call MPI_Op_free(op)
  call MPI_Type_free(pair)
  call report()
  call MPI_Finalize()
contains
  function after(f, g)
    integer, intent(in) :: f(2), g(2)
    integer :: after(2)
    after = [modulo(f(1) * g(1), 9973), modulo(f(1) * g(2) + f(2), 9973)]
  end function
  include 'checks.inc'
end program windows

! Not inside the program: then it would need an executable stack.
subroutine compose(invec, inoutvec, length, datatype)
  use mpi_f08
  use iso_c_binding
  implicit none
  type(c_ptr), value :: invec, inoutvec
  integer :: length
  type(MPI_Datatype) :: datatype
  integer, pointer :: in(:, :), inout(:, :)
  integer :: k
  if (datatype == MPI_DATATYPE_NULL) return
  call c_f_pointer(invec, in, [2, length])
  call c_f_pointer(inoutvec, inout, [2, length])
  do k = 1, length
    inout(:, k) = [modulo(in(1, k) * inout(1, k), 9973), modulo(in(1, k) * inout(2, k) + in(2, k), 9973)]
  end do
end subroutine compose
