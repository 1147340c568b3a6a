// SPDX-License-Identifier: Apache-2.0
// The two transfers of a cycle, D0-D15 out and D16-D23 in, beside libmodbus: CPU of the calling thread, same server;
// and CPU of the serving thread, same client. A bare loop of send and recv shows the floor of the client.
#include <fmt/format.h>
#include <modbus/modbus.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <semaphore>
#include <thread>

#include "bench/bare_socket.hpp"
#include "tandem/protocols/modbus/client.hpp"
#include "tandem/protocols/modbus/memory_device.hpp"
#include "tandem/protocols/modbus/server.hpp"

namespace {

using namespace tandem;

constexpr std::size_t cycles = 50;  // of one window
constexpr int windows = 200;

using bench::give_up;

// Only keeps its registers.
struct Plc {
  Plc() {
    device.add(modbus::Table::holding_registers, 0, 32);
    auto listening = modbus::Server::listen(device, {.port = 0});
    if (!listening) give_up(listening.error().text);
    server = std::move(*listening);
  }

  modbus::MemoryDevice device;
  std::unique_ptr<modbus::Server> server;
};

// Does the two transfers as often as it is told to, so that a server has something to serve.
class Caller {
 public:
  explicit Caller(std::uint16_t port) {
    auto client = modbus::Client::connect({"127.0.0.1", port, 1}, system_clock().now() + 2s);
    if (!client) give_up(client.error().text);
    thread_ = std::jthread([this, connected = std::move(*client)](const std::stop_token& stop) mutable {
      while (go_.acquire(), !stop.stop_requested()) call(connected);
    });
  }
  ~Caller() {
    thread_.request_stop();
    go_.release();
  }
  void go() { go_.release(); }

 private:
  void call(modbus::Client& client) {
    for (std::size_t i = 0; i < cycles; ++i) {
      const Instant deadline = system_clock().now() + 500ms;
      if (!client.write_registers(0, out_, deadline) || !client.read_registers(16, in_, deadline)) give_up("no answer");
    }
  }

  std::array<std::uint16_t, 16> out_{};
  std::array<std::uint16_t, 8> in_{};
  std::binary_semaphore go_{0};
  std::jthread thread_;
};

class OurServer {
 public:
  OurServer() : caller_(plc_.server->port()) { plc_.server->poll(bench::in(2ms)); }
  // It waits a little after the last request, which costs no CPU.
  void serve() {
    const auto served = plc_.server->counters().requests + 2 * cycles;
    caller_.go();
    while (plc_.server->counters().requests < served) plc_.server->poll(bench::in(10ms));
  }

 private:
  Plc plc_;
  Caller caller_;
};

class PeerServer {
 public:
  PeerServer() : context_(modbus_new_tcp("127.0.0.1", 0)), table_(modbus_mapping_new(0, 0, 32, 0)) {
    listener_ = modbus_tcp_listen(context_, 1);
    sockaddr_in address{};
    socklen_t length = sizeof address;
    if (listener_ < 0 || getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length) != 0)
      give_up(modbus_strerror(errno));
    caller_ = std::make_unique<Caller>(ntohs(address.sin_port));
    if (modbus_tcp_accept(context_, &listener_) < 0) give_up(modbus_strerror(errno));
  }
  ~PeerServer() {
    caller_.reset();
    ::close(listener_);
    modbus_close(context_);
    modbus_mapping_free(table_);
    modbus_free(context_);
  }
  PeerServer(const PeerServer&) = delete;

  void serve() {
    caller_->go();
    std::array<std::uint8_t, MODBUS_TCP_MAX_ADU_LENGTH> query{};
    for (std::size_t i = 0; i < 2 * cycles; ++i) {
      const int length = modbus_receive(context_, query.data());
      if (length <= 0 || modbus_reply(context_, query.data(), length, table_) <= 0) give_up(modbus_strerror(errno));
    }
  }

 private:
  modbus_t* context_;
  modbus_mapping_t* table_;
  int listener_ = -1;
  std::unique_ptr<Caller> caller_;
};

// The same requests by fixed bytes: counts transactions, sends, receives, and compares only the answer's head.
class Textbook {
 public:
  explicit Textbook(std::uint16_t port) : socket_(port) {}

  void write_and_read(std::span<const std::uint16_t, 16> out, std::span<std::uint16_t, 8> in) {
    std::array<std::uint8_t, 45> write{0, 0, 0, 0, 0, 39, 1, 16, 0, 0, 0, 16, 32};
    put(out, std::span(write).last<32>());
    exchange(write, 12);
    std::array<std::uint8_t, 12> read{0, 0, 0, 0, 0, 6, 1, 3, 0, 16, 0, 8};
    exchange(read, 25);
    take(in);
  }
  // Function 23.
  void both(std::span<const std::uint16_t, 16> out, std::span<std::uint16_t, 8> in) {
    std::array<std::uint8_t, 49> request{0, 0, 0, 0, 0, 43, 1, 23, 0, 16, 0, 8, 0, 0, 0, 16, 32};
    put(out, std::span(request).last<32>());
    exchange(request, 25);
    take(in);
  }

