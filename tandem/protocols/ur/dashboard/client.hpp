// SPDX-License-Identifier: Apache-2.0
// Dashboard client: blocking, with a deadline on every call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/protocols/ur/dashboard/dashboard.hpp"

namespace tandem::ur::dashboard {

// Letters, digits, blanks, ".", "_", "-" and "/" without ".." make the name of a program: nothing that a line or a
// shell could take for more.
bool is_program_name(std::string_view name);

class Client {
 public:
  // Connects and waits for the greeting.
  static Result<Client> connect(const std::string& host, std::uint16_t port, Instant deadline, net::Tap* tap = nullptr);

  // The one line that answers. Lines left over from before are thrown away first, so that a late or doubled answer is
  // never taken for this one's. Fault::invalid: an empty answer, or a line end in what is to be sent.
  Result<std::string> ask(std::string_view line, Instant deadline);

  // Done, or Fault::device with the controller's own words.
  Result<void> perform(const Command& command, Instant deadline);
  Result<void> perform(Verb verb, Instant deadline) { return perform(Command{verb, {}}, deadline); }
  Result<void> load(const std::string& program, Instant deadline);  // only a name that is_program_name()

  Result<RobotMode> robot_mode(Instant deadline);
  Result<SafetyMode> safety_status(Instant deadline);
  Result<bool> running(Instant deadline);
  Result<bool> is_in_remote_control(Instant deadline);
  Result<std::string> polyscope_version(Instant deadline);

  int fd() const { return socket_.fd(); }

 private:
  explicit Client(net::TcpSocket socket) : socket_(std::move(socket)), lines_(longest_line) {}
  Result<std::string> read_line(Instant deadline);
  Result<void> drop_leftovers();
  Result<std::string> behind(Verb verb, std::string_view prefix, Instant deadline);

  net::TcpSocket socket_;
  LineFramer lines_;
};

}  // namespace tandem::ur::dashboard
