// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/rtps/acknacks.hpp"

#include <algorithm>
#include <cstring>

namespace tandem::ros2 {
namespace {

constexpr std::size_t prefix_size = 12;
constexpr std::size_t prefix_at = 8;
constexpr std::uint32_t most_requests = 1u << 30;

bool has_vendor(Bytes message, std::uint8_t last) {
  return message.size() >= rtps_header_size && message[6] == 1 && message[7] == last;
}

void set_prefix(Gid& gid, Bytes prefix) { std::copy_n(prefix.begin(), prefix_size, gid.begin()); }

void put(std::span<std::uint8_t> message, std::size_t at, std::uint32_t value, bool little) {
  for (std::size_t i = 0; i < 4; ++i) message[at + i] = static_cast<std::uint8_t>(value >> 8 * (little ? i : 3 - i));
}

}  // namespace

bool is_from_cyclone(Bytes message) { return has_vendor(message, 0x10); }
bool is_from_eprosima(Bytes message) { return has_vendor(message, 0x0f); }

Acknacks::Acknacks(Bytes message) : submessages_(message) {
  if (message.size() >= rtps_header_size) set_prefix(source_, message.subspan(prefix_at));
}

std::optional<Acknack> Acknacks::next() {
  constexpr std::uint8_t is_final = 2;
  while (const std::optional<Submessage> submessage = submessages_.next()) {
    const auto [kind, flags, start, body] = *submessage;
    if (kind >= SubmessageKind::sec_body && kind <= SubmessageKind::srtps_postfix) secured_ = true;
    if (kind == SubmessageKind::info_source) addressed_ = false, secured_ = true;  // another source: not looked into
    if (kind == SubmessageKind::info_destination && body.size() >= prefix_size) {
      addressed_ = true;
      set_prefix(destination_, body);
    }
    if (kind != SubmessageKind::acknack || !addressed_ || secured_) continue;
    Acknack found{.reader = source_, .writer = destination_, .little = submessage->little()};
    RtpsFields in(body, found.little);
    const Bytes reader = in.part(4).rest(), writer = in.part(4).rest();
    found.base_at = start + 4 + in.position();
    const std::int64_t base = in.sequence();
    const auto bits = in.next<std::uint32_t>();
    in.skip((std::size_t{bits} + 31) / 32 * 4);
    found.count_at = start + 4 + in.position();
    in.skip(4);
    if (!in.ok()) continue;
    std::ranges::copy(reader, found.reader.begin() + prefix_size);
    std::ranges::copy(writer, found.writer.begin() + prefix_size);
    found.requests_heartbeat = (flags & is_final) == 0 && bits == 0 && base <= 1;
    return found;
  }
  return {};
}

void translate(std::span<std::uint8_t> message, const Acknack& acknack, std::uint32_t request) {
  if (acknack.requests_heartbeat) {
    put(message, acknack.base_at, 0, acknack.little);
    put(message, acknack.base_at + 4, 0, acknack.little);
    return put(message, acknack.count_at, request % most_requests, acknack.little);
  }
  const Bytes field = Bytes(message).subspan(acknack.count_at, 4);
  const auto count = RtpsFields(field, acknack.little).next<std::uint32_t>();
  put(message, acknack.count_at, count + most_requests, acknack.little);
}

}  // namespace tandem::ros2
