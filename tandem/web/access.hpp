// Who may come in, who may look and who may act: decided from what a request says, without sockets.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tandem/base/clock.hpp"
#include "tandem/web/server.hpp"

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
  bool token_told = false;   // in the address or in Authorization, where anybody can try one
  bool wrong_token = false;  // and it is wrong
  bool may_control = false;
  std::string only_looks;  // why it may not control, and what to do; empty if it may
  std::string cookie;      // for Set-Cookie, so that the page's files come without the token in their addresses
};

class Gate {
 public:
  // Throws std::invalid_argument for what cannot be: beyond loopback without a token, one token for both.
  Gate(Access access, const net::Endpoint& listening);

  Admission admit(const Visitor& visitor) const;
  bool loopback() const { return loopback_; }

 private:
  enum class Token { none, wrong, view, control };
  Token token_told(const Visitor& visitor) const;
  Token token_in_query(std::string_view query) const;
  Token token_of_cookie(std::string_view cookies) const;
  Token judge(std::string_view token) const;
  bool good_host(std::string_view host) const;
  bool listed(std::string_view origin) const;
  std::string cookie_value(std::string_view token) const;

  Access access_;
  bool loopback_;
  std::string own_address_;  // for people: "http://127.0.0.1:8088/"
  std::string cookie_name_;  // differs between two servers on one host
  std::string salt_;         // of this run: a cookie does not give the token away
};

bool is_loopback(std::uint32_t address);
// "localhost", "127.0.0.1", "[::1]", with or without a port.
bool names_loopback(std::string_view host);

// The value of a key in "a=1&b=2", with %XX and + decoded; empty if it is not there or badly written.
std::string query_value(std::string_view query, std::string_view key);
std::string_view raw_query_value(std::string_view query, std::string_view key);  // likewise, as it came
// %XX decoded; false for what is no byte, and for bytes that no path has (zero).
bool percent_decode(std::string_view text, std::string& decoded);

// How often each address came with a wrong token lately. Many addresses share the few places there are.
class WrongTokens {
 public:
  static constexpr int most = 20;
  static constexpr Duration lately = 60s;
  void note(std::uint32_t address, Instant when);
  bool too_many(std::uint32_t address, Instant when) const;

 private:
  struct Place {
    std::uint32_t address = 0;
    int count = 0;
    Instant since{};
  };
  std::array<Place, 256> places_{};
};

// A connection that is not, or not yet, a client's.
struct Waiter {
  std::uint32_t address = 0;
  bool one_too_many = false;  // of its address
};
// Which of them, the oldest first, goes when there is no room: one too many, else of the address that has most of them.
// So a crowd from one address does not push the others out. There is at least one.
std::size_t who_makes_room(std::span<const Waiter> waiters);

}  // namespace tandem::web
