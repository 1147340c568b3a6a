// SPDX-License-Identifier: Apache-2.0
// Cuts HTTP requests out of a stream of bytes, whatever pieces it arrives in. Boost.Beast stays in http_request.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/bytes.hpp"

namespace tandem::web {

// Views into its reader. A header that is missing is empty.
struct HttpRequest {
  std::string_view target, host, origin, authorization, cookie, user_agent, if_none_match, accept_encoding;
  bool get = false, head = false;  // neither: another method
  bool keep_alive = false;
  bool has_body = false;
  bool several_hosts = false;

  bool upgrade = false;       // has an Upgrade header
  bool to_websocket = false;  // and is a GET of HTTP/1.1 that asks for WebSocket
  std::string_view websocket_version, websocket_key;
  std::vector<std::string> subprotocols;  // in the client's order
};

class RequestReader {
 public:
  RequestReader();
  ~RequestReader();

  enum class Outcome { more, whole, too_long, body_too_long, invalid };
  // Takes what belongs to the head of the request off the front; more bytes are needed after `more` alone.
  Outcome put(Bytes& bytes);
  const std::optional<HttpRequest>& request() const { return request_; }  // once it is whole

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::optional<HttpRequest> request_;
};

}  // namespace tandem::web
