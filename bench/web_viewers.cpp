// SPDX-License-Identifier: Apache-2.0
// What twenty viewers cost the server: 4 kB sixty times a second and 10 kB ten times a second for each, beside a bare
// loop that sends the same bytes to twenty sockets; and what one that never reads does to the others.
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <atomic>
#include <set>
#include <thread>

#include "bench/cycles.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/web/server/server.hpp"

namespace {

using namespace tandem;
using namespace tandem::web;

constexpr std::size_t viewers = 20;
constexpr Duration period = 16'666'667ns;
constexpr Duration warm_up = 1s, measured = 5s;
const auto picture = std::make_shared<const std::vector<std::uint8_t>>(4096, std::uint8_t{'p'});
const auto status = std::make_shared<const std::vector<std::uint8_t>>(10240, std::uint8_t{'s'});

struct Share {
  double core = 0;        // of one core
  double gap_p99 = 0;     // s between two pictures at a viewer
  std::uint64_t got = 0;  // pictures
};

// Reads everything that comes, counts pictures and the time between them.
class Viewer {
 public:
  explicit Viewer(net::TcpSocket socket) : socket_(std::move(socket)) {}
  int fd() const { return socket_.fd(); }

  void read(bool note) {
    const auto count = socket_.read_now(chunk_);
    if (!count) return;
    const Instant when = now();
    // Messages are told apart by their letters; heads are short and hold none.
    for (std::size_t i = 0; i < *count; ++i) pictures_ += chunk_[i] == 'p' ? 1 : 0;
    for (; pictures_ >= picture->size(); pictures_ -= picture->size()) {
      if (note && last_ != Instant{}) gaps.push_back(seconds(when - last_));
      last_ = when;
    }
  }
  std::vector<double> gaps;

 private:
  net::TcpSocket socket_;
  std::vector<std::uint8_t> chunk_ = std::vector<std::uint8_t>(1 << 16);
  std::size_t pictures_ = 0;
  Instant last_{};
};

// All viewers in the calling thread, until the time is over.
Share watch_all(std::vector<Viewer>& all, const std::atomic<double>& busy) {
  std::vector<net::Watch> watches;
  for (const auto& viewer : all) watches.push_back({.fd = viewer.fd()});
  const Instant start = now() + warm_up;
  const Instant end = start + measured;
  double at_start = 0;
  for (bool noted = false; now() < end;) {
    if (!noted && now() >= start) {
      noted = true;
      at_start = busy;
    }
    static_cast<void>(net::wait(watches, end));
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (watches[i].ready_read) all[i].read(noted);
    }
  }
  Share share;
  share.core = (busy - at_start) / seconds(measured);
  std::vector<double> gaps;
  for (const auto& viewer : all) gaps.insert(gaps.end(), viewer.gaps.begin(), viewer.gaps.end());
  share.got = gaps.size();
  share.gap_p99 = bench::quantile(std::move(gaps), 0.99);
  return share;
}

struct Broadcaster : Handler {
  Outlet* outlet = nullptr;
  std::set<ClientId> clients;
  std::uint64_t ticks = 0;
  std::atomic<double> busy{0};  // s of CPU of the server's thread

  Response get(const Request&) override { return {}; }
  std::string choose(const std::vector<std::string>& offered) override { return offered.empty() ? "" : offered[0]; }
  void opened(const Client& client) override { clients.insert(client.id); }
  void text(ClientId, std::string_view) override {}
  void binary(ClientId, Bytes) override {}
  void closed(ClientId client) override { clients.erase(client); }
  void tick() override {
    busy = bench::thread_time();
    const bool both = ++ticks % 6 == 0;
    for (const ClientId client : clients) {
      outlet->send(client, {.droppable = true, .head_size = 13, .body = picture});
      if (both) outlet->send(client, {.droppable = true, .head_size = 13, .body = status});
    }
  }
};

net::TcpSocket join(std::uint16_t port) {
  auto socket = net::TcpSocket::connect("127.0.0.1", port, bench::in(5s));
  if (!socket) bench::give_up(socket.error().text);
  const std::string_view request =
      "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: bench\r\n\r\n";
  std::vector<std::uint8_t> reply(12);
  if (!socket->write_all(as_bytes(request), bench::in(5s)) || !socket->read_exact(reply, bench::in(5s)) ||
      std::string(reply.begin(), reply.end()) != "HTTP/1.1 101") {
    bench::give_up("the server did not upgrade");
  }
  return std::move(*socket);
}

