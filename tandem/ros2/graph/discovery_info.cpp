// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/graph/discovery_info.hpp"

#include <algorithm>

#include "tandem/ros2/messages/rmw_dds_common.hpp"
#include "tandem/ros2/types/cdr.hpp"

namespace tandem::ros2 {
namespace {

template <typename WireGid>
WireGid wire_gid(const Gid& gid) {
  WireGid wire;
  std::memcpy(wire.data.data(), gid.data(), gid.size());
  return wire;
}

template <typename WireGid>
Gid gid_of(const WireGid& wire) {
  Gid gid;
  std::memcpy(gid.data(), wire.data.data(), gid.size());
  return gid;
}

template <typename WireGid>
std::vector<std::uint8_t> encode_as(const DiscoveryInfo& info) {
  rmw_dds_common::AnyParticipantEntitiesInfo<WireGid> wire;
  wire.gid = wire_gid<WireGid>(info.participant);
  for (const GraphNode& node : info.nodes) {
    auto& entry = wire.node_entities_info_seq.emplace_back();
    entry.node_namespace = node.name_space;
    entry.node_name = node.name;
    std::ranges::transform(node.readers, std::back_inserter(entry.reader_gid_seq), wire_gid<WireGid>);
    std::ranges::transform(node.writers, std::back_inserter(entry.writer_gid_seq), wire_gid<WireGid>);
  }
  std::vector<std::uint8_t> bytes;
  encode(wire, bytes);  // the names were checked to be shorter than their bound
  return bytes;
}

template <typename WireGid>
Result<DiscoveryInfo> decode_as(Bytes bytes) {
  rmw_dds_common::AnyParticipantEntitiesInfo<WireGid> wire;
  if (auto decoded = decode(bytes, wire); !decoded) return decoded.error();
  DiscoveryInfo info{gid_of(wire.gid), {}};
  for (const auto& entry : wire.node_entities_info_seq) {
    GraphNode& node = info.nodes.emplace_back();
    node.name = entry.node_name;
    node.name_space = entry.node_namespace;
    node.participant = info.participant;
    std::ranges::transform(entry.reader_gid_seq, std::back_inserter(node.readers), gid_of<WireGid>);
    std::ranges::transform(entry.writer_gid_seq, std::back_inserter(node.writers), gid_of<WireGid>);
  }
  return info;
}

}  // namespace

std::vector<std::uint8_t> encode_discovery_info(const DiscoveryInfo& info, bool humble) {
  return humble ? encode_as<rmw_dds_common::LongGid>(info) : encode_as<rmw_dds_common::Gid>(info);
}

Result<DiscoveryInfo> decode_discovery_info(Bytes bytes) {
  // Behind the header, bytes 16 to 19 are the number of nodes in the short form, zeros in the long one. A short
  // form without nodes ends right there.
  constexpr std::size_t header = 4;
  const bool humble = bytes.size() >= header + 28 &&
                      std::ranges::all_of(bytes.subspan(header + 16, 4), [](std::uint8_t byte) { return byte == 0; });
  return humble ? decode_as<rmw_dds_common::LongGid>(bytes) : decode_as<rmw_dds_common::Gid>(bytes);
}

}  // namespace tandem::ros2
