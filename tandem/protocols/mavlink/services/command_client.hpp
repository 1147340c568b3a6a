// SPDX-License-Identifier: Apache-2.0
// Commands to an autopilot, repeated until they are acknowledged. No thread, no socket; time is passed in.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/mavlink/codec/constants.hpp"
#include "tandem/protocols/mavlink/codec/frame.hpp"
#include "tandem/protocols/mavlink/link/outlet.hpp"
#include "tandem/protocols/mavlink/messages/control.hpp"

namespace tandem::mavlink {

enum class CommandStatus : std::uint8_t {
  unknown,  // no such command
  waiting,  // not acknowledged, or its turn has not come
  in_progress,
  accepted,
  temporarily_rejected,
  denied,
  unsupported,
  failed,
  cancelled,
  timed_out,  // never acknowledged, or in progress for too long: what became of it is not known
};
const char* name(CommandStatus status);

struct CommandOutcome {
  CommandStatus status = CommandStatus::unknown;
  std::uint8_t progress = 255;     // %, 255 when it was not reported
  std::int32_t result_param2 = 0;  // what else the autopilot had to say
  bool finished() const { return status > CommandStatus::in_progress; }
};

// An acknowledgement names the command and nothing else, so of several that are the same command for the same target
// one is under way at a time and the others wait for their turn.
class CommandClient {
 public:
  struct Options {
    Address own{255, 190};
    Duration retry = 700ms;
    int tries = 4;           // the first included; `confirmation` counts them
    Duration longest = 30s;  // in progress
    std::size_t most = 64;   // remembered, finished ones included
  };
  CommandClient() : CommandClient(Options{}) {}
  explicit CommandClient(const Options& options) : options_(options) {}

  // The number asks for the outcome.
  std::uint32_t start(const CommandLong& command);
  std::uint32_t start(const CommandInt& command);
  CommandOutcome outcome(std::uint32_t number) const;
  // Forgets all that wait, as after a link was lost: a command that is old by then must not be sent.
  void abandon();

  void poll(Instant now, Outlet& outlet);
  // True when the frame acknowledged a command of ours.
  bool handle(const Frame& frame, Instant now);

  std::uint64_t strays() const { return strays_; }  // acknowledgements of nothing that we asked

 private:
  struct Job {
    std::uint32_t number = 0;
    std::variant<CommandLong, CommandInt> message;
    std::uint16_t command = 0;
    Address target;
    CommandOutcome outcome{.status = CommandStatus::waiting};
    int tries = 0;
    Instant next{};   // try
    Instant until{};  // the end of its patience once it is in progress
  };
  std::uint32_t add(Job job);
  bool waits_for_another(std::size_t index) const;

  Options options_;
  std::vector<Job> jobs_;
  std::uint32_t next_number_ = 1;
  std::uint64_t strays_ = 0;
};

// CommandLong with its first two numbers, for the many that need no more.
CommandLong command_to(const Address& target, std::uint16_t command, float param1 = 0, float param2 = 0);

}  // namespace tandem::mavlink
