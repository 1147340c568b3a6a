// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <csignal>
#include <thread>

#include "tests/net/loopback.hpp"

namespace tandem::net {

namespace {

bool mentions(const Error& error, const std::string& words) { return error.text.find(words) != std::string::npos; }

struct Recorder : Tap {
  Buffer seen_in;
  Buffer seen_out;
  void passed(const Flow&, Direction direction, Bytes bytes, Instant) noexcept override {
    Buffer& seen = direction == Direction::in ? seen_in : seen_out;
    seen.insert(seen.end(), bytes.begin(), bytes.end());
  }
};

// Lowers the descriptor limit to what is open now, as if the process had run out.
class NoDescriptors {
 public:
  NoDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit none = before_;
    const Descriptor next(open("/dev/null", O_RDONLY));  // the lowest free number
    none.rlim_cur = static_cast<rlim_t>(next.get());
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

}  // namespace

TEST_CASE("bytes pass both ways and both ends know each other") {
  Pair pair = connected_pair();
  CHECK(pair.client.peer() == pair.server.local());
  CHECK(pair.server.peer() == pair.client.local());
  CHECK(pair.client.peer().text() == "127.0.0.1:" + std::to_string(pair.server.local().port));

  const Buffer sent = random_bytes(1'000'000, 1);
  Buffer got(sent.size());
  std::jthread writer([&] { CHECK(pair.client.write_all(sent, soon())); });
  REQUIRE(pair.server.read_exact(got, soon()));
  CHECK(got == sent);
}

TEST_CASE("a read returns at its deadline and sleeps until then") {
  Pair pair = connected_pair();
  Buffer into(16);
  const Instant start = in(0s);
  const Duration worked = processor_time();
  auto count = pair.client.read_some(into, start + 200ms);
  REQUIRE_FALSE(count);
  CHECK(count.error().fault == Fault::timeout);
  CHECK(mentions(count.error(), pair.client.peer().text()));
  CHECK(in(0s) >= start + 200ms);
  CHECK(in(0s) < start + 2s);
  CHECK(processor_time() - worked < 50ms);
}

TEST_CASE("a read ends at its deadline, near or far, and hears what comes late") {
  for (const Duration time : {10ms, 45ms, 60ms, 90ms}) {
    Pair pair = connected_pair();
    Buffer into(16);
    const Instant start = in(0s);
    const auto count = pair.client.read_until(into, start + time);
    const Duration took = in(0s) - start;
    REQUIRE(count);
    CHECK(*count == 0);
    CHECK(took >= time);
    CHECK(took < time + 1s);
    std::jthread late([&] {
      system_clock().sleep_until(in(70ms));
      CHECK(pair.server.write_all(as_bytes("late"), soon()));
    });
    CHECK(pair.client.read_until(into, soon()).value() == 4);
  }
}

TEST_CASE("nothing but a read with a deadline ever waits") {
  Pair pair = connected_pair();
  Buffer into(16);
  std::jthread answer([&] {
    CHECK(pair.server.read_exact(std::span(into).first(1), soon()));
    CHECK(pair.server.write_all(as_bytes("b"), soon()));
  });
  Buffer one(1);
  REQUIRE(pair.client.write_all(as_bytes("a"), soon()));
  REQUIRE(pair.client.read_some(one, soon()));  // the socket blocks from here on
  answer.join();
  const Instant start = in(0s);
  for (int i = 0; i < 100; ++i) CHECK(pair.client.read_now(one).value() == 0);
  Buffer much(1 << 20);
  std::size_t taken = 0;
  for (int i = 0; i < 200; ++i) taken += pair.client.write_now(much).value();  // the server reads nothing
  CHECK(taken < 200 * much.size());
  CHECK(in(0s) - start < 1s);  // each of them waiting for the 20 ms of a receive would take six
}

TEST_CASE("a deadline in the past still gives what is there") {
  Pair pair = connected_pair();
  REQUIRE(pair.server.write_all(as_bytes("abc"), soon()));
  Buffer into(3);
  REQUIRE(pair.client.read_exact(into, soon()));
  REQUIRE(pair.server.write_all(as_bytes("def"), soon()));
  Watch watch{.fd = pair.client.fd()};
  REQUIRE(wait({&watch, 1}, soon()));
  CHECK(pair.client.read_exact(into, Instant::min()));
  CHECK(Buffer{'d', 'e', 'f'} == into);
  CHECK(pair.client.read_some(into, Instant::min()).error().fault == Fault::timeout);
}

TEST_CASE("a short read says how much was there") {
  Pair pair = connected_pair();
  REQUIRE(pair.server.write_all(as_bytes("abc"), soon()));
  Buffer into(8);
  auto read = pair.client.read_exact(into, in(50ms));
  REQUIRE_FALSE(read);
  CHECK(read.error().fault == Fault::timeout);
  CHECK(mentions(read.error(), "3 of 8 bytes"));
}

TEST_CASE("an end of stream and a reset and a half close are all closed") {
  Buffer into(16);
  SUBCASE("end of stream") {
    Pair pair = connected_pair();
    pair.server.close();
    CHECK(pair.client.read_some(into, soon()).error().fault == Fault::closed);
    CHECK(pair.client.read_now(into).error().fault == Fault::closed);
  }
  SUBCASE("reset") {
    Pair pair = connected_pair();
    pair.server.reset();
    auto count = pair.client.read_some(into, soon());
    CHECK(count.error().fault == Fault::closed);
    CHECK(mentions(count.error(), "reset"));
    CHECK(pair.client.write_all(into, soon()).error().fault == Fault::closed);
  }
  SUBCASE("half close") {
    Pair pair = connected_pair();
    pair.server.shutdown_write();
    CHECK(pair.client.read_some(into, soon()).error().fault == Fault::closed);
    CHECK(pair.client.write_all(into, soon()));  // the other way is still open
    CHECK(pair.server.read_some(into, soon()).value() == into.size());
  }
}

TEST_CASE("a socket that is not open answers at once") {
  TcpSocket none;
  Buffer into(16);
  CHECK(none.read_some(into, soon()).error().fault == Fault::closed);
  CHECK(none.write_all(into, soon()).error().fault == Fault::closed);
  CHECK(none.read_now(into).error().fault == Fault::closed);
  CHECK(none.write_now(into).error().fault == Fault::closed);
  CHECK(none.local() == Endpoint{});
  none.reset();
  none.shutdown_write();
  CHECK(TcpListener{}.accept(soon()).error().fault == Fault::closed);
}

TEST_CASE("a write that the peer does not take ends at the deadline") {
  Pair pair = connected_pair();
  const Buffer much(64'000'000);
  const Duration worked = processor_time();
  auto written = pair.client.write_all(much, in(300ms));
  REQUIRE_FALSE(written);
  CHECK(written.error().fault == Fault::timeout);
  CHECK(mentions(written.error(), "of 64000000 bytes"));
  CHECK(processor_time() - worked < 200ms);
}

TEST_CASE("nobody listening is refused with the place and the advice") {
  std::uint16_t port = 0;
  {
    auto listener = TcpListener::listen("127.0.0.1", 0);
    REQUIRE(listener);
    port = listener->local().port;
  }
  auto socket = TcpSocket::connect("127.0.0.1", port, soon());
  REQUIRE_FALSE(socket);
  CHECK(socket.error().fault == Fault::refused);
  CHECK(mentions(socket.error(), "nothing listens on 127.0.0.1:" + std::to_string(port)));
}

TEST_CASE("a client never connects to itself") {
  // Without the guard one of these attempts succeeds: the kernel hands out every ephemeral port in turn,
  // the one that is called included.
  auto listener = TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  const std::uint16_t port = listener->local().port & 0xFFFE;  // connect prefers even ones
  listener->close();
  int connected = 0;
  for (int i = 0; i < 20'000; ++i) connected += TcpSocket::connect("127.0.0.1", port, soon()).ok() ? 1 : 0;
  CHECK(connected == 0);
}

TEST_CASE("connecting to a host that does not answer ends at the deadline") {
  // A full accept queue makes Linux drop the handshake: the peer is there and stays silent.
  const Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  REQUIRE(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size) == 0);
  REQUIRE(::listen(listener.get(), 0) == 0);
  REQUIRE(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
  const std::uint16_t port = ntohs(address.sin_port);

  const Instant start = in(0s);
  std::vector<TcpSocket> waiting;
  auto socket = TcpSocket::connect("127.0.0.1", port, in(200ms));
  for (int i = 0; i < 8 && socket; ++i) {
    waiting.push_back(std::move(*socket));
    socket = TcpSocket::connect("127.0.0.1", port, in(200ms));
  }
  REQUIRE_FALSE(socket);
  CHECK(socket.error().fault == Fault::timeout);
  CHECK(in(0s) < start + 5s);
}

TEST_CASE("a taken port is named, and free again after its close") {
  auto first = TcpListener::listen("127.0.0.1", 0);
  REQUIRE(first);
  const std::uint16_t port = first->local().port;
  auto second = TcpListener::listen("127.0.0.1", port);
  REQUIRE_FALSE(second);
  CHECK(second.error().fault == Fault::busy);
  CHECK(mentions(second.error(), "port " + std::to_string(port) + " on 127.0.0.1 is in use by another program"));
  first->close();
  CHECK(TcpListener::listen("127.0.0.1", port));
}

TEST_CASE("an address that is not ours cannot be listened on") {
  auto listener = TcpListener::listen("192.0.2.1", 0);  // TEST-NET-1, nobody has it
  REQUIRE_FALSE(listener);
  CHECK(listener.error().fault == Fault::unreachable);
  CHECK(mentions(listener.error(), "192.0.2.1"));
}

TEST_CASE("a port is free again at once after its connections were closed") {
  auto listener = TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  const std::uint16_t port = listener->local().port;
  for (int i = 0; i < 20; ++i) {
    auto client = TcpSocket::connect("127.0.0.1", port, soon());
    auto server = listener->accept(soon());
    REQUIRE(client);
    REQUIRE(server);
    server->close();  // the listening side closes first and keeps the TIME_WAIT
    client->close();
    listener->close();
    listener = TcpListener::listen("127.0.0.1", port);
    REQUIRE(listener);
  }
}

TEST_CASE("an accept ends at its deadline") {
  auto listener = TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  CHECK(listener->accept(in(50ms)).error().fault == Fault::timeout);
}

TEST_CASE("without descriptors a caller is turned away and nothing spins") {
  auto listener = TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  auto client = TcpSocket::connect("127.0.0.1", listener->local().port, soon());
  REQUIRE(client);
  {
    const NoDescriptors none;
    auto server = listener->accept(soon());
    REQUIRE_FALSE(server);
    CHECK(server.error().fault == Fault::busy);
    CHECK(mentions(server.error(), "no file descriptors left"));
    CHECK(mentions(server.error(), "turned away 127.0.0.1:"));
    Buffer into(1);
    CHECK(client->read_some(into, soon()).error().fault == Fault::closed);
    CHECK(listener->accept(in(50ms)).error().fault == Fault::timeout);  // nobody is left at the door
    auto refused = TcpSocket::connect("127.0.0.1", listener->local().port, soon());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().fault == Fault::busy);
  }
  auto again = TcpSocket::connect("127.0.0.1", listener->local().port, soon());
  REQUIRE(again);
  CHECK(listener->accept(soon()));
}

TEST_CASE("signals neither shorten nor lengthen a wait") {
  struct sigaction before {};
  struct sigaction nothing {};
  nothing.sa_handler = [](int) {};  // without SA_RESTART every tick interrupts
  sigaction(SIGALRM, &nothing, &before);
  const itimerval ticks{.it_interval = {0, 2000}, .it_value = {0, 2000}};
  const itimerval off{};
  Pair pair = connected_pair();
  Buffer into(4);

  setitimer(ITIMER_REAL, &ticks, nullptr);
  const Instant start = in(0s);
  const auto count = pair.client.read_some(into, start + 200ms);
  const Instant end = in(0s);
  setitimer(ITIMER_REAL, &off, nullptr);
  sigaction(SIGALRM, &before, nullptr);

  REQUIRE_FALSE(count);
  CHECK(count.error().fault == Fault::timeout);
  CHECK(end >= start + 200ms);
  CHECK(end < start + 2s);
}

TEST_CASE("a tap sees every byte of both directions") {
  Recorder recorder;  // outlives the sockets that it taps
  Pair pair = connected_pair();
  pair.client.tap(&recorder);
  const Buffer out = random_bytes(5000, 2);
  const Buffer back = random_bytes(3000, 3);
  Buffer got_out(out.size());
  Buffer got_back(back.size());
  REQUIRE(pair.client.write_all(out, soon()));
  REQUIRE(pair.server.read_exact(got_out, soon()));
  REQUIRE(pair.server.write_all(back, soon()));
  REQUIRE(pair.client.read_exact(got_back, soon()));
  CHECK(recorder.seen_out == out);
  CHECK(recorder.seen_in == back);
}

TEST_CASE("a watch that wants nothing sleeps through a hang up") {
  Pair pair = connected_pair();
  pair.server.reset();
  Watch asleep{.fd = pair.client.fd(), .want_read = false};
  CHECK(wait({&asleep, 1}, in(50ms)).value() == 0);
  Watch awake{.fd = pair.client.fd()};
  CHECK(wait({&awake, 1}, soon()).value() == 1);
  CHECK(awake.ready_read);
  CHECK_FALSE(awake.ready_write);
}

TEST_CASE("a dead descriptor is reported and its read tells") {
  Pair pair = connected_pair();
  const int number = pair.client.fd();
  pair.client.close();
  Watch watch{.fd = number};
  REQUIRE(wait({&watch, 1}, soon()).value() == 1);
  CHECK(watch.ready_read);
  Watch none{.fd = -1};
  CHECK(wait({&none, 1}, in(20ms)).value() == 0);
  CHECK(wait({}, in(20ms)).value() == 0);
}

TEST_CASE("a host that is no host is named") {
  auto empty = resolve("", 502);
  REQUIRE_FALSE(empty);
  CHECK(empty.error().fault == Fault::unreachable);
  CHECK(resolve("10.1.2.3", 7).value().text() == "10.1.2.3:7");
  CHECK(resolve("localhost", 7).value().host() == "127.0.0.1");
}

}  // namespace tandem::net
