// SPDX-License-Identifier: Apache-2.0
// What others ask the arm to do, on its way into the machine's thread and back: trajectories and grips.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tandem/kinematics/trajectory/waypoints.hpp"
#include "tandem/machines/ur3e/device/control_script.hpp"
#include "tandem/machines/ur3e/state.hpp"

namespace tandem::ur3e {

enum class Finish : std::uint8_t {
  reached,
  canceled,
  refused,   // before anything moved
  strayed,   // too far from the path on the way
  missed,    // not at the goal in time
  replaced,  // by a newer one
  dropped,   // disarmed, stopped, link lost
};

// Joint tolerance; <= 0 disables the check.
struct Tolerance {
  double position = 0;  // rad
  double speed = 0;     // rad/s
  bool given = false;   // by the goal, which means it to the letter; not a default
};

// A trajectory that a client wants driven. `finished` is called once, from the machine's thread or anyone who gives it
// up.
struct TrajectoryRequest {
  std::vector<kinematics::trajectory::Waypoint> points;
  std::array<Tolerance, 6> path, goal;
  Instant start{};                             // not before
  double overtime = 2;                         // s after its last point until the goal must be reached
  std::function<bool()> canceling;             // true: slow down and end; may be none
  std::function<bool()> active;                // false: no one wants it any more; none: always
  std::function<void(const State&)> progress;  // now and then; may be none
  std::function<void(Finish, const std::string& why)> finished;  // may be none

  TrajectoryRequest();  // the tolerances of ur_robot_driver

  // Plans the way through the points, unless it is planned from there already: whoever posts the request plans it to
  // see whether it can be driven, and it is planned again only if the arm has moved since.
  Result<void> plan(const kinematics::trajectory::JointState& start);

  struct Plan {
    kinematics::trajectory::JointState start;
    kinematics::trajectory::WaypointPath path;
  };
  std::optional<Plan> planned;
};

// Fingers to be moved.
struct GripRequest {
  double finger = 0;  // m, of each finger, 0 closed
  double force = 0;   // N between them
  std::function<bool()> active;
  std::function<bool()> canceling;
  std::function<void(const HandState&)> progress;
  std::function<void(Finish, const HandState&)> finished;
};

// Hands the newest of something over; an unread one is given back to the poster of the next. Taking never waits.
template <typename T>
class Slot {
 public:
  std::shared_ptr<T> post(std::shared_ptr<T> value) {
    const std::lock_guard lock(mutex_);
    std::swap(value_, value);
    return value;
  }
  // Null when there is none, or a client is just posting one.
  std::shared_ptr<T> take() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    return lock.owns_lock() ? std::exchange(value_, nullptr) : nullptr;
  }
  // Whether there is one to take.
  bool waiting() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    return lock.owns_lock() && value_ != nullptr;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<T> value_;
};

// A command for our program on the controller that is not a motion: outputs, payload, the force sensor.
struct ScriptRequest {
  script::Write write;
  std::function<void(Result<void>)> finished;  // once
};

// Everything that reaches the machine's thread from elsewhere.
struct Commands {
  // The one before that was not taken yet is finished as replaced.
  void drive(std::shared_ptr<TrajectoryRequest> wanted);
  void grip(std::size_t finger, std::shared_ptr<GripRequest> wanted);

  Slot<TrajectoryRequest> trajectory;
  std::array<Slot<GripRequest>, 2> grips;  // of the left and the right finger: both move alike
  Slot<ScriptRequest> command;
  std::atomic<bool> hand_back{false};  // end our program; the arm is free for others
  std::atomic<bool> end_task{false};   // a client jogs: the task stays off until the next arm
};

// Drives along a path: where the joints should be now, and whether the arm keeps up.
class Follower {
 public:
  enum class Verdict : std::uint8_t { going, reached, strayed, missed };

  // From where the joints are and how fast they move. Takes the request's plan.
  static Result<Follower> begin(std::shared_ptr<TrajectoryRequest> wanted,
                                const kinematics::trajectory::JointState& start);

  // `dt` (s) of the controller's time has passed, at this part of the wanted speed: 0 holds everything.
  Verdict step(double dt, double speed_scaling, const Six& q, const Six& qd);

  const kinematics::trajectory::JointState& reference() const { return reference_; }
  double time() const { return time_; }
  double duration() const { return path_.duration(); }
  const std::shared_ptr<TrajectoryRequest>& wanted() const { return wanted_; }
  const std::string& why() const { return why_; }  // when strayed or missed

 private:
  Follower(std::shared_ptr<TrajectoryRequest> wanted, kinematics::trajectory::WaypointPath path)
      : wanted_(std::move(wanted)), path_(std::move(path)) {}
  bool on_path(const Six& q, const Six& qd);
  bool settled(const Six& q, const Six& qd) const;
  bool at_goal(const Six& q, const Six& qd);

  std::shared_ptr<TrajectoryRequest> wanted_;
  kinematics::trajectory::WaypointPath path_;
  kinematics::trajectory::JointState reference_;
  double time_ = 0;  // s along the path; beyond its duration while the arm settles
  std::string why_;
};

}  // namespace tandem::ur3e
