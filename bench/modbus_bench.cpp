// SPDX-License-Identifier: Apache-2.0
// The two transfers of a cycle, D0-D15 out and D16-D23 in, beside libmodbus: CPU of the calling thread, same server.
#include <fmt/format.h>
#include <modbus/modbus.h>

#include <array>
#include <cstdlib>
#include <thread>

#include "bench/side_by_side.hpp"
#include "tandem/protocols/modbus/client.hpp"
#include "tandem/protocols/modbus/memory_device.hpp"
#include "tandem/protocols/modbus/server.hpp"

namespace {

using namespace tandem;

constexpr std::size_t cycles = 50;  // of one window
constexpr int windows = 200;

[[noreturn]] void fail(const std::string& why) {
  fmt::print("{}\n", why);
  std::exit(1);
}

class Plc {
 public:
  Plc() {
    device_.add(modbus::Table::holding_registers, 0, 32);
    auto server = modbus::Server::listen(device_, {.port = 0});
    if (!server) fail(server.error().text);
    server_ = std::move(*server);
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) server_->poll(system_clock().now() + 20ms);
    });
  }
  std::uint16_t port() const { return server_->port(); }

 private:
  modbus::MemoryDevice device_;
  std::unique_ptr<modbus::Server> server_;
  std::jthread thread_;
};

}  // namespace

int main() {
  const Plc plc;
  std::array<std::uint16_t, 16> out{};
  std::array<std::uint16_t, 8> in{};

  modbus_t* const peer = modbus_new_tcp("127.0.0.1", plc.port());
  modbus_set_slave(peer, 1);
  if (modbus_connect(peer) != 0) fail(modbus_strerror(errno));
  auto client = modbus::Client::connect({"127.0.0.1", plc.port(), 1}, system_clock().now() + 2s);
  if (!client) fail(client.error().text);
  auto pipelining = modbus::Client::connect({"127.0.0.1", plc.port(), 1, true}, system_clock().now() + 2s);
  if (!pipelining) fail(pipelining.error().text);

  const auto peer_two = [&] {
    for (std::size_t i = 0; i < cycles; ++i)
      if (modbus_write_registers(peer, 0, 16, out.data()) != 16 || modbus_read_registers(peer, 16, 8, in.data()) != 8)
        fail(modbus_strerror(errno));
  };
  const auto peer_one = [&] {
    for (std::size_t i = 0; i < cycles; ++i)
      if (modbus_write_and_read_registers(peer, 0, 16, out.data(), 16, 8, in.data()) != 8) fail(modbus_strerror(errno));
  };
  const auto ours_pair = [&] {
    for (std::size_t i = 0; i < cycles; ++i) {
      const auto pair = pipelining->write_and_read(0, out, 16, in, system_clock().now() + 500ms);
      if (!pair.ok()) fail((pair.written ? pair.read : pair.written).error().text);
    }
  };
  const auto ours_one = [&] {
    for (std::size_t i = 0; i < cycles; ++i)
      if (auto done = client->exchange(0, out, 16, in, system_clock().now() + 500ms); !done) fail(done.error().text);
  };
  const auto ours_two = [&] {
    for (std::size_t i = 0; i < cycles; ++i) {
      const Instant deadline = system_clock().now() + 500ms;
      if (auto done = client->write_registers(0, out, deadline); !done) fail(done.error().text);
      if (auto done = client->read_registers(16, in, deadline); !done) fail(done.error().text);
    }
  };
  constexpr double wanted = 1 / 0.9;
  const bool good = bench::print({
      {"write 16 and read 8, ours pipelined", bench::side_by_side(cycles, peer_two, ours_pair, windows), wanted},
      {"write 16 and read 8, one after the other", bench::side_by_side(cycles, peer_two, ours_two, windows), 1},
      {"function 23 for both", bench::side_by_side(cycles, peer_one, ours_one, windows), 1},
  });
  modbus_close(peer);
  modbus_free(peer);
  return good ? 0 : 1;
}
