// SPDX-License-Identifier: Apache-2.0
// The virtual autopilot without its sockets and its body: readings in, pulses out, MAVLink both ways. It speaks like
// ArduSub 4.5; what it is asked and does not know is refused, not ignored.
#pragma once

#include <array>
#include <bitset>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/machines/orca/virtual/autopilot/streams.hpp"
#include "tandem/machines/orca/virtual/body.hpp"
#include "tandem/machines/orca/virtual/pilot/estimator.hpp"
#include "tandem/machines/orca/virtual/pilot/failsafe.hpp"
#include "tandem/machines/orca/virtual/pilot/joystick.hpp"
#include "tandem/machines/orca/virtual/pilot/modes.hpp"
#include "tandem/machines/orca/virtual/pilot/origin.hpp"
#include "tandem/machines/orca/virtual/sensors.hpp"
#include "tandem/protocols/mavlink/messages/channels.hpp"
#include "tandem/protocols/mavlink/services/command_server.hpp"
#include "tandem/protocols/mavlink/services/mission_server.hpp"
#include "tandem/protocols/mavlink/services/parameter_server.hpp"

namespace tandem::orca {

class VehicleFaults;

// What an autopilot still knows after it was switched off.
struct AutopilotMemory {
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<mavlink::MissionItemInt> items;
};

struct AutopilotOptions {
  EstimatorOptions estimator;
  Hull hull;
  Sonar sonar;
  VehicleFaults* faults = nullptr;
  AutopilotMemory memory{};
};

class Autopilot {
 public:
  static constexpr std::size_t most_links = 4;

  // It starts now. The links' outlets must outlive it.
  Autopilot(const AutopilotOptions& options, std::span<mavlink::Outlet* const> links, Instant boot);
  Autopilot(const Autopilot&) = delete;

  // One step of the loop: `dt` s after the last.
  const Pulses& step(const Readings& readings, double dt, Instant now);
  // What really is, for SIMSTATE and nothing else.
  void witness(const Truth& truth) { truth_ = truth; }

  void handle(const mavlink::Frame& frame, std::size_t link, Instant now);
  // Sends what is due: heartbeats, streams, lists, texts.
  void poll(Instant now, UtcTime utc);

  const Estimate& estimate() const { return estimator_.estimate(); }
  const Pilot& pilot() const { return pilot_; }
  Estimator& estimator() { return estimator_; }
  const mavlink::ParameterServer& parameters() const { return parameters_; }
  bool restart_wanted() const { return restart_wanted_; }  // it was asked to reboot
  AutopilotMemory memory() const;

 private:
  struct LinkState {
    mavlink::Outlet* outlet = nullptr;
    StreamSchedule streams;
    std::uint64_t received = 0;
  };

  void refresh_settings();
  void load_mission();
  void sense(const Readings& readings, double dt);
  void tend_failsafe(Instant now);
  void misbehave();
  void fly_mission_news();
  PilotInput sticks(Instant now) const;

  bool meant_for_others(const mavlink::Frame& frame) const;
  void handle_pilot(const mavlink::Frame& frame, Instant now);
  void obey(const ButtonCommands& commands);
  void override_channels(const mavlink::RcChannelsOverride& given, Instant now);
  void handle_vision(const mavlink::Frame& frame);
  void handle_target(const mavlink::Frame& frame);
  void handle_global_target(const mavlink::Frame& frame);
  void handle_attitude(const mavlink::Frame& frame);
  mavlink::MissionResult fly_now(const mavlink::MissionItemInt& item);
  void handle_origin(const mavlink::Frame& frame);
  bool handle_small(const mavlink::Frame& frame, std::size_t link, Instant now);

