#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "cli/command/verb.hpp"
#include "cli/command/words.hpp"
#include "cli/output/output.hpp"
#include "cli/verbs/topology/topology_inquiry.hpp"
#include "sim/draw/markup.hpp"
#include "sim/draw/topology_picture.hpp"
#include "sim/report/text_columns.hpp"
#include "sim/scenario/auto_grid.hpp"
#include "topology/base/append_format.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/guests/guest_topology.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo::detail::verbs {

namespace {

constexpr std::size_t label_width = 30;

std::string rank_text(std::optional<Rank> rank) {
  return rank ? std::to_string(number(*rank)) : "-";
}

/// One answer per line: the call, then what it returns.
std::string line(const std::string& call, const std::string& result) {
  if (result.empty()) return call + '\n';
  return key_line(call, label_width, result, text_style().width);
}

template <class List, class TextOf>
std::string joined(const List& list, TextOf text_of, std::string_view separator = " ") {
  std::string text;
  for (const auto& entry : list) {
    if (!text.empty()) text += separator;
    text += text_of(entry);
  }
  return text;
}

std::string numbers(const std::vector<int>& values, std::string_view separator = " ") {
  return joined(
      values, [](int value) { return std::to_string(value); }, separator);
}

/// A grid as specifications write it: `cart:4px4`; of zero dimensions: `one rank`.
std::string grid_text(const std::vector<Dimension>& dimensions) {
  if (dimensions.empty()) return "a grid of zero dimensions";
  return "cart:" + joined(
                       dimensions,
                       [](const Dimension& dimension) {
                         return std::to_string(dimension.size) + (dimension.periodic() ? "p" : "");
                       },
                       "x");
}

/// Axes of a parallel program in the order of the dimensions, the last one varies fastest.
std::vector<ParallelAxis> axes_of(const TopologyAnswers& answers) {
  const auto program = parse_parallel_program(answers.specification);
  if (!program) return {};
  return {program->axes.rbegin(), program->axes.rend()};
}

std::string description(const TopologyAnswers& answers) {
  std::string text = line("topo_test", std::string(mpi_name(answers.kind))) +
                     line("comm_size", std::to_string(answers.num_ranks));
  if (answers.kind == TopologyKind::cart) {
    text += line("cartdim_get", std::to_string(answers.dimensions.size()));
    text += line("cart_get dims", joined(answers.dimensions, [](const Dimension& dimension) {
                   return std::to_string(dimension.size);
                 }));
    if (const auto axes = axes_of(answers); !axes.empty())
      text += line("axes", joined(axes, [](const ParallelAxis& axis) { return axis.name; }));
    text += line("cart_get periods", joined(answers.dimensions, [](const Dimension& dimension) {
                   return std::string(dimension.periodic() ? "1" : "0");
                 }));
  }
  if (answers.graphdims)
    text += line("graphdims_get",
                 fmt::format("{} {}", answers.graphdims->num_ranks, answers.graphdims->num_edges));
  return text;
}

std::string shift_text(const ShiftAnswer& shift) {
  std::string text = fmt::format("cart_shift {},{}\n{:>12}{:>12}{:>12}\n", shift.direction,
                                 shift.disp, "rank", "source", "dest");
  for (const auto& [rank, ranks] : shift.ranks)
    append_format(text, "{:>12}{:>12}{:>12}\n", number(rank), rank_text(ranks.source),
                  rank_text(ranks.destination));
  return text;
}

std::string weights_text(const Weights& weights) {
  return joined(*weights, [](double weight) { return fmt::format("{}", weight); });
}

std::string dist_neighbors_text(const NeighborsAnswer& answer) {
  const int rank = number(answer.rank);
  const auto& [sources, destinations] = answer.neighbourhood;
  std::string text = line(
      fmt::format("dist_graph_neighbors_count {}", rank),
      fmt::format("{} {} {}", sources.size(), destinations.size(), answer.source_weights ? 1 : 0));
  text += line(fmt::format("sources {}", rank), joined(sources, rank_text));
  if (answer.source_weights)
    text += line(fmt::format("sourceweights {}", rank), weights_text(answer.source_weights));
  text += line(fmt::format("destinations {}", rank), joined(destinations, rank_text));
  if (answer.destination_weights)
    text += line(fmt::format("destweights {}", rank), weights_text(answer.destination_weights));
  return text;
}

std::string neighbors_text(const NeighborsAnswer& answer, TopologyKind kind) {
  if (kind == TopologyKind::dist_graph) return dist_neighbors_text(answer);
  const auto& neighbours = answer.neighbourhood.destinations;
  const std::string list = joined(neighbours, rank_text);
  const int rank = number(answer.rank);
  if (kind == TopologyKind::cart) return line(fmt::format("neighbors {}", rank), list);
  return line(fmt::format("graph_neighbors_count {}", rank), std::to_string(neighbours.size())) +
         line(fmt::format("graph_neighbors {}", rank), list);
}

std::string sub_text(const SubAnswer& sub) {
  const std::vector<int> remain(sub.remain_dims.begin(), sub.remain_dims.end());
  const std::size_t count = sub.communicators.size();
  std::string text =
      line(fmt::format("cart_sub {}", numbers(remain, ",")),
           fmt::format("{}, each {}", counted(count, "communicator"), grid_text(sub.dimensions)));
  for (const auto& ranks : sub.communicators) text += line("", "ranks " + joined(ranks, rank_text));
  return text;
}

bool has_null(const TopologyAnswers& answers) {
  const auto in_neighbours = [](const NeighborsAnswer& answer) {
    const auto& all = answer.neighbourhood.destinations;
    return std::find(all.begin(), all.end(), std::nullopt) != all.end();
  };
  const auto in_shift = [](const ShiftAnswer& shift) {
    return std::any_of(shift.ranks.begin(), shift.ranks.end(), [](const auto& entry) {
      return !entry.second.source || !entry.second.destination;
    });
  };
  return std::any_of(answers.neighbors.begin(), answers.neighbors.end(), in_neighbours) ||
         std::any_of(answers.shift.begin(), answers.shift.end(), in_shift);
}

/// Human-readable answers.
std::string render_text(const TopologyAnswers& answers) {
  std::string text = description(answers);
  for (const auto& [rank, coords] : answers.coords)
    text += line(fmt::format("cart_coords {}", number(rank)), numbers(coords));
  for (const auto& [coords, rank] : answers.rank)
    text += line("cart_rank " + numbers(coords, ","), rank_text(rank));
  for (const auto& shift : answers.shift) text += shift_text(shift);
  for (const auto& neighbors : answers.neighbors) text += neighbors_text(neighbors, answers.kind);
  for (const auto& sub : answers.sub) text += sub_text(sub);
  if (has_null(answers)) text += "- stands for MPI_PROC_NULL\n";
  return text;
}

using Json = nlohmann::ordered_json;

Json rank_value(std::optional<Rank> rank) {
  return rank ? Json(number(*rank)) : Json(nullptr);
}

template <class Ranks>
Json rank_array(const Ranks& ranks) {
  Json array = Json::array();
  for (const std::optional<Rank> rank : ranks) array.push_back(rank_value(rank));
  return array;
}

/// Weights of MPI are integers and stay so; files may have others.
Json weight_array(const std::vector<double>& weights) {
  constexpr double largest = 1e15;  // integers up to here are exact
  Json array = Json::array();
  for (const double weight : weights)
    if (weight <= largest && weight == std::floor(weight))
      array.push_back(static_cast<std::int64_t>(weight));
    else
      array.push_back(weight);
  return array;
}

/// Puts `dims` and `periods` into an object.
void put_grid(Json& object, const std::vector<Dimension>& dimensions) {
  object["dims"] = Json::array();
  object["periods"] = Json::array();
  for (const Dimension& dimension : dimensions) {
    object["dims"].push_back(dimension.size);
    object["periods"].push_back(dimension.periodic());
  }
}

Json shift_object(const ShiftAnswer& shift) {
  Json object{{"direction", shift.direction}, {"disp", shift.disp}, {"ranks", Json::array()}};
  for (const auto& [rank, ranks] : shift.ranks)
    object["ranks"].push_back({{"rank", number(rank)},
                               {"source", rank_value(ranks.source)},
                               {"dest", rank_value(ranks.destination)}});
  return object;
}

Json neighbors_object(const NeighborsAnswer& answer, TopologyKind kind) {
  const auto& [sources, destinations] = answer.neighbourhood;
  Json object{{"rank", number(answer.rank)}};
  if (kind != TopologyKind::dist_graph) {
    object["neighbors"] = rank_array(destinations);
    return object;
  }
  object["indegree"] = sources.size();
  object["outdegree"] = destinations.size();
  object["weighted"] = answer.source_weights.has_value();
  object["sources"] = rank_array(sources);
  if (answer.source_weights) object["sourceweights"] = weight_array(*answer.source_weights);
  object["destinations"] = rank_array(destinations);
  if (answer.destination_weights) object["destweights"] = weight_array(*answer.destination_weights);
  return object;
}

Json sub_object(const SubAnswer& sub) {
  Json object{{"remain_dims", sub.remain_dims}};
  put_grid(object, sub.dimensions);
  object["communicators"] = Json::array();
  for (const auto& ranks : sub.communicators) object["communicators"].push_back(rank_array(ranks));
  return object;
}

void put_description(Json& document, const TopologyAnswers& answers) {
  document["topo_test"] = mpi_name(answers.kind);
  document["comm_size"] = answers.num_ranks;
  if (answers.kind == TopologyKind::cart) put_grid(document, answers.dimensions);
  for (const ParallelAxis& axis : axes_of(answers)) document["axes"].push_back(axis.name);
  if (!answers.graphdims) return;
  document["nnodes"] = answers.graphdims->num_ranks;
  document["nedges"] = answers.graphdims->num_edges;
}

/// Answers as one JSON object, schema `vtopo/topology/v1`; null stands for MPI_PROC_NULL.
std::string render_json(const TopologyAnswers& answers) {
  Json document{{"schema", "vtopo/topology/v1"}, {"topology", answers.specification}};
  put_description(document, answers);
  for (const auto& [rank, coords] : answers.coords)
    document["cart_coords"].push_back({{"rank", number(rank)}, {"coords", coords}});
  for (const auto& [coords, rank] : answers.rank)
    document["cart_rank"].push_back({{"coords", coords}, {"rank", number(rank)}});
  for (const auto& shift : answers.shift) document["cart_shift"].push_back(shift_object(shift));
  for (const auto& answer : answers.neighbors)
    document["neighbors"].push_back(neighbors_object(answer, answers.kind));
  for (const auto& sub : answers.sub) document["cart_sub"].push_back(sub_object(sub));
  // File names may hold any bytes; an answer with U+FFFD in one is better than none.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

struct TopologyOptions {
  TopologyQuestions questions;
  std::string format = "text";
  std::string output = "-";
};

/// Which neighbour the entry of that number is: `-d0`, `+d0`, ... of a grid, else `1st`, ...
std::string neighbour_label(const TopologyAnswers& answers, std::size_t number) {
  if (answers.kind == TopologyKind::cart)
    return fmt::format("{}d{}", number % 2 == 0 ? "\xE2\x88\x92" : "+", number / 2);
  return fmt::format("#{}", number);
}

TopologyPicture picture_of(const TopologyAnswers& answers) {
  TopologyPicture picture;
  picture.title = answers.specification;
  picture.dimensions = answers.dimensions;
  if (const auto stencil = parse_stencil(answers.specification))
    picture.dimensions.assign(stencil->grid.dimensions().begin(), stencil->grid.dimensions().end());
  if (answers.num_ranks <= max_drawn_ranks)
    picture.graph =
        make_comm_graph(parse_guest_topology(answers.specification), std::vector{Bytes{1}});
  else
    picture.graph = CommGraph(answers.num_ranks);
  for (const ShiftAnswer& shift : answers.shift) {
    RankArrows arrows{
        fmt::format("shift along dimension {} by {}", shift.direction, shift.disp), {}, 0};
    for (const auto& [rank, ranks] : shift.ranks)
      if (ranks.destination)
        arrows.pairs.emplace_back(rank, *ranks.destination);
      else
        ++arrows.missing;
    picture.arrows.push_back(std::move(arrows));
  }
  for (const NeighborsAnswer& answer : answers.neighbors) {
    picture.asked.push_back(answer.rank);
    const auto& neighbours = answer.neighbourhood.destinations;
    for (std::size_t i = 0; i < neighbours.size(); ++i)
      if (neighbours[i]) picture.labels.push_back({*neighbours[i], neighbour_label(answers, i)});
  }
  for (const auto& [rank, coords] : answers.coords) picture.asked.push_back(rank);
  for (const RankAnswer& answer : answers.rank) picture.asked.push_back(answer.rank);
  for (const SubAnswer& sub : answers.sub)
    picture.communicators.insert(picture.communicators.end(), sub.communicators.begin(),
                                 sub.communicators.end());
  return picture;
}

/// The answers in the form that the name of the file says: `.txt`, `.json`, `.svg`, `.html`.
std::string text_of(const TopologyAnswers& answers, const TopologyOptions& options) {
  const std::string extension = std::filesystem::path(options.output).extension().string();
  if (extension == ".svg") return svg_file(draw_topology(picture_of(answers)));
  if (extension == ".html" || extension == ".htm")
    return render_topology_page(picture_of(answers), render_text(answers));
  return options.format == "json" || extension == ".json" ? render_json(answers)
                                                          : render_text(answers);
}

void check_file(const std::string& path) {
  static constexpr std::array<std::string_view, 6> accepted{"",     ".txt",  ".json",
                                                            ".svg", ".html", ".htm"};
  const std::string extension = std::filesystem::path(path).extension().string();
  const bool is_file = path != "-";
  if (is_file && (extension.empty() ||
                  std::find(accepted.begin(), accepted.end(), extension) == accepted.end()))
    throw UsageError(
        fmt::format("output file \"{}\" has {}; accepted: .svg, .html, .txt, .json", path,
                    extension.empty() ? "no extension that names a format"
                                      : fmt::format("the unknown extension \"{}\"", extension)));
  check_output(path);
}

constexpr const char* examples =
    "Examples:\n"
    "  vtopo topology 4px4p --coords 5 --shift 0,1 --neighbors 5 --sub 1,0\n"
    "  vtopo topology 4x4p --rank 1,-1              # periodic coordinates wrap\n"
    "  vtopo topology 1000x1000x1000 --shift 2,-1 --of 123456789\n"
    "  vtopo topology 4x8p --shift 1,1 --neighbors 9 -o grid.svg\n"
    "  vtopo topology graph:examples/ring.graph --neighbors 0\n"
    "  vtopo topology dist:examples/pipeline.dist --neighbors 2 --format json";

int run_topology(TopologyOptions options) {
  std::string& spec = options.questions.specification;
  if (is_bare_grid(spec)) spec.insert(0, "cart:");
  check_format(options.format, std::array<std::string, 2>{"text", "json"});
  check_file(options.output);
  try {
    const TopologyAnswers answers = answer(options.questions);
    write_output(options.output, text_of(answers, options));
  } catch (const MpiError& error) {
    throw UsageError(fmt::format("{} ({})", error.what(), name(error.error_class())));
  }
  return 0;
}

void add_options(Verb& verb, TopologyOptions& options) {
  TopologyQuestions& questions = options.questions;
  verb.add("SPEC", &questions.specification, "virtual topology: " + topology_forms())->required();
  verb.group("Questions, each as often as you like");
  const auto add = [&](const char* option, std::vector<std::string>& list, const char* argument,
                       const char* help) -> CLI::Option* {
    return verb.add(option, &list, help)->type_name(argument);
  };
  add("--coords", questions.coords, "R", "cart_coords: coordinates of rank R");
  add("--rank", questions.rank, "C", "cart_rank: rank at coordinates C, such as 1,0")
      ->get_validator(not_empty)
      ->active(false);  // of a grid without dimensions
  add("--shift", questions.shift, "DIM,DISP",
      "cart_shift: source and destination of every rank when all shift by DISP along DIM");
  add("--neighbors", questions.neighbors, "R",
      "neighbours of rank R in the order of neighbourhood collectives; of a grid: per dimension "
      "negative, then positive direction");
  add("--sub", questions.sub, "1,0",
      "cart_sub: subgrids that keep the dimensions with 1 and drop those with 0")
      ->get_validator(not_empty)
      ->active(false);
  add("--of", questions.of, "R", "rank R alone, or R,R,..., in the answers to --shift and --sub");
  verb.group("Options");
  verb.add("--format", &options.format, "text or json");
  verb.add("-o,--output", &options.output,
           "file: .svg or .html draw ranks, arrows of shifts, neighbours and colours of "
           "sub-communicators; .txt, .json; or - for stdout");
}

}  // namespace

Verb topology() {
  auto options = std::make_shared<TopologyOptions>();
  Verb verb{"topology", "what MPI returns: coordinates, neighbours, shifts, subgrids"};
  verb.listed = {VerbHeading::by_themselves, 1};
  verb.examples = examples;
  add_options(verb, *options);
  verb.run = [options](const Invocation&) { return run_topology(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
