// SPDX-License-Identifier: Apache-2.0
// `tandem virtual orca`: a MAVLink ArduSub stand-in on real sockets, flying a submarine in simulated water.
//
// With standard ports it sends to UDP 127.0.0.1:14550 and :14551 from ports of its own (others listen there) and serves
// TCP 5760; url() is "mavlink://127.0.0.1:14551?link=udpin". With free ports it listens on one UDP port and one TCP
// port and answers the caller; url() is "mavlink://127.0.0.1:PORT?link=udpout". The word behind "link=" is the kind
// of the caller's own link (protocols/mavlink/link_address.hpp); "link=tcp" with tcp_url() works as well.
//
// As ArduSub does: streams begin at 4 Hz on a link when the first heartbeat of another client came on it;
// MANUAL_CONTROL and RC_CHANNELS_OVERRIDE count only from the system SYSID_MYGCS (255 at first, 200 if the bridge shall
// steer); LOCAL_POSITION_NED is silent until the estimator has an origin (SET_GPS_GLOBAL_ORIGIN) and vision that it
// trusts; item 0 of a mission is home and not flown, and items are in global frames. Parameters and mission outlive a
// reboot, but not the process.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "tandem/machines/machine.hpp"
#include "tandem/machines/orca/virtual/body.hpp"
#include "tandem/machines/orca/virtual/sensors.hpp"

namespace tandem::net {
class Plug;
}  // namespace tandem::net

namespace tandem::orca {

class VehicleFaults;

struct VirtualDeviceSetup {
  std::string listen = "127.0.0.1";
  bool standard_ports = false;  // false: free ones, and no one is called
  std::uint16_t port = 0;       // TCP, instead of the standard or a free one; 0: as above
  std::uint16_t called = 0;     // UDP on this host, to which it sends as well; 0: none
  BodyOptions body;
  SensorOptions sensors;
  double aiding_delay = 3;  // s of good vision until the estimator trusts it; 33 were seen with a real ArduSub
  std::optional<std::array<std::uint8_t, 32>> signing_key{};  // then unsigned frames do not count
  Clock* clock = nullptr;
  net::Plug* plug = nullptr;
  VehicleFaults* faults = nullptr;
};

class VirtualDevice : public machines::VirtualDevice {
 public:
  // Where the body really is; from any thread.
  virtual Truth truth() const = 0;
  std::optional<machines::TrueMotion> true_motion() const override;
  // What its autopilot believes, also: in the map, from where the estimator began.
  virtual Pose estimate() const = 0;
  virtual std::string tcp_url() const = 0;
};

// All listen when they return. They throw std::invalid_argument for an invalid setup, and std::runtime_error
// when a port cannot be had.
std::unique_ptr<VirtualDevice> make_virtual_device(const VirtualDeviceSetup& setup);
// Only the body, for a real ArduSub (`ardusub -M JSON`): it listens on UDP 9002, or on `port`.
std::unique_ptr<VirtualDevice> make_virtual_sitl(const VirtualDeviceSetup& setup);
VirtualDeviceSetup vehicle_setup_from(const machines::VirtualSetup& setup);

// Its configuration keys.
std::span<const machines::Option> virtual_options();

}  // namespace tandem::orca
