#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace vtopo::detail {

/// Help of a verb with its footer, the examples, in front of the options; descriptions are broken
/// so that lines have at most 100 columns, and defaults that say nothing are left out.
class ExamplesFirst : public CLI::Formatter {
 public:
  /// @param rest `Verb::rest`.
  explicit ExamplesFirst(std::string rest) : rest_(std::move(rest)) {}

  std::string make_help(const CLI::App* verb, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_usage(const CLI::App* verb, std::string name) const override;
  std::string make_description(const CLI::App* verb) const override;
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* verb) const override;
  std::string make_footer(const CLI::App*) const override { return {}; }

 private:
  std::string rest_;
};

}  // namespace vtopo::detail
