// SPDX-License-Identifier: Apache-2.0
// Any words as what the winches are told (command, limits) and as what they tell (feedback, truth): usable numbers, or
// nothing.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "tandem/machines/cable_robot/device/registers.hpp"
#include "tandem/machines/cable_robot/virtual/registers.hpp"

namespace {

using namespace tandem::cable_robot;
using tandem::cables::fewest_cables;
using tandem::cables::most_cables;

void require(bool holds) {
  if (!holds) std::abort();
}

void hear_command(RegisterWords words, int winches) {
  if (words.size() < command::count(winches)) return;
  const WinchLimits limits;
  const auto order = order_from(words.first(command::count(winches)), winches, limits);
  if (!order) return;
  require(order->winches.lengths.allFinite() && order->winches.speeds.allFinite());
  std::array<std::uint16_t, 128> again{};
  order_words(*order, again);
  for (std::size_t i = 0; i < command::count(winches); ++i) require(again[i] == words[i]);
}

void hear_limits(RegisterWords words) {
  if (words.size() < limits::count) return;
  const auto found = limits_from(words.first(limits::count));
  if (!found) return;
  require(found->shortest < found->longest && found->least_tension < found->most_tension);
  require(found->speed > 0 && found->acceleration > 0 && found->watchdog > 0 && found->following > 0);
}

void hear_feedback(RegisterWords words, int winches) {
  const WinchRegisters registers(winches);
  if (const auto report = registers.decode(words); report) {
    const WinchFeedback& told = report->winches;
    require(told.lengths.size() == winches && told.lengths.allFinite());
    require(told.speeds.allFinite() && told.tensions.allFinite());
  } else {
    require(!report.error().text.empty());
  }
  if (const auto truth = registers.decode_truth(words))
    for (const double number : truth->pose) require(std::isfinite(number));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const int winches = fewest_cables + data[0] % (most_cables - fewest_cables + 1);
  std::vector<std::uint16_t> words;
  for (std::size_t i = 1; i + 1 < size; i += 2) words.push_back(static_cast<std::uint16_t>(data[i] << 8 | data[i + 1]));
  hear_command(words, winches);
  hear_limits(words);
  hear_feedback(words, winches);
  return 0;
}