Share with_server(bool stuck_too) {
  Broadcaster broadcaster;
  ServerOptions options;
  options.listen = "127.0.0.1:0";
  options.tick = period;
  Server server(options, broadcaster);
  broadcaster.outlet = &server;
  const std::jthread thread([&](const std::stop_token& stop) { server.run(stop); });
  net::TcpSocket stuck;
  if (stuck_too) stuck = join(server.local().port);
  std::vector<Viewer> all;
  for (std::size_t i = 0; i < viewers; ++i) all.emplace_back(join(server.local().port));
  return watch_all(all, broadcaster.busy);
}

void send_bare(int fd, const std::vector<std::uint8_t>& body) {
  std::uint8_t head[17] = {};
  iovec pieces[2] = {{head, sizeof head}, {const_cast<std::uint8_t*>(body.data()), body.size()}};  // sendmsg reads only
  msghdr message{};
  message.msg_iov = pieces;
  message.msg_iovlen = 2;
  if (sendmsg(fd, &message, MSG_NOSIGNAL) < 0) bench::give_up("a bare send failed");
}

Share with_bare_sends() {
  auto listener = net::TcpListener::listen("127.0.0.1", 0);
  if (!listener) bench::give_up(listener.error().text);
  std::vector<Viewer> all;
  std::vector<net::TcpSocket> ends;
  for (std::size_t i = 0; i < viewers; ++i) {
    auto viewer = net::TcpSocket::connect("127.0.0.1", listener->local().port, bench::in(5s));
    auto end = listener->accept(bench::in(5s));
    if (!viewer || !end) bench::give_up("no loopback connection");
    all.emplace_back(std::move(*viewer));
    ends.push_back(std::move(*end));
  }
  std::atomic<double> busy{0};
  const std::jthread thread([&](const std::stop_token& stop) {
    Instant next = now();
    for (std::uint64_t tick = 1; !stop.stop_requested(); ++tick) {
      busy = bench::thread_time();
      for (const auto& end : ends) {
        send_bare(end.fd(), *picture);
        if (tick % 6 == 0) send_bare(end.fd(), *status);
      }
      system_clock().sleep_until(next += period);
    }
  });
  return watch_all(all, busy);
}

}  // namespace

int main() {
  Share ours, bare, stuck;
  // In turns, and the least of each: a noisy machine only ever adds.
  for (int round = 0; round < 3; ++round) {
    const Share a = with_server(false), b = with_bare_sends(), c = with_server(true);
    if (round == 0 || a.core < ours.core) ours = a;
    if (round == 0 || b.core < bare.core) bare = b;
    if (round == 0 || c.core < stuck.core) stuck = c;
  }
  fmt::print("{} viewers, 4 kB at 60 Hz and 10 kB at 10 Hz each, {} s\n\n", viewers, seconds(measured));
  fmt::print("{:<34} {:>10} {:>14} {:>10}\n", "", "of a core", "gap p99, ms", "pictures");
  const auto row = [](std::string_view what, const Share& share) {
    fmt::print("{:<34} {:>9.2f}% {:>14.2f} {:>10}\n", what, 100 * share.core, 1e3 * share.gap_p99, share.got);
  };
  row("server", ours);
  row("bare loop of sendmsg", bare);
  row("server, one more that never reads", stuck);
  fmt::print("\nserver / bare: {:.2f}; wanted: at most 20 % of a core: {}\n", ours.core / bare.core,
             ours.core <= 0.2 ? "met" : "NOT MET");
  bench::report({.name = "server with 20 viewers",
                 .peer = "bare loop of sendmsg",
                 .ours = 100 * ours.core,
                 .theirs = 100 * bare.core,
                 .unit = "% of a core",
                 .ratio = bare.core / ours.core,
                 .wanted = "at most 20 % of a core",
                 .met = ours.core <= 0.2});
  bench::report_at_most("server, one more that never reads", 100 * stuck.core, "% of a core", 20);
  return ours.core <= 0.2 ? 0 : 1;
}
