// SPDX-License-Identifier: Apache-2.0
// Lists of parameters in RTPS: whether what they count and measure is there. Only the screen uses this.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "tandem/ros2/rtps/fields.hpp"
#include "tandem/ros2/transport/addresses.hpp"

namespace tandem::ros2 {

inline constexpr std::int32_t longest_lease = 100;  // s, the default of RTPS

// Bytes that Fast DDS sees instead of those in the message.
struct Patch {
  std::size_t place = 0;
  std::size_t size = 0;
  std::array<std::uint8_t, 8> bytes{};
};

struct LocatorNote {
  std::size_t place = 0;  // of its parameter
  Ipv4 address{};
  bool for_multicast = false;  // what its parameter is for
};

struct DiscoveryNotes {
  std::vector<Patch> patches;
  std::vector<LocatorNote> locators;  // those of UDP over IPv4
  // Whose: Fast DDS takes the first for the key of a sample and the last for what it describes.
  std::optional<Guid> participant;
  std::optional<Guid> endpoint;        // a reader or writer that is described
  std::optional<Guid> key;             // the key hash, which counts as much
  bool names_several = false;          // more than one participant, endpoint or key
  std::int32_t lease = longest_lease;  // of an announcement: for how many seconds it holds
  bool names_endpoints = false;        // its builtin ones
};

// What the inline QoS of a sample says of its instance. Fast DDS believes it with and without data behind it.
struct InlineQos {
  bool ends = false;           // disposed or unregistered
  bool has_key = false;        // a key hash
  bool names_another = false;  // a key hash that is not the expected one
  bool names_several = false;  // more than one key hash
  Guid key{};                  // the last, if there is one
};

// Reads inline QoS up to and with its end mark.
const char* inline_qos_fault(RtpsFields& in, const Guid& expected_key, InlineQos& qos);

// Null, or why Fast DDS must not read this as discovery. It takes memory by counts without looking whether there is
// anything to count. Descriptions of types in their XTypes form are hidden: nothing here reads them. Leases that are
// longer than the longest, or infinite, are shortened. Places are counted from the begin of `payload`.
const char* discovery_fault(Bytes payload, DiscoveryNotes& notes);

// Makes Fast DDS skip the parameter that begins there.
inline Patch hidden_parameter(std::size_t place) { return {place, 2, {}}; }

}  // namespace tandem::ros2
