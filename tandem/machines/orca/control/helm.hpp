// SPDX-License-Identifier: Apache-2.0
// Arms and disarms the vehicle as the arm latch allows, and gives it sticks and set points while it is armed by us.
// A vehicle that another client has armed is left alone. No socket and no thread; time is passed in.
#pragma once

#include <optional>
#include <string>

#include "tandem/machines/machine.hpp"
#include "tandem/machines/orca/commands.hpp"
#include "tandem/machines/orca/control/task.hpp"
#include "tandem/machines/orca/device/vehicle.hpp"
#include "tandem/protocols/mavlink/services/command_client.hpp"

namespace tandem::orca {

enum class Activity : std::uint8_t {
  idle,       // only read
  arming,     // asked, and not yet seen to be armed
  armed,      // by us
  disarming,  // asked, and not yet seen to be disarmed
};
const char* name(Activity activity);

struct HelmOptions {
  mavlink::Address vehicle{vehicle_system, vehicle_component};
  double full_speed = 1;            // m/s of cmd_vel that is a full stick
  double full_turn = 1;             // rad/s, the same
  double input_rate = 10;           // Hz, of sticks; ArduSub wants three at least
  Duration twist_timeout = 500ms;   // without cmd_vel for this long: neutral
  Duration arm_patience = 5s;       // until the heartbeat shows it
  std::optional<BoxOptions> box{};  // what to do once armed, until others say something
};

class Helm {
 public:
  explicit Helm(const HelmOptions& options);

  void take(const TwistCommand& order);
  void take(const GoalCommand& order);
  // This mode was requested through us, and so is what the vehicle does by itself in it.
  void take(Mode mode);
  // A client has said what to do by other means (a mode, a mission): the task is over until the next arming.
  void yield();
  // What vision waits for; empty while it is used.
  void see(std::string_view waiting) { waiting_ = waiting; }

  // One cycle. Gives why outputs must end (Cycle::disarm), if they must.
  std::optional<std::string> step(const machines::Permit& permit, const Vehicle& vehicle, Instant now,
                                  mavlink::CommandClient& commands, mavlink::Outlet& outlet);
  // What an earlier link could not carry out: until the vehicle is seen to be disarmed.
  void disarm(Instant now, mavlink::CommandClient& commands, mavlink::Outlet& outlet) {
    begin_disarming(now, commands, outlet);
  }
  // Neutral sticks and a request to disarm, once, without waiting: the link is about to be closed. False when there
  // was nothing to disarm.
  bool farewell(mavlink::Outlet& outlet);
  // The autopilot was restarted or is another one. While it was permitted to steer the old one, the new one is not
  // steered, if so told.
  void forget(bool until_disarmed = false);
  // The latch is about to hear that outputs end: until it has, nothing is begun.
  void refuse() { refused_ = true; }
  // The latch has heard of the trouble: who permits from now on means it.
  void told() { refused_ = false; }

  Activity activity() const { return activity_; }
  // It is permitted to arm, and the autopilot is not asked yet, as it knows no attitude.
  bool waits_to_arm() const { return waits_to_arm_; }
  // What the task does; empty without one.
  std::string_view stage() const;

 private:
  void begin_arming(Instant now, mavlink::CommandClient& commands);
  void begin_disarming(Instant now, mavlink::CommandClient& commands, mavlink::Outlet& outlet);
  std::optional<std::string> finish_arming(const Vehicle& vehicle, Instant now, mavlink::CommandClient& commands,
                                           mavlink::Outlet& outlet);
  void finish_disarming(const Vehicle& vehicle, Instant now, mavlink::CommandClient& commands, mavlink::Outlet& outlet);
  void steer(const machines::Permit& permit, const Vehicle& vehicle, Instant now, mavlink::CommandClient& commands,
             mavlink::Outlet& outlet);
  bool steered(const Vehicle& vehicle) const;
  void follow_task(const Vehicle& vehicle, Instant now, mavlink::CommandClient& commands);
  void want_mode(Mode mode, Instant now, mavlink::CommandClient& commands);
  void send_sticks(const TwistCommand* twist, mavlink::Outlet& outlet);
  void send_velocity(const Vehicle& vehicle, const TwistCommand& twist, mavlink::Outlet& outlet);
  void send_goal(mavlink::Outlet& outlet);

  HelmOptions options_;
  Activity activity_ = Activity::idle;
  std::uint32_t command_ = 0;  // number at the CommandClient
  Instant since_{};            // of the activity; while idle, when there was last no permit
  Instant refused_at_{};       // arming, at the earliest
  bool refused_ = false;       // a disarm was asked for, and has not come yet
  bool waits_to_arm_ = false;
  std::optional<TwistCommand> twist_;
  std::optional<GoalCommand> goal_;
  Instant next_input_{}, next_goal_{};
  std::optional<BoxTask> task_;
  bool yielded_ = false;  // others have said what to do since arming
  std::optional<Mode> ordered_mode_;
  ShortText<160> waiting_{"waiting for all inputs"};
  std::uint32_t mode_command_ = 0;  // number at the CommandClient
  Instant next_mode_{};
  int halts_ = 0;         // zero velocities still to be sent after the last twist
  int neutral_left_ = 0;  // neutral sticks still to be sent without a command
};

// FLU to ArduSub's sticks: x forward, y to starboard, z up with 500 for neutral, r clockwise; thousandths.
mavlink::ManualControl sticks_from(const TwistCommand& twist, double full_speed, double full_turn);

}  // namespace tandem::orca
