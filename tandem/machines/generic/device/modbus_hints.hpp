// SPDX-License-Identifier: Apache-2.0
// Why a signal may never have had a plausible value: its address is off by one, its words are in another order, it is
// signed, or scaled by a power of ten. Looks at the first samples of each signal only.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tandem/machines/generic/device/link.hpp"
#include "tandem/machines/generic/modbus_layout.hpp"

namespace tandem::generic {

class ModbusHints {
 public:
  static constexpr std::uint8_t samples = 5;

  ModbusHints(const Description& description, const ModbusLayout& layout);

  bool is_watching(std::size_t signal) const { return watches_[signal].seen < samples; }
  // One sample: the words of a request, and where the signal's are among them.
  void look(std::size_t signal, std::span<const std::uint16_t> words, std::size_t offset);
  std::vector<Note> take_notes() { return std::exchange(notes_, {}); }

 private:
  enum Guess : std::size_t { before, after, abcd, cdab, badc, dcba, other_sign, up_10, guess_count = up_10 + 6 };
  struct Watch {
    std::uint8_t seen = 0;      // samples that were not plausible
    std::uint16_t guesses = 0;  // those that were plausible each time, as bits
  };
  bool is_plausible(std::size_t signal, double value) const;
  double value_as(std::size_t signal, Guess guess, std::span<const std::uint16_t> words, std::size_t offset) const;
  void conclude(std::size_t signal, std::uint16_t guesses, std::span<const std::uint16_t> words, std::size_t offset);
  std::string advice(std::size_t signal, Guess guess, double value) const;

  const ModbusLayout& layout_;
  std::vector<Watch> watches_;
  std::vector<Note> notes_;
};

}  // namespace tandem::generic
