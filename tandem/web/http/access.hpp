// SPDX-License-Identifier: Apache-2.0
// Who may come in, who may look and who may act: decided from what a request says, without sockets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tandem/web/server/server.hpp"

namespace tandem::web {

// What a request says about who asks. Empty: it does not say.
struct Visitor {
  std::string_view host;           // Host
  std::string_view origin;         // Origin; only browsers send it
  std::string_view authorization;  // "Bearer ..." or "Basic ..."
  std::string_view cookie;
  std::string_view query;  // behind the "?" of the address, as it came
};

struct Admission {
  int status = 200;          // or 400, 401, 403
  std::string text;          // why not, and what to do
  bool token_given = false;  // in the address or in Authorization, where anyone can try one
  bool wrong_token = false;  // and it is wrong
  bool may_control = false;
  std::string only_looks;  // why it may not control, and what to do; empty if it may
  std::string cookie;      // for Set-Cookie, so that the page's files come without the token in their addresses
};

class Gate {
 public:
  // Throws std::invalid_argument for invalid access: beyond loopback without a token, one token for both. On loopback
  // without a control token a random one of this run is made.
  Gate(Access access, const net::Endpoint& listening);

  Admission admit(const Visitor& visitor) const;
  bool loopback() const { return loopback_; }
  // What follows the address of the page so that it may control: "?token=..."; empty: no one may.
  std::string control_query() const;
  // The same for the terminal and its log: the token of this run, and of the user's own only that one is needed.
  std::string printed_query() const;

 private:
  enum class Token { none, wrong, view, control };
  Token token_given(const Visitor& visitor) const;
  Token token_in_query(std::string_view query) const;
  bool has_cookie(std::string_view cookies) const;
  std::string why_view_only(bool wrong_token) const;
  Token judge(std::string_view token) const;
  bool good_host(std::string_view host) const;
  bool listed(std::string_view origin) const;
  std::string cookie_value(std::string_view token) const;

  Access access_;
  bool loopback_;
  bool of_this_run_ = false;  // the control token is random, and no one's to keep
  std::string own_address_;   // for people: "http://127.0.0.1:8088/"
  std::string cookie_name_;   // differs between two servers on one host
  std::string salt_;          // of this run: a cookie does not give the token away
};

bool is_loopback(std::uint32_t address);
// "localhost", "127.0.0.1", "[::1]", with or without a port.
bool names_loopback(std::string_view host);

}  // namespace tandem::web
