// SPDX-License-Identifier: Apache-2.0
// Any bytes as what a pendant's program file holds, packed or not, and as a line of the script ports.
#include <cstdlib>
#include <string_view>

#include "tandem/machines/ur3e/virtual/ports/words.hpp"
#include "tandem/machines/ur3e/virtual/programs/files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto script = ur3e::script_from_xml(text, text.substr(0, 8)); script && !script->starts_with("def "))
    std::abort();
  if (const auto script = ur3e::script_from_urp({data, size}, "p"); script && !script->ends_with("end\n")) std::abort();
  if (const auto word = ur3e::controller_word(text); word && !(word->number >= 0 && word->number <= 1)) std::abort();
  return 0;
}
