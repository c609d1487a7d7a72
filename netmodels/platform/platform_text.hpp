#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "netmodels/platform/platform_file.hpp"

namespace vtopo::detail {

/// What of a platform file changes neither routes nor what a phase that starts at once finds, and
/// is kept from SimGrid, since it would open or create files: profiles of hosts and links over
/// time, traces, settings of the simulator. A sentence that names it, empty if there is none.
/// Internal to this room.
std::string ignored_in_words(const PlatformFile& file);

/// The file without it, a cluster that is the whole platform in a zone: all that SimGrid gets to
/// see. The bytes of the file if nothing changes, unless most of them are blanks and comments.
std::string text_for_simgrid(const PlatformFile& file);

/// What SimGrid is to load, and what it does not say of it.
struct PlatformText {
  std::string path;                        ///< for errors
  std::string text;                        ///< what was checked: the file may be another by now
  int num_to_build = 0;                    ///< hosts and routes, about: for the progress
  bool searches_are_cached = false;        ///< zones keep what they have searched
  bool has_bypass = false;                 ///< there are bypass routes
  std::vector<std::string> unplaced = {};  ///< hosts of Vivaldi zones without coordinates
  std::map<std::string, BytesPerSecond> wireless = {};  ///< what a station nearby gets
};

PlatformText make_platform_text(const PlatformFile& file);

/// Takes the declared routes over some links (SimGrid's names, `cable_UP`) out of the file's
/// document, so that SimGrid finds others; a route both ways of which one is left becomes that one.
/// False if that is not enough: a link lies on a route of a zone that does not search.
bool remove_routes(PlatformFile& file, const std::set<std::string>& links);

/// The document as a platform file.
std::string text_of(const pugi::xml_document& document);

}  // namespace vtopo::detail
