#include "netmodels/platform/lint/renamed.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "netmodels/platform/lint/checks.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::lint {

namespace {

/// Names of older DTDs, and names of one element used on another.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> other_names{
    {{"power", "speed"},
     {"bandwidth", "bw"},
     {"bw", "bandwidth"},
     {"latency", "lat"},
     {"lat", "latency"},
     {"cpu", "host"},
     {"name", "id"},
     {"network_link", "link"},
     {"route_element", "link_ctn"},
     {"link:ctn", "link_ctn"},
     {"trace:connect", "trace_connect"},
     {"cores", "core"},
     {"full_duplex", "SPLITDUPLEX"},
     {"duplex", "SPLITDUPLEX"}}};

}  // namespace

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

std::string known_name(std::string_view name, std::span<const std::string> known) {
  if (name.size() <= 64)
    for (const auto& candidate : known)
      if (lower(candidate) == lower(name)) return candidate;
  for (const auto& [old_name, new_name] : other_names)
    if (lower(name) == old_name && std::find(known.begin(), known.end(), new_name) != known.end())
      return std::string(new_name);
  if (const auto close = nearest(name, known)) return *close;
  return known.empty() ? "nothing" : "one of " + join(known, ", ");
}

}  // namespace vtopo::detail::lint
