#pragma once

#include <functional>

#include "sim/run/observer.hpp"

namespace vtopo::detail::python {

/// Does `work` without the interpreter's lock. Where Ctrl-C raises KeyboardInterrupt, which Python
/// does in its main thread once it runs again, it also ends searches and simulations that listen
/// to the observer.
/// @throws what `work` throws, or KeyboardInterrupt as pybind11::error_already_set.
void until_interrupted(const std::function<void(Observer&)>& work);

}  // namespace vtopo::detail::python
