// SPDX-License-Identifier: Apache-2.0
// How a request and its reply find each other on DDS. There are two dialects, on the same topics: rmw_fastrtps puts
// the request's identity beside the payload, rmw_cyclonedds into it, before the message.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/ros2/graph/graph.hpp"

namespace tandem::ros2 {

enum class Dialect {
  beside,  // related_sample_identity in the inline QoS: Fast DDS, and us
  inside,  // 16 bytes between the encapsulation header and the message: Cyclone DDS
};

Dialect dialect_of_vendor(std::uint8_t first, std::uint8_t second);
// A peer is matched here before it has matched us there, and what is sent in between is lost: the time to wait.
// Measured with Cyclone: 0.1 s mostly, and 3.0 s in one of twenty starts, when our announcement of the endpoint came
// too early and its third request for a heartbeat was the first that we saw. Fast DDS itself takes some milliseconds.
constexpr Duration settling_time(Dialect peer) { return peer == Dialect::inside ? Duration(3200ms) : Duration(100ms); }
// The first two bytes of a GUID are the vendor's, unless DDS Security has made it of a certificate.
Dialect guess_dialect(const Gid& peer);

// The 16 bytes of dialect `inside`.
struct CallId {
  std::uint64_t client = 0;  // anything that is the client's own
  std::int64_t sequence = 0;
  bool operator==(const CallId&) const = default;
};

inline constexpr std::size_t call_id_size = 16;

// Reads the id and closes the gap, so that from `call_id_size` on the bytes are a plain message with its header.
// Null, or why not.
const char* take_call_id(std::vector<std::uint8_t>& payload, CallId& id);

// A plain message with its header, and the id put into it.
std::vector<std::uint8_t> with_call_id(Bytes message, const CallId& id);

// USER_DATA that ties together the two endpoints of a client, or of a server: "clientid=1.f.a0. ... ;".
std::string endpoint_id(const char* key, const Gid& participant, std::uint32_t number);

// What USER_DATA says for a key: "b" of "a=..;key=b;"; "" without it.
std::string user_data_value(std::string_view user_data, std::string_view key);

// Whether the GUID is a reader's. Fast clients put their reply reader's beside a request.
bool is_reader(const Gid& gid);

}  // namespace tandem::ros2
