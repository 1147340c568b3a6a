// SPDX-License-Identifier: Apache-2.0
// RTDE as the controller serves it: one session per connection, passive. The owner polls the port and reports the
// cycles.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/net/port_server.hpp"
#include "tandem/protocols/ur/framer.hpp"
#include "tandem/protocols/ur/rtde/recipe.hpp"
#include "tandem/protocols/ur/rtde/rtde.hpp"

namespace tandem::ur {

class RtdeSession;

// What all RTDE connections of one controller share. Must outlive its sessions.
class RtdeController {
 public:
  explicit RtdeController(Variables& values) : variables(values), owners_(fields().size(), nullptr) {}

  Variables& variables;
  rtde::ControllerVersion version{5, 11, 1, 108318};
  Duration cycle = 2ms;
  // Called after each data package of a client has been written into variables.inputs, so that masks are applied once
  // per package and watchdogs hear of every write. Another client's package cannot come in between.
  std::function<void(const Recipe&)> inputs_written;

 private:
  friend class RtdeSession;
  std::vector<const RtdeSession*> owners_;  // per field: the connection that has claimed it as an input
};

class RtdeSession final : public net::Session {
 public:
  explicit RtdeSession(RtdeController& controller);
  ~RtdeSession() override;
  RtdeSession(const RtdeSession&) = delete;
  RtdeSession& operator=(const RtdeSession&) = delete;

  bool receive(Bytes bytes, net::Outbox& out) override;
  // Sends the output packet when it is due.
  void cycle(net::Outbox& out) override;
  Progress progress() const override { return {completed_, framer_.partial()}; }

  void tell(std::string_view text, rtde::Level level, net::Outbox& out);

  int protocol() const { return protocol_; }
  bool running() const { return running_; }
  double frequency() const { return frequency_; }  // Hz

 private:
  void answer(const rtde::ProtocolRequest& request, net::Outbox& out);
  void answer(const rtde::ControllerVersionRequest& request, net::Outbox& out);
  void answer(const rtde::TextMessage& message, net::Outbox& out);
  void answer(const rtde::OutputsRequest& request, net::Outbox& out);
  void answer(const rtde::InputsRequest& request, net::Outbox& out);
  void answer(const rtde::StartRequest& request, net::Outbox& out);
  void answer(const rtde::PauseRequest& request, net::Outbox& out);
  void answer(const rtde::InputData& data, net::Outbox& out);
  void reply(const rtde::Answer& answer, net::Outbox& out);
  void complain(std::string_view text, net::Outbox& out);

  RtdeController& controller_;
  Framer framer_;
  std::uint64_t completed_ = 0;
  int protocol_ = 1;
  bool running_ = false;
  bool outputs_valid_ = true;  // false after a recipe with unknown names: it cannot be started
  double frequency_ = 0;
  double phase_ = 0;  // periods that have passed since the last packet
  Recipe outputs_;
  std::vector<Recipe> inputs_;  // recipe ids count from 1
  int complaints_ = 0;
  std::vector<std::uint8_t> packet_;
};

}  // namespace tandem::ur
