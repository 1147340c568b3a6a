// SPDX-License-Identifier: Apache-2.0
// Lines of a machine on the console and, where it has a node, on /rosout; warnings never more often than useful.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "tandem/machines/kit/lines.hpp"
#include "tandem/ros2/full_node.hpp"

namespace tandem::machines {

// One line on both; without a node on the console alone.
inline void log_line(const ros2::FullNode* node, const Lines& lines, ros2::LogLevel level, std::string_view text) {
  if (node != nullptr) node->log(level, text);
  lines.say(level >= ros2::LogLevel::warn, text);
}

// At most one warning in an interval; the next one says how many were left out. From any thread.
class SparseLog {
 public:
  SparseLog(const Clock& clock, const ros2::FullNode* node, const Lines* lines, Duration interval = 2s)
      : clock_(clock), node_(node), lines_(lines), interval_(interval) {}

  // Formatted only if it is logged.
  template <typename... Args>
  void warn(fmt::format_string<Args...> format, Args&&... args) {
    int suppressed = 0;
    {
      const std::lock_guard lock(mutex_);
      const Instant now = clock_.now();
      if (now < next_) {
        ++suppressed_;
        return;
      }
      next_ = now + interval_;
      suppressed = std::exchange(suppressed_, 0);
    }
    std::string text = fmt::format(format, std::forward<Args>(args)...);
    if (suppressed > 0) text += fmt::format(" ({} similar messages suppressed)", suppressed);
    if (node_ != nullptr) node_->log(ros2::LogLevel::warn, text);
    if (lines_ != nullptr) lines_->say(true, text);
  }

 private:
  const Clock& clock_;
  const ros2::FullNode* const node_;  // null without ROS
  const Lines* const lines_;          // null: on /rosout only
  const Duration interval_;
  std::mutex mutex_;
  Instant next_{};  // guarded, as is suppressed_
  int suppressed_ = 0;
};

// Commands that were refused: logged with the reason, counted, and the last one kept for status and /diagnostics.
class Refusals {
 public:
  Refusals(const ros2::FullNode& node, const Lines& lines, Duration interval = 2s)
      : log_(node.clock(), &node, &lines, interval) {}
  // On /rosout only.
  explicit Refusals(const ros2::FullNode& node) : log_(node.clock(), &node, nullptr) {}

  void add(std::string_view topic, std::string_view why) {
    const std::string text = fmt::format("{}: refused: {}", topic, why);
    {
      const std::lock_guard lock(mutex_);
      ++count_;
      last_ = text;
    }
    log_.warn("{}", text);
  }
  std::string last() const {  // "" when there was none
    const std::lock_guard lock(mutex_);
    return last_;
  }
  // For a machine whose status shows a refusal only until the next good command.
  void forget_last() {
    const std::lock_guard lock(mutex_);
    last_.clear();
  }
  std::uint64_t count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  SparseLog log_;
  mutable std::mutex mutex_;
  std::string last_;  // guarded, as is count_
  std::uint64_t count_ = 0;
};

}  // namespace tandem::machines
