// SPDX-License-Identifier: Apache-2.0
// Plays a fault to the rig and checks what must hold before, during and after it.
#include "tests/machines/ur3e/faults/fault_rig.hpp"

#include <cmath>

namespace tandem::ur3e::faults {
namespace {

constexpr Duration held_up = 20ms;        // a sleep that is longer by this shows a busy host; samples come every 80 ms
constexpr Duration slowest_allowed = 4s;  // of one call; it is bounded by 0.5 s, and by what the host puts on top
constexpr Duration must_stay_still = 250ms;
constexpr int most_plays = 4;

// After a fault whose outcome is chance: nothing happened, or everything that a loss brings.
void expect_none_or_loss(const Row& row, Rig& rig, std::uint64_t connects) {
  INFO(row.instead);
  CHECK_MESSAGE(rig.flows(), rig.account.all());
  if (rig.mode == Mode::idle) return;
  const bool same = rig.status().connects == connects;
  CHECK_MESSAGE(rig.armed() == same, rig.cause());
  CHECK_MESSAGE((same ? rig.moves() : rig.stands()), rig.account.all());
}

// Whether the row's effect came, and only it. False: the host was held up, and the play shows nothing.
bool expect_effect(const Row& row, Rig& rig, const HoldUp& host, std::uint64_t connects) {
  using Effect = Row::Effect;
  for (const std::string_view part : row.shows) {
    const bool said = eventually([&] { return rig.account.said(part); });
    CHECK_MESSAGE(said, "expected a cause with '" << part << "', got:" << rig.account.all());
  }
  const bool moving = rig.mode == Mode::moving;
  if (row.effect == Effect::chance) {
    expect_none_or_loss(row, rig, connects);
    return true;
  }
  if (row.effect == Effect::loss) {
    CHECK(eventually([&] { return !rig.live() || rig.status().connects > connects; }));
    return true;
  }
  const bool stays = row.effect == Effect::none || row.effect == Effect::stop;
  const bool flows = stays ? rig.flows() : eventually([&] { return rig.status().quality != Quality::live; });
  const bool goes_on = row.effect != Effect::none || !moving || rig.moves();
  const bool same = rig.status().connects == connects;
  if (!(flows && goes_on && same) && host.longest() > held_up) return false;
  CHECK_MESSAGE(flows, rig.account.all());
  CHECK_MESSAGE(goes_on, rig.cause());
  CHECK_MESSAGE(same, rig.account.all());
  return true;
}

// After a fault that must have stopped it: the link is back by itself, the motion is not.
void expect_no_motion(Rig& rig) {
  CHECK_FALSE(rig.armed());
  CHECK(rig.stands());
  CHECK(eventually([&] { return !rig.bridge->state().armed; }));
  const Seen before = rig.eye.seen();
  const std::uint64_t bytes = rig.primary.counts().to_device.bytes_in;
  rig.bridge->commands().trajectory.post(std::make_shared<TrajectoryRequest>());
  pass(must_stay_still);
  CHECK(rig.flows(2));
  const Seen after = rig.eye.seen();
  CHECK(after.stamp > before.stamp);
  CHECK(std::abs(after.q[0] - before.q[0]) < no_motion);
  CHECK(after.sequence == before.sequence);
  CHECK(rig.primary.counts().to_device.bytes_in == bytes);  // and no program either
  CHECK_FALSE(rig.armed());
}

void check_always(const Row& row, Rig& rig) {
  CHECK_MESSAGE(rig.account.wrong == 0, rig.account.all());
  CHECK(rig.account.oldest < row.oldest);
  CHECK(Duration(rig.account.slowest.load()) < slowest_allowed);
  CHECK(rig.status().state != runtime::LinkState::faulted);
}

void expect_disarmed(const Row& row, Rig& rig) {
  if (row.effect == Row::Effect::chance) {
    rig.supervisor->latch().stop("the test goes on", "test");
    return;
  }
  CHECK(eventually([&] { return !rig.armed(); }));
  const std::string cause = rig.cause();
  CHECK_MESSAGE(cause.find(row.disarms) != std::string::npos, cause);
  CHECK(eventually([&] { return rig.given_up > 0; }));
}

// False: the host was held up, and the play shows nothing.
bool play_in(const Row& row, Mode mode, HoldUp& host) {
  const std::string mode_name = mode == Mode::idle ? "idle" : "moving";
  CAPTURE(mode_name);
  INFO("longest hold-up of a sleeping thread: ", 1e3 * seconds(host.longest()), " ms");
  REQUIRE((row.instead != nullptr) == (row.effect == Row::Effect::chance));
  host.forget();
  Rig rig(mode, row.cycle_hz);
  if (row.before) row.before(rig);
  rig.start();
  if (!row.before) REQUIRE_MESSAGE(rig.flows(), rig.account.all());
  if (mode == Mode::moving && !rig.swing()) {
    REQUIRE_MESSAGE(host.longest() > held_up, rig.cause() << rig.account.all());
    return false;
  }
  const std::size_t descriptors = open_descriptors(), threads = running_threads();
  const std::uint64_t connects = rig.status().connects;
  rig.account.forget();
  rig.given_up = 0;
  rig.account.oldest = 0;
  host.forget();
  if (row.strike) row.strike(rig);
  if (!expect_effect(row, rig, host, connects)) return false;
  const bool stopped = mode == Mode::moving && row.effect != Row::Effect::none;
  if (stopped) expect_disarmed(row, rig);
  if (row.lift) row.lift(rig);
  CHECK_MESSAGE(rig.flows(), "not live again: " << rig.status().cause.view() << rig.account.all());
  if (row.effect == Row::Effect::loss && !row.before) CHECK(rig.status().connects > connects);
  if (stopped || mode == Mode::idle) expect_no_motion(rig);
  if (stopped && !rig.swing()) {
    REQUIRE_MESSAGE(host.longest() > held_up, "does not move after reset and arm: " << rig.cause());
    return false;
  }
  check_always(row, rig);
  // The machine's two connections are six descriptors in this process: its own and the proxies'; and the controller's.
  CHECK(open_descriptors() <= descriptors + 12);
  CHECK(running_threads() <= threads + (row.before ? 1 : 0));  // one comes with the first connect
  return true;
}

}  // namespace

void play(const Row& row) {
  HoldUp host;
  for (const Mode mode : {Mode::idle, Mode::moving}) {
    if (mode == Mode::idle && row.only_moving != nullptr) continue;
    if (mode == Mode::moving && row.before) continue;
    int plays = 1;
    while (!play_in(row, mode, host)) {
      const double longest = 1e3 * seconds(host.longest());
      REQUIRE_MESSAGE(plays < most_plays, "held up in each of " << plays << " plays, now by " << longest << " ms");
      MESSAGE("repeated: this host held a sleeping thread up by " << longest << " ms");
      ++plays;
    }
  }
}

}  // namespace tandem::ur3e::faults
