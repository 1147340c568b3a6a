// SPDX-License-Identifier: Apache-2.0
// Whether the device has what was written to an output. A device may be slow to show it: for three cycles the values
// before count as well.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/machines/generic/outputs.hpp"
#include "tandem/machines/generic/signal.hpp"

namespace tandem::generic {

class ReadBack {
 public:
  // `allowed`: beside rounding, in the unit. `every` in s: between two readings.
  ReadBack(double allowed, double every) : allowed_(allowed), late_(duration_of(3 * every)) {}

  void forget();
  void sent(double value, Instant at);
  // After each scan. True: three differences in a row.
  bool differs(const Reading& reading, double value, Instant now);
  // What was written and what was read: "wrote 12 %, read back 10 %".
  std::string difference(const OutputInfo& output) const;

 private:
  // What was sent from then on, until the next entry; close to each other they are one.
  struct Sent {
    Instant at{};
    double low = 0, high = 0;
  };
  bool agrees(double value, Instant received) const;

  double allowed_;
  Duration late_;
  std::array<Sent, 16> sent_{};  // the newest last
  std::size_t count_ = 0;
  double newest_ = 0;
  Instant first_at_{}, newest_at_{};
  Instant checked_{};
  int differences_ = 0;
  double read_ = 0;
  bool readable_ = true;
  ShortText<120> why_;
};

}  // namespace tandem::generic
