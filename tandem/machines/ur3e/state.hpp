// SPDX-License-Identifier: Apache-2.0
// What the machine knows after a cycle; leaves its thread through a Latest cell.
#pragma once

#include <array>
#include <cstdint>

#include "tandem/base/clock.hpp"
#include "tandem/base/quality.hpp"
#include "tandem/base/short_text.hpp"
#include "tandem/machines/ur3e/api/values.hpp"
#include "tandem/protocols/ur/variables.hpp"

namespace tandem::ur3e {

// The Hand-E as its socket reports it.
struct HandState {
  bool known = false;       // its socket answers
  bool active = false;      // takes commands
  bool moving = false;      // on its way
  bool object = false;      // stopped on something before it arrived
  int position = 0;         // 0 open .. 255 closed
  int requested = 0;        // also, the last that was asked for
  double finger = 0;        // m, of each finger, 0 closed
  double effort = 0;        // N, about, from its current
  std::uint32_t moves = 0;  // commands that it has begun
};

enum class Activity : std::uint8_t { idle, trajectory, task, stopping };
const char* name(Activity activity);

struct State {
  ur::ControllerState controller{};  // the newest sample
  HandState hand;
  bool targeted = false;               // the controller reports target_q: where it wants the joints
  Six reference{}, reference_speed{};  // what the joints should do now, rad and rad/s; as they are when idle
  Activity activity = Activity::idle;
  bool armed = false;              // commands are taken: permitted, and our program runs on the controller
  double progress = 0;             // s of the trajectory that is driven
  double length = 0;               // s, all of it
  std::uint64_t samples = 0;       // believed
  std::uint64_t skipped = 0;       // older samples passed over for a newer one
  std::uint64_t rejected = 0;      // not believed
  std::uint64_t trajectories = 0;  // driven to their end
  std::uint64_t cubes = 0;         // placed by the task
  std::array<double, 3> cube{};    // where the task last put the cube, centre, in base, m
  Instant live_at{};               // when the last live sample was received
  Quality quality = Quality::invalid;
  ShortText<160> why;      // when not live
  ShortText<160> refusal;  // why the last goal was refused or given up
  ShortText<80> step;      // of the task
};

}  // namespace tandem::ur3e
