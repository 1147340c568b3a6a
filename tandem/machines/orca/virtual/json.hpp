// SPDX-License-Identifier: Apache-2.0
// The physics of ArduPilot's own simulation (`ardusub -M JSON`): ArduSub sends the servo outputs, we move the
// body on and answer with what its sensors see. Lock step: ArduSub waits for each answer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/machines/orca/virtual/body.hpp"
#include "tandem/machines/orca/virtual/sensors.hpp"
#include "tandem/net/socket.hpp"

namespace tandem::orca {

// One datagram from ArduSub: 40 bytes with 16 servos, or 72 with 32.
struct ServoFrame {
  std::uint16_t rate = 0;   // Hz, at which it wants to be answered in simulated time; never 0
  std::uint32_t count = 0;  // one more each time; starts from 0 with ArduSub, stays while it repeats itself
  std::size_t servos = 0;   // 16 or 32
  std::array<std::uint16_t, 32> pulses{};  // us
};
Result<ServoFrame> servo_frame_from(Bytes datagram);

// Replaces `out` by the answer: a line of JSON in ArduPilot's axes (NED, FRD) and its spelling, which is stricter than
// JSON's: no blank after a colon. Numbers have all their digits. The attitude is reported twice, because old versions
// know only angles, and some newer ones take the first sonar only with them (SIM_JSON.cpp asks for the wrong bit);
// where both arrive the quaternion counts. Sonar: 0 when too near, beyond its range without echo.
void write_answer(std::string& out, const Truth& truth, const SonarReading& sonar, const Sonar& limits);

struct JsonSettings {
  std::string listen = "127.0.0.1";
  std::uint16_t port = json_port;  // 0: a free one
  BodyOptions body;                // model.timestep: the longest step; shorter when ArduSub asks for more answers
  SensorOptions sensors;           // only the sonar's are used: ArduSub adds its own noise to all others
  Duration silence = 1s;           // after that another sender may take over
};

struct JsonCounters {
  std::uint64_t frames = 0;     // steps asked and answered
  std::uint64_t repeats = 0;    // the same count again: answered as before, without a step
  std::uint64_t restarts = 0;   // ArduSub restarted, and so did the physics
  std::uint64_t missed = 0;     // counts that never came
  std::uint64_t late = 0;       // old counts, not answered
  std::uint64_t refused = 0;    // not a servo frame
  std::uint64_t strangers = 0;  // another sender while the first is received
  std::uint64_t unsent = 0;     // answers that the system did not take
};

// In real time, not by the machine's clock: its deadlines are those of sockets.
class JsonPhysics {
 public:
  // Throws std::runtime_error when the port cannot be had, std::invalid_argument as Body does.
  explicit JsonPhysics(const JsonSettings& settings);

  net::Endpoint local() const { return socket_.local(); }
  // Answers whatever comes until the deadline. An error when the socket is gone or the physics has tripped; after a
  // trip nothing is answered until ArduSub restarts.
  Result<void> poll(Instant deadline);

  const Truth& truth() const { return body_.truth(); }
  const JsonCounters& counters() const { return counters_; }
  bool connected() const { return peer_.has_value(); }  // ArduSub has been heard

 private:
  struct Peer {
    net::Endpoint from;
    std::uint32_t count = 0;
    std::uint16_t rate = 0;  // Hz, that the steps are made for
    Instant heard{};
  };
  enum class Reply { none, again, step };

  Result<void> serve(Bytes datagram, const net::Endpoint& from);
  Reply judge(const ServoFrame& frame, const net::Endpoint& from);
  void pace(std::uint16_t rate);
  void advance(const ServoFrame& frame);

  net::UdpSocket socket_;
  double longest_step_;  // s
  Duration silence_;
  Body body_;
  VirtualSensors sensors_;
  int steps_ = 1;  // of the body per answer
  std::optional<Peer> peer_;
  std::string answer_;
  JsonCounters counters_;
};

}  // namespace tandem::orca
