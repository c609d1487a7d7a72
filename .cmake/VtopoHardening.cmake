# Debian's hardening of command and libraries: stack protectors and checked copies in release builds, positions that
# are not known in advance, and tables of addresses that cannot be written once a program runs.
option(VTOPO_HARDENING "Harden command and libraries as Debian does" ${PROJECT_IS_TOP_LEVEL})
if(VTOPO_HARDENING)
  include(CheckPIESupported)
  check_pie_supported()
  add_compile_options("$<$<CONFIG:Release>:-fstack-protector-strong>")
  add_compile_definitions("$<$<CONFIG:Release>:_FORTIFY_SOURCE=2>")
  add_link_options(-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
endif()
