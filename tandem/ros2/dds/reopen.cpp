// SPDX-License-Identifier: Apache-2.0
// What changes around a participant while it runs: discovery servers, and the addresses of this computer.
//
// When this computer gets another address: peers keep sending to the one that they were commanded with each endpoint,
// so every endpoint is recreated, and told of with the new one.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tandem/ros2/dds/participant.hpp"
#include "tandem/ros2/transport/addresses.hpp"

namespace tandem::ros2 {
namespace {

constexpr Duration lookup_period = 10s;
constexpr Duration patience_with_servers = 3s;

}  // namespace

void Participant::enroll(Endpoint& endpoint) {
  const std::lock_guard lock(endpoints_mutex_);
  endpoints_.insert(&endpoint);
}

void Participant::dismiss(Endpoint& endpoint) {
  {
    const std::lock_guard lock(endpoints_mutex_);
    endpoints_.erase(&endpoint);
  }
  const std::lock_guard wait_for_reopening(endpoint.reopening);
}

// One at a time, and without the lock of all: a callback of one may end another.
void Participant::reopen_endpoints() {
  std::vector<Endpoint*> all;
  {
    const std::lock_guard lock(endpoints_mutex_);
    all.assign(endpoints_.begin(), endpoints_.end());
  }
  for (Endpoint* endpoint : all) {
    std::unique_lock registered(endpoints_mutex_);
    if (!endpoints_.contains(endpoint)) continue;
    const std::lock_guard lock(endpoint->reopening);
    registered.unlock();
    endpoint->reopen();
  }
}

// An address that goes and comes back changes nothing: peers know it still.
void Participant::follow_addresses() {
  if (!reaches_out(options_)) return;
  const std::set<std::string> now = own_addresses();
  if (std::ranges::includes(addresses_, now)) return;
  std::string text;
  for (const std::string& address : now) text += (text.empty() ? "" : ", ") + address;
  try {
    take_new_presence();
    addresses_ = now;
    text = fmt::format("this computer has a new address ({}): peers are informed", text);
  } catch (const std::runtime_error& error) {
    text = fmt::format("this computer has a new address ({}), but {}", text, error.what());
  }
  report({Event::Kind::configuration, "", std::move(text)});
}

// A server that is lost is found by Fast DDS itself when it returns. A name without an address is not: it was not given
// to it.
void Participant::follow_servers() {
  if (options_.servers.empty()) return;
  const Instant at = now();
  bool is_known = true;
  for (const ServerState& state : notes_.servers->all()) {
    tell_of_server(state);
    is_known = is_known && state.is_resolved;
  }
  if (is_known || at < next_lookup_) return;
  const bool is_first = next_lookup_ == Instant{};  // the participant has just looked them up
  next_lookup_ = at + lookup_period;
  if (is_first) return;
  for (const ServerState& state : notes_.servers->all()) {
    if (state.is_resolved || !can_be_resolved(state.server.host)) continue;
    try {
      return take_new_presence();
    } catch (const std::runtime_error& error) {
      notes_.servers->set_resolved(state.server.id, false);  // tried again at the next lookup
      return report(
          {Event::Kind::configuration, "", fmt::format("discovery {}: {}", state.server.text(), error.what())});
    }
  }
}

void Participant::tell_of_server(const ServerState& state) {
  using Kind = ServerState::Kind;
  const auto told = told_of_servers_.find(state.server.id);
  const Duration age = now() - state.since;
  if (state.kind == Kind::searching && (age < patience_with_servers || !state.is_resolved)) return;
  if (told != told_of_servers_.end() && told->second == state.kind) return;
  const bool is_new = told == told_of_servers_.end();
  told_of_servers_[state.server.id] = state.kind;
  std::string text = fmt::format("discovery {}: ", state.server.text());
  if (state.kind == Kind::searching) {
    text +=
        fmt::format("no answer yet; expected a server that was started with -i {}, as one with another id stays silent",
                    state.server.id);
  } else if (state.kind == Kind::lost) {
    text += "lost; the graph may be old: nodes that end now stay in it, and new ones are not found through this server";
  } else if (is_new) {
    return;  // as it should be
  } else {
    text += "found";
  }
  report({Event::Kind::configuration, "", std::move(text)});
}

void Participant::take_new_presence() {
  std::vector<Event> warnings;  // told at the start
  presence()->turn_deaf();
  graph_.forget_remote();  // the new one finds them again
  notes_.endpoints->clear();
  notes_.relayed->clear();
  notes_.servers->begin(options_.servers, now());
  auto next = std::make_shared<Presence>(options_, this, notes_, warnings);
  {
    const std::lock_guard lock(presence_mutex_);
    former_ = presence_->gid();
    presence_.swap(next);
  }
  reopen_endpoints();
  graph_changed();
}

// What a latched topic holds goes into the new endpoint before any other thread writes there; no lock is held
// meanwhile, as Fast DDS may wait for one of its callbacks, and that for us.
void Writer::reopen() {
  const std::shared_ptr<Presence> next = participant_.presence();
  if (next == presence_) return;
  dds::DataWriter* const old = writer_;
  dds::DataWriter* const anew = open(*next);
  if (anew == nullptr) return;
  for (int tries = 0; writer_ == old; ++tries) {
    std::unique_lock lock(kept_mutex_);
    const std::deque<std::vector<std::uint8_t>> kept = kept_;
    const std::uint64_t count = kept_count_;
    lock.unlock();
    for (const std::vector<std::uint8_t>& bytes : kept) {
      const Bytes cdr(bytes);
      Pending pending{outgoing_bytes(cdr), static_cast<std::uint32_t>(bytes.size())};
      anew->write(&pending);
    }
    lock.lock();
    if (count != kept_count_ && tries < 10) continue;  // a client published meanwhile
    const std::lock_guard swap(swap_);
    writer_ = anew;
  }
  close(*presence_, old);
  matches_.forget(old);  // after its last callback
  presence_ = next;
}

// The old one ends first, so that nothing is received twice.
void Reader::reopen() {
  const std::shared_ptr<Presence> next = participant_.presence();
  if (next == presence_) return;
  dds::DataReader* old = nullptr;
  {
    const std::lock_guard lock(swap_);
    std::swap(old, reader_);
  }
  if (old != nullptr) close(*presence_, old);
  matches_.forget(old);
  dds::DataReader* const anew = open(*next);
  const std::lock_guard lock(swap_);
  reader_ = anew;
  presence_ = next;
}

}  // namespace tandem::ros2
