// SPDX-License-Identifier: Apache-2.0
// How far and how fast the machine went: by truth where the recording has it, else by its own measurement.
#include <algorithm>
#include <cmath>

#include "tandem/app/recordings/incident/explain.hpp"

namespace tandem::app::incident {

namespace {

constexpr double standing_share = 0.01;   // of the speed at the incident; below it the machine stands
constexpr double standing_speed = 0.002;  // and this in any case, m/s or rad/s
constexpr double standing_time = 0.2;     // s that it lasts at least
constexpr double speed_span = 0.1;        // s over which differences give a speed
constexpr double frozen_limit = 1;        // s: a measurement that did not change for longer is a standstill
constexpr double gap_limit = 0.25;        // s without a measurement

// The way from one place to another: in space, or of the joint that goes farthest.
double apart(const Track& track, const Place& from, const Place& to) {
  const std::size_t size = std::min(from.position.size(), to.position.size());
  double sum = 0, most = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double difference = to.position[i] - from.position[i];
    sum += difference * difference;
    most = std::max(most, std::abs(difference));
  }
  return track.unit == "rad" ? most : std::sqrt(sum);
}

double seconds_between(const Place& from, const Place& to) { return static_cast<double>(to.time - from.time) * 1e-9; }

// Between the two places around the time; at the ends as it is there.
Place place_at(const Track& track, Time time) {
  const auto& places = track.places;
  const auto after = std::ranges::lower_bound(places, time, {}, &Place::time);
  if (after == places.begin()) return places.front();
  if (after == places.end()) return places.back();
  const Place& from = *std::prev(after);
  const double whole = seconds_between(from, *after);
  const double share = whole > 0 ? static_cast<double>(time - from.time) * 1e-9 / whole : 1;
  Place between{time, from.position, from.speed + share * (after->speed - from.speed)};
  for (std::size_t i = 0; i < std::min(between.position.size(), after->position.size()); ++i)
    between.position[i] += share * (after->position[i] - from.position[i]);
  return between;
}

// The joints of an arm each have a way of their own; the longest counts.
double path_length(const Track& track, const std::vector<Place>& way) {
  if (track.unit != "rad") {
    double sum = 0;
    for (std::size_t i = 1; i < way.size(); ++i) sum += apart(track, way[i - 1], way[i]);
    return sum;
  }
  std::vector<double> joints;
  for (std::size_t i = 1; i < way.size(); ++i) {
    const std::size_t size = std::min(way[i - 1].position.size(), way[i].position.size());
    joints.resize(std::max(joints.size(), size));
    for (std::size_t j = 0; j < size; ++j) joints[j] += std::abs(way[i].position[j] - way[i - 1].position[j]);
  }
  return joints.empty() ? 0 : *std::ranges::max_element(joints);
}

// A link that was just lost leaves the last measurement for a moment: the place before `end` at which it froze.
std::size_t last_measured(const Track& track, std::size_t end) {
  std::size_t last = end - 1;
  while (last > 0 && apart(track, track.places[last - 1], track.places[last]) == 0) --last;
  // What did not change for longer was standing.
  return seconds_between(track.places[last], track.places[end - 1]) > frozen_limit ? end - 1 : last;
}

std::optional<double> measured_speed(const Track& track, const std::vector<double>& speeds, Time at) {
  const auto end =
      static_cast<std::size_t>(std::ranges::upper_bound(track.places, at, {}, &Place::time) - track.places.begin());
  if (end == 0) return std::nullopt;
  return speeds[last_measured(track, end)];
}

// The first time from which on it stands for a while; nothing: it did not, as far as it is known.
std::optional<std::size_t> standstill_of(const Track& track, const std::vector<double>& speeds, Time at, double limit) {
  std::optional<std::size_t> since;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    if (track.places[i].time < at) continue;
    if (speeds[i] > limit) {
      since.reset();
    } else if (!since) {
      since = i;
    } else if (seconds_between(track.places[*since], track.places[i]) >= standing_time) {
      return since;
    }
  }
  return std::nullopt;
}

