// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "tandem/app/recordings/incident/report.hpp"

namespace tandem::app::incident {

namespace {

constexpr plot::Color red{0.8, 0.1, 0.1};
constexpr double byte_bucket = 0.05;  // s
constexpr std::size_t most_residuals = 6;
constexpr double panel_height = 210;  // pixels

plot::Panel empty_panel(const History& history, const std::string& title, const std::string& unit) {
  plot::Panel panel;
  panel.title = title;
  panel.x = {"time from the incident in s", plot::Range{-history.before, history.after}};
  panel.y.label = unit;
  return panel;
}

plot::Line line_of(const std::string& label, int number, bool dashed = false) {
  plot::Line line;
  line.label = label, line.color = plot::line_color(number), line.dashed = dashed;
  return line;
}

// Between what is far apart in time nothing is drawn.
void add_point(plot::Line& line, double t, double value, double longest_gap) {
  if (!line.x.empty() && t - line.x.back() > longest_gap) {
    line.x.push_back(t);
    line.y.push_back(std::nan(""));
  }
  line.x.push_back(t);
  line.y.push_back(value);
}

// The incident goes through all of it, so the range of the values is needed first.
void add_panel(plot::Figure& figure, plot::Panel panel) {
  std::erase_if(panel.lines, [](const plot::Line& line) { return line.x.empty(); });
  if (panel.lines.empty()) return;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const plot::Line& line : panel.lines) {
    for (const double value : line.y) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value), high = std::max(high, value);
    }
  }
  if (!std::isfinite(low) || !std::isfinite(high) || !std::isfinite(high - low)) return;
  const double margin = std::max({(high - low) * 0.08, std::abs(high) * 1e-6, 1e-6});
  panel.y.range = plot::Range{low - margin, high + margin};
  plot::Line incident;
  incident.x = {0, 0}, incident.y = {low - margin, high + margin}, incident.color = red;
  panel.lines.push_back(std::move(incident));
  figure.panels.push_back(std::move(panel));
}

void add_speed(const History& history, plot::Figure& figure) {
  plot::Panel panel = empty_panel(history, "Speed", history.truth.unit + "/s");
  const auto add = [&](const Track& track, const std::string& label, int number, bool dashed) {
    plot::Line line = line_of(label, number, dashed);
    const std::vector<double> speeds = speeds_of(track);
    for (std::size_t i = 0; i < speeds.size(); ++i)
      add_point(line, history.since(track.places[i].time), speeds[i], 0.25);
    panel.lines.push_back(std::move(line));
  };
  add(history.truth, "truth", 0, false);
  if (history.truth.places.empty() || history.truth.unit == history.measured.unit)
    add(history.measured, "measured", 1, true);
  add_panel(figure, std::move(panel));
}

// From where it was at the incident, along each axis or joint.
void add_way(const History& history, plot::Figure& figure) {
  const bool by_truth = !history.truth.places.empty();
  const Track& track = by_truth ? history.truth : history.measured;
  if (track.places.empty()) return;
  const auto at = std::ranges::lower_bound(track.places, history.moment.at, {}, &Place::time);
  const Place& zero = at == track.places.end() ? track.places.back() : *at;
  plot::Panel panel = empty_panel(
      history, by_truth ? "Position from the incident on, by truth" : "Position from the incident on, as measured",
      track.unit);
  for (std::size_t axis = 0; axis < zero.position.size() && axis < 8; ++axis) {
    const std::string name = track.unit == "rad" ? "joint " + std::to_string(axis + 1)
                             : axis < 3          ? std::string(1, "xyz"[axis])
                                                 : std::to_string(axis + 1);
    plot::Line line = line_of(name, static_cast<int>(axis));
    for (const Place& place : track.places)
      if (axis < place.position.size())
        add_point(line, history.since(place.time), place.position[axis] - zero.position[axis], 0.25);
    panel.lines.push_back(std::move(line));
  }
  add_panel(figure, std::move(panel));
}

void add_residuals(const History& history, plot::Figure& figure) {
  plot::Panel panel = empty_panel(history, "Residual of the twin", "");
  std::vector<std::string> names;
  for (const Residual& residual : history.residuals) {
    for (const auto& [name, value] : residual.values) {
      auto place = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
      if (place == names.size()) {
        if (names.size() == most_residuals) continue;
        names.push_back(name);
        panel.lines.push_back(line_of(name, static_cast<int>(place)));
      }
      add_point(panel.lines[place], history.since(residual.time), value, 0.5);
    }
  }
  add_panel(figure, std::move(panel));
}

void add_age(const History& history, plot::Figure& figure) {
  plot::Panel panel = empty_panel(history, "Age of the newest live sample", "s");
  plot::Line line = line_of("", 0);
  for (const State& state : history.states)
    if (state.age >= 0) add_point(line, history.since(state.time), state.age, 1);
  panel.lines.push_back(std::move(line));
  add_panel(figure, std::move(panel));
}

void add_bytes(const History& history, plot::Figure& figure) {
  if (history.frames.empty()) return;
  plot::Panel panel = empty_panel(history, "Bytes on the wire in 50 ms", "bytes");
  const auto count =
      static_cast<std::size_t>(std::min(100'000.0, std::ceil((history.before + history.after) / byte_bucket)));
  for (const Frame::Kind kind : {Frame::Kind::in, Frame::Kind::out}) {
    std::vector<double> buckets(count, 0);
    for (const Frame& frame : history.frames) {
      const double place = (history.since(frame.time) + history.before) / byte_bucket;
      if (frame.kind == kind && place >= 0 && place < static_cast<double>(count))
        buckets[static_cast<std::size_t>(place)] += static_cast<double>(frame.bytes);
    }
    const bool in = kind == Frame::Kind::in;
    plot::Line line = line_of(in ? "from the device" : "to the device", in ? 0 : 1, !in);
    for (std::size_t i = 0; i < count; ++i) {
      const double t = static_cast<double>(i) * byte_bucket - history.before;
      if (t > history.since(history.end)) break;
      for (const double edge : {t, t + byte_bucket}) add_point(line, edge, buckets[i], 1);
    }
    panel.lines.push_back(std::move(line));
  }
  add_panel(figure, std::move(panel));
}

}  // namespace

plot::Figure figure_of(const History& history) {
  plot::Figure figure;
  figure.columns = 1;
  figure.width = 1000;
  add_speed(history, figure);
  add_way(history, figure);
  add_residuals(history, figure);
  add_age(history, figure);
  add_bytes(history, figure);
  figure.height = 30 + panel_height * static_cast<double>(std::max<std::size_t>(1, figure.panels.size()));
  return figure;
}

}  // namespace tandem::app::incident
