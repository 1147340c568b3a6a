// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/codec/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tandem::ads {
namespace {

struct Words {
  std::uint32_t code;
  const char* text;
};

// Sorted by code.
constexpr std::array table{
    Words{0x000, "no error"},
    Words{0x001, "internal error"},
    Words{0x006, "target port not found"},
    Words{0x007, "target machine not found: no route to that NetId"},
    Words{0x008, "unknown command id"},
    Words{0x00A, "no input or output"},
    Words{0x00D, "port not connected"},
    Words{0x010, "TwinCAT not started"},
    Words{0x012, "port disabled"},
    Words{0x500, "router: no locked memory"},
    Words{0x506, "router: port already in use"},
    Words{0x507, "router: port not registered"},
    Words{0x508, "router: no more ports"},
    Words{0x700, "device error"},
    Words{0x701, "service not supported by the device"},
    Words{0x702, "invalid index group"},
    Words{0x703, "invalid index offset"},
    Words{0x704, "access not permitted"},
    Words{0x705, "invalid size"},
    Words{0x706, "invalid data"},
    Words{0x707, "device not ready"},
    Words{0x708, "device busy"},
    Words{0x709, "wrong operating context"},
    Words{0x70A, "device out of memory"},
    Words{0x70B, "invalid parameter"},
    Words{0x70C, "not found"},
    Words{0x70D, "syntax error"},
    Words{0x70E, "objects do not match"},
    Words{0x70F, "object already exists"},
    Words{0x710, "symbol not found"},
    Words{0x711, "symbol version invalid: the program was changed, request the handle again"},
    Words{0x712, "device in an invalid state"},
    Words{0x713, "transmission mode not supported"},
    Words{0x714, "notification handle invalid"},
    Words{0x715, "notification client unknown"},
    Words{0x716, "no more notification handles"},
    Words{0x717, "notification too large"},
    Words{0x718, "device not initialised"},
    Words{0x719, "device timed out"},
    Words{0x723, "access denied"},
    Words{0x740, "client error"},
    Words{0x741, "client: invalid parameter"},
    Words{0x745, "client: timed out"},
    Words{0x748, "client: port not open"},
    Words{0x749, "client: no AMS address"},
    Words{0x752, "client: unknown notification"},
};
static_assert(std::ranges::is_sorted(table, {}, &Words::code));

Fault fault_of(std::uint32_t code) {
  switch (code) {
    case code::symbol_not_found:
    case code::not_found:
      return Fault::not_found;
    case code::no_such_port:
    case code::no_such_machine:
      return Fault::unreachable;
    case code::busy:
      return Fault::busy;
    case code::not_supported:
    case code::unknown_command:
      return Fault::unsupported;
    default:
      return Fault::device;
  }
}

}  // namespace

std::string text_of(std::uint32_t code) {
  const auto* const found = std::ranges::lower_bound(table, code, {}, &Words::code);
  if (found != table.end() && found->code == code) return fmt::format("{} (0x{:X})", found->text, code);
  return fmt::format("ADS error 0x{:X}", code);
}

Error device_error(const std::string& what, std::uint32_t code) {
  return {fault_of(code), fmt::format("{}: {}", what, text_of(code)), code};
}

}  // namespace tandem::ads
