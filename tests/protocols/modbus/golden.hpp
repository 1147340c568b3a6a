// SPDX-License-Identifier: Apache-2.0
// Frames of every function, byte by byte, and small words that the Modbus tests share. The PDUs of functions 1 to 23
// are the examples of the Modbus Application Protocol Specification V1.1b3, chapter 6; the headers are ours.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tandem/protocols/modbus/codec.hpp"
#include "tandem/protocols/modbus/framer.hpp"

namespace tandem::modbus::test {

using Buffer = std::vector<std::uint8_t>;

// "01 00 13" as bytes.
inline Buffer hex(std::string_view text) {
  Buffer bytes;
  int digits = 0;
  unsigned value = 0;
  for (const char letter : text) {
    if (letter == ' ') continue;
    value = 16 * value + static_cast<unsigned>(letter <= '9' ? letter - '0' : letter - 'A' + 10);
    if (++digits % 2 == 0) {
      bytes.push_back(static_cast<std::uint8_t>(value));
      value = 0;
    }
  }
  return bytes;
}

inline Buffer framed(Bytes pdu, std::uint16_t transaction = 1, std::uint8_t unit = 1) {
  Buffer out{static_cast<std::uint8_t>(transaction >> 8),      static_cast<std::uint8_t>(transaction),    0,   0,
             static_cast<std::uint8_t>((pdu.size() + 1) >> 8), static_cast<std::uint8_t>(pdu.size() + 1), unit};
  out.insert(out.end(), pdu.begin(), pdu.end());
  return out;
}

inline Registers words(std::initializer_list<std::uint16_t> values) {
  return Registers(std::span(values.begin(), values.size()));
}

struct Golden {
  const char* request_pdu;
  Request request;
  const char* answer_pdu;
  Answer answer;
};

inline std::vector<Golden> golden() {
  const auto packed = [](const char* text, std::size_t count) { return Bits(hex(text), count); };
  const auto octets = [](const char* text) { return Octets(hex(text)); };
  return {
      {"01 00 13 00 13", ReadBits{BitKind::coil, 19, 19}, "01 03 CD 6B 05",
       BitsRead{BitKind::coil, packed("CD 6B 05", 24)}},
      {"02 00 C4 00 16", ReadBits{BitKind::discrete_input, 196, 22}, "02 03 AC DB 35",
       BitsRead{BitKind::discrete_input, packed("AC DB 35", 24)}},
      {"03 00 6B 00 03", ReadRegisters{WordKind::holding, 107, 3}, "03 06 02 2B 00 00 00 64",
       RegistersRead{WordKind::holding, words({555, 0, 100})}},
      {"04 00 08 00 01", ReadRegisters{WordKind::input, 8, 1}, "04 02 00 0A",
       RegistersRead{WordKind::input, words({10})}},
      {"05 00 AC FF 00", WriteCoil{172, true}, "05 00 AC FF 00", WriteCoil{172, true}},
      {"06 00 01 00 03", WriteRegister{1, 3}, "06 00 01 00 03", WriteRegister{1, 3}},
      {"07", ReadExceptionStatus{}, "07 6D", ExceptionStatus{0x6D}},
      {"0F 00 13 00 0A 02 CD 01", WriteCoils{19, packed("CD 01", 10)}, "0F 00 13 00 0A", CoilsWritten{19, 10}},
      {"10 00 01 00 02 04 00 0A 01 02", WriteRegisters{1, words({10, 258})}, "10 00 01 00 02", RegistersWritten{1, 2}},
      {"11", ReportServerId{}, "11 0A B4 FF 4C 4D 42 33 2E 31 2E 36",
       ServerId{octets("B4 FF 4C 4D 42 33 2E 31 2E 36")}},
      {"16 00 04 00 F2 00 25", MaskWriteRegister{4, 0xF2, 0x25}, "16 00 04 00 F2 00 25",
       MaskWriteRegister{4, 0xF2, 0x25}},
      {"17 00 03 00 06 00 0E 00 03 06 00 FF 00 FF 00 FF", ReadWriteRegisters{3, 6, 14, words({255, 255, 255})},
       "17 0C 00 FE 0A CD 00 01 00 03 00 0D 00 FF", RegistersExchanged{words({0xFE, 0xACD, 1, 3, 0xD, 0xFF})}},
      {"2B 0E 01 00", ReadIdentification{IdentificationCode::basic, 0},
       "2B 0E 01 01 00 00 03 00 03 41 42 43 01 02 44 45 02 05 56 32 2E 31 31",
       Identification{IdentificationCode::basic, 1, false, 0, 3,
                      octets("00 03 41 42 43 01 02 44 45 02 05 56 32 2E 31 31")}},
  };
}

}  // namespace tandem::modbus::test
