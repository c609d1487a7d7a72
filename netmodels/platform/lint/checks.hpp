#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>

#include "netmodels/platform/lint/lint.hpp"
#include "netmodels/platform/platform_file.hpp"

namespace vtopo::detail::lint {

/// Part of a sentence in quotes, shortened to what a line can bear.
std::string in_quotes(std::string_view text);

/// `text` shortened to about 80 bytes, whole UTF-8 characters kept.
std::string shortened(std::string_view text);

/// The file under inspection and what has been found in it.
class Findings {
 public:
  Findings(const PlatformFile& file, LintReport& report) : file_(file), report_(report) {}

  const PlatformFile& file() const { return file_; }

  /// A finding at an element.
  void add(std::string_view rule, pugi::xml_node element, std::string_view value,
           std::string sentence, std::string instead);

  /// A finding at an attribute of an element; its value is quoted.
  void add(std::string_view rule, pugi::xml_node element, pugi::xml_attribute attribute,
           std::string sentence, std::string instead);

  /// A finding at a byte of the text.
  void add_at(std::string_view rule, std::size_t offset, std::string_view value,
              std::string sentence, std::string instead);

  /// Remembers that there is an error at the element, if the rule is one.
  void mark(std::string_view rule, pugi::xml_node element);

  /// Whether an error has been found at the element or one of its attributes.
  bool has_error(pugi::xml_node element) const {
    return with_error_.contains(element.offset_debug());
  }

 private:
  const PlatformFile& file_;
  LintReport& report_;
  std::unordered_set<std::ptrdiff_t> with_error_;
};

/// Adds a finding to a report unless it has too many.
void add_finding(LintReport& report, std::string_view rule, FilePosition position,
                 std::string_view value, std::string sentence, std::string instead);

/// Deepest elements below `<platform>` that are inspected.
constexpr int deepest_nesting = 64;

/// `<platform>`, its version and zones, of a file that has an element. Null: a finding says that
/// the file is not a platform.
pugi::xml_node check_root(Findings& findings);

/// Names, places and attributes of all elements against the DTD, values that are one of a list.
void check_structure(Findings& findings, pugi::xml_node platform);

/// Attributes that SimGrid or vtopo refuse, open files for, or only take with a warning.
void check_element_kind(Findings& findings, pugi::xml_node element);

/// Bandwidths, latencies, speeds, cores and coordinates of an element.
void check_quantities(Findings& findings, pugi::xml_node element);

/// Parameters of a `<cluster>` or `<cabinet>`.
void check_cluster_parameters(Findings& findings, pugi::xml_node cluster);

/// Names and routes: duplicates, unknown names, zones without route between two of their hosts.
void check_routes(Findings& findings, pugi::xml_node platform);

/// Checks of `load_platform` that found something where no other rule did.
void check_as_loader(Findings& findings, pugi::xml_node platform);

/// Whether a `<link>` is the medium of a Wifi zone: its stations use it without routes, and it has
/// a bandwidth for each distance. Elsewhere SimGrid makes a link with WIFI a common one.
bool is_air(pugi::xml_node link);

/// Value of an attribute as a word in lower case.
std::string lower(std::string_view text);

}  // namespace vtopo::detail::lint
