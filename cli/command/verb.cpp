#include "cli/command/verb.hpp"

#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// An empty value would switch its option off: of a script, say, with a variable that is not set.
std::string refuse_empty(const std::string& text) {
  return text.empty() ? "expected a value, not \"\"" : "";
}

/// Gives a verb and those below their paths, and the parser what was said of them.
void complete(Verb& verb, const std::string& path) {
  verb.path = path;
  verb.relate_options();
  if (!verb.rest.empty()) verb.app->prefix_command();
  verb.app->require_subcommand(verb.run ? 0 : 1, 1);
  for (Verb& sub : verb.verbs) {
    complete(sub, path.empty() ? sub.name : path + ' ' + sub.name);
    verb.app->add_subcommand(sub.app);
  }
}

}  // namespace

CLI::Validator whole_number(std::int64_t most, std::int64_t least) {
  return CLI::Validator(
      [most, least](const std::string& text) {
        const auto value = parse_integer(text);
        if (value && *value >= least && *value <= most) return std::string();
        return fmt::format("\"{}\" is not a whole number from {} to {}", text, least, most);
      },
      "");
}

CLI::Option* checked(CLI::Option* option) {
  option->check(refuse_empty, "", not_empty);
  return option->get_positional() ? option : option->allow_extra_args(false);
}

std::string argument_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();  // with the ranges of checks behind it
  return type.substr(0, type.find(':'));
}

std::vector<std::string> all_names(const CLI::Option& option) {
  if (option.get_positional()) return {option.get_name(true)};
  std::vector<std::string> result;
  for (const std::string& name : option.get_snames()) result.push_back('-' + name);
  for (const std::string& name : option.get_lnames()) result.push_back("--" + name);
  return result;
}

Verb::Verb(std::string verb_name, std::string verb_summary)
    : name(std::move(verb_name)),
      summary(std::move(verb_summary)),
      app(std::make_shared<CLI::App>(summary, name)) {
  app->set_help_flag("-h,--help", "examples and the options used most");
  app->set_help_all_flag("--help-all", "every option");
  app->option_defaults()->always_capture_default();
}

Verb& Verb::group(std::string heading_of_options) {
  app->option_defaults()->group(std::move(heading_of_options));
  return *this;
}

CLI::Option* Verb::add(const std::string& names, std::optional<bool>* flag,
                       const std::string& help) {
  CLI::Option* option = app->add_flag(names, help);
  extras[option].read = [flag](const std::string& text) { *flag = text == "true"; };
  return option;
}

CLI::Option* Verb::add(const std::string& names, const OptionReader& reader,
                       const std::string& help) {
  const auto accept = [](const CLI::results_t&) { return true; };
  const auto default_text = [text = reader.default_text] { return text; };
  CLI::Option* option =
      reader.is_flag
          ? app->add_flag(names, help)
          : checked(app->add_option(names, accept, help, true, default_text)->type_name("TEXT"));
  extras[option].read = reader.read;
  if (reader.repeated) read_each(option, reader.read);
  return option;
}

void Verb::read_each(CLI::Option* option, std::function<void(const std::string&)> read) {
  option->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args(false);
  extras[option].read = std::move(read);
}

void Verb::offer(const CLI::Option* option, std::vector<std::string> words, bool comma_list) {
  extras[option].words = std::move(words);
  extras[option].comma_list = comma_list;
}

void Verb::relate_options() const {
  for (CLI::Option* option : app->get_options()) {
    const OptionExtras* known = find_extras(option);
    if (known == nullptr) continue;
    for (const std::string& other : known->needs)
      if (CLI::Option* needed = find_option(other)) option->needs(needed);
    for (const std::string& other : known->excludes)
      if (CLI::Option* excluded = find_option(other)) option->excludes(excluded);
  }
}

CLI::Option* Verb::find_option(const std::string& dashed) const {
  return app->get_option_no_throw(dashed);
}

const OptionExtras* Verb::find_extras(const CLI::Option* option) const {
  const auto at = extras.find(option);
  return at == extras.end() ? nullptr : &at->second;
}

const Verb* Verb::find_verb(std::string_view word) const {
  for (const Verb& verb : verbs)
    if (verb.name == word) return &verb;
  return nullptr;
}

std::vector<const Verb*> all_verbs(const Verb& verb) {
  std::vector<const Verb*> result{&verb};
  for (const Verb& sub : verb.verbs) {
    const auto below = all_verbs(sub);
    result.insert(result.end(), below.begin(), below.end());
  }
  return result;
}

Verb whole_command() {
  Verb command{"vtopo",
               "What a virtual topology costs on an interconnect, and which placement is better"};
  command.examples =
      "What an MPI program's communication costs on a machine's interconnect, which placement of "
      "its ranks is faster, and by how much. The program is a virtual topology or a recording, the "
      "machine a name, a specification or a file.\n"
      "\n"
      "Examples:\n"
      "  vtopo compare 8x8x8 torus:8x8x8\n"
      "  vtopo map 16x16 torus:8x8x4 -o job.slurm\n"
      "  vtopo compare examples/lammps-lj-64 torus:8x4x4 --hosts random:64\n"
      "  vtopo compare 16x16p 'fat-tree:2;16,8;1,8;1,1' --nodes 64 --ranks-per-node 4 "
      "-o page.html\n"
      "  vtopo allocate 64 torus:8x8x8";
  command.app->set_version_flag("-v,--version", "", "version, and what it was built from");
  command.verbs = verb_table();
  complete(command, "");
  return command;
}

void throw_named(const UsageError& error, std::string_view option) {
  const std::string_view sentence = error.what();
  if (sentence.substr(0, sentence.find('"')).find(option) != sentence.npos) throw error;
  throw UsageError(fmt::format("--{}: {}", option, sentence));
}

}  // namespace vtopo::detail
