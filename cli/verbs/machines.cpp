#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command/scenario_verb.hpp"
#include "cli/command/verb.hpp"
#include "cli/output/output.hpp"
#include "netmodels/machines/machine_file.hpp"
#include "netmodels/machines/shipped_machines.hpp"
#include "sim/report/csv_cells.hpp"
#include "sim/report/text_columns.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::verbs {

namespace {

struct MachinesOptions : ListOutput {
  std::string name;  ///< empty: all of them
};

struct MachineRow {
  ShippedMachine machine;
  int hosts = 0;
  PlatformProperties said = {};
};

/// @param name of the only one; empty: all.
std::vector<MachineRow> machine_rows(const std::string& name) {
  std::vector<ShippedMachine> machines = shipped_machines();
  if (!name.empty()) {
    const std::string file = machine_path(name);
    std::erase_if(machines, [&](const ShippedMachine& one) { return one.file != file; });
    if (machines.empty())
      throw UsageError(
          fmt::format("\"{0}\" is not the name of a machine: vtopo machines lists those; vtopo "
                      "platform describe {0} describes a file or a specification",
                      name));
  }
  std::vector<MachineRow> rows;
  for (ShippedMachine& machine : machines) {
    MachineRow row{std::move(machine)};
    MachineOptions options;
    options.platform.routing = Routing::simgrid;
    options.platform.properties = [&row](const PlatformProperties& said) { row.said = said; };
    row.hosts = load_machine(row.machine.file, options)->num_hosts();
    rows.push_back(std::move(row));
  }
  return rows;
}

/// One machine, with what its file assumes.
std::string machine_text(const MachineRow& row, const TextStyle& style) {
  std::string text;
  const auto add = [&](std::string_view key, std::string_view value) {
    text += key_line(key, 12, value, style.width);
  };
  add("machine", row.said.title);
  add("name", row.machine.name);
  add("hosts", std::to_string(row.hosts));
  for (const std::string& assumption : row.said.assumptions) add("assumes", assumption);
  add("path", row.machine.file);
  return text +
         fmt::format("\nvtopo platform describe {}: its links and distances\n", row.machine.name);
}

std::string machines_table(const std::vector<MachineRow>& rows, const TextStyle& style) {
  if (rows.size() == 1) return machine_text(rows.front(), style);
  std::vector<TextColumn> columns{{"", "name", {}, Align::left},
                                  {"", "hosts", {}, Align::right},
                                  {"", "machine", {}, Align::left}};
  for (const MachineRow& row : rows) {
    columns[0].cells.push_back(row.machine.name);
    columns[1].cells.push_back(std::to_string(row.hosts));
    columns[2].cells.push_back(row.said.title);
  }
  return text_table(columns, {style}) +
         "\nvtopo compare cart:16x16x16 NAME; assumptions: --format json\n";
}

std::string machines_csv(const std::vector<MachineRow>& rows) {
  std::string text = "name,hosts,machine,knows_host_names,assumptions,path\n";
  for (const MachineRow& row : rows)
    text += fmt::format("{},{},{},{},{},{}\n", row.machine.name, row.hosts,
                        csv_text(row.said.title), row.said.knows_host_names ? 1 : 0,
                        csv_text(join(row.said.assumptions, "; ")), csv_text(row.machine.file));
  return text;
}

std::string machines_json(const std::vector<MachineRow>& rows) {
  using MachineJson = nlohmann::ordered_json;
  MachineJson document = {{"schema", "vtopo/machines/v1"}, {"rows", MachineJson::array()}};
  for (const MachineRow& row : rows)
    document["rows"].push_back({{"name", row.machine.name},
                                {"hosts", row.hosts},
                                {"machine", row.said.title},
                                {"knows_host_names", row.said.knows_host_names},
                                {"assumptions", row.said.assumptions},
                                {"path", row.machine.file}});
  return document.dump(2) + '\n';
}

int run_machines(const MachinesOptions& options) {
  const OutputFormat format = choose_output_format(options.format, options.output);
  const std::vector<MachineRow> rows = machine_rows(options.name);
  write_output(options.output,
               in_format(format, machines_table, machines_csv, machines_json, rows));
  return 0;
}

}  // namespace

Verb machines() {
  auto options = std::make_shared<MachinesOptions>();
  Verb verb{"machines", "the machines that --platform knows by name, with their assumptions"};
  verb.listed = {VerbHeading::by_themselves, 5};
  verb.examples =
      "Examples:\n"
      "  vtopo machines\n"
      "  vtopo machines lumi\n"
      "  vtopo machines --format json";
  verb.add("NAME", &options->name,
           "of one machine: what it is, with its assumptions (default: all)");
  add_list_output(verb, *options);
  verb.run = [options](const Invocation&) { return run_machines(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
