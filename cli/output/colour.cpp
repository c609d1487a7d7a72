#include "cli/output/colour.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace vtopo::detail {

namespace {

bool is_dumb(const char* term) {
  return term == nullptr || std::string_view(term) == "dumb";
}

}  // namespace

bool may_colour(bool terminal, const char* no_color, const char* term) {
  const bool refused = no_color != nullptr && *no_color != '\0';
  return terminal && !refused && !is_dumb(term);
}

bool stdout_may_have_colour() {
  return may_colour(isatty(STDOUT_FILENO) == 1, std::getenv("NO_COLOR"), std::getenv("TERM"));
}

bool is_capable_terminal(int descriptor) {
  return isatty(descriptor) == 1 && !is_dumb(std::getenv("TERM"));
}

}  // namespace vtopo::detail
