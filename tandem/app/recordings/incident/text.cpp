// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>

#include "tandem/app/recordings/incident/report.hpp"
#include "tandem/base/nearest.hpp"

namespace tandem::app::incident {

namespace {

constexpr std::size_t columns = 120;
constexpr std::size_t longest_text = 600;

// Broken between words; lines after the first are indented.
std::string wrapped(const std::string& first, const std::string& text) {
  const std::size_t indent = first.size(), room = columns > indent + 20 ? columns - indent : 20;
  std::string out = first, rest = printable(text, longest_text);
  while (rest.size() > room) {
    std::size_t cut = rest.rfind(' ', room);
    if (cut == std::string::npos || cut == 0) cut = room;
    out += rest.substr(0, cut) + "\n" + std::string(indent, ' ');
    rest.erase(0,
               rest.find_first_not_of(' ', cut) == std::string::npos ? rest.size() : rest.find_first_not_of(' ', cut));
  }
  return out + rest + "\n";
}

std::string seconds_after(const std::optional<double>& t) { return t ? fmt::format("{:.3f} s", *t) : "unknown"; }

std::string gap_text(const Motion& motion) {
  const auto& gap = *motion.gap;
  return fmt::format("nothing was measured from {:+.3f} s to {:+.3f} s{}", gap.from, gap.to,
                     gap.apart > 0 ? fmt::format(", and then {:.3f} {} further", gap.apart, motion.unit) : "");
}

void add_motion(const Motion& motion, const History& history, std::vector<std::pair<std::string, std::string>>& lines) {
  const std::string by = motion.by_truth ? "by truth" : "as the machine measured";
  const std::string unit = motion.unit;
  lines.emplace_back("speed at the incident",
                     motion.speed ? fmt::format("{:.3f} {}/s {}", *motion.speed, unit, by) : "unknown");
  lines.emplace_back("moved after it", motion.distance ? fmt::format("{:.3f} {} {}", *motion.distance, unit, by)
                                                       : "unknown: not measured");
  if (motion.gap) lines.emplace_back("", gap_text(motion));
  if (motion.held)
    lines.emplace_back(
        "", fmt::format("its physics paused from {:+.3f} s to {:+.3f} s: its computer was busy or its process stopped",
                        motion.held->from, motion.held->to));
  if (motion.standstill) {
    lines.emplace_back("standstill after", fmt::format("{:.3f} s {}", *motion.standstill, by));
  } else if (motion.gap) {
    lines.emplace_back("standstill after", "unknown: not measured");
  } else {
    const double known = std::min(history.after, history.since(history.end));
    lines.emplace_back("standstill after", fmt::format("not within {:.1f} s", known));
  }
}

std::string motion_text(const Motion& motion) {
  std::string text =
      motion.speed ? fmt::format("{:.3f} {}/s", *motion.speed, motion.unit) : std::string("speed unknown");
  text += motion.distance ? fmt::format(", moved {:.3f} {} after it", *motion.distance, motion.unit)
                          : std::string(", then not measured");
  if (motion.standstill) text += fmt::format(", standstill after {:.3f} s", *motion.standstill);
  if (!motion.standstill && motion.distance) text += ", no standstill";
  return text + (motion.by_truth ? ", by truth" : ", as it measured");
}

}  // namespace

std::string subject_text(const History& history) {
  if (!history.all.empty()) return fmt::format("below: {}, the fastest", history.moment.machine);
  if (history.type.empty()) return "";
  return fmt::format("{}, {}", history.type, history.is_virtual ? "virtual device" : history.device);
}

std::string beside_text(const Beside& beside) {
  std::string text = beside.before.empty() ? std::string("state unknown") : beside.before;
  if (!beside.after.empty() && beside.after != beside.before) text += " -> " + beside.after;
  return text + "; " + (beside.motion ? motion_text(*beside.motion) : std::string("motion unknown"));
}

std::string clock_text(Time time, bool local) {
  const auto whole = static_cast<std::time_t>(time / 1'000'000'000);
  std::tm parts{};
  if ((local ? ::localtime_r(&whole, &parts) : ::gmtime_r(&whole, &parts)) == nullptr) return "?";
  std::array<char, 32> text{}, zone{};
  if (std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts) == 0) return "?";
  if (std::strftime(zone.data(), zone.size(), "%Z", &parts) == 0 || !local) zone = {"UTC"};
  return fmt::format("{}.{:03} {}", text.data(), time / 1'000'000 % 1000, zone.data());
}

std::string clocks_text(Time time) {
  const std::string utc = clock_text(time, false), local = clock_text(time, true);
  return utc == local ? utc : fmt::format("{} ({})", utc, local);
}

std::vector<std::pair<std::string, std::string>> number_lines(const History& history, const Incident& incident) {
  const Numbers& numbers = incident.numbers;
  std::vector<std::pair<std::string, std::string>> lines;
  if (numbers.motion) {
    add_motion(*numbers.motion, history, lines);
  } else {
    lines.emplace_back("motion", "unknown: the recording has neither truth nor pictures of this machine");
  }
  if (numbers.last_from_device)
    lines.emplace_back(
        "bytes from the device",
        fmt::format("last {}, next {}", when_text(*numbers.last_from_device),
                    numbers.next_from_device ? when_text(*numbers.next_from_device) : "not in the window"));
  lines.emplace_back("link", !numbers.link_lost   ? "stayed live"
                             : numbers.live_again ? "live again after " + seconds_after(numbers.live_again)
                                                  : "not live again in this recording");
  lines.emplace_back("armed again", numbers.armed_again ? fmt::format("after {:.3f} s, by {}", numbers.armed_again->t,
                                                                      printable(numbers.armed_again->by))
                                                        : "no");
  for (const Refusals& refusals : numbers.refusals)
    lines.emplace_back(printable(refusals.what), fmt::format("{} before, {} after", refusals.before, refusals.after));
  return lines;
}

std::string text_of(const History& history, const Incident& incident) {
  const std::string subject = subject_text(history);
  std::string out = wrapped("", incident.title + (subject.empty() ? "" : fmt::format(" ({})", subject)));
  out += wrapped("  ", clocks_text(history.moment.at));
  out += wrapped("  ", std::filesystem::path(history.file).filename().string());
  for (std::size_t i = 0; i < incident.because.size(); ++i)
    out += wrapped(i == 0 ? "  why: " : "       ", incident.because[i]);
  for (const std::string& missing : history.missing) out += wrapped("  note: ", missing);
  out += fmt::format("\nTimeline, {:g} s before to {:g} s after; states are recorded every {:.2g} s\n", history.before,
                     history.after, state_interval(history));
  bool passed = false;
  for (const Entry& entry : incident.timeline) {
    if (!passed && entry.t >= 0) out += "   0.000 s  --------\n";
    passed = passed || entry.t >= 0;
    out += wrapped(fmt::format("{:+8.3f} s  {:<8} ", entry.t, entry.source), entry.text);
  }
  if (incident.timeline.empty()) out += "  nothing changed\n";
  if (!incident.machines.empty()) out += "\nMachines\n";
  for (const Beside& beside : incident.machines)
    out += wrapped(fmt::format("  {:<26}", printable(beside.machine)), beside_text(beside));
  out +=
      incident.machines.empty() ? "\nNumbers\n" : fmt::format("\nNumbers of {}\n", printable(history.moment.machine));
  for (const auto& [name, value] : number_lines(history, incident))
    out += wrapped(fmt::format("  {:<26}", name), value);
  if (!history.others.empty()) {
    out += "\nAlso in this recording\n";
    for (const Moment& other : history.others)
      out += wrapped(fmt::format("  --at {:<9.1f}", static_cast<double>(other.at - history.start) * 1e-9),
                     fmt::format("{}: {}: {}", other.machine, other.cause, other.text));
  }
  out += "\nNext\n";
  for (const Step& step : incident.next) {
    // Commands stay in one piece, to be copied.
    if (!step.command.empty()) out += fmt::format("  {}\n", printable(step.command, 2000));
    out += wrapped(step.command.empty() ? "  " : "      # ", step.meaning);
  }
  return out;
}

}  // namespace tandem::app::incident
