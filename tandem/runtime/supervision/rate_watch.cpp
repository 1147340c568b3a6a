// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/supervision/rate_watch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <string_view>

namespace tandem::runtime {

namespace {

constexpr double least_share = 0.8;  // of the configured rate
constexpr int windows_in_a_row = 3;
constexpr double overloaded = 0.2;  // of the time without a CPU

// Time on the CPU, time waiting for one, number of turns: "1234 5678 9", in ns.
std::optional<Duration> thread_wait() {
  const int fd = ::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::array<char, 96> buffer{};
  const ssize_t count = ::read(fd, buffer.data(), buffer.size());
  ::close(fd);
  if (count <= 0) return std::nullopt;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(count));
  const std::size_t space = text.find(' ');
  if (space == text.npos) return std::nullopt;
  Duration::rep waited = 0;
  const auto parsed = std::from_chars(text.data() + space + 1, text.data() + text.size(), waited);
  if (parsed.ec != std::errc{}) return std::nullopt;
  return Duration(waited);
}

}  // namespace

std::optional<double> CpuWait::take() {
  const auto waited = thread_wait();
  const Instant now = system_clock().now();
  std::optional<double> share;
  if (waited && waited_ && now > at_ && *waited >= *waited_) share = seconds(*waited - *waited_) / seconds(now - at_);
  waited_ = waited;
  at_ = now;
  return share;
}

bool RateWatch::take(double rate) {
  if (!watches()) return false;
  const bool low = rate < least_share * expected_;
  windows_ = low == slow_ ? 0 : windows_ + 1;
  if (windows_ < windows_in_a_row) return false;
  slow_ = low;
  windows_ = 0;
  return true;
}

std::string RateWatch::reason(double rate, const std::string& delays, std::optional<double> cpu_wait) const {
  std::string text = fmt::format("{:.3g} Hz instead of {:.3g} Hz", rate, expected_);
  const bool busy = cpu_wait.value_or(0) >= overloaded;
  if (busy) text += ": this computer is overloaded";
  if (!delays.empty()) text += (busy ? "; " : ": ") + delays;
  if (cpu_wait) text += fmt::format("; thread waited {:.0f} % of the time for a CPU", 100 * *cpu_wait);
  return text;
}

}  // namespace tandem::runtime
