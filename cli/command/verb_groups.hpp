#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/command/verb.hpp"

namespace vtopo::detail {

/// Help of the command: its verbs under headings, a line each.
class VerbsByGroup : public CLI::Formatter {
 public:
  /// @param command must outlive the formatter.
  explicit VerbsByGroup(const Verb& command) : command_(&command) {}

  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override;

 private:
  const Verb* command_;
};

}  // namespace vtopo::detail
