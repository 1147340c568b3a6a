// SPDX-License-Identifier: Apache-2.0
// How far the truck rolls, by the physics' own account, when its link is lost at 1 m/s. Bounds are those of the table
// in docs/raptorlift.md.
#include "tests/machines/raptorlift/faults/rolling_rig.hpp"
#include "tests/machines/rigs/modbus_answer_rows.hpp"
#include "tests/machines/rigs/modbus_fault_rows.hpp"

using namespace tandem;
using namespace tandem::raptorlift;
using namespace tandem::raptorlift::rig;

namespace {

using Strike = std::function<void(RollingRig&)>;

struct Play {
  std::string_view fault;  // its row of the table
  Strike strike;
  std::vector<std::string> settings = {};
  double v = 1;            // m/s
  bool stopped = false;    // a stop is latched at the same moment
  double load = 0;         // kg
  double more = 0;         // m beyond the table's bound, for the load
  bool heartbeat = false;  // the PLC asks for ours
};

void expect_within_bound(const Play& play) {
  const bool stopped = play.stopped;
  CAPTURE(play.fault);
  CAPTURE(stopped);
  CAPTURE(play.v);
  RollingRig rig(Mode::moving, play.settings);
  if (play.load > 0 || play.heartbeat) {
    rig.device_setup.load = play.load;
    rig.device_setup.heartbeat_required = play.heartbeat;
    rig.restart_device();
  }
  rig.link.start();
  REQUIRE_MESSAGE(rig.link.flows(), rig.link.all());
  REQUIRE_MESSAGE(rig.drive(play.v), rig.link.all());
  rig.link.forget();
  const std::uint64_t pulses = rig.link.recorder.pulses;
  const double rolled = rig.rolls_after([&](RollingRig&) {
    if (stopped) rig.link.latch().stop("a test", "test");
    play.strike(rig);
  });
  const double bound = documented_bound(play.fault) + play.more;
  MESSAGE(fmt::format("{}{}, {} m/s, {} kg: {:.3f} m of {}", play.fault, stopped ? ", stopped" : "", play.v, play.load,
                      rolled, bound));
  CHECK_MESSAGE(rolled <= bound, rig.link.all());
  CHECK_MESSAGE(rig.link.flows(), rig.link.all());
  CHECK_FALSE(rig.link.armed());
  CHECK(rig.link.recorder.pulses == pulses);  // only an arm resets
  CHECK(rig.coils_off());
  CHECK(rig.link.recorder.violations == 0);
  // It drives again after reset and arm.
  if (!stopped) CHECK_MESSAGE(rig.drive(play.v), rig.link.all());
}

void expect_within_bound_stopped_or_not(Play play) {
  expect_within_bound(play);
  play.stopped = true;
  expect_within_bound(play);
}

Strike refused_for(Duration away) {
  return [=](RollingRig& rig) {
    rig.proxy.stop_listening();
    rig.proxy.cut(net::Cut::rst);
    rig.struck();
    pass(away);
    REQUIRE(rig.proxy.listen_again().ok());
  };
}

// Line faults for a while, then optionally a new connection.
Strike faulty_for(Duration away, const net::Faults& faults, bool cut = false) {
  return [=](RollingRig& rig) {
    rig.proxy.apply(faults);
    rig.struck();
    pass(away);
    rig.proxy.clear();
    if (cut) rig.proxy.cut(net::Cut::rst);
  };
}

// The PLC has tripped and brakes.
void wait_for_trip(RollingRig& rig) {
  auto other = kit::intruder(rig);
  REQUIRE(eventually([&] {
    bool tripped = false;
    REQUIRE(other.read_discrete_inputs(0, {&tripped, 1}, now() + 5s));
    return tripped;
  }));
}

}  // namespace

TEST_CASE("R01 a link that was reset and comes back leaves the PLC's brake on") {
  expect_within_bound_stopped_or_not({.fault = "link reset", .strike = refused_for(500ms)});
}

TEST_CASE("R02 a link that comes back before the PLC's watchdog brakes the truck itself") {
  expect_within_bound({.fault = "link reset", .strike = refused_for(250ms)});
  expect_within_bound({.fault = "link reset", .strike = [](RollingRig& rig) {
                         rig.proxy.cut(net::Cut::rst);
                         rig.struck();
                       }});
}

TEST_CASE("R03 a link that comes and goes brakes the truck or lets the PLC do it") {
  expect_within_bound_stopped_or_not({.fault = "link reset", .strike = [](RollingRig& rig) {
                                        for (int i = 0; i < 20; ++i) {
                                          rig.proxy.cut(i % 2 == 0 ? net::Cut::rst : net::Cut::fin);
                                          pass(70ms);
                                        }
                                      }});
}

TEST_CASE("R04 in a black hole the PLC stops the truck and the returning link leaves it so") {
  const auto hole = net::Faults::both({.black_hole = true});
  expect_within_bound_stopped_or_not({.fault = "black hole", .strike = faulty_for(700ms, hole, true)});
  expect_within_bound({.fault = "black hole", .strike = faulty_for(2s, hole, true)});
}

