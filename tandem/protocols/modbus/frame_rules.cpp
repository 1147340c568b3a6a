// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/modbus/frame_rules.hpp"

#include "tandem/protocols/modbus/types.hpp"

namespace tandem::modbus {
namespace {

// Transaction 2, protocol 2, length 2, unit, function. The device returns the transaction.
constexpr std::size_t protocol_at = 2, length_at = 4, unit_at = 6, function_byte = 7;
constexpr std::size_t smallest_frame = 8, write_answer = 12;

std::uint16_t transaction_of(Bytes frame) { return ByteReader(frame).big<std::uint16_t>(); }
Function function_of(Bytes frame) { return static_cast<Function>(frame[function_byte]); }
bool writes_one(Function function) { return function == Function::write_coil || function == Function::write_register; }
bool writes_many(Function function) {
  return function == Function::write_coils || function == Function::write_registers;
}

std::size_t replayed_size(Bytes start) {
  if (start.size() < unit_at) return 0;
  if (start[protocol_at] != 0 || start[protocol_at + 1] != 0) return 1;
  ByteReader reader(start);
  reader.skip(length_at);
  return net::frame_or_byte(unit_at + reader.big<std::uint16_t>(), smallest_frame);
}

void learn_transaction(Bytes recorded, Bytes seen, net::Carried& carried) {
  if (recorded.size() < 2 || seen.size() < 2) return;
  carried.numbers[transaction_of(recorded)] = transaction_of(seen);
}

void carry_transaction(std::span<std::uint8_t> frame, net::Carried& carried) {
  if (frame.size() < 2) return;
  const auto known = carried.numbers.find(transaction_of(frame));
  if (known == carried.numbers.end()) return;
  frame[0] = static_cast<std::uint8_t>(known->second >> 8);
  frame[1] = static_cast<std::uint8_t>(known->second);
}

// Unit and function, then address and count; what is written does not count.
std::string asked_without_values(Bytes frame) {
  std::size_t size = frame.size();
  if (frame.size() > function_byte) {
    const Function function = function_of(frame);
    if (writes_one(function)) size = 4;
    if (writes_many(function)) size = 6;
    if (function == Function::read_write_registers) size = 10;
  }
  return net::frame_part(frame, unit_at, size);
}

// A device returns a single write whole, and the head of one of many.
void fit_write(Bytes question, std::vector<std::uint8_t>& answer) {
  if (question.size() < write_answer) return;
  const Function function = function_of(question);
  const bool refused = answer.size() > function_byte && function_of(answer) != function;
  if (refused || !(writes_one(function) || writes_many(function))) return;
  answer.assign(question.begin(), question.begin() + write_answer);
  answer[length_at] = 0;
  answer[length_at + 1] = write_answer - unit_at;
}

constexpr net::FrameRules rules{
    .name = "Modbus",
    .frame_size = replayed_size,
    .unasked = [](Bytes) { return false; },
    .blank = [](std::span<std::uint8_t> frame) { net::blank_bytes(frame, 0, 2); },
    .learn = learn_transaction,
    .carry = carry_transaction,
    .asks = asked_without_values,
    .pairing = [](Bytes frame) -> std::uint64_t { return transaction_of(frame); },
    .fit = fit_write,
};

}  // namespace

const net::FrameRules& frame_rules() { return rules; }

}  // namespace tandem::modbus
