#pragma once

#include <smpi/smpi.h>

#include <utility>

namespace vtopo::detail::overlay {

/// While one lives, the processor time that passes is the overlay's own and is not charged to the
/// simulated host. Calls of SMPI in between go through `smpi`, which lets SMPI's clock run.
class Uncharged {
 public:
  Uncharged() { smpi_bench_end(); }
  Uncharged(const Uncharged&) = delete;
  Uncharged& operator=(const Uncharged&) = delete;
  ~Uncharged() { smpi_bench_begin(); }
};

/// An error code that a call of SMPI returned.
struct SmpiFailure {
  int code = MPI_SUCCESS;
};

/// Makes a call of SMPI while an Uncharged lives. Control may switch to other processes meanwhile.
/// @throws SmpiFailure unless it succeeds.
template <class Call>
void smpi(Call&& call) {
  smpi_bench_begin();
  const int code = std::forward<Call>(call)();
  smpi_bench_end();
  if (code != MPI_SUCCESS) throw SmpiFailure{code};
}

}  // namespace vtopo::detail::overlay