TEST_CASE("R05 with late answers the truck is braked by its last known direction or by the PLC") {
  const Duration late = 130ms;
  expect_within_bound_stopped_or_not(
      {.fault = "late answers", .strike = faulty_for(2s, kit::to_client({.delay = late}))});
  expect_within_bound({.fault = "late answers", .strike = faulty_for(2s, kit::to_client({.delay = late})), .v = -1});
  expect_within_bound({.fault = "late answers", .strike = faulty_for(2s, net::Faults::both({.delay = late}))});
}

TEST_CASE("R06 answers that come and go as they please do not keep the truck rolling") {
  expect_within_bound({.fault = "late answers",
                       .strike = faulty_for(3s, kit::to_client({.delay = Duration(80ms), .jitter = Duration(400ms)}))});
}

TEST_CASE("R07 answers that are lost while requests arrive stop the truck") {
  expect_within_bound_stopped_or_not(
      {.fault = "answers lost", .strike = faulty_for(2s, kit::to_client({.black_hole = true}), true)});
  // With the heartbeat that this PLC asks for: it ends with the commands.
  expect_within_bound({.fault = "answers lost",
                       .strike = faulty_for(2s, kit::to_client({.black_hole = true}), true),
                       .settings = {"heartbeat=true"},
                       .heartbeat = true});
}

TEST_CASE("R08 a link of which only one end knows that it is over") {
  expect_within_bound_stopped_or_not({.fault = "half-open", .strike = [](RollingRig& rig) {
                                        rig.proxy.apply({{.black_hole = true}, {}});
                                        rig.struck();
                                        pass(1500ms);
                                        rig.proxy.clear();
                                      }});
}

TEST_CASE("R09 old answers in the place of true ones are not believed") {
  // D16 to D23 at 1 m/s, with the first transaction ids.
  std::vector<std::uint8_t> old;
  for (std::uint8_t id = 1; id < 200; ++id)
    old.insert(old.end(),
               {0, id, 0, 0, 0, 19, 1, 3, 16, 0xE3, 0xC5, 0, 0, 0x1C, 0x3B, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0});
  expect_within_bound_stopped_or_not({.fault = "answers replayed", .strike = [&](RollingRig& rig) {
                                        rig.proxy.apply(kit::to_client({.black_hole = true}));
                                        rig.struck();
                                        for (int i = 0; i < 40; ++i) {
                                          rig.proxy.inject_to_client(old);
                                          pass(20ms);
                                        }
                                        kit::clear_and_cut(rig);
                                      }});
}

TEST_CASE("R10 a PLC that restarts while the truck rolls brakes it") {
  expect_within_bound_stopped_or_not({.fault = "device restarted", .strike = [](RollingRig& rig) {
                                        rig.faults.next(PlcFaults::restart, 1);
                                        CHECK(eventually([&] { return rig.faults.happened(PlcFaults::restart) == 1; }));
                                      }});
}

TEST_CASE("R11 a stop with frozen feedback brakes and leaves the rest to the PLC") {
  expect_within_bound({.fault = "feedback frozen, then a stop",
                       .strike =
                           [](RollingRig& rig) {
                             rig.faults.feedback_frozen = true;
                             pass(50ms);
                             rig.link.latch().stop("a test", "test");
                             rig.struck();
                             CHECK(eventually([&] { return rig.link.state().activity == Activity::idle; }));
                             rig.faults.feedback_frozen = false;
                           },
                       .stopped = false});
}

TEST_CASE("R12 feedback frozen at zero does not switch off the motors of a rolling truck") {
  RollingRig rig(Mode::moving);
  rig.link.start();
  REQUIRE(rig.link.flows());
  rig.faults.feedback_frozen = true;  // at zero
  REQUIRE_MESSAGE(rig.drive(), rig.link.all());
  const double rolled = rig.rolls_after([](RollingRig& r) { r.link.latch().stop("a test", "test"); });
  MESSAGE("frozen at zero: " << rolled << " m");
  CHECK(rolled <= documented_bound("feedback frozen, then a stop"));
  CHECK(rig.coils_off());
}

TEST_CASE("R13 a truck that rolls cannot be armed and keeps the PLC's brake") {
  RollingRig rig(Mode::moving);
  rig.link.start();
  REQUIRE(rig.link.flows());
  REQUIRE_MESSAGE(rig.drive(), rig.link.all());
  const double rolled = rig.rolls_after([](RollingRig& r) {
    r.proxy.stop_listening();
    r.proxy.cut(net::Cut::rst);
    r.struck();
    wait_for_trip(r);
    REQUIRE(r.proxy.listen_again().ok());
    CHECK(eventually([&] {  // again and again, as an impatient operator does
      r.link.latch().reset("test");
      (void)r.link.latch().arm("test");
      return r.forward() < standing_speed;
    }));
    r.link.latch().stop("a test", "test");
  });
  MESSAGE("armed while rolling: " << rolled << " m");
  CHECK(rolled <= documented_bound("link reset"));
  CHECK_MESSAGE(rig.link.said("expected standstill"), rig.link.all());
}

