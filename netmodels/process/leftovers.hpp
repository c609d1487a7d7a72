#pragma once

#include "netmodels/process/temporary_files.hpp"

namespace vtopo {

/// The names before `TemporaryPath` and `remove_temporary_files`, for callers that still use them.
using Leftover = TemporaryPath;
inline void remove_leftovers() noexcept {
  remove_temporary_files();
}

}  // namespace vtopo
