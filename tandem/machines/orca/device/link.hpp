// SPDX-License-Identifier: Apache-2.0
// The bridge's conversation with the autopilot: asks for what it needs, receives what comes, notices restarts, doubles
// and jumps. No socket and no thread; frames and time are passed in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tandem/machines/orca/device/gate.hpp"
#include "tandem/machines/orca/device/pilot_outlet.hpp"
#include "tandem/machines/orca/device/setup_check.hpp"
#include "tandem/machines/orca/device/vehicle.hpp"
#include "tandem/protocols/mavlink/link/heartbeat.hpp"
#include "tandem/protocols/mavlink/link/time_sync.hpp"
#include "tandem/protocols/mavlink/messages/estimator.hpp"
#include "tandem/protocols/mavlink/messages/sensors.hpp"
#include "tandem/protocols/mavlink/messages/state.hpp"
#include "tandem/protocols/mavlink/services/command_client.hpp"
#include "tandem/protocols/mavlink/services/mission_client.hpp"
#include "tandem/protocols/mavlink/services/parameter_client.hpp"
#include "tandem/protocols/mavlink/services/status_text.hpp"
#include "tandem/protocols/mavlink/services/stream_requests.hpp"

namespace tandem::orca {

struct ParameterSetting {
  std::string name;
  double value = 0;
};

struct Origin {
  double latitude = origin_latitude, longitude = origin_longitude;  // degrees
};

struct LinkOptions {
  mavlink::Address own{bridge_system, bridge_component};
  mavlink::Address vehicle{vehicle_system, vehicle_component};
  double stream_rate = 50;                     // Hz, of attitude and position
  double sonar_rate = 20;                      // Hz
  std::optional<Origin> origin{};              // told to a vehicle that has none
  std::vector<ParameterSetting> parameters{};  // written once the vehicle is there
  bool absolute_vision = false;                // vision reports where the vehicle is, and not only how it moved
  bool switch_sources = true;                  // source set 2 is for the time without vision
  bool signs = false;                          // we have a key
  Duration late_after = 500ms;                 // a longer round trip is too late to steer by
};

class Link {
 public:
  explicit Link(const LinkOptions& options);

  // What happened since it was last asked.
  struct Events {
    bool attitude = false;  // a new one
    bool sonar = false;     // the same
    bool rebooted = false;  // everything from before is over
    bool jumped = false;    // the estimate did, not the vehicle
    bool button = false;    // the script button that asks for a new SLAM map
    bool said = false;      // a line for people
  };
  Events take_events();

  void handle(const mavlink::Frame& frame, Instant now, mavlink::Outlet& outlet);
  // Often: heartbeat, requests and repetitions go out when they are due.
  void poll(Instant now, mavlink::Outlet& outlet);

  // The wire below is a new one: streams are asked for again.
  void relinked();

  const Vehicle& vehicle() const { return vehicle_; }
  mavlink::Presence presence(Instant now) const { return watch_.presence(now); }
  // Its attitude is the estimator's, and no first guess whose heading turns by any angle once the compass counts.
  bool attitude_trusted(Instant now) const;
  // The estimator reports where the vehicle is, and not only how deep.
  bool aiding(Instant now) const;
  bool doubled(Instant now) const { return gate_.doubled(now); }
  // What comes is from too long ago, time after time, although it comes without a gap.
  bool late() const { return late_answers_ >= enough_late_answers; }
  // Its frames are signed, we have no key, and it answers nothing: it does not listen to unsigned frames.
  bool demands_signing(Instant now) const;
  // An autopilot that is there, but not the one that is meant; system 0 for none.
  mavlink::Address stranger() const { return stranger_; }

  mavlink::CommandClient& commands() { return commands_; }
  mavlink::MissionClient& missions() { return missions_; }
  const mavlink::StreamRequests& streams() const { return streams_; }
  mavlink::ParameterClient& parameters() { return parameters_; }
  const mavlink::ParameterClient& parameters() const { return parameters_; }
  const mavlink::TimeSyncClient& clock() const { return time_sync_; }
  // ArduSub obeys the sticks of its ground station's system number and of no other, and says nothing to those that it
  // ignores. So they go out under that number, with our component: no ground station is 255/197. Only while we steer
  // is anything sent so, no heartbeat among it, because the autopilot's watch over its ground station must not be kept
  // quiet by us while another client flies.
  mavlink::Address pilot() const { return {vehicle_.pilot_system, options_.own.component}; }
  mavlink::Outlet& as_pilot(mavlink::Link& link) { return pilot_outlet_.over(link, pilot()); }
  // Of the autopilot's own clock, for stamps that are sent to it.
  std::uint64_t autopilot_microseconds(Instant at) const;
  void note_loss(double share) { vehicle_.loss = share; }

 private:
  void hear(const mavlink::Frame& frame, Instant now);
  void note_round_trip();
  void note_turn(const Eigen::Quaterniond& q, Instant now);
  // Follows the gate's verdict: counts what is not believed, and begins again after a restart.
  Gate::Verdict judge(Gate::Stream stream, std::uint32_t boot_ms, Instant now);
  void note_jump();
  void take(const mavlink::Heartbeat& heartbeat, Instant now);
  void take(const mavlink::Attitude& attitude, Instant now);
  void take(const mavlink::LocalPositionNed& position, Instant now);
  void take(const mavlink::GlobalPositionInt& position, Instant now);
  void take(const mavlink::EkfStatusReport& report, Instant now);
  void take(const mavlink::SysStatus& status, Instant now);
  void take(const mavlink::RangeFinder& finder, Instant now);
  void take(const mavlink::DistanceSensor& sensor, Instant now);
  void take_text(const mavlink::Frame& frame, Instant now);
  void begin_anew();
  void tend_origin(Instant now, mavlink::Outlet& outlet);
  void tend_parameters(Instant now, mavlink::Outlet& outlet);
  void tend_setup(Instant now);
  bool answers_nothing() const;
  bool hears_nothing() const;
  enum class Problem : std::uint8_t { none, not_taken, needs_reboot };
  Problem problem_of(std::size_t write) const;
  std::string problems_told(Instant now) const;

  LinkOptions options_;
  Vehicle vehicle_;
  Events events_;
  mavlink::HeartbeatSender sender_;
  mavlink::HeartbeatWatch watch_;
  Gate gate_;
  mavlink::CommandClient commands_;
  mavlink::StreamRequests streams_;
  mavlink::StreamRequests sonar_streams_;  // DISTANCE_SENSOR, where there is no RANGEFINDER
  mavlink::MissionClient missions_;
  mavlink::ParameterClient parameters_;
  mavlink::TimeSyncClient time_sync_;
  mavlink::StatusTextReader texts_;
  SetupCheck setup_;
  PilotOutlet pilot_outlet_;
  Instant met_at_{}, finder_at_{}, setup_next_{};
  Instant origin_next_{};
  bool origin_asked_ = false;
  // One of options_.parameters: read, and written if it is another.
  struct Write {
    std::uint32_t read = 0, write = 0;  // numbers at the ParameterClient, 0 for none
    Instant asked{};
    bool settled = false;  // nothing is left to write
  };
  std::vector<Write> writes_;
  bool vehicle_signs_ = false;
  static constexpr int enough_late_answers = 2;
  int late_answers_ = 0;        // to TIMESYNC, in a row
  std::uint64_t problems_ = 0;  // which there were when they were last reported, as one number
  mavlink::Address stranger_{};
};

}  // namespace tandem::orca
