// SPDX-License-Identifier: Apache-2.0
// Any bytes as what a host of a fleet sends: the first byte says whether they are a status, a clock's answer, the
// answer to the upgrade, or frames after a good one.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "tandem/runtime/fleet/host_link.hpp"
#include "tandem/web/http/websocket.hpp"

namespace {

using namespace tandem;

struct Deaf final : web::Ears {
  void message(std::string_view topic, std::uint64_t, Bytes payload) override {
    if (topic != "/tandem/status") std::abort();
    (void)runtime::status_from_host({reinterpret_cast<const char*>(payload.data()), payload.size()});
  }
  void answer(std::uint32_t, const Result<Bytes>&) override {}
};

std::string accepted(const std::vector<std::uint8_t>& request) {
  const std::string text(request.begin(), request.end());
  const auto key = web::accept_key(text.substr(text.find("Sec-WebSocket-Key: ") + 19, 24));
  return "HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: " + *key +
         "\r\nSec-WebSocket-Protocol: foxglove.sdk.v1\r\n\r\n";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Bytes bytes(data + 1, size - 1);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const int kind = data[0] % 4;
  if (kind == 0) {
    (void)runtime::status_from_host(text);
    return 0;
  }
  if (kind == 1) {
    runtime::OffsetMeter meter;
    if (auto exchange = runtime::exchange_from_json(text)) (void)meter.add(*exchange);
    return 0;
  }
  Deaf deaf;
  web::Conversation conversation({"127.0.0.1:8088", "", {"/tandem/status"}}, deaf);
  const std::string good = accepted(conversation.take_unsent());
  if (kind == 3 && !conversation.take(as_bytes(good))) std::abort();
  // In pieces, as they come from a network.
  const std::size_t piece = 1 + data[0] / 4;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    if (!conversation.take(bytes.subspan(at, std::min(piece, bytes.size() - at)))) break;
    (void)conversation.call("/tandem/clock", "{}");
    (void)conversation.take_unsent();
  }
  (void)conversation.ended({Fault::closed, "closed"});
  return 0;
}
