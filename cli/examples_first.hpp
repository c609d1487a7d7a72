#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace vtopo {

/// Help of a verb with its footer, the examples, in front of the options.
class ExamplesFirst : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* verb) const override {
    const std::string examples = verb->get_footer();
    const std::string description = CLI::Formatter::make_description(verb);
    return examples.empty() ? description : description + '\n' + examples + "\n\n";
  }
  std::string make_footer(const CLI::App*) const override { return {}; }
};

}  // namespace vtopo
