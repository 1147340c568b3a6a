// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/faults/stream.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>

namespace tandem::net {

namespace {

constexpr int reads_per_round = 16;
constexpr int writes_per_round = 256;  // so that slices of one byte do not starve the other connections and calls

// The line itself is patient: an end that does not read is the ends' affair, and their own time-outs decide.
void wait_for_ever(int fd) {
  const int never = 0;
  setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &never, sizeof never);
  setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &never, sizeof never);
}

// Closing with unread bytes would send a reset.
void close_orderly(TcpSocket& socket) {
  socket.shutdown_write();
  std::array<std::uint8_t, 16384> buffer;
  for (int reads = 0; reads < 64 && socket.read_now(buffer).ok(); ++reads) {
  }
  socket.close();
}

}  // namespace

FaultStream::FaultStream(TcpSocket client, TcpSocket device, std::uint64_t seed_to_device, std::uint64_t seed_to_client)
    : client_{.socket = std::move(client)},
      device_{.socket = std::move(device)},
      to_device_(false, seed_to_device),
      to_client_(false, seed_to_client) {
  wait_for_ever(client_.socket.fd());
  wait_for_ever(device_.socket.fd());
  // Upstream could not even be tried: the client finds a connection that is reset.
  if (!device_.socket.open()) device_.ended = device_.broken = true;
}

void FaultStream::receive(Side& from, FaultPath& path, const PathFaults& faults, Instant now) {
  std::array<std::uint8_t, 16384> buffer;
  for (int reads = 0; reads < reads_per_round && !from.ended && !path.full(); ++reads) {
    auto count = from.socket.read_now(buffer);
    if (!count) {
      from.ended = true;
      from.broken = count.error().code != 0;
      return;
    }
    if (*count == 0) return;
    path.take(Bytes(buffer).first(*count), faults, now);
  }
}

void FaultStream::deliver(Side& to, FaultPath& path, const PathFaults& faults, Instant now) {
  to.write_blocked = false;
  for (int writes = 0; writes < writes_per_round; ++writes) {
    const auto bytes = path.due(faults, now);
    if (!bytes) return;
    // After a half close, or to a side that is gone, there is no one to deliver to.
    if (to.told || to.broken) {
      path.left(bytes->size(), faults, now);
      continue;
    }
    auto count = to.socket.write_now(*bytes);
    if (!count) {
      to.ended = to.broken = true;
    } else if (*count == 0) {
      to.write_blocked = true;
      return;
    } else {
      path.left(*count, faults, now);
    }
  }
}

void FaultStream::pass_on_end(const Side& from, Side& to, const FaultPath& path, const PathFaults& faults) {
  if (!from.ended || from.broken || to.told || !path.empty() || faults.black_hole || faults.hold) return;
  to.socket.shutdown_write();
  to.told = true;
}

bool FaultStream::pump(const Faults& faults, Instant now) {
  receive(client_, to_device_, faults.to_device, now);
  receive(device_, to_client_, faults.to_client, now);
  deliver(device_, to_device_, faults.to_device, now);
  deliver(client_, to_client_, faults.to_client, now);
  pass_on_end(client_, device_, to_device_, faults.to_device);
  pass_on_end(device_, client_, to_client_, faults.to_client);

  if (to_device_.at_limit(faults.to_device) && !limit_hit(faults.to_device.at_limit)) return false;
  if (to_client_.at_limit(faults.to_client) && !limit_hit(faults.to_client.at_limit)) return false;
  // News of a reset travels like everything else: after what waits, and not through a black hole.
  const auto news_of_break = [](const Side& from, const FaultPath& path, const PathFaults& one) {
    return from.broken && path.empty() && !one.black_hole && !one.hold;
  };
  if (news_of_break(client_, to_device_, faults.to_device) || news_of_break(device_, to_client_, faults.to_client)) {
    cut(Cut::rst);
    return false;
  }
  return !(client_.told && device_.told);
}

bool FaultStream::limit_hit(Cut how) {
  const bool done_before = (how == Cut::half_to_client && client_.told) || (how == Cut::half_to_device && device_.told);
  if (done_before) return true;
  ++limits_hit_;
  return !cut(how);
}

bool FaultStream::cut(Cut how) {
  switch (how) {
    case Cut::fin:
      close_orderly(client_.socket);
      close_orderly(device_.socket);
      return true;
    case Cut::rst:
      client_.socket.reset();
      device_.socket.reset();
      return true;
    case Cut::half_to_client:
      client_.socket.shutdown_write();
      client_.told = true;
      return false;
    case Cut::half_to_device:
      device_.socket.shutdown_write();
      device_.told = true;
      return false;
  }
  return false;
}

void FaultStream::watch_side(const Side& side, const FaultPath& in, const FaultPath& out, const PathFaults& out_faults,
                             std::vector<Watch>& watches, Instant& wake) {
  watches.push_back({.fd = side.broken ? -1 : side.socket.fd(),
                     .want_read = !side.ended && !in.full(),
                     .want_write = side.write_blocked});
  if (!side.write_blocked) wake = std::min(wake, out.next(out_faults));
}

void FaultStream::watch(const Faults& faults, std::vector<Watch>& watches, Instant& wake) const {
  watch_side(client_, to_device_, to_client_, faults.to_client, watches, wake);
  watch_side(device_, to_client_, to_device_, faults.to_device, watches, wake);
}

}  // namespace tandem::net
