// SPDX-License-Identifier: Apache-2.0
// Client of the Robotiq gripper: blocking, with a deadline on every call.
#pragma once

#include <cstdint>
#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/protocols/ur/gripper/gripper.hpp"

namespace tandem::ur::gripper {

struct Status {
  int position = 0;  // 0 open .. 255 closed
  int requested = 0;
  int status = 0;
  int object = 0;  // 0 moving, 1 and 2 on an object, 3 arrived
  int fault = 0;
  int current = 0;  // 10 mA

  bool is_active() const { return status == 3; }
};

class Client {
 public:
  static Result<Client> connect(const std::string& host, std::uint16_t port, Instant deadline, net::Tap* tap = nullptr);

  Result<void> write(const Write& write, Instant deadline);
  Result<int> read(Variable variable, Instant deadline);
  Result<Status> status(Instant deadline);

  // Activates it and waits until it is active. It moves its fingers for that.
  Result<void> activate(Instant deadline);
  Result<void> deactivate(Instant deadline);
  // Starts a movement; each from 0 to 255. Fault::device: not active.
  Result<void> move(int position, int speed, int force, Instant deadline);

  int fd() const { return socket_.fd(); }

 private:
  explicit Client(net::TcpSocket socket) : socket_(std::move(socket)), lines_(longest_line) {}
  Result<void> ask(const Request& request, Instant deadline);
  Result<void> read_more(Instant deadline, bool first);

  net::TcpSocket socket_;
  LineFramer lines_;
};

}  // namespace tandem::ur::gripper
