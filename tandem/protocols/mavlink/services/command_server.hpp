// SPDX-License-Identifier: Apache-2.0
// Commands to a virtual autopilot: repetitions are distinguished from new ones, and answered without acting twice.
#pragma once

#include <array>
#include <optional>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/mavlink/codec/constants.hpp"
#include "tandem/protocols/mavlink/codec/frame.hpp"
#include "tandem/protocols/mavlink/link/outlet.hpp"
#include "tandem/protocols/mavlink/messages/control.hpp"

namespace tandem::mavlink {

// A command in either form.
struct CommandRequest {
  std::uint16_t command = 0;
  std::array<double, 7> params{};     // of CommandInt: x, y and z are the last three, in its units
  std::optional<std::uint8_t> frame;  // of CommandInt
  Address from;
  bool operator==(const CommandRequest&) const = default;
};

class CommandServer {
 public:
  explicit CommandServer(const Address& own) : own_(own) {}

  // A command that is meant for us and has to be done; answer it by acknowledge(). One that is repeated (confirmation
  // above zero, the same numbers, no other numbers since) gets the answer of the first again, or none while that one is
  // being done. One that was refused is tried again, and one that only asks for a message is done each time.
  std::optional<CommandRequest> handle(const Frame& frame, Instant now, Outlet& outlet);

  void acknowledge(const CommandRequest& request, CommandResult result, Outlet& outlet, std::uint8_t progress = 0,
                   std::int32_t result_param2 = 0);

 private:
  struct Done {
    CommandRequest request;
    std::optional<CommandAck> ack;
    Instant at{};
    bool refused() const;
  };
  void forget_others(const CommandRequest& request);
  Done* find(const CommandRequest& request);

  static constexpr Duration remembered = 10s;

  Address own_;
  std::array<Done, 16> done_{};
  std::size_t next_ = 0;
};

}  // namespace tandem::mavlink
