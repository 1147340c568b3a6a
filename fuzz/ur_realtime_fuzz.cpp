// SPDX-License-Identifier: Apache-2.0
// Any bytes as the stream of port 30003: packets are read or refused; what is read is written with 1220 bytes.
#include <cstdlib>

#include "tandem/protocols/ur/framer.hpp"
#include "tandem/protocols/ur/primary/realtime.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem;
  using namespace tandem::ur;
  Framer framer(Length::four_bytes, 5, 1u << 16);
  framer.feed({data, size});
  ControllerState state;
  while (true) {
    const auto packet = framer.next();
    if (!packet || !*packet) break;
    if (!decode_realtime(**packet, state)) continue;
    std::vector<std::uint8_t> out;
    encode_realtime(state, out);
    ControllerState again;
    if (out.size() != realtime_size || !decode_realtime(out, again)) std::abort();
    if (again.robot_mode != state.robot_mode || again.joint_mode != state.joint_mode) std::abort();
  }
  return 0;
}
