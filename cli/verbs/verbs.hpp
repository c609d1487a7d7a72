#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace vtopo {

/// What the chosen verb does; returns the exit code of the command.
using Run = std::function<int()>;

/// Each adds its verb to the command and sets `run` when the verb is the one that was called.
void add_bench(CLI::App& command, Run& run);
void add_compare(CLI::App& command, Run& run);
void add_completion(CLI::App& command, Run& run);
void add_convert(CLI::App& command, Run& run);
void add_dims(CLI::App& command, Run& run);
void add_evaluate(CLI::App& command, Run& run);
void add_man(CLI::App& command, Run& run);
void add_map(CLI::App& command, Run& run);
void add_mappers(CLI::App& command, Run& run);
void add_mpirun(CLI::App& command, Run& run);
void add_networks(CLI::App& command, Run& run);
void add_platform(CLI::App& command, Run& run);
void add_record(CLI::App& command, Run& run);
void add_report(CLI::App& command, Run& run);
void add_simulate(CLI::App& command, Run& run);
void add_sweep(CLI::App& command, Run& run);
void add_topology(CLI::App& command, Run& run);

}  // namespace vtopo
