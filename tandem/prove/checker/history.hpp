// SPDX-License-Identifier: Apache-2.0
// What happened in one run, as a recording has it: nothing here comes from the program that made it but its file.
// Times are seconds since the first message.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::prove::checker {

struct Truth {
  double t = 0;
  std::vector<double> position;  // m; rad for the joints of an arm
  double speed = 0;              // per second
};

struct Frame {
  enum Kind : std::uint8_t { opened, in, out, closed, ended, broken };
  double t = 0;
  std::uint32_t connection = 0;
  Kind kind = opened;
  std::vector<std::uint8_t> bytes;
};

struct Command {
  double t = 0;
  std::string what, by;
  bool ok = false;
};

struct Event {
  double t = 0;
  std::string kind, text;
};

struct Status {
  double t = 0;
  std::string state, quality, arm;
};

// What the stage did: begun at t, done or lifted at `end`.
struct Deed {
  double t = 0, end = 0;
  std::string verb, by;
  bool ok = false;  // of a command: it was accepted
  double lasts = 0, a = 0, b = 0;
};

// What became of a goal, as its client was told.
struct GoalState {
  double t = 0;
  std::string goal;   // its id
  std::string state;  // accepted, rejected, succeeded, aborted, canceled, lost
};

// A message of the topic by which this type of machine publishes what its device says.
struct Published {
  double t = 0;
  std::vector<double> values;
};

struct MachineHistory {
  std::string name, type;
  std::vector<Truth> truth;
  std::vector<Frame> frames;         // on the machine's side
  std::vector<Frame> device_frames;  // behind the fault proxy
  std::vector<Command> commands;
  std::vector<Event> events;
  std::vector<Status> statuses;
  std::vector<Deed> deeds;
  std::vector<GoalState> goals;
  std::vector<Published> published;
};

// The host was late: what was due from `from` on happened only at `to`.
struct Stall {
  double from = 0, to = 0;
};

struct History {
  std::uint64_t seed = 0;
  double length = 0;                // s
  double begun = 0, ended = 1e300;  // of the schedule; before and after it machines start and end
  std::vector<MachineHistory> machines;
  std::vector<Stall> stalls;
  std::uint64_t dropped = 0;  // messages that the recording lost
  std::uint64_t unread = 0;   // messages of ours that made no sense
};

Result<History> read_history(const std::string& file);

}  // namespace tandem::prove::checker