std::optional<Motion::Gap> gap_of(const History& history, const Track& track, Time until) {
  for (std::size_t i = 1; i < track.places.size(); ++i) {
    const Place &from = track.places[i - 1], &to = track.places[i];
    if (to.time < history.moment.at || from.time > until || seconds_between(from, to) < gap_limit) continue;
    return Motion::Gap{history.since(track.places[last_measured(track, i)].time), history.since(to.time),
                       apart(track, from, to)};
  }
  const Place& last = track.places[last_measured(track, track.places.size())];
  const double end = std::min(history.since(history.end), history.after);
  if (end - history.since(track.places.back().time) < gap_limit || last.time > until) return std::nullopt;
  return Motion::Gap{history.since(last.time), end, 0};
}

// Physics that pauses keeps its speed and does not move.
std::optional<Motion::Gap> hold_of(const History& history, const Track& track, double limit) {
  std::optional<Motion::Gap> longest;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < track.places.size(); ++i) {
    const Place& place = track.places[i];
    if (apart(track, track.places[begin], place) > 0 || !(std::abs(place.speed) > limit)) begin = i;
    const double length = seconds_between(track.places[begin], place);
    if (history.since(place.time) < 0 || length < gap_limit) continue;
    if (!longest || length > longest->to - longest->from)
      longest = Motion::Gap{history.since(track.places[begin].time), history.since(place.time), 0};
  }
  return longest;
}

Motion motion_by(const History& history, const Track& track, bool by_truth) {
  const Time at = history.moment.at;
  const std::vector<double> speeds = speeds_of(track);
  Motion motion;
  motion.by_truth = by_truth, motion.unit = track.unit;
  if (by_truth) {
    Track with_speed = track;
    for (std::size_t i = 0; i < speeds.size(); ++i) with_speed.places[i].speed = speeds[i];
    if (track.places.front().time <= at && track.places.back().time >= at)
      motion.speed = place_at(with_speed, at).speed;
  } else {
    motion.speed = measured_speed(track, speeds, at);
  }
  const double limit = std::max(standing_speed, standing_share * motion.speed.value_or(0));
  Time until = track.places.back().time;
  auto stand = standstill_of(track, speeds, at, limit);
  if (by_truth) motion.held = hold_of(history, track, limit);
  if (!by_truth) motion.gap = gap_of(history, track, stand ? track.places[*stand].time : std::max(until, at));
  // Where a gap came first, nobody knows when it stood, nor how far it went.
  if (motion.gap && (!stand || history.since(track.places[*stand].time) >= motion.gap->from)) return motion;
  if (until < at) return motion;
  if (stand) {
    until = track.places[*stand].time;
    motion.standstill = std::max(0.0, history.since(until));
  }
  std::vector<Place> way = {place_at(track, at)};
  for (const Place& place : track.places)
    if (place.time > at && place.time <= until) way.push_back(place);
  motion.distance = path_length(track, way);
  return motion;
}

}  // namespace

std::vector<double> speeds_of(const Track& track) {
  const auto& places = track.places;
  std::vector<double> speeds(places.size(), 0);
  std::size_t from = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (std::isfinite(places[i].speed)) {
      speeds[i] = std::abs(places[i].speed);
      continue;
    }
    while (from + 1 < i && seconds_between(places[from + 1], places[i]) >= speed_span) ++from;
    const double span = seconds_between(places[from], places[i]);
    // Across a gap nothing is known of the speed; what is there begins anew.
    if (span > gap_limit + speed_span) from = i;
    speeds[i] = span > 0 && from < i ? apart(track, places[from], places[i]) / span : (i > 0 ? speeds[i - 1] : 0);
  }
  // Of the first alone nothing can be said.
  if (speeds.size() > 1 && !std::isfinite(places[0].speed)) speeds[0] = speeds[1];
  return speeds;
}

std::optional<Motion> motion_of(const History& history) {
  const auto covers = [&](const Track& track) {
    return !track.places.empty() && track.places.front().time <= history.moment.at;
  };
  if (covers(history.truth)) return motion_by(history, history.truth, true);
  if (covers(history.measured)) return motion_by(history, history.measured, false);
  return std::nullopt;
}

}  // namespace tandem::app::incident
