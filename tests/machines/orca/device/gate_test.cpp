// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/device/gate.hpp"

#include <doctest/doctest.h>

using namespace tandem;
using tandem::orca::Gate;
using Stream = tandem::orca::Gate::Stream;

namespace {

const Instant start{std::chrono::hours(1)};

Instant at(int milliseconds) { return start + std::chrono::milliseconds(milliseconds); }

}  // namespace

TEST_CASE("a stamp that is repeated or overtaken is not believed and each stream has its own") {
  Gate gate;
  CHECK(gate.judge(Stream::attitude, 1000, at(0)).believed);
  CHECK(gate.judge(Stream::attitude, 1020, at(20)).step == Duration(20ms));
  CHECK_FALSE(gate.judge(Stream::attitude, 1020, at(40)).believed);
  CHECK_FALSE(gate.judge(Stream::attitude, 1010, at(60)).believed);
  CHECK(gate.judge(Stream::position, 1010, at(80)).believed);
  CHECK(gate.judge(Stream::height, 1010, at(80)).believed);
  CHECK(gate.judge(Stream::attitude, 1080, at(80)).step == Duration(60ms));  // since the last one believed
}

TEST_CASE("stamps wrap around after 49.7 days") {
  Gate gate;
  CHECK(gate.judge(Stream::attitude, 0xFFFF'FFF0, at(0)).believed);
  const Gate::Verdict wrapped = gate.judge(Stream::attitude, 4, at(20));
  CHECK(wrapped.believed);
  CHECK_FALSE(wrapped.rebooted);
  CHECK(wrapped.step == Duration(20ms));
}

TEST_CASE("an autopilot that was restarted is believed from its first message on") {
  Gate gate;
  CHECK(gate.judge(Stream::attitude, 600'000, at(0)).believed);
  CHECK(gate.judge(Stream::position, 600'000, at(0)).believed);
  const Gate::Verdict verdict = gate.judge(Stream::attitude, 500, at(8000));
  CHECK(verdict.believed);
  CHECK(verdict.rebooted);
  const Gate::Verdict next = gate.judge(Stream::position, 510, at(8010));
  CHECK(next.believed);
  CHECK_FALSE(next.rebooted);
  CHECK_FALSE(next.step);  // positions of before the restart do not count
  CHECK_FALSE(gate.doubled(at(8010)));
}

TEST_CASE("two vehicles with one address are noticed by their stamps for ten seconds") {
  Gate gate;
  for (int i = 0; i < 40; ++i) {
    gate.judge(Stream::attitude, static_cast<std::uint32_t>(100'000 + 20 * i), at(20 * i));
    gate.judge(Stream::attitude, static_cast<std::uint32_t>(900'000 + 20 * i), at(20 * i + 10));
  }
  CHECK(gate.doubled(at(800)));
  CHECK_FALSE(gate.doubled(at(11'000)));
}

TEST_CASE("an estimate jumps when it goes half a metre or 0.3 rad beyond what its speed explains") {
  const Eigen::Vector3d still = Eigen::Vector3d::Zero(), forward(2, 0, 0);
  CHECK(orca::position_jumped({0.51, 0, 0}, still, still, 20ms));
  CHECK_FALSE(orca::position_jumped({0.49, 0, 0}, still, still, 20ms));
  CHECK_FALSE(orca::position_jumped({0.8, 0, 0}, forward, forward, 400ms));
  CHECK(orca::position_jumped({-0.8, 0, 0}, forward, forward, 400ms));
  CHECK_FALSE(orca::position_jumped({5, 0, 0}, still, still, 600ms));  // too long ago to compare
  CHECK(orca::attitude_jumped(0.31, 0, 20ms));
  CHECK_FALSE(orca::attitude_jumped(0.49, 1, 100ms));
  CHECK(orca::attitude_jumped(0.51, 1, 100ms));
  CHECK_FALSE(orca::attitude_jumped(3, 0, 600ms));
}
