#pragma once

#include <CLI/CLI.hpp>

namespace vtopo {

/// Help of the command: its verbs under headings, a line each; one without a heading comes last.
class VerbsByGroup : public CLI::Formatter {
 public:
  std::string make_subcommands(const CLI::App* command, CLI::AppFormatMode mode) const override;
};

}  // namespace vtopo
