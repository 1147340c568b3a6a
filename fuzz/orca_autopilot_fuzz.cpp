// SPDX-License-Identifier: Apache-2.0
// Any frames to the virtual autopilot: its thrusters get pulses that they know, and it never sends without end.
#include <cmath>
#include <cstdlib>

#include "fuzz/mavlink_mutator.hpp"
#include "tandem/machines/orca/virtual/autopilot/autopilot.hpp"
#include "tandem/protocols/mavlink/codec/parser.hpp"

namespace {

using namespace tandem;

void require(bool holds) {
  if (!holds) std::abort();
}

class Counted final : public mavlink::Outlet {
 public:
  bool send_payload(const mavlink::MessageInfo& info, Bytes payload) override {
    require(payload.size() == info.full_size);
    ++sent;
    return true;
  }
  std::size_t sent = 0;
};

orca::Readings at_rest(std::uint32_t count) {
  orca::Readings readings;
  for (orca::ImuReading& imu : readings.imus) imu.acceleration = {0, 0, 9.80665};
  readings.pressure = 111000;
  readings.pressure_count = readings.field_count = count;
  return readings;
}

}  // namespace

// The first byte says whether the attitude is good before anything is heard.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr double dt = 0.01;
  Counted out;
  mavlink::Outlet* const links[] = {&out};
  orca::AutopilotOptions options;
  options.estimator.settle = options.estimator.aiding_delay = 0.05;
  Instant now{1h};
  orca::Autopilot autopilot(options, links, now);
  std::uint32_t steps = 0;
  const auto step = [&] {
    now += duration_of(dt);
    for (const double pulse : autopilot.step(at_rest(++steps), dt, now))
      require(std::isfinite(pulse) && pulse >= 1100 && pulse <= 1900);
    autopilot.poll(now, UtcTime{});
  };
  for (int i = 0; i < (data[0] & 1) * 20; ++i) step();
  mavlink::Parser parser;
  Bytes stream(data + 1, size - 1);
  std::size_t frames = 0;
  while (!stream.empty()) {
    stream = stream.subspan(parser.feed(stream));
    while (const auto frame = parser.next()) {
      ++frames;
      autopilot.handle(*frame, 0, now);
      step();
    }
  }
  for (int i = 0; i < 20; ++i) step();
  require(out.sent <= 100 * (frames + 60));
  return 0;
}
