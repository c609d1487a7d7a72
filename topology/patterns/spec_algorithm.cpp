#include "topology/patterns/spec_algorithm.hpp"

#include <cmath>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"
#include "topology/patterns/library_rules.hpp"

namespace vtopo::detail {

namespace {

/// Text of an option; empty: not given.
std::string_view option(const PatternSpec& spec, std::string_view key) {
  const auto at = spec.options.find(key);
  return at == spec.options.end() ? std::string_view() : std::string_view(at->second);
}

std::int64_t number_option(const PatternSpec& spec, std::string_view key, std::int64_t usual) {
  return parse_integer(option(spec, key)).value_or(usual);
}

/// Segments of `segment=SIZE`.
/// @param message that is cut.
std::int64_t segments_of_size(std::string_view size, Bytes message) {
  const double segments = std::ceil(message.value / parse_bytes(size).value);
  if (segments > static_cast<double>(max_segments))
    throw UsageError(fmt::format("segment={} cuts {} into {:.3g} pieces: at most {:.3g}", size,
                                 format_bytes(message), segments,
                                 static_cast<double>(max_segments)));
  return std::max<std::int64_t>(static_cast<std::int64_t>(segments), 1);
}

}  // namespace

bool is_automatic(const PatternSpec& spec) {
  return option(spec, "algorithm") == "auto";
}

const CollectiveAlgorithm* algorithm_of(const PatternSpec& spec) {
  const std::string_view name = option(spec, "algorithm");
  for (const CollectiveAlgorithm& algorithm : collective_algorithms())
    if (algorithm.collective == spec.name && (name.empty() || name == algorithm.name))
      return &algorithm;
  return nullptr;
}

PatternSpec with_algorithm(const PatternSpec& spec, int ranks, Bytes volume) {
  if (!is_automatic(spec) || ranks == 1) return spec;
  const std::string library(option(spec, "library"));
  const LibraryAlgorithm* row =
      find_library_algorithm(library, spec.name, library_choice(library, spec.name, ranks, volume));
  PatternSpec result = spec;
  result.options.erase("library");
  for (const std::string_view word : split(row->options, ',')) {
    const auto equals = word.find('=');
    result.options.insert_or_assign(std::string(word.substr(0, equals)),
                                    std::string(word.substr(equals + 1)));
  }
  return result;
}

CommunicationSteps collective_steps(const PatternSpec& spec, int ranks, Bytes volume) {
  if (ranks == 1) return {};
  const CollectiveAlgorithm& algorithm = *algorithm_of(spec);
  CollectiveOptions options;
  options.root = static_cast<int>(number_option(spec, "root", 0));
  options.segments = number_option(spec, "segments", 1);
  options.radix = static_cast<int>(number_option(spec, "radix", 0));
  options.window = static_cast<int>(number_option(spec, "window", 0));
  options.order = option(spec, "order");
  if (const auto children = option(spec, "children"); !children.empty())
    options.together = children == "together";
  CommunicationSteps whole = make_steps(algorithm, ranks, options);
  const std::string_view segment = option(spec, "segment");
  if (segment.empty()) return whole;
  options.segments = segments_of_size(segment, volume * whole.slot_share);
  return make_steps(algorithm, ranks, options);
}

}  // namespace vtopo::detail
