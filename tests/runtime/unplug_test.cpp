// SPDX-License-Identifier: Apache-2.0
// Every kind of virtual device whose plug is pulled in a running system: its physics goes on, its link is dead.
#include <array>
#include <cmath>

#include "tandem/net/socket.hpp"
#include "tandem/net/url.hpp"
#include "tests/runtime/chaos/rig.hpp"

namespace tandem::runtime::chaos {
namespace {

constexpr const char* press =
    "  press:\n    type: generic\n    device: virtual\n    cycle: 20 ms\n    base: 40001\n"
    "    signals:\n      pressure: { at: 30001, type: uint16, scale: 0.1, unit: bar, sim: 35 }\n";

std::string entry(std::string_view type) {
  if (type == "generic") return press;
  return fmt::format("  one: {{ type: {}, device: virtual }}\n", type);
}

// Whether anything comes on a new connection within the time; the system's own handshake does.
bool speaks(const std::string& device, Duration time) {
  const net::Url url = *net::parse_url(device);
  auto socket = net::TcpSocket::connect("127.0.0.1", *url.port, soon());
  REQUIRE(socket);
  std::array<std::uint8_t, 64> chunk;
  const auto got = socket->read_until(chunk, in(time));
  return !got || *got > 0;
}

void pulled_and_back(std::string_view type, Duration pulled) {
  CAPTURE(type);
  Rig rig(entry(type), all_machines());
  REQUIRE(rig.becomes_live());
  const bool moves = rig.machine().moves;
  if (moves) REQUIRE(rig.becomes_armed());
  REQUIRE(rig.say("unplug"));
  REQUIRE(Rig::until([&] { return !rig.live() && (!moves || rig.machine().arm != "armed"); }));
  const std::uint64_t samples = rig.machine().samples;
  if (type != "orca") CHECK_FALSE(speaks(rig.machine().device, 200ms));
  std::this_thread::sleep_for(pulled);
  CHECK_FALSE(rig.live());
  CHECK(rig.machine().samples == samples);
  CHECK(rig.machine().unplugged);
  REQUIRE(rig.say("plug"));
  REQUIRE(rig.becomes_live());
  if (moves) CHECK(rig.machine().arm != "armed");
}

}  // namespace

TEST_CASE("the link of an unplugged device is dead until it is plugged in, and comes back disarmed") {
  for (const char* type : {"raptorlift", "cable_robot", "em1500", "generic"}) pulled_and_back(type, 500ms);
#ifdef TANDEM_WITH_ARM
  pulled_and_back("ur3e", 500ms);
#endif
  pulled_and_back("orca", 1s);
}

TEST_CASE("the platform's generator goes on while its device is unplugged") {
  Rig rig("  one: { type: em1500, device: virtual, motion: sine }\n", all_machines());
  REQUIRE(rig.becomes_live());
  const auto* device = rig.system->virtual_device("one");
  const auto height = [&] { return device->true_motion()->position[2]; };
  std::this_thread::sleep_for(3s);  // its start is blended in
  REQUIRE(rig.say("unplug"));
  REQUIRE(Rig::until([&] { return !rig.live(); }));
  // 0.2 m at 0.1 Hz: it is nowhere slower than that for 2.5 s.
  double lowest = height(), highest = lowest;
  for (const Instant end = in(2500ms); now() < end; std::this_thread::sleep_for(20ms)) {
    lowest = std::min(lowest, height());
    highest = std::max(highest, height());
  }
  CHECK(highest - lowest > 0.05);
  CHECK_FALSE(rig.live());
}

// docs/raptorlift.md, "Faults": black hole, at most 0.8 m, by the PLC's watchdog (0.5 s).
TEST_CASE("a truck that is unplugged while it drives is braked by its own watchdog, by truth") {
  Rig rig("  one: { type: raptorlift, device: virtual, task: figure_eight, task_speed: 0.5 }\n", all_machines());
  const auto* device = rig.system->virtual_device("one");
  const auto speed = [&] { return device->true_motion() ? device->true_motion()->speed : 0.0; };
  bool judged = false;
  // A busy computer may disarm it just before the plug is pulled; then once more.
  for (int tries = 0; tries < 5 && !judged; ++tries) {
    REQUIRE(rig.becomes_live());
    REQUIRE(Rig::until([&] {
      if (rig.machine().arm != "armed" && rig.say("reset")) (void)rig.say("arm");
      return rig.machine().arm == "armed" && speed() > 0.3;
    }));
    REQUIRE(rig.say("unplug"));
    const Instant pulled = now();
    auto last = device->true_motion();
    judged = rig.machine().arm == "armed";
    double way = 0;
    Instant moved = pulled, looked = pulled;
    while (now() < pulled + 3s) {
      std::this_thread::sleep_for(2ms);
      const auto motion = device->true_motion();
      judged = judged && now() - looked < 250ms;  // what a held-up host sees late shows nothing
      looked = now();
      const double by = std::hypot(motion->position[0] - last->position[0], motion->position[1] - last->position[1]);
      way += by;
      if (motion->speed > 0.02) moved = now();
      last = motion;
    }
    if (judged) {
      MESSAGE("rolled " << way << " m in " << seconds(moved - pulled) << " s");
      CHECK(way > 0.05);  // it was not frozen: half a second at 0.3 m/s at least is the watchdog's
      CHECK(way < 0.8);
      CHECK(seconds(moved - pulled) > 0.3);
      CHECK(seconds(moved - pulled) < 2.5);
    }
    CHECK(rig.machine().unplugged);
    CHECK(rig.machine().arm != "armed");
    REQUIRE(rig.say("plug"));
    REQUIRE(rig.becomes_live());
    const auto there = device->true_motion();
    std::this_thread::sleep_for(500ms);
    const auto later = device->true_motion();
    CHECK(std::hypot(later->position[0] - there->position[0], later->position[1] - there->position[1]) < 0.01);
    CHECK(rig.machine().arm != "armed");
  }
  CHECK(judged);
}

}  // namespace tandem::runtime::chaos
