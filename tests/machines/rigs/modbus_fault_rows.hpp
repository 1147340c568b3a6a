// SPDX-License-Identifier: Apache-2.0
// The common faults G of a link, as rows to play on the rig of any bridge on Modbus.
#pragma once

#include <random>

#include "tandem/protocols/modbus/device_faults.hpp"
#include "tests/machines/rigs/modbus_rig.hpp"

namespace tandem::kit {

inline std::vector<std::uint8_t> noise(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

inline net::Faults to_client(const net::PathFaults& faults) { return {{}, faults}; }

// UTC jumps, and nothing else does.
class JumpingClock final : public Clock {
 public:
  Instant now() const override { return system_clock().now(); }
  UtcTime utc() const override { return system_clock().utc() + Duration(jump.load()); }
  void sleep_until(Instant instant) override { system_clock().sleep_until(instant); }
  std::atomic<Duration::rep> jump{0};
};

template <typename Rig>
void clear(Rig& rig) {
  rig.proxy.clear();
}

template <typename Rig>
void clear_and_cut(Rig& rig) {
  rig.proxy.clear();
  rig.proxy.cut(net::Cut::rst);
}

template <typename Rig>
struct LinkFaults {
  using Row = ModbusRow<Rig>;
  using Effect = typename Row::Effect;
  using Kind = modbus::DeviceFaults;

  static Row absent_at_start() {  // G01
    return {.before = [](Rig& rig) { rig.proxy.stop_listening(); },
            .strike =
                [](Rig& rig) {
                  pass(500ms);
                  CHECK(rig.link.status().state == runtime::LinkState::connecting);
                  CHECK(rig.link.status().attempts >= 2);
                },
            .shows = {"nothing listens"},
            .lift = [](Rig& rig) { REQUIRE(rig.proxy.listen_again().ok()); }};
  }

  static Row ended() {  // G02
    return {.strike =
                [](Rig& rig) {
                  rig.proxy.stop_listening();
                  rig.proxy.cut(net::Cut::fin);
                },
            .shows = {"closed", "nothing listens"},
            .lift = [](Rig& rig) { REQUIRE(rig.proxy.listen_again().ok()); }};
  }

  static Row reset_within_a_frame() {  // G03
    return {.strike = [](Rig& rig) {
      rig.proxy.inject_to_client(torn());
      rig.proxy.cut(net::Cut::rst);
    }};
  }

  static Row black_hole() {  // G04
    return {.strike =
                [](Rig& rig) {
                  rig.proxy.apply(net::Faults::both({.black_hole = true}));
                  CHECK(eventually([&] { return rig.link.status().quality != Quality::live; }));
                  pass(1200ms);
                  if (rig.mode == Mode::idle) return;
                  // Not only when it is back: what the latch needs is known while it is away.
                  CHECK_MESSAGE(eventually([&] { return rig.link.stopped(); }), rig.link.all());
                },
            .lift = clear_and_cut<Rig>,
            .after =
                [](Rig& rig) {
                  if (rig.mode == Mode::idle) return;
                  CHECK_MESSAGE(eventually([&] { return rig.link.stopped(); }), rig.link.all());
                  CHECK_FALSE(rig.link.latch().arm("test"));  // a reset comes first
                }};
  }

  static Row half_open() {  // G05
    return {.strike =
                [](Rig& rig) {
                  rig.proxy.apply(net::Faults::both({.black_hole = true}));
                  rig.kill_device();
                  pass(50ms);
                  rig.proxy.clear();
                  CHECK(eventually([&] { return rig.link.status().quality != Quality::live; }));
                },
            .lift = [](Rig& rig) { rig.restart_device(); }};
  }

  static Row half_closed() {  // G06
    return {.strike = [](Rig& rig) { rig.proxy.cut(net::Cut::half_to_client); }, .shows = {"closed"}};
  }

  static Row silent() {  // G07
    return {.strike =
                [](Rig& rig) {
                  rig.faults.next(Kind::no_answer, Kind::always);
                  rig.proxy.cut(net::Cut::rst);
                  const std::uint64_t attempts = rig.link.status().attempts;
                  CHECK(eventually([&] { return rig.link.status().attempts >= attempts + 2; }));
                },
            .lift = [](Rig& rig) { rig.faults.next(Kind::no_answer, 0); }};
  }

  // G08. Shorter than both limits of the rig (an answer in 0.3 s, feedback in 0.6 s): it stays armed and goes on.
  static Row held_for_200_ms() {
    return {.strike =
                [](Rig& rig) {
                  rig.proxy.apply(net::Faults::both({.hold = true}));
                  pass(200ms);
                  rig.proxy.clear();
                  CHECK(rig.link.flows());
                },
            .effect = Effect::none};
  }
  // G08. Longer than both: disarmed while it is held, and still when what waited comes.
  static Row held_past_the_limits() {
    return {.strike =
                [](Rig& rig) {
                  rig.proxy.apply(net::Faults::both({.hold = true}));
                  CHECK(eventually([&] { return rig.link.status().quality != Quality::live; }));
                  pass(900ms);
                },
            .effect = Effect::disarm,
            .lift = clear<Rig>};
  }

  static Row slow_bytes() {  // G09
    return {.strike = [](Rig& rig) { rig.proxy.apply(net::Faults::both({.slice = 1, .slice_gap = Duration(100ms)})); },
            .effect = Effect::disarm,
            .lift = clear_and_cut<Rig>};
  }

  static Row single_bytes() {  // G10
    return {.strike =
                [](Rig& rig) {
                  rig.proxy.apply(net::Faults::both({.slice = 1}));
                  CHECK(rig.link.flows(30));
                },
            .effect = Effect::none,
            .lift = clear<Rig>};
  }

  static Row bursts() {  // G11
    return {.strike =
                [](Rig& rig) {
                  for (int burst = 0; burst < 5; ++burst) {
                    rig.proxy.apply(to_client({.hold = true}));
                    pass(50ms);
                    rig.proxy.clear();
                    CHECK(rig.link.flows(2));
                  }
                },
            .effect = Effect::none};
  }

  static Row torn_frame() {  // G12
    return {.strike = [](Rig& rig) { rig.proxy.inject_to_client(torn()); }};
  }
  static Row cut_answer() {  // G12
    return {.strike = [](Rig& rig) { rig.faults.next(Kind::cut_answer, 1); }};
  }

  static Row garbage() {  // G13
    return {.strike = [](Rig& rig) {
      for (const std::size_t size : {std::size_t{37}, std::size_t{5000}, std::size_t{1} << 20}) {
        const std::uint64_t connects = rig.link.status().connects;
        rig.proxy.inject_to_client(noise(size, size));
        CHECK(eventually([&] { return rig.link.status().connects > connects; }));
      }
    }};
  }

  // G14: with so many of all bits; then what is believed has to be sane.
  static Row flipped_bits(double rate, std::function<void(Rig&)> sane) {
    return {.strike =
                [=](Rig& rig) {
                  rig.proxy.apply(to_client({.corrupt = rate}));
                  pass(1s);
                  sane(rig);
                },
            .effect = Effect::disarm,
            .lift = clear_and_cut<Rig>};
  }

  static Row twice() {  // G15
    return {.strike =
                [](Rig& rig) {
                  rig.faults.next(Kind::double_answer, 40);
                  CHECK(eventually([&] { return rig.faults.happened(Kind::double_answer) >= 40; }));
                },
            .effect = Effect::none};
  }

  // G16. Of a stream the proxy keeps the order; an answer held back comes after those that follow it.
  static Row out_of_order() {
    return {.strike =
                [](Rig& rig) {
                  rig.faults.delay(100ms);
                  rig.faults.function(3);
                  rig.faults.next(Kind::late_answer, 3);
                  CHECK(eventually([&] { return rig.faults.happened(Kind::late_answer) >= 3; }));
                },
            .effect = Effect::none,
            .lift = [](Rig& rig) { rig.faults.function(0); }};
  }

  static Row played_again(std::vector<std::uint8_t> old) {  // G17
    return {.strike =
                [old = std::move(old)](Rig& rig) {
                  const std::uint64_t late = rig.link.state().late;
                  for (int i = 0; i < 20; ++i) {
                    rig.proxy.inject_to_client(old);
                    pass(10ms);
                  }
                  CHECK(eventually([&] { return rig.link.state().late > late; }));
                },
            .effect = Effect::none};
  }

  // G19: the feedback stands still, and the counter that shows it.
  template <typename Faults>
  static Row frozen(std::atomic<bool> Faults::*beat, std::string_view shows, std::vector<std::string> settings = {}) {
    const auto freeze = [=](bool on) {
      return [=](Rig& rig) {
        rig.faults.feedback_frozen = on;
        rig.faults.*beat = on;
      };
    };
    return {.strike = freeze(true),
            .effect = Effect::disarm,
            .shows = {shows},
            .lift = freeze(false),
            .settings = std::move(settings)};
  }

  static Row takes_no_bytes() {  // G23
    return {.strike =
                [](Rig& rig) {
                  rig.proxy.apply({{.hold = true}, {}});
                },
            .lift =
                [](Rig& rig) {
                  CHECK(eventually([&] { return rig.link.status().state != runtime::LinkState::live; }));
                  clear_and_cut(rig);
                }};
  }

  static Row comes_and_goes() {  // G24
    return {.strike = [](Rig& rig) {
      for (int i = 0; i < 20; ++i) {
        rig.proxy.cut(i % 2 == 0 ? net::Cut::rst : net::Cut::fin);
        pass(50ms);
      }
    }};
  }

 private:
  // The front of an answer that promises more than it has.
  static std::vector<std::uint8_t> torn() {
    constexpr std::uint8_t bytes = Rig::Traits::feedback_bytes;
    return {0x12, 0x34, 0, 0, 0, bytes + 3, 1, 3, bytes, 0, 1};
  }
};

// G20
template <typename Rig>
void expect_unmoved_by_utc() {
  JumpingClock clock;
  Rig rig(Mode::moving, {}, clock);
  rig.link.start();
  REQUIRE(rig.link.flows());
  Rig::Traits::urge(rig.link);
  REQUIRE(rig.link.arm());
  REQUIRE(rig.moves());
  for (const auto jump : {Duration(1h), Duration(-1h), Duration(1s)}) {
    clock.jump = jump.count();
    CHECK(rig.link.flows(20));
    CHECK(rig.link.armed());
  }
  CHECK(rig.moves());
}

// G21: on a rig whose link was not started.
template <typename Rig>
void expect_disarmed_by_pause(Rig& rig) {
  const std::stop_token never;
  auto& supervisor = *rig.link.supervisor;
  REQUIRE(eventually([&] {
    supervisor.step(never);
    return rig.link.live();
  }));
  Rig::Traits::urge(rig.link);
  REQUIRE(supervisor.latch().arm("test"));
  REQUIRE(eventually([&] {
    supervisor.step(never);
    return rig.speed() > Rig::Traits::moving_speed;
  }));
  pass(2s);  // as if the process had been stopped; the device's own watchdog stops the machine
  CHECK(rig.rests());
  for (int i = 0; i < 20; ++i) supervisor.step(never);
  CHECK_FALSE(rig.link.armed());
  CHECK(rig.link.recorder.violations == 0);
}

}  // namespace tandem::kit
