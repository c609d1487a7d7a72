! A ring and its chords as a distributed graph, with weights and without; all its collectives.
program dist_graph
  use mpi_f08
  implicit none
  type(MPI_Comm) :: ring, star
  type(MPI_Request) :: request
  integer :: rank, ranks, failed, indegree, outdegree, kind
  integer :: sources(2), destinations(2), weights(2), heard(2), said(2), from(2), to(2), of_from(2), of_to(2)
  integer(MPI_ADDRESS_KIND) :: displacements(2)
  logical :: weighted
  failed = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  sources = [modulo(rank - 1, ranks), modulo(rank + 2, ranks)]
  destinations = [modulo(rank + 1, ranks), modulo(rank - 2, ranks)]
  weights = [3, 5]
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, weights, 2, destinations, weights, MPI_INFO_NULL, .false., ring)
  call MPI_Topo_test(ring, kind)
  call expect(kind == MPI_DIST_GRAPH)
  call MPI_Dist_graph_neighbors_count(ring, indegree, outdegree, weighted)
  call expect(indegree == 2 .and. outdegree == 2 .and. weighted)
  call MPI_Dist_graph_neighbors(ring, 2, from, of_from, 2, to, of_to)
  call expect(all(from == sources) .and. all(to == destinations) .and. all(of_from == weights))
  heard = -1
  call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, heard, 1, MPI_INTEGER, ring)
  call expect(all(heard == sources))
  heard = -1
  said = [rank, rank + 100]
  call MPI_Ineighbor_alltoallv(said, [1, 1], [0, 1], MPI_INTEGER, heard, [1, 1], [0, 1], MPI_INTEGER, ring, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call expect(request == MPI_REQUEST_NULL .and. all(heard == [sources(1), sources(2) + 100]))
  heard = -1
  displacements = [0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND]
  call MPI_Neighbor_alltoallw([rank, rank + 100], [1, 1], displacements, [MPI_INTEGER, MPI_INTEGER], &
                              heard, [1, 1], displacements, [MPI_INTEGER, MPI_INTEGER], ring)
  call expect(all(heard == [sources(1), sources(2) + 100]))
  call MPI_Comm_free(ring)
  ! Rank 0 gives all edges.
  call MPI_Dist_graph_create(MPI_COMM_WORLD, merge(1, 0, rank == 0), [0], [1], [ranks - 1], MPI_UNWEIGHTED, MPI_INFO_NULL, &
                             .false., star)
  call MPI_Dist_graph_neighbors_count(star, indegree, outdegree, weighted)
  call expect(outdegree == merge(1, 0, rank == 0) .and. indegree == merge(1, 0, rank == ranks - 1) .and. .not. weighted)
  call MPI_Comm_free(star)
  call report()
  call MPI_Finalize()
contains
  include 'checks.inc'
end program dist_graph
