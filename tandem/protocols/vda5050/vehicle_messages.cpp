// SPDX-License-Identifier: Apache-2.0
// What a vehicle sends, and when.
#include "tandem/protocols/vda5050/vehicle.hpp"

#include "tandem/protocols/vda5050/read.hpp"

namespace tandem::vda5050 {
namespace {

constexpr Duration between_answers = 10s;  // to others that say on its topic that it is not connected

}  // namespace

Outgoing Vehicle::send(std::string_view topic, std::string payload, bool retain) const {
  return {options_.identity.topic(topic), std::move(payload), 0, retain};
}

std::vector<Outgoing> Vehicle::take(const Times& times) {
  std::vector<Outgoing> due;
  const Identity& who = options_.identity;
  if (online_due_ && (!answered_at_ || times.now - *answered_at_ >= between_answers)) {
    answered_at_ = times.now;
    due.push_back(online(times));
  }
  if (factsheet_due_) {
    factsheet_due_ = false;
    due.push_back(send("factsheet", write_factsheet(who, {factsheet_id_++, times.utc}, options_.factsheet), true));
  }
  const bool changed = actions_.take_changed() || changed_;
  const Duration since = state_at_ ? times.now - *state_at_ : Duration::max();
  if (changed || since >= options_.state_interval || (repeat_ && since >= options_.repeat_state)) {
    changed_ = false;
    repeat_ = changed && options_.repeat_state > Duration{0};
    state_at_ = times.now;
    state_.actions = actions_.states();
    state_.errors = own_;
    state_.errors.insert(state_.errors.end(), rejections_.begin(), rejections_.end());
    due.push_back(send("state", write_state(who, {state_id_++, times.utc}, state_)));
  }
  const Duration pictured = visualization_at_ ? times.now - *visualization_at_ : Duration::max();
  if (options_.visualization_interval > Duration{0} && pictured >= options_.visualization_interval && state_.position) {
    visualization_at_ = times.now;
    due.push_back(send("visualization", write_visualization(who, {visualization_id_++, times.utc}, state_)));
  }
  return due;
}

Outgoing Vehicle::connection(ConnectionState state, std::uint32_t header_id, const Times& times) const {
  Outgoing message = send("connection", write_connection(options_.identity, {header_id, times.utc}, state), true);
  message.qos = 1;
  return message;
}

// The will is of the time of connecting: a lower headerId than that of ONLINE.
Outgoing Vehicle::will(const Times& times) { return connection(ConnectionState::broken, connection_id_++, times); }

Outgoing Vehicle::online(const Times& times) {
  online_due_ = false;
  changed_ = factsheet_due_ = true;
  return connection(ConnectionState::online, connection_id_++, times);
}

Outgoing Vehicle::offline(const Times& times) { return connection(ConnectionState::offline, connection_id_++, times); }

void Vehicle::receive_connection(std::string_view json, bool retained) {
  if (retained) return;  // of before this connection, whose ONLINE replaces it
  const auto state = read_connection(json);
  online_due_ = online_due_ || !state || *state != ConnectionState::online;
}

std::string Vehicle::own_connection_topic() const { return options_.identity.topic("connection"); }

std::vector<std::string> Vehicle::subscriptions() const {
  return {options_.identity.topic("order"), options_.identity.topic("instantActions")};
}

}  // namespace tandem::vda5050
