! Constructors with reorder=.true. in Fortran under a real MPI, by `use mpi`, or by `use mpi_f08` if
! F08 is defined: coordinates and neighbours are those of the new rank, and data come from there.
#ifdef F08
#define COMM type(MPI_Comm)
#else
#define COMM integer
#endif
program reordered
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer :: error, rank, size, failures, all_failures, moved
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  failures = 0
  moved = 0
  call grid()
  call rings()
  call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call MPI_Allreduce(MPI_IN_PLACE, moved, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error)
  if (rank == 0) print '(i0,a,i0,a)', moved, ' moved, ', all_failures, ' failed'
  call MPI_Finalize(error)
contains
  subroutine check(holds)
    logical, intent(in) :: holds
    if (.not. holds) failures = failures + 1
  end subroutine

  subroutine grid()
    COMM :: made
    integer :: dims(2), coords(2), own, below, above, got
    logical :: periods(2)
    dims = [size / 2, 2]
    periods = [.true., .false.]
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., made, error)
    call MPI_Comm_rank(made, own, error)
    if (own /= rank) moved = 1
    call MPI_Cart_coords(made, own, 2, coords, error)
    call check(coords(1) == own / 2 .and. coords(2) == mod(own, 2))
    call MPI_Cart_shift(made, 0, 1, below, above, error)
    call MPI_Sendrecv(own, 1, MPI_INTEGER, above, 0, got, 1, MPI_INTEGER, below, 0, made, &
                      MPI_STATUS_IGNORE, error)
    call check(got == mod(own + size - 2, size))
    call MPI_Comm_free(made, error)
  end subroutine

  ! A ring in leaps of 3, as a graph (both ways) and as distributed graphs (one way).
  subroutine rings()
    integer :: index(size), edges(2 * size), sources(1), destinations(1), degrees(1), weights(1), v
    COMM :: made
    do v = 0, size - 1
      edges(2 * v + 1) = mod(v + 3, size)
      edges(2 * v + 2) = mod(v + size - 3, size)
      index(v + 1) = 2 * v + 2
    end do
    call MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, .true., made, error)
    call check_ring(made, 2)
    sources = mod(rank + size - 3, size)
    destinations = mod(rank + 3, size)
    degrees = 1
    weights = 7
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, sources, MPI_UNWEIGHTED, 1, destinations, &
                                        MPI_UNWEIGHTED, MPI_INFO_NULL, .true., made, error)
    call check_ring(made, 1)
    sources = rank
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, sources, degrees, destinations, weights, &
                               MPI_INFO_NULL, .true., made, error)
    call check_ring(made, 1)
  end subroutine

  subroutine check_ring(made, degree)
    COMM :: made
    integer, intent(in) :: degree
    integer :: own, got(2)
    call MPI_Comm_rank(made, own, error)
    if (own /= rank) moved = 1
    call MPI_Neighbor_allgather(own, 1, MPI_INTEGER, got, 1, MPI_INTEGER, made, error)
    if (degree == 1) then
      call check(got(1) == mod(own + size - 3, size))
    else
      call check(got(1) == mod(own + 3, size) .and. got(2) == mod(own + size - 3, size))
    end if
    call MPI_Comm_free(made, error)
  end subroutine
end program
