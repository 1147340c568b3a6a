// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/rtps/relay.hpp"

#include <algorithm>

namespace tandem::ros2 {
namespace {

// Servers say with the key alone that something ends.
Relay without_data(const InlineQos& qos) {
  if (!qos.ends || !qos.has_key) return {"a sample without data ends nothing"};
  return {nullptr, participant_prefix(qos.key), true};
}

}  // namespace

Relay relayed_participant(const InlineQos& qos, const DiscoveryNotes* notes) {
  constexpr const char* several = "an announcement names several participants";
  if (qos.names_several) return {several};
  Relay relay = notes == nullptr ? without_data(qos) : Relay{nullptr, {}, qos.ends};
  if (relay.fault != nullptr) return relay;
  if (notes != nullptr) {
    if (!notes->participant) return {"an announcement names no participant"};
    relay.whose = participant_prefix(*notes->participant);
    const bool agrees = !notes->names_several && notes->key.value_or(*notes->participant) == *notes->participant &&
                        *notes->participant == participant_guid(relay.whose);
    if (!agrees) return {several};
    if (!relay.ends && !notes->names_endpoints) return {"it announces no builtin endpoints"};
  }
  if (qos.has_key && qos.key != participant_guid(relay.whose)) return {several};
  return relay;
}

Relay relayed_endpoint(const InlineQos& qos, const DiscoveryNotes* notes) {
  constexpr const char* several = "it describes several readers or writers";
  if (qos.names_several) return {several};
  if (notes == nullptr) return without_data(qos);
  if (notes->names_several) return {several};
  const std::optional<Guid> named = notes->endpoint ? notes->endpoint : notes->key;
  if (!named) return {"it describes a reader or writer without a name"};
  const Relay relay{nullptr, participant_prefix(*named), qos.ends};
  const bool agrees = notes->key.value_or(*named) == *named && (!qos.has_key || qos.key == *named) &&
                      (!notes->participant || participant_prefix(*notes->participant) == relay.whose);
  return agrees ? relay : Relay{several};
}

bool key_agrees(const InlineQos& qos, Bytes key) {
  if (key.empty()) return true;
  if (!qos.has_key) return false;
  if (key.size() <= qos.key.size()) return std::ranges::equal(key, qos.key);
  DiscoveryNotes notes;
  if (discovery_fault(key, notes) != nullptr || notes.names_several) return false;
  const std::optional<Guid> owner = notes.participant, named = notes.endpoint ? notes.endpoint : notes.key;
  return named.value_or(owner.value_or(Guid{})) == qos.key && notes.key.value_or(qos.key) == qos.key &&
         (!owner || participant_prefix(*owner) == participant_prefix(qos.key));
}

}  // namespace tandem::ros2
