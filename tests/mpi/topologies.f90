! The Fortran names: integer handles, logical arguments, kinds that count from 0.
program topologies
  implicit none
  include 'mpif.h'
  integer :: ierr, rank, size, grid, kind, row, request, failures, all_failures
  integer :: dims(2), coords(2), sent(4), received(4), source, destination, dist, indegree, outdegree
  integer :: before(1), after(1), ones(2), one
  logical :: periods(2), remain(2), weighted, flag
  failures = 0
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)

  dims = 0
  call MPI_DIMS_CREATE(size, 2, dims, ierr)
  periods = (/ .true., .false. /)
  call MPI_CART_CREATE(MPI_COMM_WORLD, 2, dims, periods, .true., grid, ierr)
  call MPI_COMM_RANK(grid, rank, ierr)
  call MPI_TOPO_TEST(grid, kind, ierr)
  call expect(kind == MPI_CART)
  call MPI_CART_GET(grid, 2, dims, periods, coords, ierr)
  call expect(periods(1) .and. .not. periods(2))
  call expect(rank == coords(1) * dims(2) + coords(2))

  sent = (/ 10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3 /)
  received = -1
  call MPI_NEIGHBOR_ALLTOALL(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, grid, ierr)
  call check_halo()
  received = -1
  call MPI_INEIGHBOR_ALLTOALL(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, grid, request, ierr)
  call MPI_WAIT(request, MPI_STATUS_IGNORE, ierr)
  call expect(request == MPI_REQUEST_NULL)
  call check_halo()
  received = -1
  call MPI_NEIGHBOR_ALLTOALL_INIT(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, grid, &
                                  MPI_INFO_NULL, request, ierr)
  call MPI_START(request, ierr)
  flag = .false.
  do while (.not. flag)
    call MPI_TEST(request, flag, MPI_STATUS_IGNORE, ierr)
  end do
  call expect(request /= MPI_REQUEST_NULL)
  call check_halo()
  call MPI_REQUEST_FREE(request, ierr)
  call expect(request == MPI_REQUEST_NULL)

  remain = (/ .false., .true. /)
  call check_attributes()
  call MPI_CART_SUB(grid, remain, row, ierr)
  call MPI_COMM_SIZE(row, one, ierr)
  call expect(one == dims(2))
  call MPI_COMM_FREE(row, ierr)
  call MPI_COMM_FREE(grid, ierr)

  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  before(1) = mod(rank + size - 1, size)
  after(1) = mod(rank + 1, size)
  call MPI_DIST_GRAPH_CREATE_ADJACENT(MPI_COMM_WORLD, 1, before, mpi_unweighted, 1, after, &
                                      mpi_unweighted, MPI_INFO_NULL, .false., dist, ierr)
  call MPI_TOPO_TEST(dist, kind, ierr)
  call expect(kind == MPI_DIST_GRAPH)
  call MPI_DIST_GRAPH_NEIGHBORS_COUNT(dist, indegree, outdegree, weighted, ierr)
  call expect(indegree == 1 .and. outdegree == 1 .and. .not. weighted)
  ones = -1
  call MPI_NEIGHBOR_ALLGATHER(rank, 1, MPI_INTEGER, ones, 1, MPI_INTEGER, dist, ierr)
  call expect(ones(1) == before(1) .and. ones(2) == -1)
  call MPI_COMM_FREE(dist, ierr)

  call MPI_REDUCE(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(I0, A)', all_failures, ' failed'
  call MPI_FINALIZE(ierr)

contains
  ! Values of 64 bits; a PMPI_ name.
  subroutine check_attributes()
    integer :: key, copy
    integer(MPI_ADDRESS_KIND) :: value, none
    none = 0
    call MPI_COMM_CREATE_KEYVAL(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, none, ierr)
    value = 2_MPI_ADDRESS_KIND**40 + rank
    call MPI_COMM_SET_ATTR(MPI_COMM_WORLD, key, value, ierr)
    call PMPI_COMM_DUP(MPI_COMM_WORLD, copy, ierr)
    value = -1
    call MPI_COMM_GET_ATTR(copy, key, value, flag, ierr)
    call expect(ierr == MPI_SUCCESS .and. flag .and. value == 2_MPI_ADDRESS_KIND**40 + rank)
    call MPI_COMM_DELETE_ATTR(MPI_COMM_WORLD, key, ierr)
    call MPI_COMM_FREE(copy, ierr)
    call MPI_COMM_FREE_KEYVAL(key, ierr)
    call expect(key == MPI_KEYVAL_INVALID)
  end subroutine check_attributes


  subroutine expect(condition)
    logical, intent(in) :: condition
    if (.not. condition) failures = failures + 1
  end subroutine expect

  ! What was sent in one direction arrives in the place of the opposite one.
  subroutine check_halo()
    integer :: dimension, first
    do dimension = 0, 1
      first = 2 * dimension
      call MPI_CART_SHIFT(grid, dimension, 1, source, destination, ierr)
      call expect(received(first + 1) == merge(-1, 10 * source + first + 1, source == MPI_PROC_NULL))
      call expect(received(first + 2) == merge(-1, 10 * destination + first, destination == MPI_PROC_NULL))
    end do
  end subroutine check_halo
end program topologies
