// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/terminal/render.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tandem::app {

namespace {

using runtime::MachineStatus;
using runtime::SystemStatus;

enum class Tone { plain, good, doubtful, bad, faint, strong };

const char* color_code(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "32";
    case Tone::doubtful:
      return "33";
    case Tone::bad:
      return "31";
    case Tone::faint:
      return "2";
    default:
      return "1";
  }
}

class Page {
 public:
  explicit Page(const RenderOptions& options) : options_(options) {}

  std::string toned(Tone tone, const std::string& text) const {
    if (!options_.color || tone == Tone::plain) return text;
    return fmt::format("\x1b[{}m{}\x1b[0m", color_code(tone), text);
  }
  void line(const std::string& text = "") {
    text_ += (options_.columns > 0 ? cut(text, options_.columns) : text) + '\n';
  }
  std::string take() { return std::move(text_); }

 private:
  const RenderOptions& options_;
  std::string text_;
};

Tone tone_of_state(const std::string& state) {
  if (state == "live") return Tone::good;
  return state == "faulted" || state == "down" ? Tone::bad : Tone::doubtful;
}

Tone tone_of_arm(const std::string& arm) {
  if (arm == "armed") return Tone::good;
  return arm == "stopped" ? Tone::bad : Tone::doubtful;
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(seconds);
  return fmt::format("{:02}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string age_text(const MachineStatus& machine) {
  return machine.age < 0 ? "no sample yet" : "age " + short_time(machine.age);
}

// All numbers of one value in one form, so that columns stand still while they change.
std::string numbers_text(const std::vector<double>& numbers) {
  double largest = 0;
  bool whole = true;
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    largest = std::max(largest, std::abs(number));
    whole = whole && number == std::floor(number);
  }
  const int decimals = whole ? 0 : largest >= 100 ? 2 : largest >= 0.01 ? 4 : 6;
  std::string text;
  for (const double number : numbers) {
    if (!std::isfinite(number)) {
      text += fmt::format("{:>11}", "-");
    } else if (largest >= 1e7 || (largest > 0 && largest < 1e-6)) {
      text += fmt::format(" {:>+10.2e}", number);
    } else {
      text += whole ? fmt::format(" {:>10.0f}", number) : fmt::format(" {:>+10.{}f}", number, decimals);
    }
  }
  return text;
}

void value_lines(Page& page, const std::vector<machines::Value>& values, const std::string& owner) {
  for (const auto& value : values) {
    const std::string name = value.name.starts_with(owner) ? value.name : owner + value.name;
    const std::string unit = value.unit.empty() ? "" : page.toned(Tone::faint, " " + value.unit);
    const std::string words = value.text.empty() ? "" : (value.numbers.empty() ? " " : "  ") + value.text;
    page.line(fmt::format("  {:<19}{}{}{}", name, numbers_text(value.numbers), unit, words));
  }
}

void hop_line(Page& page, const MachineStatus& machine) {
  std::string text;
  for (const auto& hop : machine.hops) {
    if (hop.count == 0) continue;
    text += fmt::format("  {} {} / {} / {}", hop.name, short_time(hop.p50), short_time(hop.p99), short_time(hop.p999));
  }
  if (!text.empty()) page.line(fmt::format("  {:<18}{}", "p50 / p99 / p99.9", text));
  if (const auto& late = machine.late) {
    const std::string skipped = machine.skipped == 0 ? "" : fmt::format("  skipped {}", machine.skipped);
    page.line(fmt::format("  {:<18}  p50 {} / p99 {} / worst {}{}", "cycle begun late", short_time(late->p50),
                          short_time(late->p99), short_time(late->worst), skipped));
  }
}

void server_line(Page& page, const runtime::DiscoveryServerStatus& server) {
  const bool connected = server.state == "connected";
  const Tone tone = connected ? Tone::good : server.state == "lost" ? Tone::bad : Tone::doubtful;
  const char* const consequence = connected                ? ""
                                  : server.state == "lost" ? ": the graph may be old"
                                                           : ": not found; is it running, with this id?";
  page.line(fmt::format("  discovery server {} at {}  {} for {}{}", server.id, server.address,
                        page.toned(tone, server.state), clock_text(server.since), consequence));
}

