// SMPI opens the program once per process with RTLD_DEEPBIND, by which the program finds SMPI's
// functions before those of a preloaded library. It keeps the flag, without which it would also
// find others' functions and variables before its own; its calls of MPI are led here afterwards:
// where a shared object calls functions of others, the linker leaves entries of a table with their
// names, and those with names of MPI are pointed here. What a program leaves to do after `main`
// (static destructors, functions given to `atexit`) is done by its process, which the C library
// would do at the end of the simulation.

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <signal.h>
#include <simgrid/actor.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sim/mpi/smpi_repairs/environment.hpp"
#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/smpi_repairs/library.hpp"

extern "C" [[noreturn]] void smpi_exit(int code);

using namespace vtopo::detail;
using namespace vtopo::detail::overlay;

namespace {

/// The tables of a loaded object.
struct DynamicPart {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const ElfW(Rela) * calls = nullptr;  ///< DT_JMPREL
  std::size_t calls_size = 0;
  const ElfW(Rela) * others = nullptr;  ///< DT_RELA
  std::size_t others_size = 0;
};

template <class Pointee>
const Pointee* address(const ElfW(Dyn) & entry) {
  return reinterpret_cast<const Pointee*>(entry.d_un.d_ptr);
}

DynamicPart dynamic_part(const link_map& object) {
  DynamicPart part;
  for (const ElfW(Dyn)* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry) {
    const auto tag = entry->d_tag;
    if (tag == DT_SYMTAB) part.symbols = address<ElfW(Sym)>(*entry);
    if (tag == DT_STRTAB) part.names = address<char>(*entry);
    if (tag == DT_JMPREL) part.calls = address<ElfW(Rela)>(*entry);
    if (tag == DT_PLTRELSZ) part.calls_size = entry->d_un.d_val;
    if (tag == DT_RELA) part.others = address<ElfW(Rela)>(*entry);
    if (tag == DT_RELASZ) part.others_size = entry->d_un.d_val;
  }
  return part;
}

/// Whether an entry of the table is nothing but the address of a function.
bool is_function_address(std::uint64_t type) {
#if defined(__x86_64__)
  return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT || type == R_X86_64_64;
#elif defined(__aarch64__)
  return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT || type == R_AARCH64_ABS64;
#else
#error "the overlay does not know how this processor's programs call functions"
#endif
}

Dl_info here() {
  Dl_info info{};
  dladdr(reinterpret_cast<void*>(&here), &info);
  return info;
}

/// Lets a part of an object be written. It may have been closed after it was filled; it stays open.
bool open_for_writing(void* address, std::size_t size) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(address) & ~(page - 1);
  const auto end = reinterpret_cast<std::uintptr_t>(address) + size;
  return mprotect(reinterpret_cast<void*>(first), end - first, PROT_READ | PROT_WRITE) == 0;
}

/// The program of a process: an object of its own.
struct Program {
  link_map* object = nullptr;
  void* main = nullptr;  ///< of C, or of Fortran
  bool has_ended = false;
};

/// By actor.
std::unordered_map<long, Program>& programs() {
  static std::unordered_map<long, Program> all;
  return all;
}

ElfW(Dyn) * entry_of(const link_map& object, ElfW(Sxword) tag) {
  for (ElfW(Dyn)* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == tag) return entry;
  return nullptr;
}

/// The functions that are called when an object is closed; one of them is that of the compiler,
/// which runs destructors and what was given to `atexit`. The loader finds none afterwards.
void end_program() {
  const auto found = programs().find(sg_actor_self_get_pid());
  if (found == programs().end() || std::exchange(found->second.has_ended, true)) return;
  const link_map& object = *found->second.object;
  const ElfW(Dyn)* const list = entry_of(object, DT_FINI_ARRAY);
  ElfW(Dyn)* const size = entry_of(object, DT_FINI_ARRAYSZ);
  if (list == nullptr || size == nullptr || !open_for_writing(size, sizeof *size)) return;
  using Function = void (*)();
  const auto* const functions = reinterpret_cast<Function*>(object.l_addr + list->d_un.d_ptr);
  const std::size_t count = std::exchange(size->d_un.d_val, 0) / sizeof *functions;
  for (std::size_t i = count; i-- > 0;) functions[i]();
}

