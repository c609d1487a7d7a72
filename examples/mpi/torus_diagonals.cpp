// A 9-point stencil on a torus of processes: the neighbours along the edges get rows and columns, those
// at the corners a single cell. The distributed graph says so by its weights, in bytes, so that heavy
// edges count when ranks are reordered.
//
// Whole numbers, so that the result can be compared with that of one process for all. Argument: cells
// of a process in each direction (32).

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "result.h"

namespace {

using Cell = std::uint32_t;
constexpr int steps = 8;

struct Offset {
  int row, column;
};
constexpr std::array<Offset, 8> around{
    {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}};

// Processes in rows and columns, the last fastest; both ways round.
struct Torus {
  int rows, columns;
  int rank_at(int row, int column) const {
    return (row + rows) % rows * columns + (column + columns) % columns;
  }
  int neighbour(int rank, Offset o) const {
    return rank_at(rank / columns + o.row, rank % columns + o.column);
  }
};

// A field with a frame, all of it or a process's part.
struct Field {
  int rows, columns;
  std::vector<Cell> cells;
  Field(int r, int c) : rows(r), columns(c), cells(std::size_t(r + 2) * std::size_t(c + 2)) {}
  Cell& at(int r, int c) { return cells[std::size_t(r) * std::size_t(columns + 2) + std::size_t(c)]; }
};

Cell first_value(int row, int column) { return Cell(row) * 2654435761U + Cell(column) * 40503U + 7U; }

void fill(Field& field, int first_row, int first_column) {
  for (int r = 1; r <= field.rows; ++r)
    for (int c = 1; c <= field.columns; ++c)
      field.at(r, c) = first_value(first_row + r - 1, first_column + c - 1);
}

void apply_stencil(Field& field) {
  Field old = field;
  for (int r = 1; r <= field.rows; ++r)
    for (int c = 1; c <= field.columns; ++c) {
      Cell sum = 4 * old.at(r, c);
      for (const Offset o : around) sum += (o.row * o.column == 0 ? 2U : 1U) * old.at(r + o.row, c + o.column);
      field.at(r, c) = sum;
    }
}

// The cells that lie towards an offset, inside the frame or in it.
struct Strip {
  int row, column, rows, columns;
};
Strip strip(const Field& field, Offset o, bool frame) {
  const auto first = [frame](int way, int size) {
    if (way == 0) return 1;
    return way < 0 ? (frame ? 0 : 1) : (frame ? size + 1 : size);
  };
  return {first(o.row, field.rows), first(o.column, field.columns), o.row == 0 ? field.rows : 1,
          o.column == 0 ? field.columns : 1};
}

// A process's halo exchange: per edge of the graph, the direction that belongs to it.
struct Halo {
  MPI_Comm graph = MPI_COMM_NULL;
  std::vector<Offset> to, from;
};

Offset direction(const Torus& torus, int rank, int neighbour) {
  for (const Offset o : around)
    if (torus.neighbour(rank, o) == neighbour) return o;
  return {0, 0};
}

// Each process names the edges that leave it; MPI finds those that come in, in an order of its own.
Halo make_halo(const Torus& torus, int cells) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::array<int, 8> destinations{}, weights{};
  for (std::size_t i = 0; i < 8; ++i) {
    destinations[i] = torus.neighbour(rank, around[i]);
    weights[i] = (around[i].row * around[i].column == 0 ? cells : 1) * int(sizeof(Cell));
  }
  Halo halo;
  const int degree = 8;
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, destinations.data(), weights.data(),
                        MPI_INFO_NULL, 1, &halo.graph);
  MPI_Comm_rank(halo.graph, &rank);
  std::array<int, 8> sources{};
  MPI_Dist_graph_neighbors(halo.graph, 8, sources.data(), weights.data(), 8, destinations.data(),
                           weights.data());
  for (const int source : sources) halo.from.push_back(direction(torus, rank, source));
  for (const int destination : destinations) halo.to.push_back(direction(torus, rank, destination));
  return halo;
}

std::vector<Cell> packed(Field& field, const std::vector<Offset>& ways) {
  std::vector<Cell> buffer;
  for (const Offset o : ways) {
    const Strip s = strip(field, o, false);
    for (int r = 0; r < s.rows; ++r)
      for (int c = 0; c < s.columns; ++c) buffer.push_back(field.at(s.row + r, s.column + c));
  }
  return buffer;
}

void unpack(Field& field, const std::vector<Offset>& ways, const std::vector<Cell>& buffer) {
  auto next = buffer.begin();
  for (const Offset o : ways) {
    const Strip s = strip(field, o, true);
    for (int r = 0; r < s.rows; ++r)
      for (int c = 0; c < s.columns; ++c) field.at(s.row + r, s.column + c) = *next++;
  }
}

struct Counts {
  std::vector<int> counts, displacements;
  Counts(const Field& field, const std::vector<Offset>& ways) {
    int sum = 0;
    for (const Offset o : ways) {
      const Strip s = strip(field, o, false);
      counts.push_back(s.rows * s.columns);
      displacements.push_back(sum);
      sum += counts.back();
    }
  }
};

void exchange(Field& field, const Halo& halo) {
  const Counts to(field, halo.to), from(field, halo.from);
  const std::vector<Cell> sent = packed(field, halo.to);
  std::vector<Cell> received(sent.size());
  MPI_Neighbor_alltoallv(sent.data(), to.counts.data(), to.displacements.data(), MPI_UINT32_T,
                         received.data(), from.counts.data(), from.displacements.data(),
                         MPI_UINT32_T, halo.graph);
  unpack(field, halo.from, received);
}

// The frame of the whole field: the other side.
void wrap(Field& whole) {
  for (const Offset o : around) {
    const Strip to = strip(whole, o, true), from = strip(whole, {-o.row, -o.column}, false);
    for (int r = 0; r < to.rows; ++r)
      for (int c = 0; c < to.columns; ++c)
        whole.at(to.row + r, to.column + c) = whole.at(from.row + r, from.column + c);
  }
}

long count_wrong(Field& part, const Torus& torus, int row, int column) {
  Field whole(torus.rows * part.rows, torus.columns * part.columns);
  fill(whole, 0, 0);
  for (int step = 0; step < steps; ++step) {
    wrap(whole);
    apply_stencil(whole);
  }
  long wrong = 0;
  for (int r = 1; r <= part.rows; ++r)
    for (int c = 1; c <= part.columns; ++c)
      wrong += part.at(r, c) != whole.at(row + r, column + c);
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int cells = argument(argc, argv, 1, 32);
  int size = 0, rank = 0, dims[2] = {0, 0};
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  if (dims[1] < 3) {
    std::fprintf(stderr, "torus_diagonals: accepted are tori from 3x3 on, not %dx%d\n", dims[0], dims[1]);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  const Torus torus{dims[0], dims[1]};
  Halo halo = make_halo(torus, cells);
  MPI_Comm_rank(halo.graph, &rank);
  const int row = rank / torus.columns * cells, column = rank % torus.columns * cells;
  Field part(cells, cells);
  fill(part, row, column);
  double seconds = 0;
  start_clock();
  for (int step = 0; step < steps; ++step) {
    const double start = MPI_Wtime();
    exchange(part, halo);
    seconds += MPI_Wtime() - start;
    apply_stencil(part);
  }
  const std::string what =
      "torus with diagonals of " + std::to_string(dims[0]) + "x" + std::to_string(dims[1]) + " processes";
  const int status = tell(what.c_str(), count_wrong(part, torus, row, column), seconds);
  MPI_Comm_free(&halo.graph);
  MPI_Finalize();
  return status;
}