// What the page calls "press Reset, then Arm".
std::string way_to_motion(const MachineStatus& machine) {
  const char* const back = machine.state == "live" ? "" : " once it is live";
  if (machine.arm == "stopped") return fmt::format("`tandem reset {0}`, then `tandem arm {0}`{1}", machine.name, back);
  return fmt::format("`tandem arm {}`{}", machine.name, back);
}

// What a line has room for: what is wrong, else what it does.
std::string matter_of(const MachineStatus& machine) {
  if (!machine.chaos.empty() && machine.chaos != "ready")
    return fmt::format("chaos: {}{}{}", machine.chaos, machine.cause.empty() ? "" : "; ", machine.cause);
  if (!machine.cause.empty()) return machine.cause;
  if (!machine.warning.empty()) return machine.warning;
  if (machine.moves && machine.arm != "armed")
    return fmt::format("{}{}", machine.arm == "stopped" ? "reset, then arm: " : "", machine.arm_cause);
  for (const char* const name : {"stage", "activity"}) {
    for (const auto& value : machine.values)
      if (value.name == name) return value.text;
  }
  return "";
}

void brief_line(Page& page, const MachineStatus& machine, std::size_t width) {
  const auto column = [&](Tone tone, const std::string& text, std::size_t wide) {
    return page.toned(tone, fmt::format("{:<{}}", text, wide));
  };
  page.line(fmt::format("{}  {}  {:>8}  {:<7}  {} {}", column(Tone::strong, machine.name, width),
                        column(tone_of_state(machine.state), machine.state, 10), fmt::format("{:.0f} Hz", machine.rate),
                        machine.age < 0 ? "-" : short_time(machine.age),
                        column(tone_of_arm(machine.arm), machine.moves ? machine.arm : "read", 8), matter_of(machine)));
}

void machine_lines(Page& page, const MachineStatus& machine) {
  page.line();
  page.line(fmt::format("{}  {}  {}{}", page.toned(Tone::strong, machine.name), machine.type,
                        machine.is_virtual ? (machine.unplugged ? "virtual, unplugged " : "virtual ") : "",
                        machine.device));
  std::string link =
      fmt::format("  {}", page.toned(tone_of_state(machine.state), fmt::format("{:<18}", machine.state)));
  link += fmt::format("  {:.1f} Hz  {}  quality {}", machine.rate, age_text(machine), machine.quality);
  page.line(link);
  if (!machine.cause.empty()) page.line(fmt::format("  {:<18}  {}", "because", machine.cause));
  if (!machine.warning.empty())
    page.line(fmt::format("  {}  {}", page.toned(Tone::doubtful, fmt::format("{:<18}", "warning")), machine.warning));
  if (!machine.chaos.empty())
    page.line(fmt::format(
        "  {}  {}", page.toned(machine.chaos == "ready" ? Tone::faint : Tone::bad, fmt::format("{:<18}", "chaos")),
        machine.chaos == "ready" ? "through fault proxies, no faults" : machine.chaos));
  if (machine.moves) {
    const std::string by = machine.arm_by.empty() ? "" : fmt::format(", by {}", machine.arm_by);
    page.line(fmt::format("  {}  {}{}", page.toned(tone_of_arm(machine.arm), fmt::format("{:<18}", machine.arm)),
                          machine.arm_cause, by));
    if (machine.arm != "armed") page.line(fmt::format("  {:<18}  {}", "to move", way_to_motion(machine)));
  }
  page.line(page.toned(Tone::faint, fmt::format("  {:<18}  samples {}, invalid {}, stale {}, connects {} of {}",
                                                "counts", machine.samples, machine.invalid, machine.stale_episodes,
                                                machine.connects, machine.attempts)));
  hop_line(page, machine);
  value_lines(page, machine.values, "");
  value_lines(page, machine.twin_values, "twin ");
}

