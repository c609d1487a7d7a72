#pragma once

#include <string>
#include <vector>

namespace vtopo::detail {

/// A sweep as a job array of Slurm, one shard per task.
struct SlurmSweep {
  std::string program;       ///< path of the command
  std::string plan, output;  ///< of all shards; see `shard_output`
  int shards = 1;
  int jobs = 1;                      ///< processes, and so processors, per task
  std::vector<std::string> words;    ///< options for each shard
  std::vector<std::string> options;  ///< lines for sbatch, such as `--time=1:00:00`
};

/// File of a shard: `plan.jsonl` and `3` of `8` give `plan.shard-3-of-8.jsonl`.
std::string shard_output(const std::string& output, const std::string& shard, int shards);

/// The text in quotes as a POSIX shell takes it.
std::string shell_quoted(const std::string& text);

/// Pattern for the files of all shards, quoted for a shell.
std::string shard_pattern(const std::string& output, int shards);

/// Script for sbatch. Shards resume what they find, so that it may be submitted again.
std::string slurm_script(const SlurmSweep& sweep);

/// Runs `sbatch SCRIPT`, whose words go to stdout and stderr of this process.
/// @throws InputError if it cannot be run or refuses.
void submit(const std::string& script);

}  // namespace vtopo::detail
