#include "sim/mapping/scotch/scotch_errors.hpp"

#include <scotch.h>

#include <cstdarg>
#include <cstdio>
#include <string>
#include <utility>

#include "topology/base/error.hpp"

namespace {

thread_local std::string last_error;

}  // namespace

// Scotch calls these three where something goes wrong, and lets programs have their own: its own
// print, or end the program.
extern "C" void SCOTCH_errorProg(const char* const /*program*/) {}

extern "C" void SCOTCH_errorPrint(const char* const format, ...) {
  char text[256] = "";
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  last_error = text;
}

extern "C" void SCOTCH_errorPrintW(const char* const /*format*/, ...) {}

namespace vtopo::detail {

void check_scotch(int code, std::string_view what) {
  const std::string said = std::exchange(last_error, {});
  if (code == 0) return;
  throw UsageError(fmt::format("Scotch cannot {}: {}", what,
                               said.empty() ? fmt::format("it returns {}", code) : said));
}

}  // namespace vtopo::detail
