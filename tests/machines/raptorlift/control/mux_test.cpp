// SPDX-License-Identifier: Apache-2.0
// Who drives when several want to.
#include <doctest/doctest.h>

#include <random>

#include "tandem/machines/raptorlift/control/velocity_mux.hpp"

using namespace tandem;
using namespace tandem::raptorlift;

namespace {
constexpr Instant start{1h};
}

TEST_CASE("nobody drives before the first word") { CHECK_FALSE(VelocityMux().choose(start)); }

TEST_CASE("the multiplexer has the priorities of the truck's own project") {
  CHECK(source(VelocityInput::teleop).topic == "teleop/cmd_vel");
  CHECK(source(VelocityInput::teleop).priority == 100);
  CHECK(source(VelocityInput::key).topic == "key/cmd_vel");
  CHECK(source(VelocityInput::key).priority == 50);
  CHECK(source(VelocityInput::nav).topic == "nav/cmd_vel");
  CHECK(source(VelocityInput::nav).priority == 10);
  for (std::size_t i = 1; i < velocity_input_count; ++i)
    CHECK(velocity_sources[i - 1].priority > velocity_sources[i].priority);
}

TEST_CASE("a higher input takes over at once and a lower one only when it falls silent") {
  VelocityMux mux(500ms);
  mux.take(VelocityInput::nav, {0.4, 0.1}, start);
  REQUIRE(mux.choose(start));
  CHECK(mux.choose(start)->input == VelocityInput::nav);
  mux.take(VelocityInput::teleop, {-0.2, 0}, start + 100ms);
  mux.take(VelocityInput::nav, {0.5, 0.1}, start + 550ms);
  CHECK(mux.choose(start + 600ms)->input == VelocityInput::teleop);
  CHECK(mux.choose(start + 600ms)->twist.v == -0.2);
  CHECK(mux.choose(start + 601ms)->input == VelocityInput::nav);
  CHECK(mux.choose(start + 601ms)->twist.v == 0.5);
  CHECK_FALSE(mux.choose(start + 1051ms));
}

TEST_CASE("what was said before a stop does not count after it") {
  VelocityMux mux;
  mux.take(VelocityInput::key, {1, 0}, start);
  mux.forget();
  CHECK_FALSE(mux.choose(start));
}

TEST_CASE("the choice is the first of the inputs that a search over all of them finds") {
  std::mt19937_64 random(11);
  VelocityMux mux(500ms);
  std::array<std::optional<Instant>, velocity_input_count> heard;
  Instant now = start;
  for (int i = 0; i < 2000; ++i) {
    now += Duration(1ms) * static_cast<int>(random() % 400);
    if (random() % 2 == 0) {
      const auto input = random() % velocity_input_count;
      mux.take(static_cast<VelocityInput>(input), {}, now);
      heard[input] = now;
    }
    std::optional<std::size_t> expected;
    for (std::size_t input = 0; input < velocity_input_count; ++input) {
      const bool counts = heard[input] && now - *heard[input] <= 500ms;
      if (counts && (!expected || velocity_sources[input].priority > velocity_sources[*expected].priority))
        expected = input;
    }
    const auto choice = mux.choose(now);
    REQUIRE(choice.has_value() == expected.has_value());
    if (choice) CHECK(static_cast<std::size_t>(choice->input) == *expected);
  }
}
