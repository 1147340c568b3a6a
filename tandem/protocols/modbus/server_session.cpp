// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/modbus/server_session.hpp"

namespace tandem::modbus {
namespace {

constexpr std::size_t identification_head = 7;  // bytes of the PDU in front of the objects
constexpr std::size_t object_head = 2;          // id and length
constexpr std::size_t longest_object = longest_pdu - identification_head - object_head;

// The highest object of a level; a device's conformity is the highest level of which it has an object.
int last_object(IdentificationCode code) {
  if (code == IdentificationCode::basic) return 2;
  return code == IdentificationCode::regular ? 127 : 255;
}

std::uint8_t conformity(const Device& device) {
  const auto any = [&device](int first, int last) {
    for (int i = first; i <= last; ++i)
      if (!device.identification(static_cast<std::uint8_t>(i)).empty()) return true;
    return false;
  };
  constexpr int single_access = 0x80;
  int level = any(3, 127) ? 2 : 1;
  if (any(128, 255)) level = 3;
  return static_cast<std::uint8_t>(single_access | level);
}

bool append(Identification& answer, std::uint8_t id, std::string_view text) {
  text = text.substr(0, longest_object);
  if (identification_head + answer.objects.size() + object_head + text.size() > longest_pdu) return false;
  answer.objects.push_back(id);
  answer.objects.push_back(static_cast<std::uint8_t>(text.size()));
  for (const char letter : text) answer.objects.push_back(static_cast<std::uint8_t>(letter));
  ++answer.count;
  return true;
}

struct Executor {
  Device& device;
  Function function;

  Answer operator()(const ReadBits& request) const {
    if (!fits(request.address, request.count)) return exception(ExceptionCode::illegal_address);
    BitsRead answer{request.kind, Bits(request.count)};
    return told(device.read(request.kind, request.address, answer.values), answer);
  }
  Answer operator()(const ReadRegisters& request) const {
    if (!fits(request.address, request.count)) return exception(ExceptionCode::illegal_address);
    RegistersRead answer{request.kind, {}};
    answer.values.resize(request.count);
    return told(device.read(request.kind, request.address, answer.values.span()), answer);
  }
  Answer operator()(const WriteCoil& request) const {
    return told(device.write(request.address, Bits(std::span(&request.value, 1))), request);
  }
  Answer operator()(const WriteRegister& request) const {
    return told(device.write(request.address, std::span(&request.value, 1)), request);
  }
  Answer operator()(const ReadExceptionStatus&) const {
    ExceptionStatus answer;
    return told(device.exception_status(answer.status), answer);
  }
  Answer operator()(const WriteCoils& request) const {
    const auto count = static_cast<std::uint16_t>(request.values.size());
    if (!fits(request.address, count)) return exception(ExceptionCode::illegal_address);
    return told(device.write(request.address, request.values), CoilsWritten{request.address, count});
  }
  Answer operator()(const WriteRegisters& request) const {
    const auto count = static_cast<std::uint16_t>(request.values.size());
    if (!fits(request.address, count)) return exception(ExceptionCode::illegal_address);
    return told(device.write(request.address, request.values.span()), RegistersWritten{request.address, count});
  }
  Answer operator()(const ReportServerId&) const {
    ServerId answer;
    return told(device.server_id(answer.data), answer);
  }
  Answer operator()(const MaskWriteRegister& request) const {
    std::uint16_t value = 0;
    if (const auto refused = device.read(WordKind::holding, request.address, std::span(&value, 1)))
      return exception(*refused);
    value = static_cast<std::uint16_t>((value & request.and_mask) | (request.or_mask & ~request.and_mask));
    return told(device.write(request.address, std::span<const std::uint16_t>(&value, 1)), request);
  }
  Answer operator()(const ReadWriteRegisters& request) const {
    if (!fits(request.read_address, request.read_count) || !fits(request.write_address, request.values.size()))
      return exception(ExceptionCode::illegal_address);
    RegistersExchanged answer;
    answer.values.resize(request.read_count);
    // Read before too: when that is refused, nothing must have been written.
    const auto read = [&] { return device.read(WordKind::holding, request.read_address, answer.values.span()); };
    if (const auto refused = read()) return exception(*refused);
    if (const auto refused = device.write(request.write_address, request.values.span())) return exception(*refused);
    return told(read(), answer);
  }
  Answer operator()(const ReadIdentification& request) const {
    if (device.identification(0).empty()) return exception(ExceptionCode::illegal_function);
    Identification answer{request.code, conformity(device), false, 0, 0, {}};
    if (request.code == IdentificationCode::one) {
      const auto text = device.identification(request.object);
      if (text.empty()) return exception(ExceptionCode::illegal_address);
      append(answer, request.object, text);
      return answer;
    }
    // An object that is not there: from the beginning.
    const int last = last_object(request.code);
    const bool there = request.object <= last && !device.identification(request.object).empty();
    for (int i = there ? request.object : 0; i <= last; ++i) {
      const auto id = static_cast<std::uint8_t>(i);
      const auto text = device.identification(id);
      if (text.empty() || append(answer, id, text)) continue;
      answer.more_follows = true;
      answer.next_object = id;
      break;
    }
    return answer;
  }

  static bool fits(std::uint16_t address, std::size_t count) { return address + count <= address_count; }
  Answer exception(ExceptionCode code) const { return Exception{function, code}; }
  template <typename T>
  Answer told(const Refusal& refused, const T& answer) const {
    if (refused) return exception(*refused);
    return answer;
  }
};

}  // namespace

Answer answer_of(Device& device, const Request& request) {
  return std::visit(Executor{device, function_of(request)}, request);
}

Result<bool> Session::answer_next(std::vector<std::uint8_t>& out) {
  auto frame = framer_.next();
  if (!frame) return std::move(frame).error();
  if (!*frame) return false;
  ++requests_;
  const Frame& asked = **frame;
  const auto unit = device_.unit(asked.unit);
  if (unit == Device::UnitAnswer::silence) return true;
  const auto decoded = decode_request(asked.pdu);
  const std::size_t begun_at = begin_frame(out, asked.transaction, asked.unit);
  if (unit == Device::UnitAnswer::no_such_unit)
    encode(Answer(Exception{static_cast<Function>(asked.pdu[0]), ExceptionCode::gateway_target}), out);
  else if (const auto* exception = std::get_if<Exception>(&decoded))
    encode(Answer(*exception), out);
  else
    encode(answer_of(device_, std::get<Request>(decoded)), out);
  finish_frame(out, begun_at);
  return true;
}

Result<void> Session::receive(Bytes bytes, std::vector<std::uint8_t>& out) {
  while (!bytes.empty()) {
    bytes = bytes.subspan(framer_.feed(bytes));
    while (true) {
      auto answered = answer_next(out);
      if (!answered) return std::move(answered).error();
      if (!*answered) break;
    }
  }
  return {};
}

}  // namespace tandem::modbus
