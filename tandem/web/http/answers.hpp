// SPDX-License-Identifier: Apache-2.0
// Answers over HTTP/1.1, as bytes: the page's files, what a handler gives, refusals in plain words.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/web/http/page_files.hpp"
#include "tandem/web/server/server.hpp"

namespace tandem::web {

struct Answer {
  int status = 200;
  std::vector<std::string> headers = {};  // "Name: value"; those that every answer has are added by head()
  std::string text = {};                  // the body, or
  Bytes body = {};                        // the body, which lives in the program or in `shared`
  std::shared_ptr<const std::vector<std::uint8_t>> shared = {};
  std::string why = {};  // of a refusal, without its status

  Bytes content() const { return text.empty() ? body : as_bytes(text); }
  // Status line and headers, down to the empty line. `socket`: where the page may connect beside its own origin, as
  // "ws://127.0.0.1:8088"; since 'self' does not mean that to every browser.
  std::string head(bool keep_alive, std::string_view socket = {}) const;
};

// What is wrong and what to do about it, as plain text.
Answer refusal(int status, std::string_view text);
Answer answer_from(Response response);
Answer file_answer(const PageFile& file, std::string_view if_none_match, std::string_view accept_encoding);
Answer upgrade_answer(std::string_view accept_key, std::string_view subprotocol);

// "ws://HOST" for a Content-Security-Policy; empty where the Host header has what no host has.
std::string socket_source(std::string_view host, bool tls);

bool accepts_gzip(std::string_view accept_encoding);

}  // namespace tandem::web