  void act(const mavlink::CommandRequest& request, std::size_t link, Instant now);
  mavlink::CommandResult obey(const mavlink::CommandRequest& request, std::size_t link, Instant now);
  std::optional<mavlink::CommandResult> show(const mavlink::CommandRequest& request, std::size_t link, Instant now);
  std::optional<mavlink::CommandResult> prepare(const mavlink::CommandRequest& request, std::size_t link);
  mavlink::CommandResult report_interval(double number, std::size_t link);
  mavlink::CommandResult change_mode(double number);
  mavlink::CommandResult change_mode(double base_mode, double number);
  mavlink::CommandResult arm(bool wanted, bool by_force);
  mavlink::CommandResult choose_sources(double number);
  mavlink::CommandResult place_home(const mavlink::CommandRequest& request);
  mavlink::CommandResult turn_to(const mavlink::CommandRequest& request);
  mavlink::CommandResult change_speed(const mavlink::CommandRequest& request);
  mavlink::CommandResult reposition(const mavlink::CommandRequest& request);
  mavlink::CommandResult calibrate(const mavlink::CommandRequest& request);
  mavlink::CommandResult reboot(const mavlink::CommandRequest& request);
  mavlink::CommandResult test_motor(const mavlink::CommandRequest& request);
  mavlink::CommandResult move_servo(const mavlink::CommandRequest& request);
  mavlink::CommandResult choose_item(const mavlink::CommandRequest& request, mavlink::Outlet& outlet);
  mavlink::CommandResult forget_parameters(const mavlink::CommandRequest& request);
  std::string_view unready() const;  // why it does not arm; empty when it does
  void tend_motor_test(Instant now);
  void disarm();

  // False when there is nothing to say, or no such message.
  bool send_message(std::uint32_t id, mavlink::Outlet& outlet);
  bool send_state(std::uint32_t id, mavlink::Outlet& outlet);
  bool send_navigation(std::uint32_t id, mavlink::Outlet& outlet);
  bool send_sensors(std::uint32_t id, mavlink::Outlet& outlet);
  bool send_system(std::uint32_t id, mavlink::Outlet& outlet);
  bool send_power(std::uint32_t id, mavlink::Outlet& outlet);
  bool send_intent(std::uint32_t id, mavlink::Outlet& outlet);
  void send_truth(mavlink::Outlet& outlet) const;
  void send_status(mavlink::Outlet& outlet) const;
  void send_named(mavlink::Outlet& outlet) const;
  void send_mission(mavlink::Outlet& outlet) const;
  void send_servos(mavlink::Outlet& outlet) const;
  void send_channels(mavlink::Outlet& outlet) const;
  void send_version(mavlink::Outlet& outlet) const;
  bool send_home(mavlink::Outlet& outlet) const;
  void send_heartbeat(mavlink::Outlet& outlet) const;
  void say(std::uint8_t severity, std::string_view text);
  void send_banner(mavlink::Outlet& outlet);
  std::uint32_t boot_ms() const;
  double voltage() const;
  double charge() const;  // %

  AutopilotOptions options_;
  Instant boot_, now_;
  UtcTime utc_{};
  std::array<LinkState, most_links> links_{};
  std::size_t link_count_ = 0;

  mavlink::ParameterServer parameters_;
  bool vision_begun_ = false;  // VISO_TYPE was set when it started: changed later it counts after a reboot
  mavlink::CommandServer commands_;
  mavlink::MissionServer missions_;
  std::size_t asking_ = 0;         // the link of the frame that is being handled
  std::bitset<256> heard_others_;  // components of this system that speak for themselves

  Estimator estimator_;
  Pilot pilot_;
  Failsafe failsafe_;
  Readings readings_;
  Truth truth_;
  Demand demand_;
  Pulses pulses_ = still;
  Joystick joystick_;
  RcPulses channels_{};
  std::array<std::uint16_t, 16> servos_{};  // us, as commands have set them; 0: not set
  std::optional<Instant> motor_test_{};     // when it was last asked for
  Pulses tested_ = still;
  std::uint16_t reached_ = 0;  // item of the mission
  std::optional<GlobalPlace> origin_, home_;
  Instant next_heartbeat_{};
  std::uint16_t text_id_ = 0;
  double consumed_ = 0;  // As
  double current_ = 0;   // A
  bool position_was_good_ = false;
  bool restart_wanted_ = false;
};

}  // namespace tandem::orca
