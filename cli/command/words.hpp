#pragma once

#include <string>
#include <vector>

#include "cli/command/verb.hpp"

namespace vtopo::detail {

/// Which help the words ask for.
enum class AskedHelp { none, common, all };

/// Words behind a verb as its parser takes them: each option as `--name=value`, APPLICATION and
/// MACHINE as the options that they mean.
struct CanonicalWords {
  std::vector<std::string> words;
  AskedHelp help = AskedHelp::none;
};

/// @throws UsageError for unknown options, missing values, options and arguments that are given too
/// often, and for arguments that are neither application nor machine.
CanonicalWords canonical_words(const Verb& verb, const std::vector<std::string>& words);

/// Adds the arguments APPLICATION and MACHINE, behind the options that they stand for.
void add_plain_arguments(Verb& verb);

/// The topologies that there are, as they are written.
std::string topology_forms();

/// The option of a machine, such as `--platform=lumi`: a specification, a name or a file.
std::string machine_option(const std::string& word);

/// Sentence on a required argument, option or subcommand that is not there; empty: all are.
std::string missing_part(const Verb& verb, const std::vector<std::string>& words);

/// `vtopo compare`.
std::string full_name(const Verb& verb);

}  // namespace vtopo::detail
