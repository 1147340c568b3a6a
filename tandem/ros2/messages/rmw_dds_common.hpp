// SPDX-License-Identifier: Apache-2.0
// rmw_dds_common: the graph message, in the two forms that the distributions put on the wire under one type name.
#pragma once

#include "tandem/ros2/messages/types.hpp"
#include "tandem/ros2/types/message.hpp"

namespace tandem::ros2::rmw_dds_common {

// A GUID in the form of Iron and later.
struct Gid {
  static constexpr std::string_view type_name = "rmw_dds_common/msg/Gid";
  TANDEM_FIELDS(Gid, data);
  std::array<char, 16> data{};
};

// The same up to Humble: the GUID and eight zeros.
struct LongGid {
  static constexpr std::string_view type_name = "rmw_dds_common/msg/Gid";
  TANDEM_FIELDS(LongGid, data);
  std::array<char, 24> data{};
};

template <typename AnyGid>
struct AnyNodeEntitiesInfo {
  static constexpr std::string_view type_name = "rmw_dds_common/msg/NodeEntitiesInfo";
  TANDEM_FIELDS(AnyNodeEntitiesInfo, node_namespace, node_name, reader_gid_seq, writer_gid_seq);
  BoundedString<256> node_namespace;
  BoundedString<256> node_name;
  std::vector<AnyGid> reader_gid_seq;
  std::vector<AnyGid> writer_gid_seq;
};

template <typename AnyGid>
struct AnyParticipantEntitiesInfo {
  static constexpr std::string_view type_name = "rmw_dds_common/msg/ParticipantEntitiesInfo";
  TANDEM_FIELDS(AnyParticipantEntitiesInfo, gid, node_entities_info_seq);
  AnyGid gid;
  std::vector<AnyNodeEntitiesInfo<AnyGid>> node_entities_info_seq;
};

using NodeEntitiesInfo = AnyNodeEntitiesInfo<Gid>;
using ParticipantEntitiesInfo = AnyParticipantEntitiesInfo<Gid>;
using HumbleParticipantEntitiesInfo = AnyParticipantEntitiesInfo<LongGid>;

using Messages = Types<Gid, NodeEntitiesInfo, ParticipantEntitiesInfo>;
using Services = Types<>;
using Actions = Types<>;

}  // namespace tandem::ros2::rmw_dds_common
