// SPDX-License-Identifier: Apache-2.0
// The connection to one tandem of a fleet over its page: its status, how far its clock is from ours, and stop. It can
// neither arm nor reset.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/runtime/fleet/clock_offset.hpp"
#include "tandem/runtime/fleet/hosts.hpp"
#include "tandem/runtime/supervision/status.hpp"
#include "tandem/web/client/conversation.hpp"

namespace tandem::runtime {

// What is known of a host.
struct HostState {
  std::string name{}, page{};
  bool reachable = false;
  std::string error{};       // why it is not; or why its clock is not known
  bool may_control = false;  // our token allows stop
  std::string version{};     // of its tandem
  std::optional<ClockOffset> clock{};
  std::optional<SystemStatus> status{};
};

// The status of another host: texts that cannot disturb a terminal, numbers that can be printed. Any text may come.
Result<SystemStatus> status_from_host(std::string_view json);

class HostLink final : private web::Ears {
 public:
  explicit HostLink(const FleetHost& host) : host_(host) {}

  // Connects, and waits until the page has introduced itself.
  Result<void> open(Instant deadline);
  // Exchanges stamps this often, one after the other, and adds them to the offset.
  Result<void> measure(int exchanges, Instant deadline);
  // Waits for a status that was made after the last measure() (or the second one, where that was not possible).
  Result<SystemStatus> fresh_status(Instant deadline);
  // The newest that came since the last call, after receiving what comes until then.
  Result<std::optional<SystemStatus>> listen(Instant until);
  // A stop of all its machines that move. The answer in words; an error also when the host did not confirm it.
  Result<std::string> stop(Instant deadline);

  bool may_control() const { return conversation_ && conversation_->may_control(); }
  std::string version() const { return conversation_ ? conversation_->version() : ""; }
  std::optional<ClockOffset> clock() const { return meter_.offset(); }

 private:
  void message(std::string_view topic, std::uint64_t stamp_ns, Bytes payload) override;
  void answer(std::uint32_t call, const Result<Bytes>& answer) override;
  // Receives once, by the deadline at the latest; false: nothing came.
  Result<bool> receive(Instant deadline);
  Result<void> send_unsent(Instant deadline);
  Result<std::string> call(const std::string& service, std::string_view request, Instant deadline);
  Result<ClockExchange> exchange(Instant deadline);
  Error late(std::string_view what) const;

  const FleetHost host_;
  std::optional<web::Connection> connection_;
  std::unique_ptr<web::Conversation> conversation_;
  OffsetMeter meter_;
  std::map<std::uint32_t, Result<std::string>> answers_;  // that nobody took yet
  std::optional<std::uint32_t> waiting_;                  // the only call whose answer is wanted
  Instant came_{};                                        // when bytes came last
  std::optional<Result<SystemStatus>> newest_;
  std::uint64_t fresh_from_ = 0;  // stamps before this are of a status that was kept for newcomers, ns
  int statuses_ = 0;
  std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(65536);
};

// One look at a host: connects, measures, asks. Never longer than this, but for the name server's answer.
HostState look_at(const FleetHost& host, Duration within);
// One stop: connects and stops.
Result<std::string> stop_host(const FleetHost& host, Duration within);

}  // namespace tandem::runtime
