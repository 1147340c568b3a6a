// SPDX-License-Identifier: Apache-2.0
// The common faults G14 to G19: packets whose frame is good and whose contents are not, are old, or came before.
#include <bit>
#include <cmath>
#include <limits>

#include "tests/machines/ur3e/faults/fault_rig.hpp"

using namespace tandem;
using namespace tandem::ur3e;
using namespace tandem::ur3e::faults;
using Effect = Row::Effect;

namespace {

// Where values stand in a data packet of the machine's recipe: 3 bytes of header, the recipe's number, and the
// variables in the order in which they were asked for.
constexpr std::size_t stamp_at = 4;
constexpr std::size_t q_at = 12;

void put(Capture::Packet& packet, std::size_t at, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (std::size_t i = 0; i < 8; ++i) packet[at + i] = static_cast<std::uint8_t>(bits >> (56 - 8 * i));
}

double number(const Capture::Packet& packet, std::size_t at) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 8; ++i) bits = bits << 8 | packet[at + i];
  return std::bit_cast<double>(bits);
}

// In place of the true packets, for a while and at their pace: the last one with one joint changed, its time going on.
void send_instead(Rig& rig, double (*changed)(double q), int packets) {
  rig.rtde.apply(to_client({.drop = 1}));
  pass(20ms);
  const auto captured = rig.capture.packets();
  REQUIRE_FALSE(captured.empty());
  Capture::Packet packet = captured.back();
  const double stamp = number(packet, stamp_at), q = number(packet, q_at + 16);
  for (int i = 1; i <= packets; ++i) {
    put(packet, stamp_at, stamp + 0.002 * i);
    put(packet, q_at + 16, changed(q));
    rig.rtde.inject_to_client(packet);
    pass(30ms);
  }
}

}  // namespace

TEST_CASE("G14 bits flip on the way") {
  play({.strike =
            [](Rig& rig) {
              rig.rtde.apply(to_client({.corrupt = 5e-4}));
              pass(1s);
            },
        .lift =
            [](Rig& rig) {
              clear(rig);
              rig.rtde.cut(net::Cut::rst);
            },
        .cycle_hz = 125});
}

TEST_CASE("G15 every packet comes twice") {
  play({.strike =
            [](Rig& rig) {
              rig.rtde.apply(to_client({.duplicate = 1}));
              pass(400ms);
            },
        .effect = Effect::chance,
        .lift = clear,
        .instead = "the proxy may read half a packet, and then it is that half that comes twice; no sample is shown "
                   "twice, and the arm is armed only on the connection on which it was armed"});
  // The other way: a command that comes twice is one command.
  play({.strike =
            [](Rig& rig) {
              rig.rtde.apply(to_device({.duplicate = 1}));
              pass(400ms);
            },
        .effect = Effect::none,
        .lift = clear,
        .only_moving = "nothing goes to a controller that is only read"});
}

TEST_CASE("G16 a packet comes after the one that followed it") {
  play({.strike =
            [](Rig& rig) {
              const auto captured = rig.capture.packets();
              REQUIRE(captured.size() >= 3);
              rig.rtde.inject_to_client(captured[captured.size() - 3]);
            },
        .effect = Effect::chance,
        .instead = "passed over when a newer one came with it, else time went back and the connection is given up; no "
                   "old sample is shown, and the arm is armed only on the connection on which it was armed"});
}

TEST_CASE("G17 an old capture is played again") {
  play({.strike =
            [](Rig& rig) {
              const auto captured = rig.capture.packets();
              REQUIRE(captured.size() >= 3);
              pass(300ms);
              rig.rtde.apply(to_client({.drop = 1}));
              for (const auto& packet : captured) {
                rig.rtde.inject_to_client(packet);
                pass(10ms);
              }
            },
        .shows = {"the controller's time went back"},
        .lift = clear});
}

TEST_CASE("G18 numbers that are none or cannot be") {
  const struct {
    double (*changed)(double q);
    std::string_view words;
  } numbers[] = {{[](double) { return std::nan(""); }, "actual_q: "},
                 {[](double) { return std::numeric_limits<double>::infinity(); }, "actual_q: "},
                 {[](double) { return -1e308; }, "actual_q: "},
                 {[](double q) { return q + 1; }, "elbow_joint jumped by 1.000 rad"}};
  for (const auto& each : numbers) {
    CAPTURE(each.words);
    play({.strike = [&](Rig& rig) { send_instead(rig, each.changed, 12); },
          .effect = Effect::stale,
          .shows = {each.words},
          .disarms = each.words,
          .lift = clear,
          .only_moving =
              each.words.starts_with("actual_q") ? "one kind is enough on a link that is only read" : nullptr});
  }
}

TEST_CASE("G19 the controller repeats the same sample") {
  play({.strike = [](Rig& rig) { rig.pendant.timestamp_frozen = true; },
        .effect = Effect::stale,
        .shows = {"repeats the same sample"},
        .disarms = "repeats the same sample",
        .lift = [](Rig& rig) { rig.pendant.timestamp_frozen = false; }});
}
