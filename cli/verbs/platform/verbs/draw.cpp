#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "cli/command/scenario_verb.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "cli/verbs/platform/platform_description.hpp"
#include "sim/draw/network/picture.hpp"
#include "sim/draw/page/page.hpp"
#include "sim/run/load_network.hpp"
#include "sim/scenario/scenario.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::verbs {

namespace {

struct DrawOptions {
  std::string file;
  Scenario network;
  std::string format;  ///< empty: by the extension of `output`
  std::string output = "-";
};

constexpr const char* draw_examples =
    "Examples:\n"
    "  vtopo platform draw --network torus:8x8x4 -o torus.svg\n"
    "  vtopo platform draw platforms/theta.xml -o theta.svg\n"
    "  vtopo platform draw --platform examples/machines/topology.conf -o machine.dot\n"
    "  vtopo platform draw --platform platforms/two-rooms.xml --format dot | neato -Tsvg";

/// `svg` or `dot`; a file without extension is a picture.
std::string chosen_format(const DrawOptions& options) {
  const std::array<std::string, 2> formats{"svg", "dot"};
  if (options.format.empty()) {
    const std::string extension = std::filesystem::path(options.output).extension().string();
    if (extension.empty()) return formats[0];
    for (const auto& format : formats)
      if (extension == '.' + format) return format;
    throw UsageError(fmt::format(
        "output file \"{}\" has the unknown extension \"{}\"; accepted: .svg, .dot, or --format",
        options.output, extension));
  }
  for (const auto& format : formats)
    if (options.format == format) return format;
  throw UsageError(fmt::format("format \"{}\"; accepted: {}{}", options.format, join(formats, ", "),
                               suggestion(options.format, formats)));
}

int run_draw(const DrawOptions& options) {
  const std::string format = chosen_format(options);
  if (options.output == "-" && options.format.empty() && isatty(STDOUT_FILENO) == 1)
    throw UsageError(
        "a picture is not for a terminal: give -o FILE.svg or FILE.dot, or --format svg to see its "
        "text");
  check_not_input({options.output}, {options.file, options.network.platform});
  check_output(options.output);
  Scenario scenario = options.network;
  use_plain_file(scenario, options.file);
  const LoadedNetwork loaded = load_network(scenario, console());
  const Network& network = *loaded.network;
  const std::size_t edits = std::min(loaded.text.find(", "), loaded.text.size());
  const std::string title = title_words(loaded.text) + loaded.text.substr(edits);
  write_output(options.output,
               format == "dot" ? to_dot(network) : to_svg(lay_out(network), network, title));
  return 0;
}

}  // namespace

Verb platform_draw() {
  auto options = std::make_shared<DrawOptions>();
  Verb draw{"draw",
            "a picture: planes of a torus, levels of a fat tree, groups of a dragonfly; any "
            "small network as DOT"};
  draw.examples = draw_examples;
  draw.add("MACHINE", &options->file, plain_file_help);
  add_network_options(draw, options->network);
  add_platform_limit_options(draw, options->network.limits);
  draw.group("Output");
  draw.add("--format", &options->format, "svg or dot (default: by extension)");
  draw.add("-o,--output", &options->output, "file (.svg, .dot), or - for stdout");
  draw.run = [options](const Invocation&) { return run_draw(*options); };
  return draw;
}

}  // namespace vtopo::detail::verbs
