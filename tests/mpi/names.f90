! Procedures that need an interface of their own in `use mpi`, named one by one; handles of C's datatypes, which SMPI's mpif.h
! lacks; sizes of Fortran's types; arguments by name.
program names
  use mpi, only: MPI_COMM_WORLD, MPI_COMM_NULL, MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE, MPI_STATUS_SIZE, MPI_SUM, MPI_LONG, &
      MPI_SIGNED_CHAR, MPI_C_DOUBLE_COMPLEX, MPI_INT64_T, MPI_UNSIGNED, MPI_IN_PLACE, MPI_ADDRESS_KIND, MPI_COUNT_KIND, &
      MPI_UNWEIGHTED, &
      MPI_INFO_NULL, MPI_INTEGER, MPI_SUCCESS, MPI_WIN_MODEL, MPI_WIN_NULL, &
      MPI_WIN_CREATE_FLAVOR, MPI_WIN_FLAVOR_CREATE, MPI_REPLACE, MPI_ORDER_FORTRAN, MPI_DISTRIBUTE_BLOCK, &
      MPI_DISTRIBUTE_DFLT_DARG, MPI_COMBINER_VECTOR, MPI_MESSAGE_NULL, MPI_Init, MPI_Finalize, MPI_Comm_rank, MPI_Comm_size, &
      MPI_Comm_idup, MPI_Comm_free, MPI_Wait, MPI_Waitall, MPI_Isend, MPI_Irecv, MPI_Allreduce, MPI_Type_size, MPI_Type_size_x, &
      MPI_Type_vector, MPI_Type_get_envelope, MPI_Type_get_contents, MPI_Type_free, MPI_Sizeof, MPI_Aint_add, MPI_Aint_diff, &
      MPI_Win_create, MPI_Win_get_attr, MPI_Win_free, MPI_Win_fence, MPI_Accumulate, MPI_Mprobe, MPI_Mrecv, &
      MPI_Dist_graph_create_adjacent, MPI_Type_create_darray, MPI_Type_commit, &
      MPI_Type_set_name, MPI_Type_get_name, MPI_Add_error_class, MPI_Add_error_string, MPI_Error_string, &
      MPI_Wtime, PMPI_Comm_rank
  implicit none
  integer :: rank, ranks, copy, request, requests(2), ierr, failed, all_failed, bytes, i, left, right, token(2), window, ring
  integer :: numbers(3), types(1), counts(4), message
  integer(MPI_ADDRESS_KIND) :: addresses(1), value, size
  integer(MPI_COUNT_KIND) :: long_bytes
  logical :: flag
  character(20) :: name
  character(512) :: text
  integer :: vector, target(4), handles(5), sizes(5)
  double precision :: start
  complex(8) :: number

  failed = 0
  call MPI_Init(ierr)
  start = MPI_Wtime()
  call MPI_Comm_rank(comm=MPI_COMM_WORLD, rank=rank, ierror=ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  left = modulo(rank - 1, ranks)
  right = modulo(rank + 1, ranks)

  call MPI_Comm_idup(MPI_COMM_WORLD, copy, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call PMPI_Comm_rank(copy, i, ierr)
  if (i /= rank .or. copy == MPI_COMM_NULL) failed = failed + 1
  call MPI_Irecv(token(1), 1, MPI_INTEGER, left, 7, copy, requests(1), ierr)
  call MPI_Isend(rank, 1, MPI_INTEGER, right, 7, copy, requests(2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  if (token(1) /= left) failed = failed + 1
  call MPI_Comm_free(copy, ierr)

  handles = [MPI_LONG, MPI_SIGNED_CHAR, MPI_C_DOUBLE_COMPLEX, MPI_INT64_T, MPI_UNSIGNED]
  sizes = [8, 1, 16, 8, 4]
  do i = 1, 5
    call MPI_Type_size(handles(i), bytes, ierr)
    call MPI_Type_size_x(handles(i), long_bytes, ierr)
    if (bytes /= sizes(i) .or. long_bytes /= sizes(i)) failed = failed + 1
  end do
  size = 5
  call MPI_Allreduce(MPI_IN_PLACE, size, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (size /= 5 * ranks) failed = failed + 1
  call MPI_Type_vector(3, 2, 4, MPI_LONG, vector, ierr)
  call MPI_Type_get_envelope(vector, counts(1), counts(2), counts(3), counts(4), ierr)
  if (any(counts /= [3, 0, 1, MPI_COMBINER_VECTOR])) failed = failed + 1
  call MPI_Type_get_contents(vector, 3, 0, 1, numbers, addresses, types, ierr)
  if (any(numbers /= [3, 2, 4]) .or. types(1) /= MPI_LONG) failed = failed + 1
  call MPI_Type_set_name(vector, 'stripes', ierr)
  call MPI_Type_get_name(vector, name, bytes, ierr)
  if (name /= 'stripes' .or. bytes /= 7) failed = failed + 1
  call MPI_Type_free(vector, ierr)
  call MPI_Type_create_darray(1, 0, 1, [4], [MPI_DISTRIBUTE_BLOCK], [MPI_DISTRIBUTE_DFLT_DARG], [1], MPI_ORDER_FORTRAN, &
      MPI_INTEGER, vector, ierr)
  call MPI_Type_commit(vector, ierr)
  call MPI_Type_size(vector, bytes, ierr)
  if (bytes /= 16) failed = failed + 1
  call MPI_Type_free(vector, ierr)

  call MPI_Sizeof(number, bytes, ierr)
  if (bytes /= 16) failed = failed + 1
  call MPI_Sizeof(target, bytes, ierr)
  if (bytes /= 4) failed = failed + 1
  value = 100
  if (MPI_Aint_add(value, 28_MPI_ADDRESS_KIND) /= 128 .or. MPI_Aint_diff(value, 28_MPI_ADDRESS_KIND) /= 72) failed = failed + 1

  target = -1
  size = 16
  call MPI_Win_create(target, size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierr)
  call MPI_Win_get_attr(window, MPI_WIN_CREATE_FLAVOR, value, flag, ierr)
  if (.not. flag .or. value /= MPI_WIN_FLAVOR_CREATE) failed = failed + 1
  call MPI_Win_get_attr(window, MPI_WIN_MODEL, value, flag, ierr)
  if (.not. flag) failed = failed + 1
  call MPI_Win_fence(0, window, ierr)
  value = 2
  call MPI_Accumulate([rank], 1, MPI_INTEGER, right, value, 1, MPI_INTEGER, MPI_REPLACE, window, ierr)
  call MPI_Win_fence(0, window, ierr)
  if (target(3) /= left .or. target(1) /= -1) failed = failed + 1
  call MPI_Win_free(window, ierr)
  if (window /= MPI_WIN_NULL) failed = failed + 1

  call MPI_Isend(rank, 1, MPI_INTEGER, right, 8, MPI_COMM_WORLD, request, ierr)
  call MPI_Mprobe(left, 8, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE, ierr)
  call MPI_Mrecv(token(2), 1, MPI_INTEGER, message, MPI_STATUS_IGNORE, ierr)
  if (token(2) /= left .or. message /= MPI_MESSAGE_NULL) failed = failed + 1
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)

  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [left], MPI_UNWEIGHTED, 1, [right], MPI_UNWEIGHTED, MPI_INFO_NULL, &
      .false., ring, ierr)
  call MPI_Comm_size(ring, i, ierr)
  if (i /= ranks) failed = failed + 1
  call MPI_Comm_free(ring, ierr)

  call MPI_Add_error_class(i, ierr)
  call MPI_Add_error_string(i, 'of the program', ierr)
  call MPI_Error_string(i, text, bytes, ierr)
  if (text /= 'of the program' .or. bytes /= 14) failed = failed + 1

  if (MPI_Wtime() < start) failed = failed + 1
  call MPI_Allreduce(failed, all_failed, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(i0,a)', all_failed, ' failed'
  call MPI_Finalize(ierr)
end program names
