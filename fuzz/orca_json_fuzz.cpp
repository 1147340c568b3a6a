// SPDX-License-Identifier: Apache-2.0
// Any datagram to the physics of ArduSub's simulation: what is taken is whole and writes back to the same bytes.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "tandem/machines/orca/virtual/json.hpp"

namespace {

using namespace tandem;

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes datagram(data, size);
  const auto frame = orca::servo_frame_from(datagram);
  if (!frame) {
    require(!frame.error().text.empty() && frame.error().fault == Fault::invalid);
    return 0;
  }
  require(frame->rate != 0 && (frame->servos == 16 || frame->servos == 32));
  std::vector<std::uint8_t> again;
  ByteWriter writer(again);
  writer.little(static_cast<std::uint16_t>(frame->servos == 16 ? 18458 : 29569));
  writer.little(frame->rate);
  writer.little(frame->count);
  for (std::size_t i = 0; i < frame->servos; ++i) {
    writer.little(frame->pulses[i]);
    const double thrust = orca::thrust_from_pulse(frame->pulses[i], 25);
    require(thrust >= -orca::most_thrust && thrust <= orca::most_thrust);
  }
  require(std::equal(again.begin(), again.end(), datagram.begin(), datagram.end()));
  return 0;
}
