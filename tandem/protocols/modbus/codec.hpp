// SPDX-License-Identifier: Apache-2.0
// Modbus requests and answers as structs: the closed set of public functions, both directions. Nothing allocates.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"
#include "tandem/protocols/modbus/types.hpp"

namespace tandem::modbus {

enum class BitKind : std::uint8_t { coil, discrete_input };
enum class WordKind : std::uint8_t { holding, input };

// Addresses count from 0, as on the wire; a manual's 40001 is holding register 0.

struct ReadBits {  // functions 1 and 2
  BitKind kind = BitKind::coil;
  std::uint16_t address = 0;
  std::uint16_t count = 0;  // 1 to 2000
  friend bool operator==(const ReadBits&, const ReadBits&) = default;
};
struct ReadRegisters {  // functions 3 and 4
  WordKind kind = WordKind::holding;
  std::uint16_t address = 0;
  std::uint16_t count = 0;  // 1 to 125
  friend bool operator==(const ReadRegisters&, const ReadRegisters&) = default;
};
struct WriteCoil {  // function 5; the answer is the same
  std::uint16_t address = 0;
  bool value = false;
  friend bool operator==(const WriteCoil&, const WriteCoil&) = default;
};
struct WriteRegister {  // function 6; the answer is the same
  std::uint16_t address = 0;
  std::uint16_t value = 0;
  friend bool operator==(const WriteRegister&, const WriteRegister&) = default;
};
struct ReadExceptionStatus {  // function 7
  friend bool operator==(const ReadExceptionStatus&, const ReadExceptionStatus&) = default;
};
struct WriteCoils {  // function 15
  std::uint16_t address = 0;
  Bits values;  // 1 to 1968
  friend bool operator==(const WriteCoils&, const WriteCoils&) = default;
};
struct WriteRegisters {  // function 16
  std::uint16_t address = 0;
  Registers values;  // 1 to 123
  friend bool operator==(const WriteRegisters&, const WriteRegisters&) = default;
};
struct ReportServerId {  // function 17
  friend bool operator==(const ReportServerId&, const ReportServerId&) = default;
};
struct MaskWriteRegister {  // function 22: (old & and_mask) | (or_mask & ~and_mask); the answer is the same
  std::uint16_t address = 0;
  std::uint16_t and_mask = 0xFFFF;
  std::uint16_t or_mask = 0;
  friend bool operator==(const MaskWriteRegister&, const MaskWriteRegister&) = default;
};
struct ReadWriteRegisters {  // function 23; writes first
  std::uint16_t read_address = 0;
  std::uint16_t read_count = 0;  // 1 to 125
  std::uint16_t write_address = 0;
  Registers values;  // 1 to 121
  friend bool operator==(const ReadWriteRegisters&, const ReadWriteRegisters&) = default;
};
// Which objects of its identification a device is asked for: all of a level, from one on, or one alone.
enum class IdentificationCode : std::uint8_t { basic = 1, regular = 2, extended = 3, one = 4 };
struct ReadIdentification {  // function 43, MEI type 14
  IdentificationCode code = IdentificationCode::basic;
  std::uint8_t object = 0;
  friend bool operator==(const ReadIdentification&, const ReadIdentification&) = default;
};

using Request = std::variant<ReadBits, ReadRegisters, WriteCoil, WriteRegister, ReadExceptionStatus, WriteCoils,
                             WriteRegisters, ReportServerId, MaskWriteRegister, ReadWriteRegisters, ReadIdentification>;

struct BitsRead {
  BitKind kind = BitKind::coil;
  Bits values;  // as many as the bytes hold: up to seven more than were asked for
  friend bool operator==(const BitsRead&, const BitsRead&) = default;
};
struct RegistersRead {
  WordKind kind = WordKind::holding;
  Registers values;
  friend bool operator==(const RegistersRead&, const RegistersRead&) = default;
};
struct ExceptionStatus {
  std::uint8_t status = 0;  // eight bits of the device's own meaning
  friend bool operator==(const ExceptionStatus&, const ExceptionStatus&) = default;
};
struct CoilsWritten {
  std::uint16_t address = 0;
  std::uint16_t count = 0;
  friend bool operator==(const CoilsWritten&, const CoilsWritten&) = default;
};
struct RegistersWritten {
  std::uint16_t address = 0;
  std::uint16_t count = 0;
  friend bool operator==(const RegistersWritten&, const RegistersWritten&) = default;
};
struct ServerId {
  Octets data;  // in most devices: id, 0xFF when running, text
  std::uint8_t id() const { return data.size() > 0 ? data[0] : std::uint8_t{0}; }
  bool running() const { return data.size() > 1 && data[1] == 0xFF; }
  std::string text() const;
  friend bool operator==(const ServerId&, const ServerId&) = default;
};
struct RegistersExchanged {
  Registers values;
  friend bool operator==(const RegistersExchanged&, const RegistersExchanged&) = default;
};
struct Identification {
  IdentificationCode code = IdentificationCode::basic;
  std::uint8_t conformity = 0;  // highest level, 0x80 when single objects can be asked for
  bool more_follows = false;    // from next_object on
  std::uint8_t next_object = 0;
  std::uint8_t count = 0;
  Octets objects;  // each one: id, length, text

  struct Object {
    std::uint8_t id = 0;
    std::string text;
  };
  std::vector<Object> list() const;
  friend bool operator==(const Identification&, const Identification&) = default;
};
struct Exception {
  Function function{};
  ExceptionCode code{};
  friend bool operator==(const Exception&, const Exception&) = default;
};

using Answer =
    std::variant<BitsRead, RegistersRead, WriteCoil, WriteRegister, ExceptionStatus, CoilsWritten, RegistersWritten,
                 ServerId, MaskWriteRegister, RegistersExchanged, Identification, Exception>;

Function function_of(const Request& request);
// "write registers 0 to 15"
std::string describe(const Request& request);
// Good when the counts are inside the limits of their function and no address passes 65535.
Result<void> check(const Request& request);

// A byte count and the words, big-endian, as requests and answers carry them.
void put_counted_words(ByteWriter& out, const Registers& values);
// As many words as `into` has; the reader fails when they are not there.
void take_words(ByteReader& reader, std::span<std::uint16_t> into);

// Append the PDU.
void encode(const Request& request, std::vector<std::uint8_t>& out);
void encode(const Answer& answer, std::vector<std::uint8_t>& out);

// The request, or the exception to answer: illegal function, or illegal value for counts, lengths and values that
// cannot be. Addresses are for the device to judge.
std::variant<Request, Exception> decode_request(Bytes pdu);
// The error says what was expected and what was seen.
Result<Answer> decode_answer(Bytes pdu);

// Good when this can be the answer to that request: same function, same counts, same echo. An exception always can, as
// long as it is for that function.
Result<void> check(const Request& request, const Answer& answer);

}  // namespace tandem::modbus
