! Error handlers that the program makes of its procedures: who calls them, with what, and until when.
module handlers
  use mpi_f08
  implicit none
  integer :: first_calls = 0, second_calls = 0, last_code = MPI_SUCCESS, last_ranks = 0
contains
  subroutine count_first(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
    first_calls = first_calls + 1
    call note(comm, error_code)
  end subroutine count_first

  subroutine count_second(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
    second_calls = second_calls + 1
    call note(comm, error_code)
  end subroutine count_second

  subroutine note(comm, error_code)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: error_code
    last_code = error_code
    call MPI_Comm_size(comm, last_ranks)
  end subroutine note

  subroutine count_window(win, error_code)
    type(MPI_Win) :: win
    integer :: error_code
    if (win /= MPI_WIN_NULL) first_calls = first_calls + 100
    last_code = error_code
  end subroutine count_window
end module handlers

program error_handlers
  use mpi_f08
  use handlers
  implicit none
  type(MPI_Errhandler) :: first, second, of_window, found
  type(MPI_Comm) :: alone, copy, grid
  type(MPI_Win) :: window
  integer :: rank, ranks, failed, code, memory(4)
  failed = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Comm_create_errhandler(count_first, first)
  call MPI_Comm_create_errhandler(count_second, second)
  call expect(first /= MPI_ERRHANDLER_NULL .and. first /= second)
  call MPI_Comm_split(MPI_COMM_WORLD, rank, 0, alone)
  call MPI_Comm_set_errhandler(alone, first)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, second)

  ! Called by the program, by the library for a wrong rank, and for a grid of too many processes.
  call MPI_Comm_call_errhandler(alone, MPI_ERR_TAG)
  call expect(first_calls == 1 .and. last_code == MPI_ERR_TAG .and. last_ranks == 1)
  call MPI_Send(rank, 1, MPI_INTEGER, ranks + 5, 1, MPI_COMM_WORLD, code)
  call expect(code /= MPI_SUCCESS .and. second_calls == 1 .and. last_code == code .and. last_ranks == ranks)
  call MPI_Cart_create(MPI_COMM_WORLD, 1, [2 * ranks], [.false.], .true., grid, code)
  call expect(code /= MPI_SUCCESS .and. second_calls == 2 .and. last_ranks == ranks .and. first_calls == 1)

  ! A communicator has its handler while it lives, and copies have it too.
  call MPI_Comm_get_errhandler(alone, found)
  call expect(found == first)
  call MPI_Errhandler_free(found)
  call MPI_Errhandler_free(first)
  call expect(first == MPI_ERRHANDLER_NULL)
  call MPI_Comm_dup(alone, copy)
  call MPI_Comm_call_errhandler(copy, MPI_ERR_ROOT)
  call expect(first_calls == 2 .and. last_code == MPI_ERR_ROOT)
  call MPI_Comm_set_errhandler(copy, second)
  call MPI_Comm_call_errhandler(copy, MPI_ERR_COUNT)
  call expect(second_calls == 3 .and. first_calls == 2 .and. last_ranks == 1)
  call MPI_Comm_free(copy)
  call MPI_Comm_free(alone)

  call MPI_Win_create_errhandler(count_window, of_window)
  call MPI_Win_create(memory, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window)
  call MPI_Win_set_errhandler(window, of_window)
  call MPI_Win_get_errhandler(window, found)
  call expect(found == of_window)
  call MPI_Win_call_errhandler(window, MPI_ERR_OTHER)
  call expect(first_calls == 102 .and. last_code == MPI_ERR_OTHER)
  call MPI_Win_free(window)
  call MPI_Errhandler_free(of_window)

  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
  call MPI_Errhandler_free(second)
  call report()
  call MPI_Finalize()
contains
  include 'checks.inc'
end program error_handlers
