// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tandem/protocols/modbus/codec.hpp"

namespace tandem::modbus {
namespace {

constexpr std::uint8_t exception_mark = 0x80;
struct AnswerWriter {
  ByteWriter& out;

  void operator()(const BitsRead& answer) const {
    out.big(answer.kind == BitKind::coil ? Function::read_coils : Function::read_discrete_inputs);
    out.byte(static_cast<std::uint8_t>(answer.values.packed().size()));
    out.bytes(answer.values.packed());
  }
  void operator()(const RegistersRead& answer) const {
    out.big(answer.kind == WordKind::holding ? Function::read_holding_registers : Function::read_input_registers);
    put_counted_words(out, answer.values);
  }
  void operator()(const WriteCoil& answer) const {
    three(Function::write_coil, answer.address, answer.value ? coil_on : std::uint16_t{0});
  }
  void operator()(const WriteRegister& answer) const { three(Function::write_register, answer.address, answer.value); }
  void operator()(const ExceptionStatus& answer) const {
    out.big(Function::read_exception_status);
    out.byte(answer.status);
  }
  void operator()(const CoilsWritten& answer) const { three(Function::write_coils, answer.address, answer.count); }
  void operator()(const RegistersWritten& answer) const {
    three(Function::write_registers, answer.address, answer.count);
  }
  void operator()(const ServerId& answer) const {
    out.big(Function::report_server_id);
    out.byte(static_cast<std::uint8_t>(answer.data.size()));
    out.bytes(answer.data.span());
  }
  void operator()(const MaskWriteRegister& answer) const {
    three(Function::mask_write_register, answer.address, answer.and_mask);
    out.big(answer.or_mask);
  }
  void operator()(const RegistersExchanged& answer) const {
    out.big(Function::read_write_registers);
    put_counted_words(out, answer.values);
  }
  void operator()(const Identification& answer) const {
    out.big(Function::device_identification);
    out.byte(identification_mei);
    out.big(answer.code);
    out.byte(answer.conformity);
    out.byte(answer.more_follows ? 0xFF : 0);
    out.byte(answer.next_object);
    out.byte(answer.count);
    out.bytes(answer.objects.span());
  }
  void operator()(const Exception& answer) const {
    out.byte(static_cast<std::uint8_t>(static_cast<std::uint8_t>(answer.function) | exception_mark));
    out.big(answer.code);
  }

