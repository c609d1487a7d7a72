#include "netmodels/edits/failed_parts.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

EditedClasses edited_classes(const Network& network, const FailedParts& failed,
                             std::span<const double> factors) {
  using Key = std::tuple<int, bool, double>;  // kind, failed, factor
  EditedClasses result;
  const auto kinds = network.link_classes();
  std::map<Key, int> known;
  for (int l = 0; l < network.num_links(); ++l) {
    const LinkId link{l};
    const double factor = factors.empty() ? 1 : factors[index(link)];
    const Key key{network.link_class(link), failed.has(link), factor};
    const auto [place, is_new] = known.emplace(key, int_size(result.classes));
    if (is_new) {
      LinkClass kind = kinds.at(index(network.link_class(link)));
      kind.links = 0;
      kind.bandwidth = kind.bandwidth * factor;
      if (factor != 1) kind.name += fmt::format(", bandwidth times {:.3g}", factor);
      if (failed.has(link)) kind.name += ", failed";
      result.classes.push_back(kind);
    }
    result.class_of.push_back(place->second);
    ++result.classes[index(place->second)].links;
  }
  return result;
}

}  // namespace vtopo::detail
