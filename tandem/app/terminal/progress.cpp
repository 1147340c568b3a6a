// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/terminal/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tandem::app {

namespace {

constexpr Duration between_lines = 2s, between_redraws = 100ms, before_bar = 500ms;
constexpr int bar_width = 30;  // characters

}  // namespace

std::string duration_text(double seconds) {
  if (!(seconds < 360'000)) return "more than 100 h";
  const long whole = std::lround(std::ceil(std::max(seconds, 0.0)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

ProgressText::ProgressText(std::string what, bool terminal, Instant start)
    : what_(std::move(what)),
      terminal_(terminal),
      start_(start),
      next_(start + (terminal ? before_bar : between_lines)) {}

std::string ProgressText::at(double fraction, Instant now) {
  if (now < next_ || !std::isfinite(fraction)) return "";
  next_ = now + (terminal_ ? between_redraws : between_lines);
  shown_ = true;
  const double done = std::clamp(fraction, 0.0, 1.0);
  // The first percent takes its own time: nothing is foretold from it.
  std::string left;
  if (done >= 0.01) {
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    left = fmt::format(", {} left", duration_text(elapsed * (1 - done) / done));
  }
  const int percent = static_cast<int>(done * 100);
  if (!terminal_) return fmt::format("{}: {} %{}\n", what_, percent, left);
  const int filled = static_cast<int>(done * bar_width);
  return fmt::format("\r{} [{:#<{}}{:.<{}}] {} %{}\x1b[K", what_, "", filled, "", bar_width - filled, percent, left);
}

std::string ProgressText::end() const { return terminal_ && shown_ ? "\r\x1b[K" : ""; }

}  // namespace tandem::app
