// SPDX-License-Identifier: Apache-2.0
// Any bytes as the stream of port 30001: packets are read or refused; what is read can be written and read again.
#include <cstdlib>

#include "tandem/protocols/ur/framer.hpp"
#include "tandem/protocols/ur/primary/primary.hpp"

namespace {

using namespace tandem;
using namespace tandem::ur;

void require(bool holds) {
  if (!holds) std::abort();
}

template <typename Message>
void require_round_trip(const Message& message) {
  std::vector<std::uint8_t> first, second;
  primary::encode(message, first);
  const auto again = primary::decode(first);
  require(again.ok() && std::holds_alternative<Message>(*again));
  primary::encode(std::get<Message>(*again), second);
  require(first == second);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Framer framer(Length::four_bytes, primary::header_size, primary::longest_packet);
  framer.feed({data, size});
  while (true) {
    const auto bytes = framer.next();
    if (!bytes || !*bytes) break;
    const auto packet = primary::decode(**bytes);
    if (!packet) continue;
    if (const auto* state = std::get_if<primary::RobotState>(&*packet)) require_round_trip(*state);
    if (const auto* message = std::get_if<primary::RobotMessage>(&*packet)) require_round_trip(*message);
    if (const auto* program = std::get_if<primary::ProgramState>(&*packet)) require_round_trip(*program);
  }
  return 0;
}