int run_main(int argc, char** argv) {
  using Main = int (*)(int, char**);
  const int code = reinterpret_cast<Main>(programs()[sg_actor_self_get_pid()].main)(argc, argv);
  end_program();
  return code;
}

void run_fortran_main() {
  using Main = void (*)();
  reinterpret_cast<Main>(programs()[sg_actor_self_get_pid()].main)();
  end_program();
}

/// Whoever looks for a function of an object finds another one; returns the first one, or null.
void* replace(void* handle, const link_map& object, const char* name, std::uintptr_t instead) {
  void* const function = dlsym(handle, name);
  Dl_info info{};
  void* entry = nullptr;
  if (function == nullptr || dladdr1(function, &info, &entry, RTLD_DL_SYMENT) == 0) return nullptr;
  auto* const symbol = static_cast<ElfW(Sym)*>(entry);
  if (reinterpret_cast<std::uintptr_t>(info.dli_fbase) != object.l_addr || symbol == nullptr ||
      !open_for_writing(symbol, sizeof *symbol))
    return nullptr;
  symbol->st_value = instead - object.l_addr;
  return function;
}

/// The calling process has opened its program and looks for its `main` next.
void note_program(void* handle, link_map& object) {
  const long actor = sg_actor_self_get_pid();
  if (actor <= 0 || programs().contains(actor)) return;  // by the simulation itself, for all
  void* main =
      replace(handle, object, "user_main_", reinterpret_cast<std::uintptr_t>(&run_fortran_main));
  if (main == nullptr)
    main = replace(handle, object, "main", reinterpret_cast<std::uintptr_t>(&run_main));
  if (main != nullptr) programs()[actor] = {&object, main};
}

/// In place of `exit` in programs and in their libraries (`stop` of Fortran): one process ends,
/// where the C library would end the simulation.
[[noreturn]] void end_process(int code) {
  if (rank_of_this_actor() < 0) std::exit(code);
  end_program();
  smpi_exit(code);
}

/// The same as SMPI's headers name it in C and C++.
[[noreturn]] void end_process_of_c(int code) {
  end_program();
  smpi_exit(code);
}

/// Whether it is a name of Fortran: mpi_send_.
bool is_of_fortran(std::string_view name) {
  return name.starts_with("mpi_") || name.starts_with("pmpi_");
}

/// A function that a program made of one of MPI by the name of MPI-3.1 (17.1.5) for Fortran 2008,
/// as profilers do: MPI_Send_f08 instead of MPI_Send.
void* wrapper_of(void* program, std::string_view name) {
  if (!name.starts_with("mpi_") || !name.ends_with('_')) return nullptr;
  return dlsym(program, (std::string(name) + "f08_").c_str());
}

void* find_own_function(const char* name) {
  static void* const self = dlopen(here().dli_fname, RTLD_NOLOAD | RTLD_LAZY);
  const std::string_view text = name;
  if (text == "exit") return reinterpret_cast<void*>(&end_process);
  if (text == "smpi_exit") return reinterpret_cast<void*>(&end_process_of_c);
  const bool profiled = text.starts_with("PMPI_") && replaces_profiled(text.substr(1));
  if (self == nullptr || !(profiled || text.starts_with("MPI_") || is_of_fortran(text)))
    return nullptr;
  void* const found = dlsym(self, profiled ? name + 1 : name);
  Dl_info info{};
  if (found == nullptr || dladdr(found, &info) == 0) return nullptr;
  return info.dli_fbase == here().dli_fbase ? found : nullptr;
}

