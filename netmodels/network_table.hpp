#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "netmodels/network.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

/// A specification `kind:parameters,key=value,...` in its parts, with the words that errors quote.
struct SpecText {
  /// Takes a specification apart without reading its numbers. The text must outlive it.
  explicit SpecText(std::string_view text);

  /// @throws UsageError with the whole specification in front.
  [[noreturn]] void fail(std::string_view what) const;

  /// Integer from 1 to 2^31-1; `what` names it in errors.
  int positive(std::string_view what, std::string_view text) const;
  /// The same, separated by commas.
  std::vector<int> positives(std::string_view what, std::string_view list) const;

  std::string_view whole;                    ///< as given
  std::string_view kind;                     ///< before the first colon: `torus`
  std::string_view parameters;               ///< without the keys
  std::vector<std::string_view> extensions;  ///< `key=value`
};

/// A key that specifications of a network accept after the parameters: `,name=value`.
struct NetworkKey {
  std::string name;                       ///< in front of the `=`
  std::string values;                     ///< what is accepted: `>= 1, default 1`
  std::string meaning;                    ///< half a sentence
  std::vector<std::string> choices = {};  ///< all values, if they are a few words
};

/// The extensions of a specification, each key at most once. The specification and the accepted
/// keys must outlive it.
class SpecKeys {
 public:
  /// @throws UsageError for what is not `key=value`, for a key that is not accepted or comes twice.
  SpecKeys(const SpecText& spec, std::span<const NetworkKey> accepted);

  /// Value of a key; nothing where it is not given.
  std::optional<std::string_view> find(std::string_view key) const;

  /// Integer >= 1, or 1 where the key is not given.
  int positive_or_one(std::string_view key) const;

  /// Integers >= 1 for `classes` things, one for all or one each; none where the key is not given.
  /// `what` names the things in errors.
  std::vector<int> positives(std::string_view key, std::size_t classes,
                             std::string_view what) const;

  /// Position of the value among the choices of a key; nothing where the key is not given.
  std::optional<std::size_t> choice(std::string_view key) const;

  /// Rates of `classes` links, all alike or one value per class: keys prefix + `bandwidth` and
  /// `latency`; `what` names the classes in errors.
  std::vector<LinkRates> rates(std::string_view prefix, std::size_t classes,
                               std::string_view what) const;

  /// Numbers such as `2` or `22:18` (their quotient), all > 0; `what` names what has `most` of
  /// them.
  std::vector<double> ratios(std::string_view key, std::size_t most, std::string_view what) const;

 private:
  std::vector<std::string_view> one_or_each(std::string_view key, std::size_t classes,
                                            std::string_view what) const;

  const SpecText& spec_;
  std::span<const NetworkKey> accepted_;
  std::vector<std::pair<std::string_view, std::string_view>> values_;
};

/// A network that specifications name. `netmodels/models/<name>/info.cpp` defines those of its
/// folder, as `std::vector<NetworkInfo> vtopo::detail::networks::<name>()`.
struct NetworkInfo {
  std::string name;    ///< specifications start with it: `fat-tree`
  std::string syntax;  ///< of its parameters: `LEVELS;CHILDREN,...;PARENTS,...;CABLES,...`
  std::vector<NetworkKey> keys;  ///< accepted after the parameters, those of all networks last
  std::string example;           ///< a whole specification
  std::string source;            ///< paper
  /// Network of a specification with this name.
  /// @throws UsageError that names the value, the specification and what is accepted.
  std::shared_ptr<const Network> (*make)(const SpecText& spec, const NetworkDefaults& defaults,
                                         const RoutingOptions& routing);
  /// Whether it decides by itself what `Routing::automatic` is; on others that is `simgrid`.
  bool has_ties = false;
  /// Topology of SimGrid's `<cluster>` whose `topo_parameters` are parameters of this network
  /// (`TORUS`); empty: there is none.
  std::string from_cluster = {};
};

/// All networks, sorted by name.
const std::vector<NetworkInfo>& all_networks();

/// Their names.
std::vector<std::string> network_names();

/// Specification of a cluster of SimGrid; empty if no network has this topology.
/// @param parameters `topo_parameters` without blanks.
std::string spec_of_cluster(std::string_view topology, std::string_view parameters);

/// The networks of each folder of `netmodels/models`; generated from the folders.
std::vector<std::vector<NetworkInfo>> network_families();

/// Those of `netmodels/more_models`, which only the library vtopo::networks knows.
struct NetworkLibrary {
  std::vector<std::vector<NetworkInfo>> (*families)() = nullptr;
};

/// Defined by that library alone, before any code runs; without it there is no such object.
extern "C" [[gnu::weak]] const NetworkLibrary vtopo_more_networks;

/// Routing `valiant` of a network that has no detours worth taking, or of which none are known:
/// `adaptive` then chooses among its shortest routes.
class NoDetours : public UsageError {
 public:
  using UsageError::UsageError;
};

}  // namespace vtopo::detail
