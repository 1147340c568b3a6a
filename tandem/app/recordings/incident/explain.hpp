// SPDX-License-Identifier: Apache-2.0
// What happened around an incident, from its history alone: a timeline, numbers, and what to do next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tandem/app/recordings/incident/history.hpp"

namespace tandem::app::incident {

struct Entry {
  double t = 0;        // s from the incident
  std::string source;  // "link", "arm", "command", "gate", "field", "chaos", "twin", "log", "state", "event"
  std::string text;
  bool bad = false;
};

// How the machine moved, by one kind of knowledge.
struct Motion {
  bool by_truth = false;             // else by what the machine measured
  std::string unit;                  // "m" or "rad"
  std::optional<double> speed;       // at the incident, unit/s
  std::optional<double> distance;    // moved from the incident to standstill or the end of the window
  std::optional<double> standstill;  // s after the incident
  // What the machine measured has a gap, within which nothing is known of the way: from, to (s), and how far apart its
  // ends are.
  struct Gap {
    double from = 0, to = 0, apart = 0;
  };
  std::optional<Gap> gap;
  // By truth: the physics paused within this time, as when its process is stopped. Its way goes on behind it.
  std::optional<Gap> held;
};

// What a gate refused before and after the incident, within the window.
struct Refusals {
  std::string what;  // "invalid samples", "stale episodes", "refused commands", "rejected"
  std::uint64_t before = 0, after = 0;
};

struct Numbers {
  std::optional<Motion> motion;
  std::optional<double> last_from_device, next_from_device;  // s: bytes before and after the incident
  std::optional<double> last_to_device;
  bool link_lost = false;
  std::optional<double> live_again;  // s after
  struct Armed {
    double t = 0;
    std::string by;
  };
  std::optional<Armed> armed_again;
  std::vector<Refusals> refusals;
};

struct Step {
  std::string command, meaning;
};

// One machine of an incident of all.
struct Beside {
  std::string machine, type;
  std::string before, after;  // link and arm: "live, armed"; empty: unknown
  std::optional<Motion> motion;
};

struct Incident {
  std::string title;                 // "lift: link lost while armed"
  std::vector<std::string> because;  // why, the cause first
  std::vector<Entry> timeline;       // by time
  Numbers numbers;
  std::vector<Step> next;
  std::vector<Beside> machines{};  // of an incident of all, the fastest first; else none
};

Incident explain(const History& history);

// The parts of it, each from the history alone.
std::vector<Entry> timeline_of(const History& history);
std::vector<Entry> traffic_of(const History& history);  // silences of the device and the machine, connections
Numbers numbers_of(const History& history);
// None: neither truth nor a measurement is there. Truth goes first.
std::optional<Motion> motion_of(const History& history);
std::vector<Beside> machines_of(const History& history);
// Speed of each place, unit/s: as recorded, else by differences.
std::vector<double> speeds_of(const Track& track);

// s between two states of the machine, as the recording has them.
double state_interval(const History& history);

// "0.312 s before", "at the incident", "1.204 s after".
std::string when_text(double t);

}  // namespace tandem::app::incident
