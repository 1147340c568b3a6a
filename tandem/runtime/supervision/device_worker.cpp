// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/supervision/device_worker.hpp"

#include <algorithm>
#include <exception>

namespace tandem::runtime {
namespace {

constexpr Duration look_every = 2ms;     // at what is due though nobody asks
constexpr Duration renew_every = 100ms;  // of what is watched, where nobody asks

bool same(const net::Watch& a, const net::Watch& b) {
  return a.fd == b.fd && a.want_read == b.want_read && a.want_write == b.want_write;
}

}  // namespace

void DeviceWorker::add(std::string name, machines::SharedDevice& device) {
  seats_.push_back({.name = std::move(name), .device = &device, .watched = {}});
}

void DeviceWorker::run(const std::stop_token& stop) {
  Instant next_look{};
  while (!stop.stop_requested()) {
    for (void* key : poller_.wait(next_look)) serve(*static_cast<Seat*>(key), true);
    const Instant at = now();
    if (at < next_look) continue;
    next_look = at + look_every;
    for (Seat& seat : seats_)
      if (seat.due <= at) serve(seat, false);
  }
  for (Seat& seat : seats_) unwatch(seat);
}

void DeviceWorker::serve(Seat& seat, bool called) {
  try {
    seat.device->serve();
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
  if (!anew && std::ranges::equal(wanted_, seat.watched, same)) return;
  unwatch(seat);
  seat.renewed = now();
  for (const net::Watch& watch : wanted_)
    if (watch.want_read || watch.want_write) (void)poller_.add(watch.fd, &seat, watch.want_read, watch.want_write);
  seat.watched = wanted_;
}

void DeviceWorker::unwatch(Seat& seat) {
  for (const net::Watch& watch : seat.watched) poller_.remove(watch.fd);
  seat.watched.clear();
}

}  // namespace tandem::runtime
