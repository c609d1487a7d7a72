! Non-blocking messages and their statuses: all forms of wait and test, probes, persistent requests.
program requests
  use mpi_f08
  implicit none
  type(MPI_Request) :: both(2), one, many(4)
  type(MPI_Status) :: statuses(2), status
  integer :: rank, ranks, next, previous, failed, count, index, outcount, code, indices(4), got(3), pair(2), length
  integer, allocatable :: large(:, :)
  character(len=MPI_MAX_ERROR_STRING) :: text
  logical :: flag
  failed = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  next = modulo(rank + 1, ranks)
  previous = modulo(rank - 1, ranks)
  pair = [rank, rank + 1]
  got = -1
  call MPI_Irecv(got, 3, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, both(1))
  call MPI_Isend(pair, 2, MPI_INTEGER, next, 7, MPI_COMM_WORLD, both(2))
  call MPI_Waitall(2, both, statuses)
  call expect(statuses(1)%MPI_SOURCE == previous .and. statuses(1)%MPI_TAG == 7)
  call MPI_Get_count(statuses(1), MPI_INTEGER, count)
  call expect(count == 2 .and. all(got == [previous, previous + 1, -1]) .and. all(both == MPI_REQUEST_NULL))
  call MPI_Irecv(got, 1, MPI_INTEGER, previous, 8, MPI_COMM_WORLD, both(1))
  call MPI_Isend(rank, 1, MPI_INTEGER, next, 8, MPI_COMM_WORLD, both(2))
  call MPI_Waitany(2, both, index, status)
  call expect((index == 1 .or. index == 2) .and. both(index) == MPI_REQUEST_NULL)
  call MPI_Waitall(2, both, MPI_STATUSES_IGNORE)
  call expect(got(1) == previous)
  ! Persistent, ended by test.
  call MPI_Recv_init(got, 1, MPI_INTEGER, previous, 9, MPI_COMM_WORLD, many(1))
  call MPI_Send_init(rank, 1, MPI_INTEGER, next, 9, MPI_COMM_WORLD, many(2))
  call MPI_Startall(2, many)
  flag = .false.
  do while (.not. flag)
    call MPI_Testall(2, many(1:2), flag, MPI_STATUSES_IGNORE)
  end do
  call MPI_Request_free(many(1))
  call MPI_Request_free(many(2), code)
  call expect(code == MPI_SUCCESS .and. many(1) == MPI_REQUEST_NULL)
  ! A message whose length the receiver asks for; parts of an array that do not lie together.
  allocate (large(0:9, 5))
  large = rank
  call MPI_Isend(rank, 1, MPI_INTEGER, next, 11, MPI_COMM_WORLD, one)
  call MPI_Probe(previous, MPI_ANY_TAG, MPI_COMM_WORLD, status)
  call MPI_Get_count(status, MPI_INTEGER, count)
  call expect(status%MPI_TAG == 11 .and. count == 1)
  call MPI_Recv(large(3, 2), count, MPI_INTEGER, status%MPI_SOURCE, status%MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Wait(one, MPI_STATUS_IGNORE)
  call expect(large(3, 2) == previous .and. count == 1)
  call MPI_Sendrecv(large(0, :), 5, MPI_INTEGER, next, 12, got, 3, MPI_INTEGER, MPI_PROC_NULL, 12, MPI_COMM_WORLD, status)
  call MPI_Recv(large(9, 1:5), 5, MPI_INTEGER, previous, 12, MPI_COMM_WORLD, status)
  call expect(all(large(9, :) == previous) .and. large(8, 1) == rank)
  call MPI_Isend(rank, 1, MPI_INTEGER, next, 13, MPI_COMM_WORLD, many(1))
  many(2:4) = MPI_REQUEST_NULL
  call MPI_Irecv(got, 1, MPI_INTEGER, previous, 13, MPI_COMM_WORLD, many(3))
  index = 0
  do while (index < 2)
    call MPI_Waitsome(4, many, outcount, indices, MPI_STATUSES_IGNORE)
    call expect(all(indices(:outcount) == 1 .or. indices(:outcount) == 3))
    index = index + outcount
  end do
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Send(rank, 1, MPI_INTEGER, ranks + 5, 1, MPI_COMM_WORLD, code)
  call MPI_Error_string(code, text, length)
  call expect(code /= MPI_SUCCESS .and. length > 0 .and. len_trim(text) == length)
  call report()
  call MPI_Finalize()
  stop
contains
  include 'checks.inc'
end program requests
