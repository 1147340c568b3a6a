// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/transport/server_gate.hpp"

#include <algorithm>
#include <utility>

#include "tandem/ros2/rtps/leave.hpp"
#include "tandem/ros2/rtps/samples.hpp"

namespace tandem::ros2 {
namespace {

// Whether an address can be somebody's. What is loopback here is elsewhere for a server elsewhere.
bool can_be_at(const Ipv4& address, bool server_is_here) {
  const bool is_nowhere = address[0] == 0 || address == Ipv4{255, 255, 255, 255} || is_multicast(address);
  return !is_nowhere && (!is_loopback(address) || server_is_here);
}

bool take(const Ipv4& address, std::vector<Ipv4>& addresses) {
  if (std::ranges::find(addresses, address) != addresses.end()) return true;
  if (addresses.size() == Relayed::most_addresses) return false;
  addresses.push_back(address);
  return true;
}

}  // namespace

ServerGate::ServerGate(ServerGateOptions options, std::shared_ptr<Relayed> relayed,
                       std::shared_ptr<const EndpointCounts> endpoints, OwnAddresses& own)
    : options_(std::move(options)), relayed_(std::move(relayed)), endpoints_(std::move(endpoints)), own_(own) {}

// Without a lock: whoever sends may hold those of Fast DDS.
void ServerGate::note_own_name(Bytes sent) {
  Naming expected = Naming::unknown;
  if (naming_.load(std::memory_order_relaxed) != expected || sent.size() < rtps_header_size) return;
  if (!naming_.compare_exchange_strong(expected, Naming::being_written)) return;
  own_name_ = source_of(sent);
  naming_.store(Naming::known, std::memory_order_release);
}

bool ServerGate::is_own_name(const ParticipantPrefix& who) const {
  return naming_.load(std::memory_order_acquire) == Naming::known && who == own_name_;
}

bool ServerGate::has_name_of_server(Bytes message) const {
  return message.size() >= rtps_header_size && options_.servers.contains(source_of(message));
}

bool ServerGate::is_from_server(Bytes message, const Ipv4& origin, Instant now) const {
  if (!has_name_of_server(message)) return false;
  return std::ranges::any_of(options_.servers.at(source_of(message)),
                             [&](const Ipv4& each) { return own_.origin(each, now) == origin; });
}

void ServerGate::pass(Bytes message, const Ipv4& origin, bool is_of_discovery, Instant now,
                      const std::function<void(Bytes)>& hand_over, const std::function<void(const char*)>& report) {
  const Arrival arrival{source_of(message), origin, is_of_discovery, now, hand_over, report};
  if (is_of_discovery) notice_restart(arrival, message);
  const auto parts = by_sample(message);
  if (parts.empty()) return pass_sample(arrival, message);
  for (const std::vector<std::uint8_t>& part : parts) pass_sample(arrival, part);
}

void ServerGate::notice_restart(const Arrival& arrival, Bytes message) {
  const std::optional<StreamMark> mark = stream_mark(message);
  if (!mark) return;
  const std::lock_guard lock(in_order_);
  Stream& stream = streams_[arrival.server];
  const bool is_back = stream.count > 0 && mark->count <= stream.count;
  if (is_back && arrival.now - stream.seen < longest_detour) return;
  if (is_back) {
    const std::int64_t next = stream.last + 1;
    arrival.hand_over(skip_to(arrival.server, next, stream.count + 1));
    arrival.hand_over(leave_of(arrival.server, next));
    stream.last = 0;
  }
  stream = {std::max(stream.last, mark->last), mark->count, arrival.now};
}

void ServerGate::pass_sample(const Arrival& arrival, Bytes message) {
  thread_local std::vector<std::uint8_t> copy, copy_of_whole;  // one receive thread for each port
  std::vector<Ipv4> addresses;
  const Screened result = screened(message, copy, rules(arrival, addresses));
  for (const FragmentPart& part : result.fragments) {
    const std::optional<std::vector<std::uint8_t>> whole = reassembly_.add(part, arrival.origin);
    if (!whole) continue;
    std::vector<Ipv4> of_whole;
    hand_on(arrival, *whole, screened(*whole, copy_of_whole, rules(arrival, of_whole)), of_whole);
  }
  hand_on(arrival, message, result, addresses);
}

ScreenRules ServerGate::rules(const Arrival& arrival, std::vector<Ipv4>& addresses) const {
  ScreenRules rules{options_.secured};
  rules.may_relay = [this, &arrival](const ParticipantPrefix& who) {
    return who == arrival.server || (!is_own_name(who) && !options_.servers.contains(who));
  };
  rules.is_address_of = [this, &arrival](const ParticipantPrefix& who, const Ipv4& address) {
    if (is_dds_group(address)) return true;
    if (who != arrival.server) return relayed_->has_address(who, address);
    return own_.origin(address, arrival.now) == arrival.origin || options_.servers.at(who).contains(address);
  };
  rules.may_announce_at = [&arrival, &addresses, is_address_of = rules.is_address_of](const ParticipantPrefix& who,
                                                                                      const Ipv4& address) {
    if (is_dds_group(address) || who == arrival.server) return is_address_of(who, address);
    return can_be_at(address, is_loopback(arrival.origin)) && take(address, addresses);
  };
  return rules;
}

const char* ServerGate::admission_fault(const Arrival& arrival, const Screened& result,
                                        const std::vector<Ipv4>& addresses) {
  if (result.fault != nullptr) return result.fault;
  if (result.describes_endpoints && endpoints_->all() >= options_.most_endpoints) {
    return "there are too many readers and writers already";
  }
  const bool of_another = result.announces && *result.announces != arrival.server;
  if (of_another && !relayed_->admit(*result.announces, addresses)) return "too many participants";
  return nullptr;
}

void ServerGate::hand_on(const Arrival& arrival, Bytes message, const Screened& result,
                         const std::vector<Ipv4>& addresses) {
  const std::lock_guard lock(in_order_);
  // Readers of discovery listen on even ports alone, those of topics on odd ones.
  if (!arrival.is_of_discovery && (result.announces || result.ends || result.describes_endpoints)) {
    return arrival.report("discovery message on a port for user data");
  }
  if (const char* fault = admission_fault(arrival, result, addresses)) {
    arrival.report(fault);
    const std::vector<std::uint8_t> gap = gap_instead(message);
    if (arrival.is_of_discovery && !gap.empty()) arrival.hand_over(gap);
    return;
  }
  if (result.ends) relayed_->forget(*result.ends);
  arrival.hand_over(result.message);
}

}  // namespace tandem::ros2
