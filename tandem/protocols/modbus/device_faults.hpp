// SPDX-License-Identifier: Apache-2.0
// What can be made to go wrong in a virtual device, on purpose and one by one, to test those who talk to it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/modbus/server.hpp"

namespace tandem::modbus {

// Faults with counters: each happens on the next `count` occasions. Any thread may set them while the device runs.
class DeviceFaults {
 public:
  enum Kind : std::size_t {
    // of answers on the wire
    no_answer,
    late_answer,        // by delay()
    exception_answer,   // with exception() instead of what was asked for; writes have been done all the same
    wrong_transaction,  // id one too high
    wrong_unit,         // id one too high
    wrong_protocol,     // protocol id 1
    wrong_function,     // the echo of it is one too high
    wrong_echo,         // address of a write's answer one too high
    wrong_byte_count,   // of a read's answer, one too low, lengths as before
    short_answer,       // the last two bytes are missing, lengths fitting
    lying_length,       // MBAP length 65535
    garbage_answer,     // 40 bytes that are no frame
    double_answer,      // the whole frame twice
    cut_answer,         // half of the frame, then the connection is closed
    close_connection,   // instead of an answer
    // of the device itself
    torn_values,  // a read of feedback has the high words of the read before
    restart,      // commands and latched faults are gone as after power-up; connections end
    kind_count
  };
  static constexpr int always = 1 << 30;

  void next(Kind kind, int count = 1) { left_[kind].store(count); }
  // How often a fault has happened.
  int happened(Kind kind) const { return happened_[kind].load(); }
  void delay(Duration duration) { delay_.store(duration.count()); }
  void exception(ExceptionCode code) { exception_.store(static_cast<std::uint8_t>(code)); }
  // Only answers of this function count as occasions for the faults of answers; 0: all.
  void function(std::uint8_t function) { function_.store(function); }

  // Of the device's own thread: what becomes of a whole answer, and whether a fault of the device itself is due now.
  AnswerFate answer(std::vector<std::uint8_t>& frame);
  bool due(Kind kind);
  // True once after an answer was cut: the connections have to go.
  bool take_cut();

 private:
  void spoil(std::vector<std::uint8_t>& frame);

  std::array<std::atomic<int>, kind_count> left_{};
  std::array<std::atomic<int>, kind_count> happened_{};
  std::atomic<Duration::rep> delay_{0};
  std::atomic<std::uint8_t> exception_{static_cast<std::uint8_t>(ExceptionCode::busy)};
  std::atomic<std::uint8_t> function_{0};
  bool cut_ = false;
};

}  // namespace tandem::modbus
