// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/rtps/parameters.hpp"

#include <algorithm>
#include <cstdint>

#include "tandem/ros2/rtps/security.hpp"

namespace tandem::ros2 {
namespace {

constexpr std::uint16_t end_mark = 0x0001, participant_id = 0x0050, endpoint_guid_id = 0x005a, key_hash_id = 0x0070,
                        status_id = 0x0071;

bool is_multicast_locator(std::uint16_t id) { return id == 0x0030 || id == 0x0033 || id == 0x0048; }
bool is_locator(std::uint16_t id) {
  const bool of_unicast = id == 0x002f || id == 0x0031 || id == 0x0032;  // of an endpoint, default, metatraffic
  return of_unicast || is_multicast_locator(id);
}
bool describes_type(std::uint16_t id) { return id == 0x0069 || id == 0x0072 || id == 0x0075; }

// Whether all that a parameter counts lies within it.
bool is_sound(std::uint16_t id, RtpsFields in) {
  switch (id) {
    case 0x0005:  // name of a topic
    case 0x0007:  // name of a type
    case 0x0062:  // name of a participant
    case 0x002c:  // user data
    case 0x002d:  // group data
    case 0x002e:  // topic data
      return skip_counted(in);
    case 0x0029:  // partitions
      return skip_many_counted(in, 1);
    case 0x0035:  // content filter: three names and an expression, and its arguments
      return skip_counted(in) && skip_counted(in) && skip_counted(in) && skip_counted(in) && skip_many_counted(in, 1);
    case 0x0059:  // properties
    case 0x1003:  // data tags
      return skip_many_counted(in, 2);
    case 0x0073:  // data representations
      return take_count(in, 2).has_value();
    case 0x1001:  // token of identity
    case 0x1002:  // token of permissions
    case 0x1006:  // token of the identity's status
      return skip_data_holder(in);
    case participant_id:
    case endpoint_guid_id:
    case key_hash_id:
      return in.remaining() == Guid{}.size();  // Fast DDS reads this many, whatever it says
    case 0x8006:                               // data sharing domains
      return take_count(in, 8).has_value();
    default:
      return !is_locator(id) || in.remaining() >= 24;
  }
}

void note_lease(RtpsFields in, std::size_t value_at, bool little, DiscoveryNotes& notes) {
  const auto whole = in.next<std::int32_t>();
  in.skip(4);
  if (!in.ok()) return;
  notes.lease = whole < 0 ? longest_lease : std::min(whole, longest_lease);
  if (whole >= 0 && whole <= longest_lease) return;
  Patch shortened{value_at, 8, {}};
  shortened.bytes[little ? 0 : 3] = static_cast<std::uint8_t>(longest_lease);
  notes.patches.push_back(shortened);
}

// Every participant announces itself, whatever it says; Fast DDS believes the end of none that says otherwise.
void note_endpoints(RtpsFields in, std::size_t value_at, bool little, DiscoveryNotes& notes) {
  constexpr std::uint8_t announces_participant = 1;
  const Bytes value = in.rest();
  const std::size_t lowest = little ? 0 : 3;
  notes.names_endpoints = true;
  if ((value[lowest] & announces_participant) != 0) return;
  notes.patches.push_back({value_at + lowest, 1, {static_cast<std::uint8_t>(value[lowest] | announces_participant)}});
}

void note_locator(std::uint16_t id, RtpsFields in, std::size_t start, DiscoveryNotes& notes) {
  constexpr std::int32_t udp_v4 = 1;
  const auto kind = in.next<std::int32_t>();
  in.skip(16);  // port, and the part of the address that IPv4 does not use
  LocatorNote note{.place = start, .for_multicast = is_multicast_locator(id)};
  for (std::uint8_t& byte : note.address) byte = in.next<std::uint8_t>();
  if (kind == udp_v4) notes.locators.push_back(note);
}

void note_guid(RtpsFields in, std::optional<Guid>& noted, DiscoveryNotes& notes) {
  Guid guid{};
  std::ranges::copy(in.rest(), guid.begin());
  notes.names_several = notes.names_several || (noted && *noted != guid);
  noted = guid;
}

void take_note(std::uint16_t id, RtpsFields in, std::size_t start, bool little, DiscoveryNotes& notes) {
  constexpr std::uint16_t lease = 0x0002, builtin_endpoints = 0x0058;
  if (id == lease) {
    note_lease(in, start + 4, little, notes);
  } else if (id == participant_id) {
    note_guid(in, notes.participant, notes);
  } else if (id == endpoint_guid_id) {
    note_guid(in, notes.endpoint, notes);
  } else if (id == key_hash_id) {
    note_guid(in, notes.key, notes);
  } else if (id == builtin_endpoints && in.remaining() >= 4) {
    note_endpoints(in, start + 4, little, notes);
  } else if (is_locator(id)) {
    note_locator(id, in, start, notes);
  } else if (describes_type(id)) {
    notes.patches.push_back(hidden_parameter(start));
  }
}

}  // namespace

const char* inline_qos_fault(RtpsFields& in, const Guid& expected_key, InlineQos& qos) {
  while (in.ok()) {
    const auto id = in.next<std::uint16_t>(), length = in.next<std::uint16_t>();
    if (!in.ok()) break;
    if (id == end_mark) return nullptr;
    const Bytes value = in.part((std::size_t{length} + 3) / 4 * 4).rest();
    if (id == status_id && std::ranges::any_of(value, [](std::uint8_t byte) { return byte != 0; })) qos.ends = true;
    if (id != key_hash_id) continue;
    const Guid before = qos.key;
    if (value.size() == qos.key.size()) std::ranges::copy(value, qos.key.begin());
    qos.names_several = qos.names_several || value.size() != qos.key.size() || (qos.has_key && before != qos.key);
    qos.has_key = true;
    qos.names_another = qos.names_another || !std::ranges::equal(value, expected_key);
  }
  return "a list of parameters has no end";
}

const char* discovery_fault(Bytes payload, DiscoveryNotes& notes) {
  constexpr std::uint8_t list_big = 2, list_little = 3;
  if (payload.size() < 4 || (payload[1] != list_big && payload[1] != list_little)) return nullptr;  // no such list
  const bool little = payload[1] == list_little;
  RtpsFields in(payload, little);
  in.skip(4);
  while (true) {
    const std::size_t start = in.position();
    const auto id = in.next<std::uint16_t>(), length = in.next<std::uint16_t>();
    if (in.ok() && id == end_mark) return nullptr;
    const RtpsFields value = in.part(length);
    if (!in.ok()) return "a list of parameters has no end";
    in.skip(std::min<std::size_t>((4 - length % 4) % 4, in.remaining()));
    if (!is_sound(id, value)) return "a parameter counts more than it holds";
    take_note(id, value, start, little, notes);
  }
}

}  // namespace tandem::ros2
