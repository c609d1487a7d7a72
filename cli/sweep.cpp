#include "cli/verbs.hpp"
namespace vtopo {
void add_sweep(CLI::App&, Run&) {}
}
