// Packs and unpacks the inputs of a target (corpus/NAME.inputs).
//   fuzz_inputs add CONTAINER FILE...     puts files in, over an input of the same name
//   fuzz_inputs remove CONTAINER NAME...
//   fuzz_inputs unpack CONTAINER FOLDER   writes each input as a file

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/inputs.hpp"

namespace {

namespace fs = std::filesystem;
using vtopo::fuzz::Input;

/// Whether an input of the name was there.
bool remove(std::vector<Input>& inputs, const std::string& name) {
  return std::erase_if(inputs, [&](const Input& input) { return input.name == name; }) > 0;
}

void add(const std::string& container, const std::vector<std::string>& files) {
  auto inputs = fs::exists(container) ? vtopo::fuzz::read_inputs(container) : std::vector<Input>();
  for (const auto& file : files) {
    const std::string name = fs::path(file).filename();
    remove(inputs, name);
    inputs.push_back({name, vtopo::fuzz::bytes_of_file(file)});
  }
  vtopo::fuzz::write_inputs(container, inputs);
}

void remove_all(const std::string& container, const std::vector<std::string>& names) {
  auto inputs = vtopo::fuzz::read_inputs(container);
  for (const auto& name : names)
    if (!remove(inputs, name)) throw std::runtime_error("no input \"" + name + '"');
  vtopo::fuzz::write_inputs(container, inputs);
}

void unpack(const std::string& container, const fs::path& folder) {
  fs::create_directories(folder);
  for (const auto& [name, bytes] : vtopo::fuzz::read_inputs(container)) {
    std::ofstream file(folder / name, std::ios::binary);
    if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush())
      throw std::runtime_error("cannot write " + (folder / name).string());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    const std::vector<std::string> rest(words.begin() + std::min<std::ptrdiff_t>(2, argc - 1),
                                        words.end());
    if (rest.empty())
      throw std::runtime_error("usage: fuzz_inputs add|remove|unpack CONTAINER ...");
    if (words[0] == "add") {
      add(words[1], rest);
    } else if (words[0] == "remove") {
      remove_all(words[1], rest);
    } else if (words[0] == "unpack" && rest.size() == 1) {
      unpack(words[1], rest[0]);
    } else {
      throw std::runtime_error("accepted are add, remove, and unpack with one folder");
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_inputs: %s\n", error.what());
    return 1;
  }
}
