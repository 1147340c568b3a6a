// SPDX-License-Identifier: Apache-2.0
// A link to a device that is polled over Modbus TCP: its connection, its reset pulse, and what a failed request means.
// For one thread; every call ends by its deadline.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tandem/base/clock.hpp"
#include "tandem/base/quality.hpp"
#include "tandem/base/short_text.hpp"
#include "tandem/protocols/modbus/client.hpp"

namespace tandem::machines {

// What one exchange of commands for measurements brought; each link adds the measurements.
struct Exchange {
  Instant received{};
  Quality quality = Quality::live;  // of the measurements: invalid if they make no sense, stale if none came in time
  ShortText<160> why;               // when not live
  bool distrust = false;            // a write failed, or the device did not follow a command; `cause` says which
  ShortText<160> cause;
  bool saturated = false;

  void judge(Quality judged, std::string_view reason);
  void doubt(std::string_view reason);  // the first reason stays
  // A late answer and a busy device cost this exchange alone: the next write makes up for it. After any other failure
  // it is unknown what the device does.
  void write_failed(const Error& error);
  void read_failed(const Error& error);
};

// No answer in time, or a device that is busy.
bool is_silence(const Error& error);

// "modbus://HOST[:PORT][?unit=1]". Throws std::invalid_argument.
modbus::Peer modbus_peer_from(const std::string& device, std::uint16_t standard_port);

// In real time, not by the machine's clock: its deadlines are those of sockets.
class ModbusLink {
 public:
  bool open() const { return client_ && client_->open(); }
  void close();  // and no reset pulse stays high

  std::uint64_t timeouts() const { return counters().timeouts; }
  std::uint64_t late() const { return counters().dropped; }  // answers that came too late or to no request
  int answer_fd() const { return client_ ? client_->fd() : -1; }
  std::string delays() const { return client_ ? client_->delays(timeouts()) : std::string(); }

 protected:
  struct Coil {
    std::uint16_t address = 0;
    std::string name;
  };

  // Seconds for one answer, and until feedback is stale.
  ModbusLink(double response, double feedback);
  ~ModbusLink() = default;

  Result<void> open_client(const modbus::Peer& peer, Instant deadline, net::Tap* tap);
  modbus::Client& client() { return *client_; }
  const modbus::Client& client() const { return *client_; }
  Instant answer_deadline() const { return now() + answer_time_; }
  // Takes what has come of the answers, without waiting; whether this one and those before it are there or overdue.
  bool is_answered(modbus::RequestId last);
  bool pulsing() const { return pulsing_.has_value(); }
  Error lost() const;
  Result<void> write_coil(const Coil& coil, bool value, Instant deadline);
  // High for `length` seconds. Low is written whatever becomes of high.
  Result<void> pulse(const Coil& coil, double length, Instant deadline);
  // A reset that stays high would keep a device from tripping: before every exchange, if its end failed.
  void end_pulse();
  // A counter of the device; feedback is stale when it does not change.
  void watch_beat(std::uint16_t beat, std::string_view name, Exchange& exchange);

 private:
  modbus::ClientSession::Counters counters() const;

  const Duration answer_time_, stale_after_;
  std::optional<modbus::Client> client_;
  modbus::ClientSession::Counters past_;  // of earlier connections
  std::optional<Coil> pulsing_;           // may be high
  std::optional<std::uint16_t> beat_;
  Instant beat_changed_{};
};

}  // namespace tandem::machines
