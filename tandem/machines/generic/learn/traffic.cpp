// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/traffic.hpp"

#include <algorithm>

namespace tandem::generic {
namespace {

// Frame by frame; a stream that makes no sense is given up.
template <typename Take>
void take_frames(modbus::Framer& framer, bool& broken, Bytes bytes, const Take& take) {
  while (!broken) {
    bytes = bytes.subspan(framer.feed(bytes));
    while (true) {
      const auto frame = framer.next();
      if (!frame) {
        broken = true;
        return;
      }
      if (!*frame) break;
      take(**frame);
    }
    if (bytes.empty()) return;
  }
}

ModbusTable table_of(modbus::BitKind kind) {
  return kind == modbus::BitKind::coil ? ModbusTable::coil : ModbusTable::discrete;
}
ModbusTable table_of(modbus::WordKind kind) {
  return kind == modbus::WordKind::holding ? ModbusTable::holding : ModbusTable::input;
}

std::vector<Word> words_of(const modbus::Bits& bits, std::size_t count) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < std::min(count, bits.size()); ++i) words.push_back(bits[i] ? 1 : 0);
  return words;
}
std::vector<Word> words_of(const modbus::Registers& values) { return {values.span().begin(), values.span().end()}; }

}  // namespace

void ModbusTraffic::from_master(Bytes bytes) {
  take_frames(requests_, requests_broken_, bytes, [this](const modbus::Frame& frame) { request(frame); });
}

void ModbusTraffic::from_device(Bytes bytes) {
  take_frames(answers_framer_, answers_broken_, bytes, [this](const modbus::Frame& frame) { answer(frame); });
}

void ModbusTraffic::request(const modbus::Frame& frame) {
  const auto decoded = modbus::decode_request(frame.pdu);
  const auto* request = std::get_if<modbus::Request>(&decoded);
  if (request == nullptr) return;
  if (waiting_.size() >= most_waiting) waiting_.clear();  // nothing of it will be answered any more
  waiting_.insert_or_assign(frame.transaction, *request);
}

void ModbusTraffic::answer(const modbus::Frame& frame) {
  const auto found = waiting_.find(frame.transaction);
  if (found == waiting_.end()) return;
  const modbus::Request asked = found->second;
  waiting_.erase(found);
  const auto answer = modbus::decode_answer(frame.pdu);
  if (!answer || std::holds_alternative<modbus::Exception>(*answer) || !modbus::check(asked, *answer)) return;
  ++answers_;
  if (const auto* bits = std::get_if<modbus::ReadBits>(&asked)) {
    const auto& read = std::get<modbus::BitsRead>(*answer);
    findings_.observations.add(table_of(bits->kind), bits->address, words_of(read.values, bits->count));
  } else if (const auto* words = std::get_if<modbus::ReadRegisters>(&asked)) {
    const auto& read = std::get<modbus::RegistersRead>(*answer);
    findings_.observations.add(table_of(words->kind), words->address, read.values.span());
  } else if (const auto* coil = std::get_if<modbus::WriteCoil>(&asked)) {
    wrote(ModbusTable::coil, coil->address, {static_cast<Word>(coil->value ? 1 : 0)});
  } else if (const auto* word = std::get_if<modbus::WriteRegister>(&asked)) {
    wrote(ModbusTable::holding, word->address, {word->value});
  } else if (const auto* coils = std::get_if<modbus::WriteCoils>(&asked)) {
    wrote(ModbusTable::coil, coils->address, words_of(coils->values, coils->values.size()));
  } else if (const auto* registers = std::get_if<modbus::WriteRegisters>(&asked)) {
    wrote(ModbusTable::holding, registers->address, words_of(registers->values));
  } else if (const auto* both = std::get_if<modbus::ReadWriteRegisters>(&asked)) {
    const auto& read = std::get<modbus::RegistersExchanged>(*answer);
    findings_.observations.add(ModbusTable::holding, both->read_address, read.values.span());
    wrote(ModbusTable::holding, both->write_address, words_of(both->values));
  }
}

void ModbusTraffic::wrote(ModbusTable table, std::uint16_t address, std::vector<Word> values) {
  if (values.empty() || address + values.size() > modbus::address_count) return;
  const auto same = std::ranges::find_if(findings_.writes, [&](const WriteSeen& each) {
    return each.table == table && each.address == address && each.values.front().size() == values.size();
  });
  if (same != findings_.writes.end()) {
    ++same->count;
    // The extremes count most: what is new is kept as long as there is room.
    const bool is_new = std::ranges::find(same->values, values) == same->values.end();
    if (is_new && same->values.size() < most_values) same->values.push_back(std::move(values));
    return;
  }
  if (findings_.writes.size() < most_writes) findings_.writes.push_back({table, address, {std::move(values)}, 1});
}

}  // namespace tandem::generic
