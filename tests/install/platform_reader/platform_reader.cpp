// Prints how many hosts the machine of a file has, or why it cannot be read.
#include <netmodels/machines/machine_file.hpp>
#include <topology/base/error.hpp>

#include <cstdio>

int main(int, char** words) {
  try {
    std::printf("%d hosts\n", vtopo::load_machine(words[1], {})->num_hosts());
  } catch (const vtopo::Error& error) {
    std::printf("%s\n", error.what());
  }
}
