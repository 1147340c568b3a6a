// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/calls/service_wire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tandem/ros2/types/cdr.hpp"

namespace tandem::ros2 {

Dialect dialect_of_vendor(std::uint8_t first, std::uint8_t second) {
  return first == 0x01 && second == 0x10 ? Dialect::inside : Dialect::beside;
}

Dialect guess_dialect(const Gid& peer) { return dialect_of_vendor(peer[0], peer[1]); }

const char* take_call_id(std::vector<std::uint8_t>& payload, CallId& id) {
  bool swapped = false;
  if (const char* reason = detail::open_cdr(payload, swapped)) return reason;
  if (payload.size() < detail::header_size + call_id_size) return "it is shorter than the header of a call";
  detail::CdrReader reader(Bytes(payload).subspan(detail::header_size), swapped);
  reader.scalar(id.client);
  reader.scalar(id.sequence);
  std::copy_n(payload.begin(), detail::header_size, payload.begin() + call_id_size);
  return nullptr;
}

std::vector<std::uint8_t> with_call_id(Bytes message, const CallId& id) {
  std::vector<std::uint8_t> payload(message.size() + call_id_size);
  if (message.size() < detail::header_size) return payload;
  bool swapped = false;
  static_cast<void>(detail::open_cdr(message, swapped));
  const auto ordered = [&](auto word) { return swapped ? tandem::detail::reversed(word) : word; };
  const std::uint64_t client = ordered(id.client), sequence = ordered(static_cast<std::uint64_t>(id.sequence));
  std::copy_n(message.begin(), detail::header_size, payload.begin());
  std::memcpy(payload.data() + detail::header_size, &client, 8);
  std::memcpy(payload.data() + detail::header_size + 8, &sequence, 8);
  std::copy(message.begin() + detail::header_size, message.end(), payload.begin() + detail::header_size + call_id_size);
  return payload;
}

std::string endpoint_id(const char* key, const Gid& participant, std::uint32_t number) {
  Gid id = participant;
  for (std::size_t i = 0; i < 4; ++i) id[12 + i] = static_cast<std::uint8_t>(number >> (24 - 8 * i));
  std::string text;
  for (const std::uint8_t byte : id) text += fmt::format("{}{:x}", text.empty() ? "" : ".", byte);
  return fmt::format("{}={};", key, text);
}

std::string user_data_value(std::string_view user_data, std::string_view key) {
  while (!user_data.empty()) {
    const std::string_view entry = user_data.substr(0, user_data.find(';'));
    const std::size_t equals = entry.find('=');
    if (equals != std::string_view::npos && entry.substr(0, equals) == key)
      return std::string(entry.substr(equals + 1));
    user_data.remove_prefix(std::min(entry.size() + 1, user_data.size()));
  }
  return "";
}

bool is_reader(const Gid& gid) { return (gid[15] & 0x04) != 0; }

}  // namespace tandem::ros2
