! Communicators of colours and of groups, with null handles for those who are outside; hints and names.
program groups
  use mpi_f08
  implicit none
  type(MPI_Comm) :: half, even, none, copy
  type(MPI_Group) :: world, odd, rest
  type(MPI_Info) :: info
  integer :: rank, ranks, failed, mine, size, result, length, i
  integer, allocatable :: of_world(:)
  character(len=MPI_MAX_OBJECT_NAME) :: name
  character(len=8) :: value
  logical :: found
  failed = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Comm_split(MPI_COMM_WORLD, modulo(rank, 2), -rank, half)
  call MPI_Comm_rank(half, mine)
  call MPI_Comm_size(half, size)
  call expect(size == (ranks + 1 - modulo(rank, 2)) / 2 .and. mine == size - 1 - rank / 2)
  call MPI_Comm_split(MPI_COMM_WORLD, merge(1, MPI_UNDEFINED, rank == 0), 0, none)
  call expect((none == MPI_COMM_NULL) .eqv. rank /= 0)
  if (none /= MPI_COMM_NULL) call MPI_Comm_free(none)
  call MPI_Comm_group(MPI_COMM_WORLD, world)
  call MPI_Group_excl(world, (ranks + 1) / 2, [(2 * i, i = 0, (ranks - 1) / 2)], odd)
  call MPI_Group_difference(world, odd, rest)
  call MPI_Group_size(rest, size)
  call MPI_Group_rank(rest, mine)
  call expect(size == (ranks + 1) / 2 .and. (mine == merge(rank / 2, MPI_UNDEFINED, modulo(rank, 2) == 0)))
  allocate (of_world(size))
  call MPI_Group_translate_ranks(rest, size, [(i, i = 0, size - 1)], world, of_world)
  call expect(of_world(size) == 2 * (size - 1))
  call MPI_Comm_create(MPI_COMM_WORLD, rest, even)
  call expect((even == MPI_COMM_NULL) .eqv. modulo(rank, 2) == 1)
  if (even /= MPI_COMM_NULL) then
    call MPI_Comm_size(even, size)
    call expect(size == (ranks + 1) / 2)
    call MPI_Comm_free(even)
  end if
  call MPI_Group_free(odd)
  call MPI_Group_free(rest)
  call MPI_Group_free(world)
  call expect(world == MPI_GROUP_NULL)
  call MPI_Comm_dup(half, copy)
  call MPI_Comm_compare(half, copy, result)
  call expect(result == MPI_CONGRUENT .and. copy /= half)
  call MPI_Comm_set_name(copy, 'a copy')
  call MPI_Comm_get_name(copy, name, length)
  call expect(name == 'a copy' .and. length == 6)
  call MPI_Info_create(info)
  call MPI_Info_set(info, 'key', ' word ')
  call MPI_Info_get(info, 'key', 8, value, found)
  call expect(found .and. value == 'word')
  call MPI_Info_free(info)
  call expect(info == MPI_INFO_NULL)
  call MPI_Comm_free(copy)
  call MPI_Comm_free(half)
  call report()
  call MPI_Finalize()
contains
  include 'checks.inc'
end program groups
