// SPDX-License-Identifier: Apache-2.0
// The signals of PLC variables: for each value of a layout its name, unit and meaning, as the file says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/machines/generic/ads_layout.hpp"
#include "tandem/machines/generic/signal.hpp"

namespace tandem::generic {

inline constexpr std::size_t most_signals = 2000;

// Where the bytes of a signal are in its symbol.
struct AdsField {
  std::size_t item = 0;
  std::uint32_t offset = 0, stride = 0;  // bytes; of one element
  Type type = Type::unknown;
  std::size_t text_length = 0;
};

// One variable of the PLC, read and written as a whole.
struct AdsItem {
  std::size_t declaration = 0;
  std::string symbol;
  PlcLayout layout;  // empty when the PLC has no such variable
  std::size_t first_signal = 0, signals = 0;
};

struct AdsSignals {
  std::vector<Signal> signals;
  std::vector<AdsField> fields;  // one for each signal
  std::vector<AdsItem> items;    // one for each declaration, in the same order
  std::size_t numbers = 0, texts = 0;
};

// Appends the item of that declaration and its signals: NAME.member, NAME[i], or NAME alone.
Result<void> add_signals(const Description& description, std::size_t declaration, PlcLayout layout, AdsSignals& to);
// One signal without a value, for a variable that the PLC does not have.
void add_missing(const Description& description, std::size_t declaration, AdsSignals& to);

// Nothing when the PLC's type is what the declaration says; otherwise "expected float32 (4 bytes), got INT (2 bytes)".
// `declared` are the structures of the file, with which those of the PLC have to agree.
std::optional<std::string> misfit(const Declaration& declaration, const PlcLayout& layout,
                                  const PlcTypeTable& declared);

// One element of a number, as it is on the wire.
struct RawNumber {
  double value = 0;
  std::int64_t integer = 0;  // of uint64 its bits; of floats 0
};
RawNumber raw_number(Type type, const std::uint8_t* from);
// Rounds for integers, half away from zero. False, and nothing written, for what is not finite or does not fit.
bool put_raw(Type type, double raw, std::uint8_t* to);
// The nearest that fits.
double saturated(Type type, double raw);

}  // namespace tandem::generic
