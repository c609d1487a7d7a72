#pragma once

#include <functional>

namespace vtopo {

/// Called with how much of a long work is done, from 0 to 1; may be empty.
using Progress = std::function<void(double done)>;

}  // namespace vtopo
