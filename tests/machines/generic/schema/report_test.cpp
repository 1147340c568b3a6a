// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/machines/generic/schema/reading.hpp"

using namespace tandem::generic;
using tandem::generic::testing::must_read;

TEST_CASE("`tandem check` shows everything that can ever be written") {
  const auto press = must_read(R"(
signals:
  valve: {at: holding 100, scale: 0.1, unit: "%", write: {limits: [-100, 100], rate: 200 /s, idle: zero, watchdog: 1 s}}
  lamp:  {at: coil 4, write: level}
  horn:  {at: coil 5, write: {pulse: 0.2 s, confirm: discrete 9}}
  free:  {at: holding 110, type: float32, write: {limits: [0, 1e6], rate: none}}
  state: {at: coil 4}
arm: {on_stop: {valve: 0}}
)");
  OwnDescription own;
  own.description = press;
  CHECK(own.report() == R"(press: can be written while armed:
  valve  holding 100      -100 to 100 %  200 /s          after 1000 ms zero  confirmed by itself
  lamp   coil 4           0 or 1         level           never idle          confirmed by itself
  horn   coil 5           0 or 1         pulse of 0.2 s  never idle          confirmed by discrete 9
  free   holding 110-111  0 to 1000000   no rate limit   never idle          confirmed by itself
  at a stop once: valve = 0
press.yaml:4:3: lamp is also read as state: confirm by default
)");
  own.description = must_read("signals: {a: {at: holding 1}}");
  CHECK(own.report() == "press: nothing is ever written\n");
}
