// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/device/gate.hpp"

namespace tandem::orca {
namespace {

constexpr double most_jump = 0.5;         // m beyond what velocity explains
constexpr double most_turn = 0.3;         // rad beyond what the rate explains
constexpr Duration longest_step = 500ms;  // between two estimates that are compared

}  // namespace

Gate::Verdict Gate::judge(Stream stream, std::uint32_t boot_ms, Instant now) {
  auto& last = last_[static_cast<std::size_t>(stream)];
  Verdict verdict;
  if (last) verdict.step = std::chrono::milliseconds(boot_ms - *last);
  switch (boot_.observe(boot_ms, now)) {
    case mavlink::BootEvent::rebooted:
      verdict.rebooted = true;
      last_ = {};
      break;
    case mavlink::BootEvent::two_senders:
      doubled_at_ = now;
      last_ = {};
      break;
    case mavlink::BootEvent::first:
    case mavlink::BootEvent::steady:
    case mavlink::BootEvent::wrapped:
      break;
  }
  // The same again is a frozen sender, and what is older was overtaken. The difference wraps as the stamps do.
  verdict.believed = !last || static_cast<std::int32_t>(boot_ms - *last) > 0;
  if (verdict.believed) last = boot_ms;
  return verdict;
}

bool position_jumped(const Eigen::Vector3d& moved, const Eigen::Vector3d& before, const Eigen::Vector3d& after,
                     Duration step) {
  return step <= longest_step && (moved - 0.5 * (before + after) * seconds(step)).norm() > most_jump;
}

bool attitude_jumped(double turned, double rate, Duration step) {
  return step <= longest_step && turned > most_turn + 2 * rate * seconds(step);
}

}  // namespace tandem::orca