void sparkplug_line(Page& page, const runtime::SparkplugStatus& link) {
  page.line(fmt::format("Sparkplug {}/{}  {}  {}  {} machine{}, sent {}, dropped {}, refused {}{}", link.group,
                        link.node, link.broker, page.toned(link.connected ? Tone::good : Tone::bad, link.state),
                        link.devices, link.devices == 1 ? "" : "s", link.sent, link.dropped, link.refused,
                        link.stored > 0 ? fmt::format(", stored {}", link.stored) : ""));
  if (!link.trouble.empty()) page.line(fmt::format("  {:<18}  {}", "because", link.trouble));
}

void black_box_line(Page& page, const SystemStatus& status) {
  const runtime::BlackBoxStatus& box = *status.black_box;
  page.line(fmt::format("black box  {:.0f} s, {:.1f} MB{}{}", box.seconds, static_cast<double>(box.bytes) * 1e-6,
                        box.dropped > 0 ? fmt::format(", {} messages dropped", box.dropped) : "",
                        status.incidents.empty() ? "" : "; newest incident " + status.incidents.front().file));
  if (!box.trouble.empty())
    page.line(fmt::format("  {}  {}", page.toned(Tone::bad, fmt::format("{:<18}", "because")), box.trouble));
}

}  // namespace

std::string short_time(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  if (seconds < 0.9995e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (seconds < 99.95e-6) return fmt::format("{:.1f} us", seconds * 1e6);
  if (seconds < 0.9995e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 9.995e-3) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1e3);
  return seconds < 99.95 ? fmt::format("{:.1f} s", seconds) : fmt::format("{:.0f} s", seconds);
}

std::string cut(const std::string& line, std::size_t columns) {
  std::string out;
  std::size_t seen = 0;
  bool escape = false;
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\x1b') escape = true;
    const bool starts_column = !escape && (byte & 0xc0) != 0x80;
    if (starts_column && ++seen > columns) continue;
    if (!escape && seen > columns) continue;
    out += c;
    if (escape && c == 'm') escape = false;
  }
  return out;
}

std::string render(const SystemStatus& status, const RenderOptions& options) {
  Page page(options);
  page.line(fmt::format("{}  up {}  ROS 2 {}", page.toned(Tone::strong, "tandem " + status.version),
                        clock_text(status.uptime), status.ros));
  for (const runtime::DiscoveryServerStatus& server : status.discovery_servers) server_line(page, server);
  if (status.sparkplug) sparkplug_line(page, *status.sparkplug);
  if (status.black_box) black_box_line(page, status);
  for (const MachineStatus& machine : status.machines) machine_lines(page, machine);
  return page.take();
}

std::string render_brief(const SystemStatus& status, const RenderOptions& options) {
  Page page(options);
  std::size_t width = 0;
  for (const MachineStatus& machine : status.machines) width = std::max(width, machine.name.size());
  for (const MachineStatus& machine : status.machines) brief_line(page, machine, std::min<std::size_t>(width, 20));
  return page.take();
}

std::string render_line(const SystemStatus& status) {
  std::vector<std::string> parts;
  for (const MachineStatus& machine : status.machines) {
    std::string part = fmt::format("{} {}", machine.name, machine.state);
    if (machine.state == "live") {
      part += fmt::format(" {:.1f} Hz {}", machine.rate, age_text(machine));
      if (!machine.hops.empty())
        part += fmt::format(" p50 {} p99 {}", short_time(machine.hops.back().p50), short_time(machine.hops.back().p99));
      if (!machine.warning.empty()) part += fmt::format(" (warning: {})", machine.warning);
    } else if (!machine.cause.empty()) {
      part += ": " + machine.cause;
    }
    if (machine.moves) part += " " + machine.arm;
    parts.push_back(std::move(part));
  }
  return fmt::format("status {}", fmt::join(parts, "; "));
}

std::string render_event(const runtime::Event& event) {
  return fmt::format("{}{}: {}", event.machine.empty() ? "" : event.machine + ": ", event.kind, event.text);
}

}  // namespace tandem::app
