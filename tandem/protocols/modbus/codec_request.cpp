// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tandem/protocols/modbus/codec.hpp"

namespace tandem::modbus {
namespace {

struct Writer {
  ByteWriter& out;

  void operator()(const ReadBits& request) const { address_and_count(request.address, request.count); }
  void operator()(const ReadRegisters& request) const { address_and_count(request.address, request.count); }
  void operator()(const WriteCoil& request) const { address_and_count(request.address, request.value ? coil_on : 0); }
  void operator()(const WriteRegister& request) const { address_and_count(request.address, request.value); }
  void operator()(const ReadExceptionStatus&) const {}
  void operator()(const WriteCoils& request) const {
    address_and_count(request.address, request.values.size());
    out.byte(static_cast<std::uint8_t>(request.values.packed().size()));
    out.bytes(request.values.packed());
  }
  void operator()(const WriteRegisters& request) const {
    address_and_count(request.address, request.values.size());
    put_counted_words(out, request.values);
  }
  void operator()(const ReportServerId&) const {}
  void operator()(const MaskWriteRegister& request) const {
    address_and_count(request.address, request.and_mask);
    out.big(request.or_mask);
  }
  void operator()(const ReadWriteRegisters& request) const {
    address_and_count(request.read_address, request.read_count);
    address_and_count(request.write_address, request.values.size());
    put_counted_words(out, request.values);
  }
  void operator()(const ReadIdentification& request) const {
    out.byte(identification_mei);
    out.big(request.code);
    out.byte(request.object);
  }

  void address_and_count(std::uint16_t address, std::size_t count) const {
    out.big(address, static_cast<std::uint16_t>(count));
  }
};

// Each gives the request, or nothing when a count or value cannot be; then the reader may stand anywhere.
std::optional<Request> take_read_bits(ByteReader& reader, BitKind kind) {
  const ReadBits request{kind, reader.big<std::uint16_t>(), reader.big<std::uint16_t>()};
  if (request.count < 1 || request.count > most_bits_read) return std::nullopt;
  return request;
}

std::optional<Request> take_read_registers(ByteReader& reader, WordKind kind) {
  const ReadRegisters request{kind, reader.big<std::uint16_t>(), reader.big<std::uint16_t>()};
  if (request.count < 1 || request.count > most_registers_read) return std::nullopt;
  return request;
}

std::optional<Request> take_write_coil(ByteReader& reader) {
  const auto address = reader.big<std::uint16_t>();
  const auto value = reader.big<std::uint16_t>();
  if (value != coil_on && value != 0) return std::nullopt;
  return WriteCoil{address, value == coil_on};
}

std::optional<Request> take_write_coils(ByteReader& reader) {
  WriteCoils request;
  request.address = reader.big<std::uint16_t>();
  const std::size_t count = reader.big<std::uint16_t>();
  const std::size_t bytes = reader.byte();
  if (count < 1 || count > most_coils_written || bytes != (count + 7) / 8) return std::nullopt;
  request.values = Bits(reader.bytes(bytes), count);
  return request;
}

// The count, the byte count and the values that a write carries.
bool take_values(ByteReader& reader, std::size_t most, Registers& into) {
  const std::size_t count = reader.big<std::uint16_t>();
  const std::size_t bytes = reader.byte();
  if (count < 1 || count > most || bytes != 2 * count || reader.remaining() < bytes) return false;
  into.resize(count);
  take_words(reader, into.span());
  return true;
}

std::optional<Request> take_write_registers(ByteReader& reader) {
  WriteRegisters request;
  request.address = reader.big<std::uint16_t>();
  if (!take_values(reader, most_registers_written, request.values)) return std::nullopt;
  return request;
}

std::optional<Request> take_read_write(ByteReader& reader) {
  ReadWriteRegisters request;
  request.read_address = reader.big<std::uint16_t>();
  request.read_count = reader.big<std::uint16_t>();
  request.write_address = reader.big<std::uint16_t>();
  if (request.read_count < 1 || request.read_count > most_registers_read) return std::nullopt;
  if (!take_values(reader, most_registers_exchanged, request.values)) return std::nullopt;
  return request;
}

std::optional<Request> take_identification(ByteReader& reader) {
  const auto code = reader.byte();
  const auto object = reader.byte();
  if (code < 1 || code > 4) return std::nullopt;
  return ReadIdentification{static_cast<IdentificationCode>(code), object};
}

std::optional<Request> take_request(Function function, ByteReader& reader) {
  switch (function) {
    case Function::read_coils:
      return take_read_bits(reader, BitKind::coil);
    case Function::read_discrete_inputs:
      return take_read_bits(reader, BitKind::discrete_input);
    case Function::read_holding_registers:
      return take_read_registers(reader, WordKind::holding);
    case Function::read_input_registers:
      return take_read_registers(reader, WordKind::input);
    case Function::write_coil:
      return take_write_coil(reader);
    case Function::write_register:
      return WriteRegister{reader.big<std::uint16_t>(), reader.big<std::uint16_t>()};
    case Function::read_exception_status:
      return ReadExceptionStatus{};
    case Function::write_coils:
      return take_write_coils(reader);
    case Function::write_registers:
      return take_write_registers(reader);
    case Function::report_server_id:
      return ReportServerId{};
    case Function::mask_write_register:
      return MaskWriteRegister{reader.big<std::uint16_t>(), reader.big<std::uint16_t>(), reader.big<std::uint16_t>()};
    case Function::read_write_registers:
      return take_read_write(reader);
    case Function::device_identification:
      return take_identification(reader);
  }
  return std::nullopt;
}

bool known_function(Function function, Bytes data) {
  switch (function) {
    case Function::read_coils:
    case Function::read_discrete_inputs:
    case Function::read_holding_registers:
    case Function::read_input_registers:
    case Function::write_coil:
    case Function::write_register:
    case Function::read_exception_status:
    case Function::write_coils:
    case Function::write_registers:
    case Function::report_server_id:
    case Function::mask_write_register:
    case Function::read_write_registers:
      return true;
    case Function::device_identification:
      // Other MEI types are other functions.
      return data.empty() || data[0] == identification_mei;
  }
  return false;
}

}  // namespace

void put_counted_words(ByteWriter& out, const Registers& values) {
  out.byte(static_cast<std::uint8_t>(2 * values.size()));
  std::uint8_t* to = out.room(2 * values.size()).data();
  for (const std::uint16_t value : values.span()) to = put_big(to, value);
}

void take_words(ByteReader& reader, std::span<std::uint16_t> into) {
  const Bytes bytes = reader.bytes(2 * into.size());
  if (bytes.empty()) return;
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = big_at<std::uint16_t>(bytes.data() + 2 * i);
}

void encode(const Request& request, std::vector<std::uint8_t>& out) {
  ByteWriter writer(out);
  writer.big(function_of(request));
  std::visit(Writer{writer}, request);
}

std::variant<Request, Exception> decode_request(Bytes pdu) {
  ByteReader reader(pdu);
  const auto function = static_cast<Function>(reader.byte());
  if (!known_function(function, pdu.empty() ? Bytes{} : pdu.subspan(1)))
    return Exception{function, ExceptionCode::illegal_function};
  if (function == Function::device_identification) reader.skip(1);
  auto request = take_request(function, reader);
  if (!request || !reader.done()) return Exception{function, ExceptionCode::illegal_value};
  return std::move(*request);
}

}  // namespace tandem::modbus
