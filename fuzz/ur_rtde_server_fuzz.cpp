// SPDX-License-Identifier: Apache-2.0
// Any bytes from RTDE clients to the virtual controller: whole packets come back, and leaving gives inputs free.
#include <cstdlib>

#include "tandem/protocols/ur/rtde/session.hpp"

namespace {

using namespace tandem;
using namespace tandem::ur;

void require(bool holds) {
  if (!holds) std::abort();
}

// Every byte that a session sends belongs to a whole packet that a client understands.
void require_packets(const std::vector<std::uint8_t>& out, int before, int after) {
  Framer framer(Length::two_bytes, rtde::header_size, rtde::longest_packet);
  framer.feed(out);
  while (true) {
    const auto packet = framer.next();
    require(packet.ok());
    if (!*packet) break;
    require(rtde::decode_answer(**packet, before).ok() || rtde::decode_answer(**packet, after).ok());
  }
  require(!framer.partial());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Variables variables;
  RtdeController controller(variables);
  std::size_t written = 0;
  controller.inputs_written = [&written](const Recipe& recipe) { written += recipe.size(); };
  {
    RtdeSession first(controller), second(controller);
    RtdeSession* const sessions[] = {&first, &second};
    net::Outbox out(1u << 20);
    // The first byte of each piece says who sends it and how long it is.
    for (std::size_t at = 0; at < size;) {
      const std::uint8_t head = data[at++];
      const std::size_t length = std::min<std::size_t>(head >> 1, size - at);
      RtdeSession& session = *sessions[head & 1];
      const int before = session.protocol();
      const bool alive = session.receive({data + at, length}, out);
      session.cycle(out);
      // A piece may change the protocol on its way.
      require_packets(out.take(), before, 3 - before);
      if (!alive) break;
      at += length;
    }
  }
  RtdeSession last(controller);
  net::Outbox out;
  const std::string all = "input_int_register_0,speed_slider_mask";
  std::vector<std::uint8_t> request;
  rtde::encode(rtde::Request(rtde::InputsRequest{all}), 1, request);
  require(last.receive(request, out));
  const auto answer = out.take();
  require(answer.size() > 3 && answer[3] == 1);
  return 0;
}
