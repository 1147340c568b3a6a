// SPDX-License-Identifier: Apache-2.0
// What a recording holds about one machine around an incident, as plain data. Times are ns since 1970.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::record {
class McapReader;
}

namespace tandem::app::incident {

using Time = std::int64_t;  // ns since 1970

struct Moment {
  Time at = 0;
  std::string machine, cause;  // cause: one word, such as "stopped", "lost", "snapshot"
  std::string text;            // why, in words
};

struct Event {
  Time time = 0;
  std::string machine, kind, text;  // machine: empty for the program itself
  bool bad = false;
};

struct Command {
  Time time = 0;
  std::string machine, what, by, text;  // machine: empty for all
  bool ok = false;
};

// One status of the machine: recorded ten times a second, by the black box once.
struct State {
  Time time = 0;
  std::string link, cause, quality, arm, arm_cause, arm_by;
  double age = -1;  // of the newest live sample, s; negative: there was none
  std::uint64_t invalid = 0, stale_episodes = 0;
  std::map<std::string, double> counters;    // of the machine's own gates, such as "rejected"
  std::map<std::string, std::string> texts;  // what the machine says of itself, such as "activity"
};

// A pass over the machine's socket, or that a connection began or ended.
struct Frame {
  enum class Kind : std::uint8_t { opened, in, out, closed, ended, broken };
  Time time = 0;
  Kind kind = Kind::in;
  std::uint32_t connection = 0;
  std::size_t bytes = 0;
  std::string peer{};  // of the device; only where a connection begins or ends
};

struct Place {
  Time time = 0;
  std::vector<double> position;
  double speed = std::numeric_limits<double>::quiet_NaN();  // NaN: not recorded
};

// Where the machine was, in `unit`: "m", or "rad" for the joints of an arm.
struct Track {
  std::string unit = "m";
  std::vector<Place> places;
};

struct Residual {
  Time time = 0;
  std::vector<std::pair<std::string, double>> values;
};

// A warning or an error that the machine's node said on /rosout.
struct LogLine {
  Time time = 0;
  std::string text;
};

struct History {
  std::string file;
  Time start = 0, end = 0;  // of the recording
  bool from_black_box = false;
  Moment moment;
  std::vector<Moment> others;     // incidents in the file beside this one
  double before = 5, after = 10;  // s: the window that is explained
  std::string type, device;       // of the machine, where they are known
  bool is_virtual = false;
  bool has_opening = false;       // the beginning of a connection is in the file, so that it replays as a device
  std::string speed_signal;       // for `tandem plot`; empty: none found
  std::vector<Event> events;      // to the end of the file; those of the machine and of the program
  std::vector<Command> commands;  // to the end of the file
  std::vector<State> states;      // these and all below: of the window
  std::vector<Frame> frames;
  Track truth;                      // of the physics of a virtual device
  Track measured;                   // by the machine
  std::vector<Residual> residuals;  // between the machine and its twin
  std::vector<LogLine> log;
  std::vector<History> all{};        // of an incident of all machines: each of them, with states and tracks alone
  std::vector<std::string> missing;  // what could not be read, in words

  // s from the incident
  double since(Time time) const { return static_cast<double>(time - moment.at) * 1e-9; }
};

// Every latched stop and every loss while armed that the events tell, by their time.
std::vector<Moment> moments_of(const std::vector<Event>& events);

struct Choice {
  std::string machine{};     // empty: that of the incident
  std::optional<Time> at{};  // nothing: the incident that the file is of, else the first one found
  double before = 5, after = 10;
};

// Reads what is to be explained. Parts of the file that cannot be read are named in History::missing. The error says
// why there is nothing to explain.
Result<History> read_history(const record::McapReader& reader, const std::string& file, const Choice& choice);

// The incident that the black box wrote this file for; nothing: an ordinary recording, or a record that is no such.
std::optional<Moment> moment_of(const record::McapReader& reader);

// "12.5" is s since the beginning of the recording, "2026-11-19T04:30:15.2Z" UTC.
Result<Time> time_from(const std::string& text, Time start);

}  // namespace tandem::app::incident
