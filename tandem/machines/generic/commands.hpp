// SPDX-License-Identifier: Apache-2.0
// Where commands for outputs are posted, from any thread; the machine takes them in its cycle.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/latest.hpp"
#include "tandem/machines/generic/outputs.hpp"

namespace tandem::generic {

struct Command {
  double value = 0;  // in the unit of the file; of bits 0 or 1
  Instant at{};      // received
};

class Commands {
 public:
  explicit Commands(std::vector<OutputInfo> outputs)
      : outputs_(std::move(outputs)), boxes_(std::make_unique<Mailbox<Command>[]>(outputs_.size())) {}

  const std::vector<OutputInfo>& outputs() const { return outputs_; }
  const OutputInfo* find(std::string_view name) const {
    for (const OutputInfo& each : outputs_) {
      if (each.name == name) return &each;
    }
    return nullptr;
  }

  // Refused outside the limits, and unless armed: what is asked for before is forgotten, not kept.
  Result<void> allows(const OutputInfo& output, double value) const {
    const auto taken = accepted(output, value);
    if (!taken) return taken.error();
    if (!armed()) return Error{Fault::refused, output.name + ": not armed; arm the machine first"};
    return {};
  }
  Result<void> post(const OutputInfo& output, double value, Instant at) {
    if (auto allowed = allows(output, value); !allowed) return allowed;
    boxes_[static_cast<std::size_t>(&output - outputs_.data())].post({*accepted(output, value), at});
    return {};
  }
  // The newest since the last call. Of the machine's thread.
  std::optional<Command> take(std::size_t output) { return boxes_[output].take(); }

  // As the machine's cycle last saw the latch.
  bool armed() const { return armed_.load(std::memory_order_acquire); }
  void see_armed(bool armed) { armed_.store(armed, std::memory_order_release); }

 private:
  const std::vector<OutputInfo> outputs_;
  std::unique_ptr<Mailbox<Command>[]> boxes_;
  std::atomic<bool> armed_{false};
};

}  // namespace tandem::generic
