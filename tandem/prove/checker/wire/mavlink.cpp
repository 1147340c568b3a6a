// SPDX-License-Identifier: Apache-2.0
// MAVLink 1 and 2 in datagrams (mavlink.io, "Serialization" and common.xml). Checksums are not looked at: what is sent
// here is judged by its meaning, and what does not arrive whole does not arrive.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "tandem/prove/checker/wire/pieces.hpp"
#include "tandem/prove/checker/wire/wire.hpp"

namespace tandem::prove::checker {
namespace {

struct Message {
  std::uint32_t id = 0;
  std::array<std::uint8_t, 255> payload{};  // what is left out at the end is zero
  Piece bytes() const { return payload; }
};

template <typename Take>
void each_message(Piece bytes, Take take) {
  while (bytes.size() >= 8) {
    const bool second = bytes[0] == 0xFD;
    if (!second && bytes[0] != 0xFE) return;
    const std::size_t head = second ? 10 : 6, length = bytes[1];
    const std::size_t size = head + length + 2 + (second && (bytes[2] & 1) != 0 ? 13 : 0);
    if (bytes.size() < size || size < head) return;
    Message message;
    message.id = second
                     ? bytes[7] | static_cast<std::uint32_t>(bytes[8]) << 8 | static_cast<std::uint32_t>(bytes[9]) << 16
                     : bytes[5];
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(head), length, message.payload.begin());
    take(message);
    bytes = bytes.subspan(size);
  }
}

void judge(Wire& wire, double t, const Message& message) {
  const Piece bytes = message.bytes();
  char text[96];
  if (message.id == 69) {  // MANUAL_CONTROL: x, y, z, r; neutral is 0, 0, 500, 0
    constexpr int rest = 5;
    const int x = little<std::int16_t>(bytes, 0), y = little<std::int16_t>(bytes, 2),
              z = little<std::int16_t>(bytes, 4), r = little<std::int16_t>(bytes, 6);
    if (std::abs(x) <= rest && std::abs(y) <= rest && std::abs(z - 500) <= rest && std::abs(r) <= rest) return;
    std::snprintf(text, sizeof text, "sticks x %d, y %d, z %d, r %d", x, y, z, r);
    wire.demands.push_back({t, false, text});
  }
  if (message.id == 84) {  // SET_POSITION_TARGET_LOCAL_NED
    constexpr std::uint16_t ignores_position = 7, ignores_velocity = 56;
    const auto mask = little<std::uint16_t>(bytes, 48);
    float fastest = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
      fastest = std::max(fastest, std::abs(little<float>(bytes, 16 + 4 * axis)));
    const bool goes = (mask & ignores_position) == 0 || ((mask & ignores_velocity) != ignores_velocity && fastest > 0);
    if (!goes) return;
    std::snprintf(text, sizeof text, "a set point, %.3f m/s", static_cast<double>(fastest));
    wire.demands.push_back({t, false, text});
  }
  if (message.id == 76 && little<std::uint16_t>(bytes, 28) == 400 && little<float>(bytes, 0) == 1)
    wire.demands.push_back({t, true, "MAV_CMD_COMPONENT_ARM_DISARM with 1"});
}

}  // namespace

Wire submarine_wire(const std::vector<Frame>& frames) {
  Wire wire;
  for (const Frame& frame : frames) {
    if (frame.kind != Frame::in && frame.kind != Frame::out) continue;
    each_message(frame.bytes, [&](const Message& message) {
      ++wire.packets;
      if (frame.kind == Frame::out) return judge(wire, frame.t, message);
      if (message.id != 193) return;  // EKF_STATUS_REPORT: five variances, then the flags
      Reading reading{frame.t, {static_cast<double>(little<std::uint16_t>(message.bytes(), 20))}};
      for (std::size_t i = 0; i < 5; ++i) reading.values.push_back(little<float>(message.bytes(), 4 * i));
      wire.readings.push_back(std::move(reading));
    });
  }
  return wire;
}

}  // namespace tandem::prove::checker
