! Attributes of communicators, datatypes and windows: own and given functions that copy and delete, values
! of 64 bits, the attributes of MPI itself.
module callbacks
  use mpi_f08
  implicit none
  integer :: copies = 0, deletions = 0
  integer(MPI_ADDRESS_KIND), parameter :: state = 2_MPI_ADDRESS_KIND**40 + 5
contains
  subroutine copy_twice(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    integer :: ranks, all_ranks
    call MPI_Comm_size(oldcomm, ranks)
    call MPI_Comm_size(MPI_COMM_WORLD, all_ranks)
    if (extra_state == state .and. comm_keyval /= MPI_KEYVAL_INVALID .and. ranks == all_ranks) copies = copies + 1
    attribute_val_out = 2 * attribute_val_in
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine copy_twice

  subroutine delete(comm, comm_keyval, attribute_val, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    integer :: ranks
    call MPI_Comm_size(comm, ranks)
    if (extra_state == state .and. attribute_val > 2_MPI_ADDRESS_KIND**33 .and. comm_keyval /= MPI_KEYVAL_INVALID) then
      deletions = deletions + 1
    end if
    ierror = merge(MPI_SUCCESS, MPI_ERR_OTHER, ranks > 0)
  end subroutine delete
end module callbacks

program attributes
  use mpi_f08
  use callbacks
  implicit none
  type(MPI_Comm) :: one, two
  type(MPI_Datatype) :: pair, same
  type(MPI_Win) :: window
  integer :: rank, own, kept, lost, key, failed, memory(10)
  integer(MPI_ADDRESS_KIND) :: value, large
  logical :: flag
  failed = 0
  large = 2_MPI_ADDRESS_KIND**34 + 1
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_create_keyval(copy_twice, delete, own, state)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, kept, state)
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, lost, state)
  call MPI_Comm_dup(MPI_COMM_WORLD, one)
  call MPI_Comm_get_attr(one, own, value, flag)
  call expect(.not. flag)
  call MPI_Comm_set_attr(one, own, large)
  call MPI_Comm_set_attr(one, kept, large + rank)
  call MPI_Comm_set_attr(one, lost, large)
  call MPI_Comm_get_attr(one, own, value, flag)
  call expect(flag .and. value == large .and. copies == 0)
  call MPI_Comm_dup(one, two)
  call MPI_Comm_get_attr(two, own, value, flag)
  call expect(flag .and. value == 2 * large .and. copies == 1)
  call MPI_Comm_get_attr(two, kept, value, flag)
  call expect(flag .and. value == large + rank)
  call MPI_Comm_get_attr(two, lost, value, flag)
  call expect(.not. flag)
  call MPI_Comm_delete_attr(two, own)
  call expect(deletions == 1)
  call MPI_Comm_get_attr(two, own, value, flag)
  call expect(.not. flag)
  call MPI_Comm_free(two)
  call MPI_Comm_free(one)
  call expect(deletions == 2)
  call MPI_Comm_free_keyval(own)
  call MPI_Comm_free_keyval(kept)
  call MPI_Comm_free_keyval(lost)
  call expect(all([own, kept, lost] == MPI_KEYVAL_INVALID))
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag)
  call expect(flag .and. value >= 32767)

  call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, key, state)
  call MPI_Type_contiguous(2, MPI_INTEGER, pair)
  call MPI_Type_set_attr(pair, key, -large)
  call MPI_Type_dup(pair, same)
  call MPI_Type_get_attr(same, key, value, flag)
  call expect(flag .and. value == -large)
  call MPI_Type_delete_attr(same, key)
  call MPI_Type_get_attr(same, key, value, flag)
  call expect(.not. flag)
  call MPI_Type_free(same)
  call MPI_Type_free(pair)
  call MPI_Type_free_keyval(key)

  call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, key, state)
  call MPI_Win_create(memory, 40_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window)
  call MPI_Win_set_attr(window, key, large)
  call MPI_Win_get_attr(window, key, value, flag)
  call expect(flag .and. value == large)
  call MPI_Win_get_attr(window, MPI_WIN_SIZE, value, flag)
  call expect(flag .and. value == 40)
  call MPI_Win_get_attr(window, MPI_WIN_DISP_UNIT, value, flag)
  call expect(flag .and. value == 4)
  call MPI_Get_address(memory, large)
  call MPI_Win_get_attr(window, MPI_WIN_BASE, value, flag)
  call expect(flag .and. value == large)
  call MPI_Win_delete_attr(window, key)
  call MPI_Win_free(window)
  call MPI_Win_free_keyval(key)
  call report()
  call MPI_Finalize()
contains
  include 'checks.inc'
end program attributes
