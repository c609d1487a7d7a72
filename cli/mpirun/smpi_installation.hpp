#pragma once

#include <optional>
#include <string>

namespace vtopo::detail {

/// Path of an executable file by that name; nothing if PATH has none.
std::optional<std::string> program_on_path(const std::string& name);

/// Path of `smpirun`.
/// @throws InputError that names the package if it is not on PATH.
std::string find_smpirun();

/// Path of libvtopo_smpi.so: VTOPO_SMPI_LIBRARY, else beside this command, in its build tree or as
/// installed.
/// @throws InputError that says where it was looked for.
std::string find_topology_library();

/// Path of vtopo_mpi.h: beside this command as installed, or in the sources
/// that it was built from.
/// @throws InputError that says where it was looked for.
std::string find_mpi_header();

/// Path of the object that lets a program be started by itself, beside that library: nothing where
/// it was built without.
std::optional<std::string> find_program_start();

/// Folder of module mpi_f08 for SMPI, of installed or built: nothing where it was built without
/// gfortran.
std::optional<std::string> find_fortran_modules();

/// Path of an MPI program: as given if it has a slash, else on PATH, else in the current folder.
/// @throws InputError if there is none, or if smpicc (smpicxx, smpif90) did not make it.
std::string find_mpi_program(const std::string& name);

}  // namespace vtopo::detail
