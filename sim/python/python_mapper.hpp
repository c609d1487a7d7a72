#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace vtopo::detail::python {

/// Declares the class of problems that mappers in Python get, and `_register_mapper`.
void declare_mappers(pybind11::module_& module);

}  // namespace vtopo::detail::python