  void three(Function function, std::uint16_t a, std::uint16_t b) const { out.big(function, a, b); }
};

Error lying_count(Function function, std::size_t announced, std::size_t there) {
  return {Fault::invalid,
          fmt::format("{0}: expected {1} bytes by its count, got {2}", name(function), announced, there)};
}

Result<Registers> take_counted_words(Function function, ByteReader& reader) {
  const std::size_t bytes = reader.byte();
  if (!reader.ok() || bytes != reader.remaining()) return lying_count(function, bytes, reader.remaining());
  if (bytes % 2 != 0 || bytes == 0 || bytes > 2 * most_registers_read)
    return Error{Fault::invalid,
                 fmt::format("{}: expected an even byte count of 2 to 250, got {}", name(function), bytes)};
  Registers values;
  values.resize(bytes / 2);
  take_words(reader, values.span());
  return values;
}

Result<Answer> take_bits(Function function, BitKind kind, ByteReader& reader) {
  const std::size_t bytes = reader.byte();
  if (!reader.ok() || bytes != reader.remaining()) return lying_count(function, bytes, reader.remaining());
  if (bytes == 0 || bytes > most_bits_read / 8)
    return Error{Fault::invalid, fmt::format("{}: expected a byte count of 1 to 250, got {}", name(function), bytes)};
  return Answer(BitsRead{kind, Bits(reader.bytes(bytes), 8 * bytes)});
}

Result<Answer> take_coil(ByteReader& reader) {
  const auto address = reader.big<std::uint16_t>();
  const auto value = reader.big<std::uint16_t>();
  if (value != coil_on && value != 0)
    return Error{Fault::invalid, fmt::format("write coil: expected value 0xFF00 or 0, got 0x{:04X}", value)};
  return Answer(WriteCoil{address, value == coil_on});
}

Result<Answer> take_server_id(ByteReader& reader) {
  const std::size_t bytes = reader.byte();
  if (!reader.ok() || bytes != reader.remaining())
    return lying_count(Function::report_server_id, bytes, reader.remaining());
  return Answer(ServerId{Octets(reader.bytes(bytes))});
}

Result<Answer> take_identification_answer(ByteReader& reader) {
  const auto mei = reader.byte();
  Identification answer;
  answer.code = reader.big<IdentificationCode>();
  answer.conformity = reader.byte();
  answer.more_follows = reader.byte() == 0xFF;
  answer.next_object = reader.byte();
  answer.count = reader.byte();
  const Bytes objects = reader.rest();
  if (!reader.ok() || mei != identification_mei || answer.code < IdentificationCode::basic ||
      answer.code > IdentificationCode::one)
    return Error{Fault::invalid, fmt::format("read device identification: invalid MEI type {}, code {} or length", mei,
                                             static_cast<unsigned>(answer.code))};
  ByteReader each(objects);
  for (int i = 0; i < answer.count; ++i) {
    each.skip(1);
    each.skip(each.byte());
  }
  if (!each.done())
    return Error{Fault::invalid, fmt::format("read device identification: {} objects do not match {} bytes",
                                             answer.count, objects.size())};
  answer.objects = Octets(objects);
  return Answer(answer);
}

Result<Answer> take_answer(Function function, ByteReader& reader) {
  const auto word = [&reader] { return reader.big<std::uint16_t>(); };
  switch (function) {
    case Function::read_coils:
      return take_bits(function, BitKind::coil, reader);
    case Function::read_discrete_inputs:
      return take_bits(function, BitKind::discrete_input, reader);
    case Function::read_holding_registers:
    case Function::read_input_registers: {
      auto values = take_counted_words(function, reader);
      if (!values) return std::move(values).error();
      const auto kind = function == Function::read_holding_registers ? WordKind::holding : WordKind::input;
      return Answer(RegistersRead{kind, *values});
    }
    case Function::write_coil:
      return take_coil(reader);
    case Function::write_register:
      return Answer(WriteRegister{word(), word()});
    case Function::read_exception_status:
      return Answer(ExceptionStatus{reader.byte()});
    case Function::write_coils:
      return Answer(CoilsWritten{word(), word()});
    case Function::write_registers:
      return Answer(RegistersWritten{word(), word()});
    case Function::report_server_id:
      return take_server_id(reader);
    case Function::mask_write_register:
      return Answer(MaskWriteRegister{word(), word(), word()});
    case Function::read_write_registers: {
      auto values = take_counted_words(function, reader);
      if (!values) return std::move(values).error();
      return Answer(RegistersExchanged{*values});
    }
    case Function::device_identification:
      return take_identification_answer(reader);
  }
  return Error{Fault::invalid, fmt::format("expected a public function code, got {}", static_cast<unsigned>(function))};
}

}  // namespace

std::string ServerId::text() const {
  const auto rest = data.size() > 2 ? data.span().subspan(2) : Bytes{};
  return {rest.begin(), rest.end()};
}

std::vector<Identification::Object> Identification::list() const {
  std::vector<Object> all;
  ByteReader reader(objects.span());
  for (int i = 0; i < count; ++i) {
    const auto id = reader.byte();
    const auto text = reader.text(reader.byte());
    if (!reader.ok()) break;
    all.push_back({id, std::string(text)});
  }
  return all;
}

void encode(const Answer& answer, std::vector<std::uint8_t>& out) {
  ByteWriter writer(out);
  std::visit(AnswerWriter{writer}, answer);
}

Result<Answer> decode_answer(Bytes pdu) {
  ByteReader reader(pdu);
  const auto code = reader.byte();
  const auto function = static_cast<Function>(code & ~exception_mark);
  const bool exception = (code & exception_mark) != 0;
  Result<Answer> answer = exception ? Result<Answer>(Answer(Exception{function, reader.big<ExceptionCode>()}))
                                    : take_answer(function, reader);
  if (answer && !reader.done())
    return Error{Fault::invalid,
                 fmt::format("{}: {} of {} bytes, {}", name(function), exception ? "an exception" : "an answer",
                             pdu.size(), reader.ok() ? "more than it has" : "fewer than it has")};
  return answer;
}

}  // namespace tandem::modbus
