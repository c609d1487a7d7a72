! Cannon's matrix product on a square grid of processes. The matrices are skewed first: row i of A
! moves i places to the left, column j of B moves j places up, each by MPI_Cart_shift over a distance
! that differs from row to row. Then the blocks move by one place and are multiplied, over and over.
!
! Argument: rows of a process's blocks (64).
program cannon
  use mpi
  implicit none
  integer :: n, edge, rank, size, grid, ierror, step, coords(2), dims(2)
  integer, allocatable, dimension(:, :) :: a, b, c
  double precision :: start, seconds
  character(len=16) :: text
  logical :: periods(2)

  call MPI_INIT(ierror)
  n = 64
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *) n
  end if
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierror)
  edge = nint(sqrt(dble(size)))
  if (edge * edge /= size) then
    print '(a,i0)', 'cannon: accepted is a square number of processes, not ', size
    call MPI_ABORT(MPI_COMM_WORLD, 1, ierror)
  end if
  dims = edge
  periods = .true.
  call MPI_CART_CREATE(MPI_COMM_WORLD, 2, dims, periods, .true., grid, ierror)
  call MPI_COMM_RANK(grid, rank, ierror)
  call MPI_CART_COORDS(grid, rank, 2, coords, ierror)

  allocate (a(n, n), b(n, n), c(n, n))
  call fill(a, 0, coords)
  call fill(b, 1, coords)
  c = 0
  seconds = 0
  call MPI_BARRIER(MPI_COMM_WORLD, ierror)
  start = MPI_WTIME()
  call move(a, 1, -coords(1))
  call move(b, 0, -coords(2))
  seconds = seconds + MPI_WTIME() - start
  do step = 1, edge
    c = c + matmul(a, b)
    start = MPI_WTIME()
    call move(a, 1, -1)
    call move(b, 0, -1)
    seconds = seconds + MPI_WTIME() - start
  end do
  call tell(wrong_values(), seconds)
  call MPI_COMM_FREE(grid, ierror)
  call MPI_FINALIZE(ierror)

contains

  ! An element of the whole matrix, A (0) or B (1); rows and columns count from 0.
  pure integer function element(which, row, column)
    integer, intent(in) :: which, row, column
    element = mod(row * (3 + which) + column * (5 - which), 17) - 8
  end function element

  subroutine fill(block, which, place)
    integer, intent(out) :: block(:, :)
    integer, intent(in) :: which, place(2)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        block(i, j) = element(which, place(1) * n + i - 1, place(2) * n + j - 1)
      end do
    end do
  end subroutine fill

  ! Moves blocks along a dimension; over no distance at all there is no message.
  subroutine move(block, direction, distance)
    integer, intent(inout) :: block(:, :)
    integer, intent(in) :: direction, distance
    integer :: source, destination, status(MPI_STATUS_SIZE)
    call MPI_CART_SHIFT(grid, direction, distance, source, destination, ierror)
    if (destination == rank) return
    call MPI_SENDRECV_REPLACE(block, n * n, MPI_INTEGER, destination, 0, source, 0, grid, status, &
                              ierror)
  end subroutine move

  ! Elements of C that are not the sum of products over a row of A and a column of B.
  integer function wrong_values()
    integer :: i, j, k, row, column, expected
    wrong_values = 0
    do j = 1, n
      do i = 1, n
        row = coords(1) * n + i - 1
        column = coords(2) * n + j - 1
        expected = 0
        do k = 0, edge * n - 1
          expected = expected + element(0, row, k) * element(1, k, column)
        end do
        if (c(i, j) /= expected) wrong_values = wrong_values + 1
      end do
    end do
  end function wrong_values

  subroutine tell(wrong, time)
    integer, intent(in) :: wrong
    double precision, intent(in) :: time
    integer :: all_wrong, world_rank
    double precision :: slowest
    character(len=8) :: asked
    call MPI_ALLREDUCE(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    call MPI_REDUCE(time, slowest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierror)
    call MPI_COMM_RANK(MPI_COMM_WORLD, world_rank, ierror)
    if (world_rank /= 0) return
    if (all_wrong == 0) then
      print '(a,i0,a,i0,a)', 'cannon on ', edge, 'x', edge, ' processes: data ok'
    else
      print '(a,i0,a)', 'cannon: ', all_wrong, ' values are wrong'
    end if
    call get_environment_variable('EXAMPLE_TIME', asked)
    if (asked /= '') print '(a,f0.9,a)', 'communication ', slowest, ' s'
  end subroutine tell
end program cannon
