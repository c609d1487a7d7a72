#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vtopo::fuzz {

/// What an input is made of.
enum class Structure { json, xml, lines };

/// JSON that a library accepts, XML that one accepts, else lines of words: traces, recordings,
/// lists. A first line that names the format (`NamedInput`) is left out of account.
Structure structure_of(std::string_view input);

/// The input with one to four changes that keep its structure: values, elements and lines are taken
/// out, doubled, exchanged, replaced by others of the same input, and numbers by such as readers
/// have trouble with. Equal seeds give equal bytes.
std::string mutated(std::string_view input, std::uint32_t seed);

}  // namespace vtopo::fuzz
