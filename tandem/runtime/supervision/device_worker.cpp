// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/supervision/device_worker.hpp"

#include <algorithm>
#include <exception>

namespace tandem::runtime {
namespace {

constexpr Duration look_every = 2ms;     // at what is due without a request
constexpr Duration renew_every = 100ms;  // of what is watched, where nobody asks

bool same(const net::Watch& a, const net::Watch& b) {
  return a.fd == b.fd && a.connection == b.connection && a.want_read == b.want_read && a.want_write == b.want_write;
}

}  // namespace

void DeviceWorker::add(std::string name, machines::SharedDevice& device) {
  seats_.push_back({.name = std::move(name), .device = &device, .watched = {}, .entries = {}});
}

void DeviceWorker::run(const std::stop_token& stop) {
  Instant next_look{};
  while (!stop.stop_requested()) {
    call(poller_.wait(next_look));
    const Instant at = now();
    if (at < next_look) continue;
    next_look = at + look_every;
    for (Seat& seat : seats_)
      if (seat.due <= at) serve(seat);
  }
  for (Seat& seat : seats_) unwatch(seat);
}

// All that is ready is marked before anything is served, which may change what is watched.
void DeviceWorker::call(std::span<void* const> ready) {
  called_.clear();
  for (void* key : ready) {
    const Entry& entry = *static_cast<Entry*>(key);
    if (entry.index >= entry.seat->watched.size()) continue;
    net::Watch& watch = entry.seat->watched[entry.index];
    watch.ready_read = watch.want_read;
    watch.ready_write = watch.want_write;
    if (!std::exchange(entry.seat->called, true)) called_.push_back(entry.seat);
  }
  for (Seat* seat : called_) serve(*seat);
}

void DeviceWorker::serve(Seat& seat) {
  const bool called = std::exchange(seat.called, false);
  try {
    seat.device->serve(seat.watched);
    watch(seat, !called && now() - seat.renewed > renew_every);
  } catch (const std::exception& error) {
    unwatch(seat);
    seat.due = Instant::max();
    if (on_event_) on_event_({seat.name, "faulted", error.what(), true});
  }
}

// Connections come and go while it is served. One that is closed has left the poller by itself, and its number may be
// that of the next one already: so now and then all are watched anew.
void DeviceWorker::watch(Seat& seat, bool anew) {
  wanted_.clear();
  seat.due = seat.device->watch(wanted_);
  if (!anew && std::ranges::equal(wanted_, seat.watched, same)) {
    seat.watched = wanted_;  // without the marks
    return;
  }
  unwatch(seat);
  seat.renewed = now();
  while (seat.entries.size() < wanted_.size()) seat.entries.push_back({&seat, seat.entries.size()});
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    const net::Watch& watch = wanted_[i];
    if (!watch.want_read && !watch.want_write) continue;
    (void)poller_.add(watch.fd, &seat.entries[i], watch.want_read, watch.want_write);
  }
  seat.watched = wanted_;
}

void DeviceWorker::unwatch(Seat& seat) {
  for (const net::Watch& watch : seat.watched) poller_.remove(watch.fd);
  seat.watched.clear();
}

}  // namespace tandem::runtime