/// The overlay's function of a name that a program calls, or null; looked up once, since every
/// process calls the same ones.
void* own_function(const char* name) {
  static std::unordered_map<std::string, void*> functions;
  const auto [known, is_new] = functions.try_emplace(name);
  if (is_new) known->second = find_own_function(name);
  return known->second;
}

void write_entry(void** entry, void* function) {
  if (*entry != function && open_for_writing(entry, sizeof *entry)) *entry = function;
}

void lead_entries(void* program, const link_map& object, const DynamicPart& part,
                  const ElfW(Rela) * entries, std::size_t size) {
  for (std::size_t i = 0; entries != nullptr && i < size / sizeof *entries; ++i) {
    if (!is_function_address(ELF64_R_TYPE(entries[i].r_info)) || entries[i].r_addend != 0) continue;
    const ElfW(Sym)& symbol = part.symbols[ELF64_R_SYM(entries[i].r_info)];
    if (symbol.st_shndx != SHN_UNDEF) continue;  // the object has this function itself
    const char* const name = part.names + symbol.st_name;
    void* const wrapper = wrapper_of(program, name);
    if (void* const function = wrapper != nullptr ? wrapper : own_function(name))
      write_entry(reinterpret_cast<void**>(object.l_addr + entries[i].r_offset), function);
  }
}

std::string_view file_name(const link_map& object) {
  const std::string_view path = object.l_name == nullptr ? "" : object.l_name;
  return path.substr(path.rfind('/') + 1);
}

/// Whether it is SimGrid, which calls SMPI's functions, or has no calls of MPI.
bool is_left_alone(const link_map& object) {
  const std::string_view name = file_name(object);
  return name.empty() || name.starts_with("libsimgrid") || name.starts_with("libvtopo_") ||
         name.starts_with("libc.so") || name.starts_with("ld-linux") ||
         name.starts_with("linux-vdso");
}

void lead_calls_of(void* program, const link_map& object) {
  const DynamicPart part = dynamic_part(object);
  if (part.symbols == nullptr || part.names == nullptr) return;
  lead_entries(program, object, part, part.calls, part.calls_size);
  lead_entries(program, object, part, part.others, part.others_size);
}

/// The library of Fortran comes with SimGrid, before any program.
void lead_fortran_library(void* program, const link_map* last) {
  static bool done = false;
  if (std::exchange(done, true)) return;
  for (const link_map* object = last; object != nullptr; object = object->l_prev)
    if (file_name(*object).starts_with("libgfortran")) lead_calls_of(program, *object);
}

/// Leads the calls of MPI in a program that was just opened, and in the libraries that were opened
/// with it, to the overlay: SMPI opens programs so that they find SMPI's functions first. Nothing
/// else changes: functions and variables of the program, and functions of MPI that it defines
/// itself, stay as they are under plain SMPI. Calls of `PMPI_` names of functions of which SMPI has
/// none or wrong ones (those of topologies) are led here too.
/// @param handle of `dlopen`.
void lead_calls_here(void* handle) {
  link_map* object = nullptr;
  if (handle == nullptr || dlinfo(handle, RTLD_DI_LINKMAP, &object) != 0) return;
  note_opened(handle);
  note_program(handle, *object);
  lead_fortran_library(handle, object);
  // The program is followed by the libraries that were opened with it.
  for (; object != nullptr; object = object->l_next)
    if (!is_left_alone(*object)) lead_calls_of(handle, *object);
}

/// Who asks for the run's file gave the simulation to this process' parent alone.
__attribute__((constructor)) void end_with_parent() {
  if (!environment("VTOPO_RUN").empty()) prctl(PR_SET_PDEATHSIG, SIGKILL);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void* dlopen(const char* file,
                                                               int mode) noexcept {
  using Open = void* (*)(const char*, int);
  static const auto next = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "dlopen"));
  void* const handle = next(file, mode);
  if ((mode & RTLD_DEEPBIND) != 0) lead_calls_here(handle);
  return handle;
}
