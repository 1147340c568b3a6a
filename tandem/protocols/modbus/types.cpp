// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/modbus/types.hpp"

namespace tandem::modbus {

const char* name(Function function) {
  switch (function) {
    case Function::read_coils:
      return "read coils";
    case Function::read_discrete_inputs:
      return "read discrete inputs";
    case Function::read_holding_registers:
      return "read holding registers";
    case Function::read_input_registers:
      return "read input registers";
    case Function::write_coil:
      return "write coil";
    case Function::write_register:
      return "write register";
    case Function::read_exception_status:
      return "read exception status";
    case Function::write_coils:
      return "write coils";
    case Function::write_registers:
      return "write registers";
    case Function::report_server_id:
      return "report server id";
    case Function::mask_write_register:
      return "mask write register";
    case Function::read_write_registers:
      return "read and write registers";
    case Function::device_identification:
      return "read device identification";
  }
  return "unknown function";
}

const char* name(ExceptionCode code) {
  switch (code) {
    case ExceptionCode::illegal_function:
      return "illegal function";
    case ExceptionCode::illegal_address:
      return "illegal address";
    case ExceptionCode::illegal_value:
      return "illegal value";
    case ExceptionCode::device_failure:
      return "device failure";
    case ExceptionCode::acknowledge:
      return "acknowledged, still processing";
    case ExceptionCode::busy:
      return "device busy";
    case ExceptionCode::negative_acknowledge:
      return "negative acknowledge";
    case ExceptionCode::parity_error:
      return "memory parity error";
    case ExceptionCode::gateway_path:
      return "gateway has no path";
    case ExceptionCode::gateway_target:
      return "device behind the gateway does not answer";
  }
  return "unknown exception";
}

Bits::Bits(std::span<const bool> values) : Bits(values.size()) {
  for (std::size_t i = 0; i < count_; ++i) assign(i, values[i]);
}

Bits::Bits(Bytes packed, std::size_t count) : Bits(std::min(count, 8 * packed.size())) {
  std::copy_n(packed.begin(), (count_ + 7) / 8, bytes_.begin());
  if (count_ % 8 != 0) {
    auto& last = bytes_[count_ / 8];
    last = static_cast<std::uint8_t>(last & ((1u << (count_ % 8)) - 1));
  }
}

void Bits::assign(std::size_t i, bool value) {
  const unsigned bit = 1u << (i % 8);
  bytes_[i / 8] = static_cast<std::uint8_t>(value ? bytes_[i / 8] | bit : bytes_[i / 8] & ~bit);
}

}  // namespace tandem::modbus
