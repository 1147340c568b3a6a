// SPDX-License-Identifier: Apache-2.0
// What a program says to the page of another tandem and hears from it, as bytes: the upgrade to WebSocket, then the
// Foxglove protocol as a client. No sockets here. The other side may be anyone: any bytes may come.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"
#include "tandem/web/http/websocket.hpp"

namespace tandem::web {

// What one server may send; more ends the conversation with an error.
inline constexpr std::size_t longest_answer_head = 16 << 10;      // bytes of the answer to the upgrade
inline constexpr std::size_t longest_refusal = 4 << 10;           // bytes of a refusal that are read
inline constexpr std::size_t longest_server_message = 32u << 20;  // bytes; the status of thousands of machines
inline constexpr std::size_t most_server_services = 16384;
inline constexpr std::size_t longest_service_name = 256;  // bytes; longer ones are left out

// Who hears what comes. Called within Conversation::take(); what is lent is valid until it returns.
class Ears {
 public:
  virtual ~Ears() = default;
  // Of a topic that was asked for; `stamp_ns` is the server's.
  virtual void message(std::string_view topic, std::uint64_t stamp_ns, Bytes payload) = 0;
  virtual void answer(std::uint32_t call, const Result<Bytes>& answer) = 0;
};

struct Greeting {
  std::string host;                 // for the Host header: "10.0.0.5:8088"
  std::string token;                // empty: none is sent; no control characters
  std::vector<std::string> topics;  // to be subscribed as soon as they are there
};

class Conversation {
 public:
  // Throws std::runtime_error when the system has no random bytes.
  Conversation(Greeting greeting, Ears& ears);

  // What is to be sent next, and was not given out before.
  std::vector<std::uint8_t> take_unsent();
  // Bytes that came. After an error the conversation is over, and the error says why in words.
  Result<void> take(Bytes bytes);
  // The connection ended: why, as far as the server has said it.
  Error ended(const Error& error) const;

  bool is_open() const { return may_control_.has_value(); }  // the server has introduced itself
  bool may_control() const { return may_control_.value_or(false); }
  const std::string& version() const { return version_; }     // of the other tandem; empty: it is none
  bool knows_services() const { return !services_.empty(); }  // the server has told them, all at once
  bool offers(const std::string& service) const { return services_.contains(service); }
  // The number of the call, for its answer. Fault::not_found: there is no such service (yet).
  Result<std::uint32_t> call(const std::string& service, std::string_view json);

 private:
  enum class State : std::uint8_t { head, refusal, open, over };
  Result<void> take_head(Bytes& bytes);
  Result<void> judge_head();
  Error refusal() const;
  Result<void> hear(const ClientMessage& message);
  Result<void> hear_text(std::string_view text);
  Result<void> hear_binary(Bytes message);
  void send(Opcode opcode, Bytes payload);

  Greeting greeting_;
  Ears& ears_;
  State state_ = State::head;
  std::string key_;           // of the upgrade, base64
  std::string head_;          // of the answer; then what follows a refusal
  int status_ = 0;            // of a refusal
  std::size_t expected_ = 0;  // bytes of its text
  FrameReader reader_{longest_server_message, Sender::server};
  std::vector<std::uint8_t> unsent_;
  std::optional<bool> may_control_;
  std::string version_;
  std::map<std::string, std::uint32_t> services_;
  std::map<std::uint32_t, std::string> subscriptions_;  // topic by our own id
  std::map<std::uint32_t, std::uint32_t> calls_;        // service by call
  std::uint32_t next_id_ = 1;
};

}  // namespace tandem::web
