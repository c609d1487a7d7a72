#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace vtopo {

/// Help of a verb with its examples (the footer) right behind the first line.
class ExamplesFirst : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override {
    return CLI::Formatter::make_description(app) + "\n" + app->get_footer() + "\n\n";
  }
  std::string make_footer(const CLI::App*) const override { return {}; }
};

}  // namespace vtopo
