// SPDX-License-Identifier: Apache-2.0
// Moves the arm, when it may: keeps our program on the controller alive while armed, and drives trajectories, grips and
// the task through it. For the machine's thread.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "tandem/machines/machine.hpp"
#include "tandem/machines/ur3e/control/task.hpp"
#include "tandem/machines/ur3e/device/peripherals.hpp"
#include "tandem/machines/ur3e/device/program.hpp"
#include "tandem/machines/ur3e/goals.hpp"

namespace tandem::ur3e {

struct PilotOptions {
  script::Timing watchdog;
  double servo_lookahead = 0.03;  // s
  double servo_gain = 2000;       // 1/s^2
  double stop_deceleration = 4;   // rad/s^2, of a trajectory that is canceled
  std::optional<PickAndPlace> task;
  bool task_paused = false;  // it only says where the cube is
};

class Pilot {
 public:
  Pilot(const PilotOptions& options, Commands& commands)
      : options_(options), commands_(commands), program_(options.watchdog) {}

  bool has_task() const { return options_.task.has_value(); }
  bool prepared() const { return prepared_; }  // the last step started the control program, and commanded nothing
  // After a connect: nothing of before is known.
  void begin();
  // Once per sample. Fills in what `state` reports of motion. An answer is the reason to disarm; an error, that the
  // link is lost.
  Result<std::optional<std::string>> step(Link& link, Peripherals& side, State& state, const machines::Permit& permit,
                                          Instant now);
  // The link is lost, or the machine ends: everything is given up. `link` may be null.
  void leave(Link* link, Peripherals* side, const std::string& why);

 private:
  struct Stopping {
    std::int32_t sequence = 0;
    Instant since{};
    std::shared_ptr<TrajectoryRequest> wanted;  // that ends with it; may be null
    Finish finish = Finish::canceled;
    std::string why;
  };
  struct Command {
    std::shared_ptr<ScriptRequest> wanted;
    std::int32_t sequence = 0;
    Instant since{};
  };
  struct Holding {
    std::shared_ptr<GripRequest> wanted;
    int position = 0;
    std::uint32_t moves = 0;  // of the hand before
    Instant since{}, told{};
  };

  void give_up(Peripherals* side, Finish finish, const std::string& why);
  void refuse_orders(const std::string& why);
  Result<void> work(Link& link, Peripherals& side, State& state, double dt, Instant now);
  Result<void> take_command(Link& link, Instant now);
  void take_trajectory(const State& state, Instant now);
  std::shared_ptr<TrajectoryRequest> due_trajectory(Instant now);
  Result<void> follow(Link& link, State& state, double dt, Instant now);
  Result<void> stop(Link& link, std::shared_ptr<TrajectoryRequest> wanted, Finish finish, std::string why, Instant now);
  void watch_stop(Instant now);
  void serve_grips(Peripherals& side, const HandState& hand, Instant now);
  Result<void> do_task(Link& link, Peripherals& side, State& state, Instant now);
  bool yields_task();
  bool drives_task() const { return options_.task && !options_.task_paused && !task_off_; }
  void show_cube(State& state);
  static void finish(const std::shared_ptr<TrajectoryRequest>& wanted, Finish how, const std::string& why);

  PilotOptions options_;
  Commands& commands_;
  ControlProgram program_;
  std::optional<double> stamp_;  // the controller's time in the sample before
  std::optional<Follower> follower_;
  std::shared_ptr<TrajectoryRequest> ahead_;  // whose start is still to come
  std::optional<Stopping> stopping_;
  std::optional<Command> command_;
  std::array<std::optional<Holding>, 2> holding_;
  Instant next_progress_{};
  Instant wanted_at_{};  // when the trajectory was last asked for
  std::uint64_t driven_ = 0;
  ShortText<160> refusal_;

  // Of the task.
  std::optional<std::int32_t> task_move_;  // a move that runs
  struct TaskGrip {
    int position = 0;
    std::uint32_t moves = 0;
    Instant since{};
  };
  std::optional<TaskGrip> task_grip_;
  bool task_begun_ = false;
  bool prepared_ = false;
  bool task_off_ = false;  // another client drives, until the next arm
  bool cube_shown_ = false;
};

// Whether the fingers have done what they were commanded when they had begun this many moves.
bool is_done(const HandState& hand, int position, std::uint32_t moves_before);

// Why the robot may not move now, for people who command it from outside; nothing when it may.
std::optional<std::string> forbidden(const ur::ControllerState& state);

}  // namespace tandem::ur3e
