! Four processes from Fortran: r -> r+1 800 bytes, 3 messages of 20 bytes r -> r+1 from a
! persistent request, a broadcast of 12 bytes from rank 0 and an allreduce of 8 bytes in place.
program halo
  use mpi
  implicit none
  integer :: rank, next, last, error, i, requests(2), word(3), count(4)
  double precision :: out(100), in(100), total(1)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  next = modulo(rank + 1, 4)
  last = modulo(rank - 1, 4)
  out = rank
  word = rank
  total = rank
  call MPI_Sendrecv(out, 100, MPI_DOUBLE_PRECISION, next, 1, in, 100, MPI_DOUBLE_PRECISION, last, 1, &
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call MPI_Send_init(out, 5, MPI_INTEGER, next, 2, MPI_COMM_WORLD, requests(1), error)
  call MPI_Recv_init(in, 5, MPI_INTEGER, last, 2, MPI_COMM_WORLD, requests(2), error)
  do i = 1, 3
    call MPI_Startall(2, requests, error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
  end do
  call MPI_Request_free(requests(1), error)
  call MPI_Request_free(requests(2), error)
  call MPI_Bcast(word, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  if (any(word /= 0) .or. total(1) /= 6 ) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  call MPI_Finalize(error)
end program halo
