// SPDX-License-Identifier: Apache-2.0
// One connection to a controller: RTDE for state and registers, the primary port for the program and what goes wrong
// in it. Set up from nothing every time. State needs RTDE outputs alone; the inputs, which are one client's at a time,
// are claimed when the arm shall move.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tandem/machines/ur3e/device/control_script.hpp"
#include "tandem/net/round_trips.hpp"
#include "tandem/protocols/ur/primary/packet_client.hpp"
#include "tandem/protocols/ur/primary/primary.hpp"
#include "tandem/protocols/ur/rtde/client.hpp"

namespace tandem::ur3e {

// After a silence: what arrives within this time waited on the way, what follows is new.
inline constexpr Duration catch_up = 20ms;

inline constexpr Duration write_within = 50ms;  // a command to the controller

struct ControllerAddress {
  std::string host = "127.0.0.1";
  std::uint16_t rtde = 30004, dashboard = 29999, primary = 30001, gripper = 63352;
};

// "192.168.1.10", or "rtde://192.168.1.10:30004?dashboard=29999&primary=30001&gripper=63352" where any port may be
// left out; the other ports of a controller may be named and are not used.
Result<ControllerAddress> controller_address(const std::string& text);

// In real time, not by the machine's clock: its deadlines are those of sockets.
class Link {
 public:
  // `frequency` of samples, Hz. A variable that the controller lacks is named. `more` are variables that are read
  // besides, if the controller has them all.
  static Result<Link> connect(const ControllerAddress& address, double frequency, net::Tap* tap, Instant deadline,
                              std::span<const std::string> more = {});

  // The newest sample is in variables() afterwards.
  Result<ur::RtdeClient::Received> receive(Instant deadline) { return rtde_.receive_newest(variables_, deadline); }
  // What the primary port has to say; errors mean that it is gone.
  Result<void> read_primary(Instant deadline);

  // Claims the input registers, which stay ours until the connection ends. Without them, the reason: another client
  // has one of them. An error: the connection is lost. Samples pause meanwhile.
  Result<std::optional<std::string>> claim(Instant deadline);
  // Gives a lost connection up. The controller keeps the inputs for a connection whose end it has not seen: reset this
  // socket when the next connection is made and the way is free again.
  net::TcpSocket abandon();

  // Both need the inputs.
  Result<void> beat(Instant deadline);
  Result<void> write(const script::Write& write, std::int32_t sequence, Instant deadline);
  // Ends our program, as well as that can be done from here. One that the robot has paused does not read its registers
  // and would go on with `play`: the controller gets `stop program`, unless the program there is another client's.
  void end_program(std::int32_t sequence, std::int32_t identity);
  Result<void> upload(const std::string& program, Instant deadline) { return primary_.send_program(program, deadline); }

  const ur::Variables& variables() const { return variables_; }
  int rtde_fd() const { return rtde_.fd(); }
  int primary_fd() const { return primary_.fd(); }
  bool has_tcp_offset() const { return has_tcp_offset_; }
  bool has_more() const { return has_more_; }  // what was asked for besides is read

  // The last runtime error or complaint of the controller since it was asked for last, in words; empty: none.
  std::string take_complaint();
  // Whether the controller's own Denavit-Hartenberg numbers are others than the model's; nothing before they came.
  std::optional<bool> calibrated() const { return calibrated_; }

 private:
  Link(ur::RtdeClient rtde, ur::PacketClient primary) : rtde_(std::move(rtde)), primary_(std::move(primary)) {}
  Result<void> set_up(double frequency, std::span<const std::string> more, Instant deadline);
  Result<void> set_up_inputs(const net::RoundTrips& trips);
  void hear(const ur::primary::Packet& packet);

  ur::RtdeClient rtde_;
  ur::PacketClient primary_;
  ur::Variables variables_;
  std::uint8_t beat_recipe_ = 0, command_recipe_ = 0;  // 0: not claimed
  std::int32_t beats_ = 0;
  bool has_tcp_offset_ = false, has_more_ = false;
  std::string complaint_;
  std::optional<bool> calibrated_;
};

}  // namespace tandem::ur3e
