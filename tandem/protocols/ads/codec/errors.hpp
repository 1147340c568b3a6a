// SPDX-License-Identifier: Apache-2.0
// ADS error codes, in numbers and in words.
#pragma once

#include <cstdint>
#include <string>

#include "tandem/base/result.hpp"

namespace tandem::ads {

namespace code {
inline constexpr std::uint32_t ok = 0;
inline constexpr std::uint32_t no_such_port = 0x006;
inline constexpr std::uint32_t no_such_machine = 0x007;
inline constexpr std::uint32_t unknown_command = 0x008;
inline constexpr std::uint32_t device = 0x700;
inline constexpr std::uint32_t not_supported = 0x701;
inline constexpr std::uint32_t invalid_group = 0x702;
inline constexpr std::uint32_t invalid_offset = 0x703;
inline constexpr std::uint32_t not_permitted = 0x704;
inline constexpr std::uint32_t invalid_size = 0x705;
inline constexpr std::uint32_t invalid_data = 0x706;
inline constexpr std::uint32_t not_ready = 0x707;
inline constexpr std::uint32_t busy = 0x708;
inline constexpr std::uint32_t no_memory = 0x70A;
inline constexpr std::uint32_t invalid_parameter = 0x70B;
inline constexpr std::uint32_t not_found = 0x70C;
inline constexpr std::uint32_t syntax = 0x70D;
inline constexpr std::uint32_t symbol_not_found = 0x710;
inline constexpr std::uint32_t symbol_version = 0x711;
inline constexpr std::uint32_t invalid_state = 0x712;
inline constexpr std::uint32_t invalid_trans_mode = 0x713;
inline constexpr std::uint32_t invalid_notification = 0x714;
inline constexpr std::uint32_t no_more_handles = 0x716;
inline constexpr std::uint32_t timeout = 0x719;
inline constexpr std::uint32_t access_denied = 0x723;
inline constexpr std::uint32_t client_timeout = 0x745;
}  // namespace code

// "symbol not found (0x710)". Every number has an answer.
std::string text_of(std::uint32_t code);

// The error a device reported while doing `what`: "read MAIN.x: symbol not found (0x710)", with the code kept.
Error device_error(const std::string& what, std::uint32_t code);

// The device answered, and the answer was no: the link itself is fine.
inline bool is_refusal(const Error& error) {
  return error.fault == Fault::device || error.fault == Fault::not_found || error.fault == Fault::unsupported;
}

}  // namespace tandem::ads
