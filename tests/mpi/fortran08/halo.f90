! A halo exchange on a torus: each direction's row arrives at the opposite side; an average whose sum is known.
program halo
  use mpi_f08
  use iso_fortran_env, only: real64
  implicit none
  integer, parameter :: n = 4
  type(MPI_Comm) :: grid, row
  type(MPI_Datatype) :: column
  type(MPI_Status) :: status
  integer :: rank, ranks, i, left, right, up, down, failed, row_ranks
  integer :: dims(2) = 0, coords(2), sent(4), received(4)
  real(real64) :: field(0:n + 1, 0:n + 1), total
  logical :: periods(2)
  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Dims_create(ranks, 2, dims)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .true.], .true., grid)
  call MPI_Comm_rank(grid, rank)
  call MPI_Cart_get(grid, 2, dims, periods, coords)
  failed = 0
  call expect(all(periods) .and. grid /= MPI_COMM_NULL .and. .not. grid == MPI_COMM_WORLD)
  call MPI_Cart_shift(grid, 0, 1, up, down)
  call MPI_Cart_shift(grid, 1, 1, left, right)
  field = real(rank, real64)
  call MPI_Type_vector(n, 1, n + 2, MPI_DOUBLE_PRECISION, column)
  call MPI_Type_commit(column)
  ! Columns of the array lie together, rows do not.
  call MPI_Sendrecv(field(1, n), n, MPI_DOUBLE_PRECISION, right, 1, field(1, 0), n, MPI_DOUBLE_PRECISION, left, 1, grid, status)
  call expect(status%MPI_SOURCE == left .and. status%MPI_TAG == 1)
  call MPI_Sendrecv(field(1, 1), n, MPI_DOUBLE_PRECISION, left, 2, field(1, n + 1), n, MPI_DOUBLE_PRECISION, right, 2, grid, &
                    MPI_STATUS_IGNORE)
  call MPI_Sendrecv(field(n, 1), 1, column, down, 3, field(0, 1), 1, column, up, 3, grid, MPI_STATUS_IGNORE)
  call MPI_Sendrecv(field(1, 1), 1, column, up, 4, field(n + 1, 1), 1, column, down, 4, grid, MPI_STATUS_IGNORE)
  call MPI_Type_free(column)
  call expect(column == MPI_DATATYPE_NULL)
  call expect(all(field(1:n, 0) == left) .and. all(field(1:n, n + 1) == right))
  call expect(all(field(0, 1:n) == up) .and. all(field(n + 1, 1:n) == down))
  total = sum(field(1:n, 1:n))
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, grid)
  call expect(total == n * n * ranks * (ranks - 1) / 2)
  sent = [(10 * rank + i, i = 0, 3)]
  received = -1
  call MPI_Neighbor_alltoall(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, grid)
  call expect(all(received == [10 * up + 1, 10 * down, 10 * left + 3, 10 * right + 2]))
  call MPI_Cart_sub(grid, [.false., .true.], row)
  call MPI_Comm_size(row, row_ranks)
  call expect(row_ranks == dims(2))
  call MPI_Comm_free(row)
  call MPI_Comm_free(grid)
  call expect(grid == MPI_COMM_NULL)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call report()
  call MPI_Finalize()
contains
  include 'checks.inc'
end program halo
