! Begins by MPI_INIT_THREAD.
program threads
  implicit none
  include 'mpif.h'
  integer :: ierr, provided, rank, size, ring, source, destination, value, failures, all_failures
  integer :: dims(1)
  logical :: periods(1)
  failures = 0
  call MPI_INIT_THREAD(MPI_THREAD_FUNNELED, provided, ierr)
  if (provided < MPI_THREAD_SINGLE) failures = failures + 1
  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
  dims(1) = size
  periods(1) = .true.
  call MPI_CART_CREATE(MPI_COMM_WORLD, 1, dims, periods, .true., ring, ierr)
  call MPI_CART_SHIFT(ring, 0, 1, source, destination, ierr)
  call MPI_COMM_RANK(ring, rank, ierr)
  value = rank
  call MPI_SENDRECV_REPLACE(value, 1, MPI_INTEGER, destination, 0, source, 0, ring, MPI_STATUS_IGNORE, ierr)
  if (value /= source) failures = failures + 1
  call MPI_REDUCE(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) print '(I0, A)', all_failures, ' failed'
  call MPI_FINALIZE(ierr)
end program
