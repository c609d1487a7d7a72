! A profiler in the program: an own MPI_Send, and MPI_Allreduce and MPI_Cart_create by the names that
! MPI-3.1 (17.1.5) gives them for Fortran 2008. Each counts and calls the PMPI_ name.
module profile
  implicit none
  integer :: sends = 0, sums = 0, grids = 0
  double precision :: seconds = 0
end module profile

subroutine MPI_Send(buf, count, datatype, dest, tag, comm, ierror)
  use mpi_f08, only: MPI_Comm, MPI_Datatype, PMPI_Send, PMPI_Wtime
  use profile
  implicit none
  type(*), dimension(*) :: buf
  !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
  integer, intent(in) :: count, dest, tag
  type(MPI_Datatype), intent(in) :: datatype
  type(MPI_Comm), intent(in) :: comm
  integer, optional, intent(out) :: ierror
  double precision :: start
  sends = sends + 1
  start = PMPI_Wtime()
  call PMPI_Send(buf, count, datatype, dest, tag, comm, ierror)
  seconds = seconds + PMPI_Wtime() - start
end subroutine MPI_Send

subroutine MPI_Allreduce_f08(sendbuf, recvbuf, count, datatype, op, comm, ierror)
  use mpi_f08, only: MPI_Comm, MPI_Datatype, MPI_Op, PMPI_Allreduce
  use profile
  implicit none
  type(*), dimension(*) :: sendbuf, recvbuf
  !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
  integer, intent(in) :: count
  type(MPI_Datatype), intent(in) :: datatype
  type(MPI_Op), intent(in) :: op
  type(MPI_Comm), intent(in) :: comm
  integer, optional, intent(out) :: ierror
  sums = sums + 1
  call PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm, ierror)
end subroutine MPI_Allreduce_f08

subroutine MPI_Cart_create_f08(comm_old, ndims, dims, periods, reorder, comm_cart, ierror)
  use mpi_f08, only: MPI_Comm, PMPI_Cart_create
  use profile
  implicit none
  type(MPI_Comm), intent(in) :: comm_old
  integer, intent(in) :: ndims, dims(*)
  logical, intent(in) :: periods(*), reorder
  type(MPI_Comm), intent(out) :: comm_cart
  integer, optional, intent(out) :: ierror
  grids = grids + 1
  call PMPI_Cart_create(comm_old, ndims, dims, periods, reorder, comm_cart, ierror)
end subroutine MPI_Cart_create_f08

program profiler
  use mpi_f08
  use profile
  implicit none
  type(MPI_Comm) :: ring
  type(MPI_Request) :: request
  integer :: rank, ranks, previous, next, got(2), total, failed, code, count
  character(len=MPI_MAX_PROCESSOR_NAME) :: name
  failed = 0
  call PMPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call PMPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  call expect(code == MPI_SUCCESS)
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring)
  call PMPI_Cart_shift(ring, 0, 1, previous, next)
  call expect(grids == 1 .and. next == modulo(rank + 1, ranks))
  call PMPI_Irecv(got, 2, MPI_INTEGER, previous, 3, ring, request)
  call MPI_Send([rank, 7], 2, MPI_INTEGER, next, 3, ring)
  call PMPI_Wait(request, MPI_STATUS_IGNORE)
  call expect(all(got == [previous, 7]) .and. sends == 1 .and. request == MPI_REQUEST_NULL)
  call PMPI_Irecv(got, 1, MPI_INTEGER, previous, 4, ring, request)
  call MPI_Send(rank + 1, 1, MPI_INTEGER, next, 4, ring, code)
  call PMPI_Wait(request, MPI_STATUS_IGNORE, code)
  call expect(got(1) == previous + 1 .and. sends == 2 .and. code == MPI_SUCCESS)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, ring, code)
  call expect(total == ranks * (ranks - 1) / 2 .and. sums == 1 .and. code == MPI_SUCCESS)
  ! What is called by its PMPI_ name alone is not counted.
  call PMPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_MAX, ring)
  call expect(sums == 1 .and. seconds >= 0 .and. seconds < 1)
  call PMPI_Get_processor_name(name, count)
  call expect(count > 0 .and. len_trim(name) == count)
  call report()
  call PMPI_Finalize()
contains
  include 'checks.inc'
end program profiler
