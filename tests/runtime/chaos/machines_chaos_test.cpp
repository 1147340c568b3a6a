// SPDX-License-Identifier: Apache-2.0
// Every machine with its virtual device behind fault proxies.
#include <charconv>
#include <cmath>

#include "tests/runtime/chaos/rig.hpp"

namespace tandem::runtime::chaos {
namespace {

constexpr const char* press =
    "  press:\n    type: generic\n    device: virtual\n    chaos: true\n    cycle: 20 ms\n    base: 40001\n"
    "    signals:\n      pressure: { at: 30001, type: uint16, scale: 0.1, unit: bar, sim: 35 }\n";

std::string entry(std::string_view type) {
  if (type == "generic") return press;
  return fmt::format("  one: {{ type: {}, device: virtual, chaos: true }}\n", type);
}

// A number behind a word of a text.
double number_behind(const std::string& text, std::string_view word) {
  const std::size_t at = text.find(word);
  REQUIRE_MESSAGE(at != std::string::npos, text);
  double number = 0;
  std::from_chars(text.data() + at + word.size(), text.data() + text.size(), number);
  return number;
}

void black_hole_and_back(std::string_view type, const char* length) {
  Rig rig(entry(type), all_machines());
  REQUIRE(rig.becomes_live());
  const bool moves = rig.machine().moves;
  if (moves) REQUIRE(rig.becomes_armed());
  REQUIRE(rig.chaos(fmt::format("blackhole for={}", length)));
  REQUIRE(Rig::until([&] { return !rig.live() && (!moves || rig.machine().arm != "armed"); }));
  REQUIRE(rig.over());
  REQUIRE(rig.becomes_live());
  if (moves) CHECK(rig.machine().arm != "armed");
  const std::string result = rig.machine().chaos_result;
  CHECK_MESSAGE(result.find(moves ? " after " : "is read-only, link lost after ") != std::string::npos, result);
}

// Once: the connection ends, a new one is made, and the link is live again.
void ends_and_returns(std::string_view type, std::string_view term) {
  Rig rig(entry(type), all_machines());
  REQUIRE(rig.becomes_live());
  const std::uint64_t before = rig.machine().connects;
  REQUIRE(rig.chaos(term));
  REQUIRE(Rig::until([&] { return rig.machine().connects > before && rig.live(); }));
  CHECK(rig.report().cuts > 0);
  CHECK(rig.report().connections > 0);
}

// Machines that ask and wait for the answer: no more exchanges than the way there and back allows.
void delay_delays(std::string_view type) {
  Rig rig(entry(type), all_machines());
  REQUIRE(rig.becomes_live());
  REQUIRE(rig.chaos("delay=25ms for=5min"));
  std::this_thread::sleep_for(1s);  // for what was asked before
  const std::uint64_t before = rig.report().to_device.chunks;
  const Instant begun = now();
  std::this_thread::sleep_for(2s);
  const std::uint64_t asked = rig.report().to_device.chunks - before;
  CHECK(static_cast<double>(asked) <= 4 * seconds(now() - begun) / 0.05);
  CHECK(asked > 0);
}

}  // namespace

TEST_CASE("raptorlift: a black hole disarms, and the link alone comes back") {
  black_hole_and_back("raptorlift", "1s");
}
TEST_CASE("cable_robot: a black hole disarms, and the link alone comes back") {
  black_hole_and_back("cable_robot", "1s");
}
TEST_CASE("ur3e: a black hole disarms, and the link alone comes back") { black_hole_and_back("ur3e", "1s"); }
TEST_CASE("orca: a black hole disarms, and the link alone comes back") { black_hole_and_back("orca", "6s"); }
TEST_CASE("em1500: a black hole makes it stale, and it comes back") { black_hole_and_back("em1500", "1s"); }
TEST_CASE("generic: a black hole makes it stale, and it comes back") { black_hole_and_back("generic", "1s"); }

TEST_CASE("connections that are reset or half closed come back") {
  for (const char* type : {"raptorlift", "cable_robot", "ur3e", "em1500", "generic"}) {
    CAPTURE(type);
    ends_and_returns(type, "reset");
  }
  for (const char* type : {"raptorlift", "em1500"}) {
    CAPTURE(type);
    ends_and_returns(type, "half-open");
    ends_and_returns(type, "half-open to=device");
  }
}

TEST_CASE("a delay delays every exchange") {
  for (const char* type : {"raptorlift", "cable_robot", "generic"}) {
    CAPTURE(type);
    delay_delays(type);
  }
}

TEST_CASE("the measured way is that of the truth") {
  Rig rig("  cables: { type: cable_robot, device: virtual, chaos: true, task: path, task_period: 6 }\n",
          all_machines());
  REQUIRE(rig.becomes_live());
  const auto* device = rig.system->virtual_device("cables");
  std::string result;
  double way = 0;
  // A busy computer may disarm it before the fault does; then once more.
  for (int tries = 0; tries < 5 && result.find("until standstill") == std::string::npos; ++tries) {
    REQUIRE(Rig::until([&] {
      if (rig.machine().arm != "armed" && rig.say("reset")) (void)rig.say("arm");
      const auto motion = device->true_motion();
      return rig.machine().arm == "armed" && motion && motion->speed > 0.1;
    }));
    auto last = device->true_motion();
    REQUIRE(rig.chaos("blackhole for=1s"));
    way = 0;
    std::string on;
    for (const Instant end = in(1s); now() < end; std::this_thread::sleep_for(2ms)) {
      const auto motion = device->true_motion();
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i) sum += std::pow(motion->position[i] - last->position[i], 2);
      way += std::sqrt(sum);
      if (const std::string chaos = rig.machine().chaos; chaos != "ready") on = chaos;
      last = motion;
    }
    CHECK_MESSAGE(on.find(" s left, moved ") != std::string::npos, on);
    REQUIRE(rig.over());
    CHECK(std::abs(rig.report().moved - way) <= 0.005 + 0.1 * way);
    result = rig.machine().chaos_result;
    REQUIRE(rig.becomes_live());
  }
  CAPTURE(result);
  CHECK(std::abs(number_behind(result, "moved ") - way) <= 0.005 + 0.1 * way);
  CHECK(number_behind(result, "until standstill after ") <= 1.5);
}

}  // namespace tandem::runtime::chaos
