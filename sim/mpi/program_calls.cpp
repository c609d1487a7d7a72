// Where a shared object calls functions of others, the linker leaves entries of a table with their
// names. Those with names of MPI are pointed here.

#include "sim/mpi/program_calls.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace vtopo::detail::overlay {

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
    switch (entry->d_tag) {
      case DT_SYMTAB:
        part.symbols = address<ElfW(Sym)>(*entry);
        break;
      case DT_STRTAB:
        part.names = address<char>(*entry);
        break;
      case DT_JMPREL:
        part.calls = address<ElfW(Rela)>(*entry);
        break;
      case DT_PLTRELSZ:
        part.calls_size = entry->d_un.d_val;
        break;
      case DT_RELA:
        part.others = address<ElfW(Rela)>(*entry);
        break;
      case DT_RELASZ:
        part.others_size = entry->d_un.d_val;
        break;
      default:
        break;
    }
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

bool is_of_topologies(std::string_view name) {
  for (const std::string_view beginning : {"MPI_Cart", "MPI_Graph", "MPI_Dist_graph", "MPI_Topo",
                                           "MPI_Dims", "MPI_Neighbor", "MPI_Ineighbor"})
    if (name.starts_with(beginning)) return true;
  return false;
}

Dl_info here() {
  Dl_info info{};
  dladdr(reinterpret_cast<void*>(&lead_calls_here), &info);
  return info;
}

/// The overlay's function of a name that a program calls, or null.
void* own_function(const char* name) {
  static void* const self = dlopen(here().dli_fname, RTLD_NOLOAD | RTLD_LAZY);
  const std::string_view text = name;
  const bool profiled = text.starts_with("PMPI_") && is_of_topologies(text.substr(1));
  if (self == nullptr || !(profiled || text.starts_with("MPI_") || text.starts_with("mpi_")))
    return nullptr;
  void* const found = dlsym(self, profiled ? name + 1 : name);
  Dl_info info{};
  if (found == nullptr || dladdr(found, &info) == 0) return nullptr;
  return info.dli_fbase == here().dli_fbase ? found : nullptr;
}

void write_entry(void** entry, void* function) {
  if (*entry == function) return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  void* const start =
      reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(entry) & ~(page - 1));
  // The table may have been closed for writing after it was filled; it stays open.
  if (mprotect(start, page, PROT_READ | PROT_WRITE) == 0) *entry = function;
}

void lead_entries(const link_map& object, const DynamicPart& part, const ElfW(Rela) * entries,
                  std::size_t size) {
  for (std::size_t i = 0; entries != nullptr && i < size / sizeof *entries; ++i) {
    if (!is_function_address(ELF64_R_TYPE(entries[i].r_info)) || entries[i].r_addend != 0) continue;
    const ElfW(Sym)& symbol = part.symbols[ELF64_R_SYM(entries[i].r_info)];
    if (symbol.st_shndx != SHN_UNDEF) continue;  // the object has this function itself
    if (void* const function = own_function(part.names + symbol.st_name))
      write_entry(reinterpret_cast<void**>(object.l_addr + entries[i].r_offset), function);
  }
}

/// Whether it is SimGrid, which calls SMPI's functions, or has no calls of MPI.
bool is_left_alone(const link_map& object) {
  const std::string_view path = object.l_name == nullptr ? "" : object.l_name;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.empty() || name.starts_with("libsimgrid") || name.starts_with("libvtopo_") ||
         name.starts_with("libc.so") || name.starts_with("ld-linux") ||
         name.starts_with("linux-vdso");
}

}  // namespace

void lead_calls_here(void* handle) {
  link_map* object = nullptr;
  if (handle == nullptr || dlinfo(handle, RTLD_DI_LINKMAP, &object) != 0) return;
  // The program is followed by the libraries that were opened with it.
  for (; object != nullptr; object = object->l_next) {
    if (is_left_alone(*object)) continue;
    const DynamicPart part = dynamic_part(*object);
    if (part.symbols == nullptr || part.names == nullptr) continue;
    lead_entries(*object, part, part.calls, part.calls_size);
    lead_entries(*object, part, part.others, part.others_size);
  }
}

}  // namespace vtopo::detail::overlay
