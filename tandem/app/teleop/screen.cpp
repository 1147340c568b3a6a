// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/teleop/screen.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <numbers>

namespace tandem::app {
namespace {

constexpr const char* clear_line = "\r\x1b[K";

std::size_t columns() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 120;
}

// No -0.00.
double hundredths(double value) { return std::round(value * 100) / 100 + 0.0; }

std::string arm_text(const std::optional<TeleopWatch::Machine>& machine) {
  if (!machine) return "waiting for the machine";
  if (machine->name.empty()) return "arm state unknown";
  return fmt::format("{} {}", machine->name, machine->arm);
}

}  // namespace

std::string motion_text(const TeleopDrive::Twist& twist) {
  if (twist.v == 0 && twist.w == 0) return "halt";
  std::string text =
      twist.v == 0 ? "" : fmt::format("{} {:.2f} m/s", twist.v > 0 ? "forward" : "back", std::abs(twist.v));
  if (twist.w == 0) return text;
  if (!text.empty()) text += ", ";
  return text + fmt::format("{} {:.2f} rad/s", twist.w > 0 ? "left" : "right", std::abs(twist.w));
}

std::string status_line(const TeleopView& view) {
  std::string line = arm_text(view.machine);
  if (view.listeners == 0) line += ", no subscriber";
  line += fmt::format(" | gear {} ({:.2f} m/s) | {}", view.gear, view.gear_speed,
                      view.held ? motion_text(view.wanted) : "no key");
  if (!view.measured) return line + " | no odometry";
  const TeleopMeasured& m = *view.measured;
  return line + fmt::format(" | measured {:+.2f} m/s {:+.2f} rad/s at {:.2f} {:.2f} m {:.0f} deg", hundredths(m.v),
                            hundredths(m.w), hundredths(m.x), hundredths(m.y),
                            std::round(m.yaw * 180 / std::numbers::pi) + 0.0);
}

TeleopScreen::TeleopScreen() : terminal_(::isatty(STDOUT_FILENO) == 1) {}

TeleopScreen::~TeleopScreen() {
  if (!drawn_.empty()) write("\n");
}

void TeleopScreen::write(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  closed_ = closed_ || !written;
}

void TeleopScreen::event(const std::string& text) {
  if (!terminal_) return write(text + '\n');
  write(clear_line + text + '\n' + drawn_);
}

void TeleopScreen::status(const std::string& line) {
  const std::string fits = line.substr(0, columns() - 1);
  if (!terminal_ || fits == drawn_) return;
  drawn_ = fits;
  write(clear_line + drawn_);
}

}  // namespace tandem::app
