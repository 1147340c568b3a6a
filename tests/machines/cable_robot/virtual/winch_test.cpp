// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tandem/machines/cable_robot/virtual/winch.hpp"

using namespace tandem;
using namespace tandem::cable_robot;

namespace {

constexpr double winch_dt = 0.001;

// A winch whose commands do not age unless they are let.
struct WinchRig {
  explicit WinchRig(double unwound = 0.5) : winch(unwound, 5e4) { winch.enable(true); }
  void step(double tension = 20) { winch.step(order, limits, tension, winch_dt); }
  bool flag(WinchFlag flag) const { return has(winch.flags(), flag); }

  VirtualWinch winch;
  WinchLimits limits;
  WinchOrder order{.mode = WinchMode::length, .length = 0.5};
};

}  // namespace

TEST_CASE("A drum goes to its length within its limits and does not overshoot") {
  for (const double target : {0.6, 0.45, 1.4}) {
    CAPTURE(target);
    WinchRig rig;
    rig.order.length = target;
    double fastest = 0, hardest = 0, last = 0;
    for (int i = 0; i < 2500; ++i) {
      rig.step();
      fastest = std::max(fastest, std::abs(rig.winch.speed()));
      hardest = std::max(hardest, std::abs(rig.winch.speed() - last) / winch_dt);
      last = rig.winch.speed();
      CHECK((rig.winch.length() - target) * (target > 0.5 ? 1 : -1) < 2e-4);
    }
    CHECK(rig.winch.length() == doctest::Approx(target).epsilon(1e-5));
    CHECK(fastest < 1.02);
    CHECK(hardest < 21);
    CHECK_FALSE(rig.winch.faulty());
  }
}

TEST_CASE("With the speed told a drum keeps up with a moving order") {
  WinchRig rig;
  double worst = 0;
  for (int ms = 0; ms < 3000; ++ms) {
    const double t = ms * winch_dt;
    if (ms % 2 == 0) {  // at 500 Hz
      rig.order.length = 0.5 + 0.05 * std::sin(3 * t) * std::min(1.0, t);
      rig.order.speed = 0.15 * std::cos(3 * t) * std::min(1.0, t) + (t < 1 ? 0.05 * std::sin(3 * t) : 0);
      rig.order.age = 0;
    }
    rig.order.age += winch_dt;
    rig.step();
    const double now = t + winch_dt;
    worst = std::max(worst, std::abs(rig.winch.length() - 0.5 - 0.05 * std::sin(3 * now) * std::min(1.0, now)));
  }
  CHECK(worst < 2e-4);
}

TEST_CASE("An order that is not repeated carries the drum no further than its glide") {
  WinchRig rig;
  rig.order.speed = 0.2;
  for (int i = 0; i < 500; ++i) {
    rig.order.age += winch_dt;
    rig.step();
  }
  CHECK(rig.winch.length() == doctest::Approx(0.5 + 0.2 * VirtualWinch::glide).epsilon(1e-4));
}

TEST_CASE("A winch that is disabled or holds brakes and keeps its length") {
  for (const bool disabled : {true, false}) {
    CAPTURE(disabled);
    WinchRig rig;
    rig.order.length = 0.9;
    for (int i = 0; i < 100; ++i) rig.step();
    CHECK(rig.winch.speed() > 0.9);
    CHECK_FALSE(rig.flag(WinchFlag::brake));
    if (disabled)
      rig.winch.enable(false);
    else
      rig.order.mode = WinchMode::hold;
    for (int i = 0; i < 60; ++i) rig.step();
    CHECK(rig.winch.speed() == 0);
    CHECK(rig.flag(WinchFlag::brake));
    CHECK(rig.flag(WinchFlag::enabled) != disabled);
    const double stands = rig.winch.length();
    for (int i = 0; i < 100; ++i) rig.step();
    CHECK(rig.winch.length() == stands);
  }
}

TEST_CASE("In mode tension a drum pulls its spring to the tension") {
  for (const double wanted : {30.0, 80.0, 5.0}) {
    CAPTURE(wanted);
    WinchRig rig;
    rig.order = {.mode = WinchMode::tension, .tension = wanted};
    const double apart = 0.5002;
    const auto tension = [&] { return std::max(0.0, 5e4 * (apart - rig.winch.length()) / rig.winch.length()); };
    double most = 0;
    for (int i = 0; i < 1500; ++i) {
      rig.step(tension());
      most = std::max(most, tension());
    }
    CHECK(tension() == doctest::Approx(wanted).epsilon(0.01));
    CHECK(most < wanted + 25);
  }
}

TEST_CASE("A slack cable is taken up until its end is reached and no further") {
  WinchRig rig(0.06);
  rig.order = {.mode = WinchMode::tension, .tension = 20};
  for (int i = 0; i < 3000; ++i) rig.step(0);
  CHECK(rig.winch.length() == doctest::Approx(rig.limits.shortest).epsilon(1e-4));
  CHECK(rig.flag(WinchFlag::at_end));
  CHECK(rig.flag(WinchFlag::slack));
  CHECK_FALSE(rig.winch.faulty());
}

TEST_CASE("A stuck drum is found by what it does not follow") {
  WinchRig rig;
  rig.winch.stick(true);
  rig.order.length = 0.515;  // within what may be off
  for (int i = 0; i < 500; ++i) rig.step();
  CHECK_FALSE(rig.winch.faulty());
  rig.order.length = 0.53;
  for (int i = 0; i < 500; ++i) rig.step();
  CHECK(rig.flag(WinchFlag::following));
  CHECK_FALSE(rig.winch.enabled());
  CHECK(rig.winch.length() == 0.5);
  rig.winch.enable(true);  // while it is latched
  CHECK_FALSE(rig.winch.enabled());
  rig.winch.stick(false);
  rig.winch.clear_faults();
  rig.winch.enable(true);
  for (int i = 0; i < 500; ++i) rig.step();
  CHECK(rig.winch.length() == doctest::Approx(0.53).epsilon(1e-5));
}

TEST_CASE("Too much tension latches unless it is a shock") {
  WinchRig rig;
  for (int i = 0; i < 3; ++i) rig.step(200);
  rig.step(100);
  CHECK_FALSE(rig.winch.faulty());
  for (int i = 0; i < 10; ++i) rig.step(151);
  CHECK(rig.flag(WinchFlag::overload));
  rig.step(100);
  CHECK(rig.flag(WinchFlag::overload));
  CHECK_FALSE(rig.flag(WinchFlag::enabled));
  rig.winch.clear_faults();
  CHECK_FALSE(rig.flag(WinchFlag::overload));
}
