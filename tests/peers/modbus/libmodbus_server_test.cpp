// SPDX-License-Identifier: Apache-2.0
// Our client against libmodbus' server, which sets traps at some addresses.
#include <doctest/doctest.h>
#include <modbus/modbus.h>
#include <sys/socket.h>

#include <array>
#include <memory>
#include <thread>
#include <vector>

#include "tandem/protocols/modbus/client.hpp"

namespace tandem::modbus::peers {
namespace {

constexpr std::uint16_t trap_busy = 0x170;         // exception 6
constexpr std::uint16_t trap_transaction = 0x171;  // an answer with another transaction id, then none
constexpr std::uint16_t trap_late = 0x172;         // answered long after the client's patience
constexpr std::uint16_t trap_bytes = 0x173;        // byte by byte
constexpr std::uint16_t trap_short = 0x174;        // one register fewer than asked for
constexpr int table_size = 0x180;

Instant in(Duration duration) { return system_clock().now() + duration; }
Instant soon() { return in(10s); }

class TrapServer {
 public:
  TrapServer() {
    context_ = modbus_new_tcp("127.0.0.1", 0);
    mapping_ = modbus_mapping_new(table_size, table_size, table_size, table_size);
    REQUIRE(mapping_ != nullptr);
    listening_ = modbus_tcp_listen(context_, 1);
    REQUIRE(listening_ >= 0);
    thread_ = std::thread([this] { serve(); });
  }
  ~TrapServer() {
    ::shutdown(listening_, SHUT_RDWR);
    thread_.join();
    net::Descriptor(std::exchange(listening_, -1)).reset();
    modbus_mapping_free(mapping_);
    modbus_free(context_);
  }
  TrapServer(const TrapServer&) = delete;
  TrapServer& operator=(const TrapServer&) = delete;

  Client connect() {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    REQUIRE(getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    auto client = Client::connect({"127.0.0.1", ntohs(address.sin_port), 1}, soon());
    REQUIRE(client);
    return std::move(*client);
  }

 private:
  void serve() {
    int listening = listening_;
    if (modbus_tcp_accept(context_, &listening) < 0) return;
    std::array<std::uint8_t, MODBUS_TCP_MAX_ADU_LENGTH> query{};
    while (true) {
      const int size = modbus_receive(context_, query.data());
      if (size < 0) break;
      if (size > 0) answer(query, size);
    }
    modbus_close(context_);
  }
  void answer(std::array<std::uint8_t, MODBUS_TCP_MAX_ADU_LENGTH>& query, int size) {
    const unsigned address = 256u * query[8] + query[9];
    if (query[7] != MODBUS_FC_READ_HOLDING_REGISTERS) {
      modbus_reply(context_, query.data(), size, mapping_);
    } else if (address == trap_busy) {
      modbus_reply_exception(context_, query.data(), MODBUS_EXCEPTION_SLAVE_OR_SERVER_BUSY);
    } else if (address == trap_transaction) {
      query[0] = static_cast<std::uint8_t>(query[0] + 1);
      modbus_reply(context_, query.data(), size, mapping_);
    } else if (address == trap_bytes) {
      const std::array<std::uint8_t, 11> bytes{query[0], query[1], 0, 0, 0, 5, query[6], 3, 2, 0x12, 0x34};
      for (const std::uint8_t& byte : bytes) {
        ::send(modbus_get_socket(context_), &byte, 1, MSG_NOSIGNAL);
        std::this_thread::sleep_for(1ms);
      }
    } else {
      if (address == trap_late) std::this_thread::sleep_for(400ms);
      if (address == trap_short) query[11] = static_cast<std::uint8_t>(query[11] - 1);
      modbus_reply(context_, query.data(), size, mapping_);
    }
  }

  modbus_t* context_ = nullptr;
  modbus_mapping_t* mapping_ = nullptr;
  int listening_ = -1;
  std::thread thread_;
};

TEST_CASE("our client does everything that libmodbus' server knows") {
  TrapServer server;
  Client client = server.connect();
  const std::array<std::uint16_t, 16> out{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xFFFF};
  std::array<std::uint16_t, 16> in_words{};
  // libmodbus takes one request after the other from the stream.
  const auto pair = client.write_and_read(0, out, 0, in_words, soon());
  CHECK(pair.ok());
  CHECK(in_words == out);
  CHECK(client.exchange(16, out, 0, in_words, soon()).ok());
  CHECK(client.write_register(40, 0x12, soon()).ok());
  CHECK(client.mask_write(40, 0xF2, 0x25, soon()).ok());
  std::array<std::uint16_t, 1> word{};
  CHECK(client.read_registers(40, word, soon()).ok());
  CHECK(word[0] == 0x17);
  CHECK(client.read_input_registers(0, word, soon()).ok());
  const std::array<bool, 9> coils{true, true, false, true, false, true, false, false, true};
  std::array<bool, 9> seen{};
  CHECK(client.write_coils(3, coils, soon()).ok());
  CHECK(client.write_coil(4, false, soon()).ok());
  CHECK(client.read_coils(3, seen, soon()).ok());
  CHECK_FALSE(seen[1]);
  CHECK(seen[8]);
  CHECK(client.read_discrete_inputs(3, seen, soon()).ok());
  const auto id = client.server_id(soon());
  REQUIRE(id);
  CHECK(id->running());
  CHECK(id->text().starts_with("LMB"));
  const auto refused = client.read_registers(table_size, word, soon());
  CHECK(refused.error().code == 2);
  // It says nothing at all to functions that it does not know.
  CHECK(client.exception_status(in(50ms)).error().fault == Fault::timeout);
  CHECK(client.read_registers(40, word, soon()).ok());
}

TEST_CASE("no trap of libmodbus' server costs more than its own transaction") {
  TrapServer server;
  Client client = server.connect();
  std::array<std::uint16_t, 1> word{};
  const auto good = [&] { return client.read_registers(0, word, soon()).ok(); };
  REQUIRE(good());

  const auto busy = client.read_registers(trap_busy, word, soon());
  REQUIRE_FALSE(busy);
  CHECK(busy.error().code == 6);
  CHECK(good());

  CHECK(client.read_registers(trap_transaction, word, in(50ms)).error().fault == Fault::timeout);
  CHECK(good());
  CHECK(client.counters().dropped == 1);

  CHECK(client.read_registers(trap_late, word, in(20ms)).error().fault == Fault::timeout);
  for (int i = 0; i < 36; ++i) CHECK(good());
  CHECK(client.counters().dropped == 2);
  CHECK(client.counters().timeouts == 2);

  CHECK(client.read_registers(trap_bytes, word, soon()).ok());
  CHECK(word[0] == 0x1234);
  CHECK(good());

  std::array<std::uint16_t, 2> two{};
  CHECK(client.read_registers(trap_short, two, soon()).error().text ==
        "unit 1: read holding registers 372 to 373: answer rejected: expected 2 registers, got 1");
  CHECK(good());
  CHECK(client.open());
}

}  // namespace
}  // namespace tandem::modbus::peers
