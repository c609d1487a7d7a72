! Two groups that talk to each other: even and odd ranks.
program intercommunicators
  use mpi_f08
  implicit none
  type(MPI_Comm) :: half, groups, both
  type(MPI_Status) :: status
  integer :: rank, ranks, failed, mine, others, side, word, got, i
  integer, allocatable :: sent(:), received(:), ones(:), places(:)
  type(MPI_Datatype), allocatable :: types(:)
  logical :: is_inter
  failed = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  if (ranks < 2) then
    call report()
    call MPI_Finalize()
    stop
  end if
  side = modulo(rank, 2)
  call MPI_Comm_split(MPI_COMM_WORLD, side, rank, half)
  call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 3, groups)
  call MPI_Comm_test_inter(groups, is_inter)
  call MPI_Comm_rank(groups, mine)
  call MPI_Comm_remote_size(groups, others)
  call expect(is_inter .and. mine == rank / 2 .and. others == (ranks + side) / 2)
  ! The first even process is the root.
  word = merge(rank + 40, 0, rank == 0)
  i = MPI_PROC_NULL
  if (rank == 0) i = MPI_ROOT
  if (side == 1) i = 0
  call MPI_Bcast(word, 1, MPI_INTEGER, i, groups)
  call expect(word == merge(0, 40, side == 0 .and. rank > 0))
  call MPI_Allreduce(rank, got, 1, MPI_INTEGER, MPI_MAX, groups)
  call expect(got == merge(ranks - 1, ranks - 2, modulo(ranks - 1, 2) /= side))
  ! As many elements, types and messages as the other group has processes.
  allocate (sent(others), received(others), ones(others), places(others), types(others))
  ones = 1
  types = MPI_INTEGER
  places = [(4 * (i - 1), i = 1, others)]
  sent = [(100 * rank + i, i = 0, others - 1)]
  call MPI_Alltoallw(sent, ones, places, types, received, ones, places, types, groups)
  call expect(all([(received(i) == 100 * (2 * (i - 1) + 1 - side) + mine, i = 1, others)]))
  if (mine < others .and. mine < ranks - others) then
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, mine, 5, got, 1, MPI_INTEGER, mine, 5, groups, status)
    call expect(got == rank + 1 - 2 * side .and. status%MPI_SOURCE == mine)
  end if
  call MPI_Intercomm_merge(groups, side == 0, both)
  call MPI_Comm_rank(both, got)
  call expect(got == mine + merge(others, 0, side == 0))
  call MPI_Comm_free(both)
  call MPI_Comm_free(groups)
  call MPI_Comm_free(half)
  call report()
  call MPI_Finalize()
contains
  include 'checks.inc'
end program intercommunicators
