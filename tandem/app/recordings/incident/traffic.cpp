// SPDX-License-Identifier: Apache-2.0
// Bytes on the machine's sockets: when a direction fell silent, and which connections began and ended.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/app/recordings/incident/explain.hpp"

namespace tandem::app::incident {

namespace {

constexpr double shortest_silence = 0.1;  // s
constexpr double silence_factor = 5;      // times the usual pause of the direction
constexpr double same_lull = 0.3;         // s: silences this close to each other are one lull
constexpr std::size_t most_lulls = 10, most_connections = 12;

double seconds_between(const Frame& from, const Frame& to) { return static_cast<double>(to.time - from.time) * 1e-9; }

std::vector<const Frame*> frames_of(const History& history, Frame::Kind kind) {
  std::vector<const Frame*> chosen;
  for (const Frame& frame : history.frames)
    if (frame.kind == kind) chosen.push_back(&frame);
  return chosen;
}

// Nine of ten pauses before the incident are at most this long, s; 0: too few frames to say.
double usual_pause(const History& history, const std::vector<const Frame*>& frames) {
  std::vector<double> pauses;
  for (std::size_t i = 1; i < frames.size() && frames[i]->time <= history.moment.at; ++i)
    pauses.push_back(seconds_between(*frames[i - 1], *frames[i]));
  if (pauses.size() < 10) return 0;
  const auto ninth = pauses.begin() + static_cast<std::ptrdiff_t>(pauses.size() * 9 / 10);
  std::nth_element(pauses.begin(), ninth, pauses.end());
  return *ninth;
}

// From the last frame as usual to the first one after which they come as usual again.
struct Lull {
  std::size_t first = 0, last = 0;  // frames; the last: after the last silence, or the end
  double silence = 0;               // s, all silences together
};

std::vector<Lull> lulls_of(const History& history, const std::vector<const Frame*>& frames, double limit) {
  std::vector<Lull> lulls;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Time window_end = std::min(history.end, history.moment.at + static_cast<Time>(history.after * 1e9));
    const double silence = i + 1 < frames.size() ? seconds_between(*frames[i], *frames[i + 1])
                                                 : static_cast<double>(window_end - frames[i]->time) * 1e-9;
    if (silence < limit) continue;
    const bool goes_on = !lulls.empty() && seconds_between(*frames[lulls.back().last], *frames[i]) < same_lull;
    if (!goes_on) lulls.push_back({i, i, 0});
    lulls.back().last = std::min(i + 1, frames.size() - 1);
    lulls.back().silence += silence;
  }
  return lulls;
}

void add_lulls(const History& history, Frame::Kind kind, std::vector<Entry>& entries) {
  const auto frames = frames_of(history, kind);
  const double usual = usual_pause(history, frames);
  const auto lulls = lulls_of(history, frames, std::max(shortest_silence, silence_factor * usual));
  const std::string who = kind == Frame::Kind::in ? "from the device" : "to the device";
  for (std::size_t i = 0; i < std::min(lulls.size(), most_lulls); ++i) {
    const Lull& lull = lulls[i];
    const Frame& first = *frames[lull.first];
    const std::size_t between = lull.last - lull.first;
    const bool ends = lull.last + 1 == frames.size() && seconds_between(first, *frames[lull.last]) < lull.silence;
    std::string text = fmt::format("last {} bytes {}, then silent ", first.bytes, who);
    if (between > 1) text += fmt::format("but for {} pieces ", between - 1);
    text += ends ? std::string("to the end") : fmt::format("until {:+.3f} s", history.since(frames[lull.last]->time));
    if (usual > 0.0005) text += fmt::format("; before, every {:.3f} s", usual);
    entries.push_back({history.since(first.time), "field", std::move(text), kind == Frame::Kind::in});
  }
  if (lulls.size() > most_lulls)
    entries.push_back({history.since(frames[lulls[most_lulls].first]->time), "field",
                       fmt::format("{} more times silent {}", lulls.size() - most_lulls, who), false});
}

std::string connection_text(const Frame& frame) {
  switch (frame.kind) {
    case Frame::Kind::opened:
      return fmt::format("connection {} to {} opened", frame.connection, frame.peer);
    case Frame::Kind::closed:
      return fmt::format("connection {} closed by the machine", frame.connection);
    case Frame::Kind::ended:
      return fmt::format("connection {} closed by the device", frame.connection);
    default:
      return fmt::format("connection {} broken: reset, timed out or unplugged", frame.connection);
  }
}

void add_connections(const History& history, std::vector<Entry>& entries) {
  std::vector<Entry> found;
  for (const Frame& frame : history.frames) {
    if (frame.kind == Frame::Kind::in || frame.kind == Frame::Kind::out) continue;
    const bool bad = frame.kind == Frame::Kind::broken || frame.kind == Frame::Kind::ended;
    found.push_back({history.since(frame.time), "field", connection_text(frame), bad});
  }
  // Of many that follow each other those next to the incident are of interest, and the last.
  if (found.size() > most_connections) {
    const std::size_t more = found.size() - most_connections;
    const auto before = static_cast<std::size_t>(std::ranges::count_if(found, [](const Entry& e) { return e.t <= 0; }));
    const std::size_t first = std::min(before > most_connections / 2 ? before - most_connections / 2 : 0, more);
    const Entry last = found.back();
    found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(first));
    found.resize(most_connections - 1);
    found.push_back({last.t, "field", fmt::format("{} ({} more like it)", last.text, more), last.bad});
  }
  entries.insert(entries.end(), found.begin(), found.end());
}

}  // namespace

std::vector<Entry> traffic_of(const History& history) {
  std::vector<Entry> entries;
  add_lulls(history, Frame::Kind::in, entries);
  add_lulls(history, Frame::Kind::out, entries);
  add_connections(history, entries);
  return entries;
}

}  // namespace tandem::app::incident
