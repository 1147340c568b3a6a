// SPDX-License-Identifier: Apache-2.0
// Driving by keys, without terminal and without truck: what is told, and for how long.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string_view>
#include <vector>

#include "tandem/app/teleop/screen.hpp"
#include "tandem/runtime/registry.hpp"

namespace tandem::app {

namespace {

constexpr Instant start{1h};
using Effect = TeleopDrive::Effect;
using Key = TeleopKey;

const machines::KeyDrive& truck() { return *runtime::all_machines().find("raptorlift")->keys; }

std::vector<Key> keys_in(std::string_view bytes) {
  TeleopKeys reader;
  std::vector<Key> keys;
  for (const char byte : bytes) {
    if (const Key key = reader.take(byte); key != Key::none) keys.push_back(key);
  }
  return keys;
}

}  // namespace

TEST_CASE("letters and both forms of arrows are the same keys") {
  const std::vector<Key> four = {Key::forward, Key::back, Key::left, Key::right};
  CHECK(keys_in("wsad") == four);
  CHECK(keys_in("WSAD") == four);
  CHECK(keys_in("\x1b[A\x1b[B\x1b[D\x1b[C") == four);
  CHECK(keys_in("\x1bOA\x1bOB\x1bOD\x1bOC") == four);
  CHECK(keys_in(" x+=-_q") ==
        std::vector{Key::halt, Key::stop, Key::faster, Key::faster, Key::slower, Key::slower, Key::quit});
}

TEST_CASE("other keys and pieces of sequences are skipped") {
  CHECK(keys_in("bnm\t\r\n1\x7f\xc3\xa4").empty());
  CHECK(keys_in("\x1b[3~\x1b[15~\x1b[H\x1bOP").empty());                        // delete, F5, home, F1
  CHECK(keys_in("\x1b[1;5A") == std::vector{Key::forward});                     // with control
  CHECK(keys_in("\x1bw") == std::vector{Key::forward});                         // escape, or with alt
  CHECK(keys_in("\x1b\x1b[Dd") == std::vector{Key::left, Key::right});          // escape, then an arrow
  CHECK(keys_in("\x1b[200~\x1b[201~ q") == std::vector{Key::halt, Key::quit});  // marks of a paste
}

TEST_CASE("any bytes give keys and nothing worse") {
  std::mt19937_64 random(5);
  TeleopKeys reader;
  TeleopDrive drive(truck());
  Instant at = start;
  for (int i = 0; i < 100'000; ++i, at += 7ms) {
    drive.press(reader.take(static_cast<char>(random())), at);
    const auto twist = drive.twist(at);
    if (twist) CHECK((std::abs(twist->v) <= 1 && std::abs(twist->w) <= 0.5));
    CHECK((drive.gear() >= 1 && drive.gear() <= 20));
  }
}

TEST_CASE("nothing is told before a key and after the last one a single zero") {
  TeleopDrive drive(truck());
  CHECK_FALSE(drive.twist(start));
  CHECK(drive.press(Key::forward, start) == Effect::drives);
  CHECK(drive.twist(start)->v == doctest::Approx(0.5));  // 0.05 + 0.95 * 9 / 19
  CHECK(drive.twist(start + 500ms)->v == doctest::Approx(0.5));
  const auto last = drive.twist(start + 501ms);
  REQUIRE(last);
  CHECK(last->v == 0);
  CHECK(last->w == 0);
  CHECK_FALSE(drive.twist(start + 502ms));
  CHECK_FALSE(drive.twist(start + 1h));
}

TEST_CASE("a key that repeats holds the truck in motion and a pause of the program ends it") {
  TeleopDrive drive(truck());
  for (Instant at = start; at < start + 10s; at += 30ms) {
    drive.press(Key::back, at);
    CHECK(drive.twist(at)->v == doctest::Approx(-0.5));
  }
  const auto after = drive.twist(start + 15s);
  REQUIRE(after);
  CHECK(after->v == 0);
}

TEST_CASE("left and right keep the speed and forward goes straight again") {
  TeleopDrive drive(truck());
  drive.press(Key::forward, start);
  CHECK(drive.press(Key::left, start + 100ms) == Effect::drives);
  CHECK(drive.wanted().v == doctest::Approx(0.5));
  CHECK(drive.wanted().w == doctest::Approx(0.5));
  drive.press(Key::right, start + 200ms);
  CHECK(drive.wanted().v == doctest::Approx(0.5));
  CHECK(drive.wanted().w == doctest::Approx(-0.5));
  drive.press(Key::forward, start + 300ms);
  CHECK(drive.wanted().w == 0);
  CHECK(drive.press(Key::forward, start + 330ms) == Effect::none);
  SUBCASE("after a pause a turn begins at standstill") {
    drive.press(Key::left, start + 2s);
    CHECK(drive.wanted().v == 0);
    CHECK(drive.wanted().w == doctest::Approx(0.5));
  }
}

TEST_CASE("gears have the speeds of the truck and end at both ends") {
  TeleopDrive drive(truck());
  CHECK(drive.press(Key::faster, start) == Effect::gear);
  CHECK(drive.gear() == 11);
  CHECK_FALSE(drive.twist(start));  // shifting alone drives nothing
  for (int i = 0; i < 30; ++i) drive.press(Key::faster, start);
  CHECK(drive.gear() == 20);
  CHECK(drive.press(Key::faster, start) == Effect::none);
  drive.press(Key::forward, start);
  CHECK(drive.twist(start)->v == doctest::Approx(1));
  for (int i = 0; i < 30; ++i) drive.press(Key::slower, start + 400ms);
  CHECK(drive.gear() == 1);
  CHECK(drive.twist(start + 800ms)->v == doctest::Approx(0.05));  // held, and by a key that shifts too
}

TEST_CASE("one halt stands and two ask the machine to stop") {
  TeleopDrive drive(truck());
  drive.press(Key::forward, start);
  CHECK(drive.press(Key::halt, start + 10ms) == Effect::halts);
  CHECK(drive.twist(start + 10ms)->v == 0);
  CHECK(drive.press(Key::halt, start + 600ms) == Effect::stop_machine);
  CHECK(drive.press(Key::halt, start + 700ms) == Effect::halts);  // counted anew
  CHECK(drive.press(Key::halt, start + 2s) == Effect::halts);
  CHECK(drive.press(Key::forward, start + 2100ms) == Effect::drives);
  CHECK(drive.press(Key::halt, start + 2200ms) == Effect::halts);
  CHECK(drive.press(Key::stop, start + 3s) == Effect::stop_machine);
  CHECK(drive.press(Key::quit, start + 4s) == Effect::quit);
  CHECK(drive.twist(start + 4s)->v == 0);
}

TEST_CASE("the machine that is driven is found by its type or by its name") {
  runtime::SystemStatus status;
  CHECK(find_driven(status, "raptorlift", "").cause == "the running tandem has no raptorlift");
  runtime::MachineStatus lift;
  lift.name = "lift";
  lift.type = "raptorlift";
  lift.state = "live";
  lift.arm = "disarmed";
  lift.arm_cause = "never armed";
  status.machines.push_back(lift);
  CHECK(advice(find_driven(status, "raptorlift", "")) ==
        "lift is not armed (never armed); `tandem arm lift` enables driving");
  CHECK(find_driven(status, "raptorlift", "lfit").cause == "the running tandem has no raptorlift called lfit");
  lift.name = "other";
  lift.arm = "stopped";
  lift.arm_cause = "stop, by user";
  status.machines.push_back(lift);
  CHECK(find_driven(status, "raptorlift", "").cause ==
        "several machines of type raptorlift: choose one with --name (lift, other)");
  CHECK(advice(find_driven(status, "raptorlift", "other")) ==
        "other is stopped (stop, by user); `tandem reset other`, then `tandem arm other` enable driving");
}

TEST_CASE("the status line says who drives what and what is measured") {
  TeleopView view;
  view.gear = 10;
  view.gear_speed = 0.5;
  CHECK(status_line(view) == "waiting for the machine, no subscriber | gear 10 (0.50 m/s) | no key | no odometry");
  view.machine = TeleopWatch::Machine{"lift", "armed", ""};
  view.listeners = 1;
  view.held = true;
  view.wanted = {0.5, -0.5};
  view.measured = TeleopMeasured{0.48, -0.3, 1.25, -2, 1.5707963, {}};
  CHECK(status_line(view) ==
        "lift armed | gear 10 (0.50 m/s) | forward 0.50 m/s, right 0.50 rad/s | "
        "measured +0.48 m/s -0.30 rad/s at 1.25 -2.00 m 90 deg");
  CHECK(motion_text({-0.05, 0}) == "back 0.05 m/s");
  CHECK(motion_text({0, 0.5}) == "left 0.50 rad/s");
  CHECK(motion_text({}) == "halt");
}

}  // namespace tandem::app
