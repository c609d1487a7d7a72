#include "sim/study/sweep_slurm.hpp"

#include <unistd.h>

#include <filesystem>

#include "cli/mpirun/smpi_installation.hpp"
#include "netmodels/process/subprocess.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

/// File of a shard whose number a shell puts in: the rest is quoted.
std::string shard_word(const std::string& output, const std::string& number, int shards) {
  const std::string file = shard_output(output, "\n", shards);  // no number looks like this
  const std::size_t at = file.rfind('\n');
  return shell_quoted(file.substr(0, at)) + number + shell_quoted(file.substr(at + 1));
}

}  // namespace

std::string shard_output(const std::string& output, const std::string& shard, int shards) {
  const std::filesystem::path path = output;
  const std::string extension = path.extension().string();
  const std::string stem = output.substr(0, output.size() - extension.size());
  return fmt::format("{}.shard-{}-of-{}{}", stem, shard, shards, extension);
}

std::string shell_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::string slurm_script(const SlurmSweep& sweep) {
  std::string text = "#!/bin/bash\n#SBATCH --job-name=vtopo-sweep\n";
  text += fmt::format("#SBATCH --array=1-{}\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task={}\n",
                      sweep.shards, sweep.jobs);
  for (const std::string& option : sweep.options) text += fmt::format("#SBATCH {}\n", option);
  text += fmt::format("cd {} || exit\n", shell_quoted(std::filesystem::current_path().string()));
  text +=
      fmt::format("exec {} sweep {} --shard \"$SLURM_ARRAY_TASK_ID/{}\" --resume --jobs {}",
                  shell_quoted(sweep.program), shell_quoted(sweep.plan), sweep.shards, sweep.jobs);
  for (const std::string& word : sweep.words) text += ' ' + shell_quoted(word);
  return text + fmt::format(" -o {}\n",
                            shard_word(sweep.output, "\"$SLURM_ARRAY_TASK_ID\"", sweep.shards));
}

std::string shard_pattern(const std::string& output, int shards) {
  return shard_word(output, "*", shards);
}

void submit(const std::string& script) {
  const auto sbatch = program_on_path("sbatch");
  const auto by_hand = fmt::format("\"{}\" is written, submit it by hand", script);
  if (!sbatch) throw InputError("sbatch is not on PATH; " + by_hand);
  Subprocess process({.words = {*sbatch, script},
                      .input = STDIN_FILENO,
                      .output = STDOUT_FILENO,
                      .errors = STDERR_FILENO});
  if (process.wait().status != 0)
    throw InputError(fmt::format("sbatch did not take \"{}\"", script));
}

}  // namespace vtopo::detail
