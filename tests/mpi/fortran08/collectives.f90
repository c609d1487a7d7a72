! Collectives with and without MPI_IN_PLACE, blocking and not; clock and environment.
program collectives
  use mpi_f08
  implicit none
  type(MPI_Request) :: request
  integer :: rank, ranks, failed, i, version, subversion, length, code, provided
  integer, allocatable :: all(:), counts(:), starts(:), table(:)
  integer :: pair(2), low(2)
  real :: values(3)
  double precision :: start
  logical :: flag
  character(len=MPI_MAX_PROCESSOR_NAME) :: name
  failed = 0
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, code)
  call MPI_Initialized(flag)
  call expect(flag .and. code == MPI_SUCCESS)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Get_version(version, subversion)
  call MPI_Get_processor_name(name, length)
  call expect(version >= 3 .and. length > 0 .and. len_trim(name) == length)
  start = MPI_Wtime()
  values = [1.0, 2.0, real(rank)]
  call MPI_Allreduce(MPI_IN_PLACE, values, 3, MPI_REAL, MPI_MAX, MPI_COMM_WORLD)
  call expect(values(1) == 1.0 .and. values(3) == real(ranks - 1))
  pair = [modulo(rank + 1, ranks), rank]
  call MPI_Allreduce(pair, low, 1, MPI_2INTEGER, MPI_MINLOC, MPI_COMM_WORLD)
  call expect(low(1) == 0 .and. low(2) == ranks - 1)
  allocate (all(ranks), counts(ranks), starts(ranks), table(ranks * (ranks + 1) / 2))
  all = -1
  all(rank + 1) = rank
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD)
  call expect(sum(all) == ranks * (ranks - 1) / 2 .and. all(ranks) == ranks - 1)
  counts = [(i, i = 1, ranks)]
  starts = [(i * (i - 1) / 2, i = 1, ranks)]
  table = -1
  call MPI_Allgatherv([(rank, i = 0, rank)], rank + 1, MPI_INTEGER, table, counts, starts, MPI_INTEGER, MPI_COMM_WORLD)
  call expect(count(table == ranks - 1) == ranks .and. table(1) == 0)
  all = [(100 * rank + i, i = 0, ranks - 1)]
  call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD)
  call expect(all(1) == rank .and. all(ranks) == 100 * (ranks - 1) + rank)
  if (rank == 0) all = 5
  if (rank == 0) then
    call MPI_Reduce(MPI_IN_PLACE, all, ranks, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD)
  else
    call MPI_Reduce([(rank, i = 1, ranks)], all, ranks, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD)
  end if
  call MPI_Bcast(all, ranks, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call expect(all(1) == max(5, ranks - 1))
  call MPI_Scan(1, i, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call expect(i == rank + 1)
  call MPI_Reduce_scatter_block(counts, i, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call expect(i == ranks * (rank + 1))
  call MPI_Iallreduce(rank, i, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call expect(i == ranks * (ranks - 1) / 2)
  call MPI_Ibarrier(MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Barrier(MPI_COMM_WORLD)
  call expect(MPI_Wtime() > start .or. ranks == 1)
  call report()
  call MPI_Finalize()
contains
  include 'checks.inc'
end program collectives
