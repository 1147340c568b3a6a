// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tandem/protocols/modbus/codec.hpp"

namespace tandem::modbus {
namespace {

template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

std::string addresses(std::uint16_t first, std::size_t count) {
  return count == 1 ? fmt::format("{}", first) : fmt::format("{} to {}", first, first + count - 1);
}

Result<void> inside(const Request& request, std::uint16_t address, std::size_t count, std::size_t most) {
  if (count < 1 || count > most)
    return Error{Fault::invalid,
                 fmt::format("{0}: expected 1 to {2} values, got {1}", name(function_of(request)), count, most)};
  if (address + count > address_count)
    return Error{Fault::invalid, fmt::format("{}: {} values from address {} exceed the last address, 65535",
                                             name(function_of(request)), count, address)};
  return {};
}

Error another_count(std::size_t expected, std::size_t seen, const char* what) {
  return {Fault::invalid, fmt::format("expected {} {}, got {}", expected, what, seen)};
}

Error another_echo(std::uint16_t address, std::size_t value, std::uint16_t seen_address, std::size_t seen_value) {
  return {Fault::invalid, fmt::format("expected the echo of address {} and {}, got address {} and {}", address, value,
                                      seen_address, seen_value)};
}

Result<void> echoes(std::uint16_t address, std::size_t value, std::uint16_t seen_address, std::size_t seen_value) {
  if (address == seen_address && value == seen_value) return {};
  return another_echo(address, value, seen_address, seen_value);
}

// One case for every request with its own answer; all others are of another function.
struct Match {
  Result<void> operator()(const ReadBits& request, const BitsRead& answer) const {
    const std::size_t expected = (request.count + 7u) / 8;
    const std::size_t seen = answer.values.packed().size();
    if (request.kind != answer.kind) return other_function();
    if (expected != seen) return another_count(expected, seen, "bytes");
    return {};
  }
  Result<void> operator()(const ReadRegisters& request, const RegistersRead& answer) const {
    if (request.kind != answer.kind) return other_function();
    if (request.count != answer.values.size()) return another_count(request.count, answer.values.size(), "registers");
    return {};
  }
  Result<void> operator()(const WriteCoil& request, const WriteCoil& answer) const {
    return echoes(request.address, request.value ? 1 : 0, answer.address, answer.value ? 1 : 0);
  }
  Result<void> operator()(const WriteRegister& request, const WriteRegister& answer) const {
    return echoes(request.address, request.value, answer.address, answer.value);
  }
  Result<void> operator()(const ReadExceptionStatus&, const ExceptionStatus&) const { return {}; }
  Result<void> operator()(const WriteCoils& request, const CoilsWritten& answer) const {
    return echoes(request.address, request.values.size(), answer.address, answer.count);
  }
  Result<void> operator()(const WriteRegisters& request, const RegistersWritten& answer) const {
    return echoes(request.address, request.values.size(), answer.address, answer.count);
  }
  Result<void> operator()(const ReportServerId&, const ServerId&) const { return {}; }
  Result<void> operator()(const MaskWriteRegister& request, const MaskWriteRegister& answer) const {
    if (request == answer) return {};
    return another_echo(request.address, request.and_mask, answer.address, answer.and_mask);
  }
  Result<void> operator()(const ReadWriteRegisters& request, const RegistersExchanged& answer) const {
    if (request.read_count == answer.values.size()) return {};
    return another_count(request.read_count, answer.values.size(), "registers");
  }
  Result<void> operator()(const ReadIdentification& request, const Identification& answer) const {
    if (request.code == answer.code) return {};
    return Error{Fault::invalid, fmt::format("expected identification code {}, got {}", static_cast<int>(request.code),
                                             static_cast<int>(answer.code))};
  }
  template <typename Any>
  Result<void> operator()(const Any&, const Exception& answer) const {
    if (answer.function == function) return {};
    return other_function();
  }
  template <typename Any, typename Other>
  Result<void> operator()(const Any&, const Other&) const {
    return other_function();
  }

  Error other_function() const {
    return {Fault::invalid,
            fmt::format("expected the answer of function {}, got that of another", static_cast<unsigned>(function))};
  }
  Function function;
};

}  // namespace

Function function_of(const Request& request) {
  return std::visit(Overloaded{[](const ReadBits& read) {
                                 return read.kind == BitKind::coil ? Function::read_coils
                                                                   : Function::read_discrete_inputs;
                               },
                               [](const ReadRegisters& read) {
                                 return read.kind == WordKind::holding ? Function::read_holding_registers
                                                                       : Function::read_input_registers;
                               },
                               [](const WriteCoil&) { return Function::write_coil; },
                               [](const WriteRegister&) { return Function::write_register; },
                               [](const ReadExceptionStatus&) { return Function::read_exception_status; },
                               [](const WriteCoils&) { return Function::write_coils; },
                               [](const WriteRegisters&) { return Function::write_registers; },
                               [](const ReportServerId&) { return Function::report_server_id; },
                               [](const MaskWriteRegister&) { return Function::mask_write_register; },
                               [](const ReadWriteRegisters&) { return Function::read_write_registers; },
                               [](const ReadIdentification&) { return Function::device_identification; }},
                    request);
}

std::string describe(const Request& request) {
  const std::string what = name(function_of(request));
  return std::visit(
      Overloaded{
          [&](const ReadBits& read) { return what + " " + addresses(read.address, read.count); },
          [&](const ReadRegisters& read) { return what + " " + addresses(read.address, read.count); },
          [&](const WriteCoils& write) { return what + " " + addresses(write.address, write.values.size()); },
          [&](const WriteRegisters& write) { return what + " " + addresses(write.address, write.values.size()); },
          [&](const ReadWriteRegisters& both) {
            return fmt::format("{}: read {}, write {}", what, addresses(both.read_address, both.read_count),
                               addresses(both.write_address, both.values.size()));
          },
          [&](const WriteCoil& write) { return fmt::format("{} {}", what, write.address); },
          [&](const WriteRegister& write) { return fmt::format("{} {}", what, write.address); },
          [&](const MaskWriteRegister& write) { return fmt::format("{} {}", what, write.address); },
          [&](const auto&) { return what; }},
      request);
}

Result<void> check(const Request& request) {
  return std::visit(
      Overloaded{
          [&](const ReadBits& read) { return inside(request, read.address, read.count, most_bits_read); },
          [&](const ReadRegisters& read) { return inside(request, read.address, read.count, most_registers_read); },
          [&](const WriteCoils& write) {
            return inside(request, write.address, write.values.size(), most_coils_written);
          },
          [&](const WriteRegisters& write) {
            return inside(request, write.address, write.values.size(), most_registers_written);
          },
          [&](const ReadWriteRegisters& both) {
            auto read = inside(request, both.read_address, both.read_count, most_registers_read);
            if (!read) return read;
            return inside(request, both.write_address, both.values.size(), most_registers_exchanged);
          },
          [](const auto&) { return Result<void>(); }},
      request);
}

Result<void> check(const Request& request, const Answer& answer) {
  return std::visit(Match{function_of(request)}, request, answer);
}

}  // namespace tandem::modbus