TEST_CASE("R14 a load only lengthens the way by what the brake is weaker") {
  expect_within_bound({.fault = "late answers",
                       .strike = faulty_for(2s, kit::to_client({.delay = Duration(130ms)})),
                       .load = 120,
                       .more = 0.3});
  expect_within_bound({.fault = "link reset", .strike = refused_for(500ms), .load = 120, .more = 0.3});
}

TEST_CASE("R15 an arm whose link is cut at any moment leaves nothing enabled and no reset high") {
  RollingRig rig(Mode::moving);
  rig.link.start();
  REQUIRE(rig.link.flows());
  rig.link.want(1, 0);
  for (int i = 0; i < 12; ++i) {
    REQUIRE_MESSAGE(rig.link.flows(), rig.link.all());
    rig.link.latch().reset("test");
    (void)rig.link.latch().arm("test");
    pass(i * 3ms);
    rig.proxy.cut(net::Cut::rst);
    rig.link.latch().stop("a test", "test");
    const double before = rig.metres();
    CHECK(metres_to_rest(*rig.device, before) <= documented_bound("link reset"));
    CHECK(rig.coils_off());
  }
}

TEST_CASE("R16 a process that starts while the truck rolls resets nothing") {
  RollingRig rig(Mode::moving);
  rig.link.start();
  REQUIRE(rig.link.flows());
  REQUIRE_MESSAGE(rig.drive(), rig.link.all());
  SupervisedMachine second(rig.device->url(), default_settings());
  const double rolled = rig.rolls_after([&](RollingRig& r) {
    r.proxy.stop_listening();
    r.proxy.cut(net::Cut::rst);
    r.struck();
    wait_for_trip(r);
    second.start();
    CHECK(second.flows());
  });
  MESSAGE("started while rolling: " << rolled << " m");
  CHECK(rolled <= documented_bound("link reset"));
  CHECK(second.flows());
  CHECK(second.recorder.pulses == 0);  // it rolled, and it has tripped
}

TEST_CASE("R17 commands that were held up do not move the truck when they arrive") {
  expect_within_bound_stopped_or_not(
      {.fault = "black hole", .strike = faulty_for(1500ms, net::Faults::both({.hold = true}))});
}

TEST_CASE("R18 answers that are slow and still in time brake the truck") {
  expect_within_bound({.fault = "late answers", .strike = [](RollingRig& rig) {
                         rig.proxy.apply(net::Faults::both({.delay = Duration(40ms)}));
                         rig.link.latch().stop("a test", "test");
                         rig.struck();
                         CHECK(eventually([&] { return rig.link.state().activity == Activity::idle; }));
                         rig.proxy.clear();
                       }});
}

TEST_CASE("R19 a machine that ends while answers are late or lost brakes and leaves the rest to the PLC") {
  for (const net::PathFaults& faults : {net::PathFaults{.delay = 130ms}, net::PathFaults{.black_hole = true}}) {
    RollingRig rig(Mode::moving);
    rig.link.start();
    REQUIRE(rig.link.flows());
    REQUIRE_MESSAGE(rig.drive(), rig.link.all());
    const double rolled = rig.rolls_after([&](RollingRig& r) {
      r.proxy.apply(kit::to_client(faults));
      r.struck();
      r.link.end();
    });
    MESSAGE("ended without answers: " << rolled << " m");
    CHECK(rolled <= documented_bound("late answers"));
    CHECK(rig.coils_off());
  }
}

TEST_CASE("R20 a stop at a slow speed takes a fraction of a second and ends at standstill") {
  RollingRig rig(Mode::moving);
  rig.link.start();
  REQUIRE(rig.link.flows());
  for (const auto& [v, row] : {std::pair(0.3, "0.3 m/s"), std::pair(-0.3, "0.3 m/s"), std::pair(1.0, "1 m/s")}) {
    CAPTURE(v);
    rig.link.want(v, 0);
    const double forward = v < 0 ? -1 : 1;
    REQUIRE(eventually([&] {
      if (rig.link.armed()) return rig.forward() * forward > 0.97 * std::abs(v);
      rig.link.latch().reset("test");
      (void)rig.link.latch().arm("test");
      return false;
    }));
    rig.link.latch().stop("a test", "test");
    const Instant start = now();
    Instant moved = start;
    double backward = 0;  // m/s
    while (now() - start < 2s && now() - moved < standing_time) {
      const double speed = rig.forward() * forward;
      if (std::abs(speed) > standing_speed) moved = now();
      backward = std::max(backward, -speed);
      pass(1ms);
    }
    MESSAGE(fmt::format("{} m/s: {:.3f} s to standstill, back {:.4f} m/s", v, seconds(moved - start), backward));
    CHECK(seconds(moved - start) <= documented_bound(row));
    CHECK(backward < standing_speed);  // this PLC obeys the speed limit of 0; braking_test.cpp has one that does not
    CHECK(rig.coils_off());
    CHECK(eventually([&] { return rig.link.state().activity == Activity::idle; }));
  }
}