 private:
  static void put(std::span<const std::uint16_t, 16> out, std::span<std::uint8_t, 32> into) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      into[2 * i] = static_cast<std::uint8_t>(out[i] >> 8);
      into[2 * i + 1] = static_cast<std::uint8_t>(out[i]);
    }
  }
  void take(std::span<std::uint16_t, 8> in) const {
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = static_cast<std::uint16_t>(answer_[9 + 2 * i] << 8 | answer_[10 + 2 * i]);
  }
  void exchange(std::span<std::uint8_t> request, std::size_t expected) {
    ++transaction_;
    request[0] = static_cast<std::uint8_t>(transaction_ >> 8);
    request[1] = static_cast<std::uint8_t>(transaction_);
    if (::send(socket_.fd(), request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()) ||
        ::recv(socket_.fd(), answer_.data(), answer_.size(), 0) != static_cast<ssize_t>(expected) ||
        std::memcmp(answer_.data(), request.data(), 4) != 0 || answer_[7] != request[7])
      give_up("the bare loop got no answer");
  }

  bench::BareSocket socket_;
  std::uint16_t transaction_ = 0;
  std::array<std::uint8_t, 260> answer_{};
};

bench::Pair server_pair() {
  PeerServer peer;
  OurServer ours;
  return bench::side_by_side(
      2 * cycles, [&] { peer.serve(); }, [&] { ours.serve(); }, windows);
}

}  // namespace

int main() {
  const Plc plc;
  const std::jthread serving = bench::polling(*plc.server);
  std::array<std::uint16_t, 16> out{};
  std::array<std::uint16_t, 8> in{};

  modbus_t* const peer = modbus_new_tcp("127.0.0.1", plc.server->port());
  modbus_set_slave(peer, 1);
  if (modbus_connect(peer) != 0) give_up(modbus_strerror(errno));
  auto client = modbus::Client::connect({"127.0.0.1", plc.server->port(), 1}, system_clock().now() + 2s);
  if (!client) give_up(client.error().text);
  auto pipelining = modbus::Client::connect({"127.0.0.1", plc.server->port(), 1, true}, system_clock().now() + 2s);
  if (!pipelining) give_up(pipelining.error().text);

  const auto peer_two = [&] {
    for (std::size_t i = 0; i < cycles; ++i)
      if (modbus_write_registers(peer, 0, 16, out.data()) != 16 || modbus_read_registers(peer, 16, 8, in.data()) != 8)
        give_up(modbus_strerror(errno));
  };
  const auto peer_one = [&] {
    for (std::size_t i = 0; i < cycles; ++i)
      if (modbus_write_and_read_registers(peer, 0, 16, out.data(), 16, 8, in.data()) != 8)
        give_up(modbus_strerror(errno));
  };
  const auto ours_pair = [&] {
    for (std::size_t i = 0; i < cycles; ++i) {
      const auto pair = pipelining->write_and_read(0, out, 16, in, system_clock().now() + 500ms);
      if (!pair.ok()) give_up((pair.written ? pair.read : pair.written).error().text);
    }
  };
  const auto ours_one = [&] {
    for (std::size_t i = 0; i < cycles; ++i)
      if (auto done = client->exchange(0, out, 16, in, system_clock().now() + 500ms); !done) give_up(done.error().text);
  };
  const auto ours_two = [&] {
    for (std::size_t i = 0; i < cycles; ++i) {
      const Instant deadline = system_clock().now() + 500ms;
      if (auto done = client->write_registers(0, out, deadline); !done) give_up(done.error().text);
      if (auto done = client->read_registers(16, in, deadline); !done) give_up(done.error().text);
    }
  };
  Textbook textbook(plc.server->port());
  const auto bare_two = [&] {
    for (std::size_t i = 0; i < cycles; ++i) textbook.write_and_read(out, in);
  };
  const auto bare_one = [&] {
    for (std::size_t i = 0; i < cycles; ++i) textbook.both(out, in);
  };
  // A request costs two system calls, which are the same for all: what a client can gain is bounded by the floor.
  constexpr double least_of_floor = 0.85;
  const std::string libmodbus = "libmodbus", bare = "bare send and recv, the floor";
  const bool good = bench::print({
      {"write 16 and read 8, ours pipelined", bench::side_by_side(cycles, peer_two, ours_pair, windows), 2, libmodbus},
      {"write 16 and read 8, one after the other", bench::side_by_side(cycles, peer_two, ours_two, windows), 1,
       libmodbus},
      {"the same, beside the floor", bench::side_by_side(cycles, bare_two, ours_two, windows), least_of_floor, bare},
      {"function 23 for both", bench::side_by_side(cycles, peer_one, ours_one, windows), 1, libmodbus},
      {"function 23, beside the floor", bench::side_by_side(cycles, bare_one, ours_one, windows), least_of_floor, bare},
      {"serve the write and the read, each", server_pair(), 1, libmodbus},
  });
  modbus_close(peer);
  modbus_free(peer);
  return good ? 0 : 1;
}
