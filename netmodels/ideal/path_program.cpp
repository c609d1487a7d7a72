#include "netmodels/ideal/path_program.hpp"

#ifdef VTOPO_WITH_CLP

#include <coin/Clp_C_Interface.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace vtopo::detail {

namespace {

constexpr std::size_t max_rows = 1500;  // of them a simplex method makes tenths of a second
constexpr std::size_t max_columns = 20000;

constexpr double unbounded = std::numeric_limits<double>::max();

/// Columns of a sparse matrix, one after the other: parts of a demand on a path, at last the
/// largest congestion. Rows: each demand is met; no link has more than the largest congestion.
struct Program {
  std::vector<CoinBigIndex> first{0};
  std::vector<int> row;
  std::vector<double> value;
  std::vector<double> row_least, row_most;

  void put(std::size_t at, double entry) {
    row.push_back(static_cast<int>(at));
    value.push_back(entry);
  }
  void end_column() { first.push_back(static_cast<CoinBigIndex>(row.size())); }
  int num_columns() const { return static_cast<int>(first.size()) - 1; }
};

/// Rows of links that a path uses and that can be congested, -1: none.
std::vector<int> rows_of_links(const std::vector<std::vector<LoadedPath>>& paths,
                               const std::vector<double>& capacity, std::size_t& rows) {
  std::vector<int> row_of(capacity.size(), -1);
  for (const auto& of_demand : paths)
    for (const LoadedPath& path : of_demand)
      for (const LinkShare& on : path.links) {
        int& row = row_of[index(on.link)];
        if (row < 0 && std::isfinite(capacity[index(on.link)])) row = static_cast<int>(rows++);
      }
  return row_of;
}

}  // namespace

std::optional<PathOptimum> optimal_volumes(const std::vector<std::vector<LoadedPath>>& paths,
                                           const std::vector<double>& volume,
                                           const std::vector<double>& capacity) {
  std::size_t rows = paths.size(), columns = 1;
  for (const auto& of_demand : paths) columns += of_demand.size();
  const std::vector<int> row_of = rows_of_links(paths, capacity, rows);
  if (rows > max_rows || columns > max_columns) return std::nullopt;
  const double unit = *std::max_element(volume.begin(), volume.end());
  const double width = [&] {  // numbers near 1
    double widest = 0;
    for (const double of : capacity)
      if (std::isfinite(of)) widest = std::max(widest, of);
    return widest;
  }();

  Program program;
  program.row_least.assign(rows, -unbounded);
  program.row_most.assign(rows, 0);
  for (std::size_t k = 0; k < paths.size(); ++k) {
    program.row_least[k] = program.row_most[k] = 1;
    for (const LoadedPath& path : paths[k]) {
      program.put(k, 1);
      for (const auto& [link, share] : path.links)
        if (const int row = row_of[index(link)]; row >= 0)
          program.put(static_cast<std::size_t>(row),
                      share * volume[k] / unit * (width / capacity[index(link)]));
      program.end_column();
    }
  }
  for (std::size_t row = paths.size(); row < rows; ++row) program.put(row, -1);
  program.end_column();

  const auto columns_of = static_cast<std::size_t>(program.num_columns());
  const std::vector<double> least(columns_of, 0), most(columns_of, unbounded);
  std::vector<double> objective(columns_of, 0);
  objective.back() = 1;
  const std::unique_ptr<Clp_Simplex, decltype(&Clp_deleteModel)> model(Clp_newModel(),
                                                                       Clp_deleteModel);
  Clp_setLogLevel(model.get(), 0);
  Clp_loadProblem(model.get(), program.num_columns(), static_cast<int>(rows), program.first.data(),
                  program.row.data(), program.value.data(), least.data(), most.data(),
                  objective.data(), program.row_least.data(), program.row_most.data());
  Clp_dual(model.get(), 0);
  if (Clp_status(model.get()) != 0) return std::nullopt;

  PathOptimum optimum;
  const double* const part = Clp_primalColumnSolution(model.get());
  std::size_t column = 0;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    optimum.volumes.emplace_back();
    double sum = 0;
    for (std::size_t p = 0; p < paths[k].size(); ++p) sum += std::max(0.0, part[column + p]);
    for (std::size_t p = 0; p < paths[k].size(); ++p)
      optimum.volumes.back().push_back(volume[k] * std::max(0.0, part[column + p]) / sum);
    column += paths[k].size();
  }
  const double* const dual = Clp_dualRowSolution(model.get());
  optimum.prices.assign(capacity.size(), 0);
  for (std::size_t l = 0; l < capacity.size(); ++l)
    if (row_of[l] >= 0) optimum.prices[l] = std::max(0.0, -dual[row_of[l]]) / capacity[l];
  return optimum;
}

}  // namespace vtopo::detail

#else

namespace vtopo::detail {

std::optional<PathOptimum> optimal_volumes(const std::vector<std::vector<LoadedPath>>&,
                                           const std::vector<double>&, const std::vector<double>&) {
  return std::nullopt;
}

}  // namespace vtopo::detail

#endif
