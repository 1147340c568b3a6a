// SPDX-License-Identifier: Apache-2.0
// The client's side of the Foxglove protocol, for tests: reads the bytes that a server sends, writes those of a client.
// Written from the protocol's text alone, so that it checks what tandem/web writes and reads.
#pragma once

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"
#include "tandem/web/hub/foxglove.hpp"
#include "tandem/web/server/server.hpp"

namespace tandem::web::test {

using Buffer = std::vector<std::uint8_t>;

struct MessageData {
  std::uint32_t subscription = 0;
  std::uint64_t stamp = 0;
  Buffer payload;
};
struct TimeData {
  std::uint64_t stamp = 0;
};
struct ServiceResponse {
  std::uint32_t service = 0, call = 0;
  std::string encoding;
  Buffer payload;
};
struct AssetResponse {
  std::uint32_t request = 0;
  bool ok = false;
  std::string error;
  Buffer content;
};
using ServerBinary = std::variant<MessageData, TimeData, ServiceResponse, AssetResponse, PlaybackState>;

inline Buffer buffer_of(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

inline Result<ServerBinary> read_server_binary(Bytes bytes) {
  ByteReader reader(bytes);
  const std::uint8_t operation = reader.byte();
  ServerBinary read;
  if (operation == 1) {
    MessageData data{reader.little<std::uint32_t>(), reader.little<std::uint64_t>(), {}};
    data.payload = buffer_of(reader.rest());
    read = data;
  } else if (operation == 2) {
    read = TimeData{reader.little<std::uint64_t>()};
  } else if (operation == 3) {
    ServiceResponse response{reader.little<std::uint32_t>(), reader.little<std::uint32_t>(), {}, {}};
    response.encoding = reader.text(reader.little<std::uint32_t>());
    response.payload = buffer_of(reader.rest());
    read = response;
  } else if (operation == 4) {
    AssetResponse response{reader.little<std::uint32_t>(), reader.byte() == 0, {}, {}};
    response.error = reader.text(reader.little<std::uint32_t>());
    response.content = buffer_of(reader.rest());
    read = response;
  } else if (operation == 5) {
    PlaybackState state;
    const std::uint8_t status = reader.byte();
    if (status > 3) reader.fail();
    state.status = static_cast<PlaybackState::Status>(status & 3);
    state.time = reader.little<std::uint64_t>();
    state.speed = reader.little<float>();
    state.did_seek = reader.byte() != 0;
    state.request_id = reader.text(reader.little<std::uint32_t>());
    read = state;
  } else {
    reader.fail();
  }
  if (!reader.done()) return Error{Fault::invalid, "not what a server says", 0};
  return read;
}

inline Buffer client_message(std::uint32_t channel, Bytes payload) {
  Buffer out;
  ByteWriter writer(out);
  writer.byte(1);
  writer.little(channel);
  writer.bytes(payload);
  return out;
}

inline Buffer service_call(std::uint32_t service, std::uint32_t call, std::string_view encoding, Bytes payload) {
  Buffer out;
  ByteWriter writer(out);
  writer.byte(2);
  writer.little(service);
  writer.little(call);
  writer.little(static_cast<std::uint32_t>(encoding.size()));
  writer.text(encoding);
  writer.bytes(payload);
  return out;
}

inline Buffer playback_control(const PlaybackRequest& request) {
  Buffer out;
  ByteWriter writer(out);
  writer.byte(3);
  writer.byte(request.play ? 0 : 1);
  writer.little(request.speed);
  writer.byte(request.seek ? 1 : 0);
  writer.little(request.seek.value_or(0));
  writer.little(static_cast<std::uint32_t>(request.id.size()));
  writer.text(request.id);
  return out;
}

// All bytes of a frame, as they go over the wire.
inline Buffer bytes_of_frame(const Frame& frame) {
  Buffer out(frame.head.begin(), frame.head.begin() + static_cast<std::ptrdiff_t>(frame.head_size));
  if (frame.body) out.insert(out.end(), frame.body->begin(), frame.body->end());
  return out;
}

}  // namespace tandem::web::test
