#include "netmodels/routing.hpp"

#include <array>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/named_entries.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr std::array<std::pair<std::string_view, Routing>, 8> rules{
    {{"simgrid", Routing::simgrid},
     {"positive", Routing::positive},
     {"split", Routing::split},
     {"ecmp", Routing::ecmp},
     {"valiant", Routing::valiant},
     {"adaptive", Routing::adaptive},
     {"ideal", Routing::ideal},
     {"auto", Routing::automatic}}};

}  // namespace

Routing parse_routing(std::string_view name) {
  return entry_named("routing", name, rules).second;
}

std::vector<Routing> all_routings() {
  std::vector<Routing> all;
  all.reserve(rules.size());
  for (const auto& [name, rule] : rules) all.push_back(rule);
  return all;
}

bool depends_on_traffic(Routing routing) {
  return routing == Routing::adaptive || routing == Routing::ideal;
}

std::string to_string(Routing routing) {
  return name_of(rules, routing);
}

}  // namespace vtopo
