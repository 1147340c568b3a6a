// SPDX-License-Identifier: Apache-2.0
// Any bytes from a controller to an RTDE client: answers and data are understood or refused, and what was understood is
// written the same again.
#include <cstdlib>
#include <cstring>

#include "tandem/protocols/ur/framer.hpp"
#include "tandem/protocols/ur/rtde/recipe.hpp"
#include "tandem/protocols/ur/rtde/rtde.hpp"

namespace {

using namespace tandem;
using namespace tandem::ur;

void require(bool holds) {
  if (!holds) std::abort();
}

// Flags may be any byte and versions may lack their last number; all else has one way to be written.
bool one_way(const rtde::Answer& answer) {
  return std::holds_alternative<rtde::OutputData>(answer) || std::holds_alternative<rtde::OutputsAnswer>(answer) ||
         std::holds_alternative<rtde::InputsAnswer>(answer) || std::holds_alternative<rtde::TextMessage>(answer);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const int protocol = 1 + (data[0] & 1);
  Framer framer(Length::two_bytes, rtde::header_size, rtde::longest_packet);
  framer.feed({data + 1, size - 1});
  Recipe recipe;
  for (int i = 0; i < 256; ++i) {
    const auto packet = framer.next();
    if (!packet || !*packet) break;
    const auto answer = rtde::decode_answer(**packet, protocol);
    if (!answer) continue;
    if (one_way(*answer)) {
      std::vector<std::uint8_t> again;
      rtde::encode(*answer, protocol, again);
      require(again.size() == (**packet).size() && std::memcmp(again.data(), (**packet).data(), again.size()) == 0);
    }
    // Types name a recipe as variables do: whatever they are, it decodes only what fits it.
    if (const auto* types = std::get_if<rtde::OutputsAnswer>(&*answer)) {
      recipe = {};
      for (const std::string_view word : split_names(types->types)) {
        if (recipe.size() > 8192) break;
        recipe.add((word.size() * 31 + static_cast<unsigned char>(word.front())) % fields().size());
      }
    }
    if (const auto* values = std::get_if<rtde::OutputData>(&*answer)) {
      Variables variables;
      require(recipe.decode(values->values, variables) == (values->values.size() == recipe.size()));
    }
  }
  return 0;
}
