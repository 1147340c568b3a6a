// SPDX-License-Identifier: Apache-2.0
// libmodbus' client against our server.
#include <doctest/doctest.h>
#include <modbus/modbus.h>

#include <array>
#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include "tandem/protocols/modbus/registers.hpp"
#include "tandem/protocols/modbus/server.hpp"
#include "tests/peers/modbus/peer_device.hpp"

namespace tandem::modbus::peers {
namespace {

class Plc {
 public:
  Plc() {
    auto server = Server::listen(device_, {.port = 0});
    REQUIRE(server);
    server_ = std::move(*server);
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) server_->poll(system_clock().now() + 5ms);
    });
    context_ = modbus_new_tcp("127.0.0.1", server_->port());
    REQUIRE(context_ != nullptr);
    modbus_set_response_timeout(context_, 10, 0);
    modbus_set_slave(context_, 1);
    REQUIRE(modbus_connect(context_) == 0);
  }
  ~Plc() {
    modbus_close(context_);
    modbus_free(context_);
  }
  Plc(const Plc&) = delete;
  Plc& operator=(const Plc&) = delete;

  modbus_t* peer() { return context_; }
  // What the library says went wrong.
  int error(int result) { return result == -1 ? errno : 0; }

 private:
  PeerDevice device_;
  std::unique_ptr<Server> server_;
  std::jthread thread_;
  modbus_t* context_ = nullptr;
};

TEST_CASE("libmodbus writes and reads coils and inputs of our server") {
  Plc plc;
  CHECK(modbus_write_bit(plc.peer(), 0x130, 1) == 1);
  std::array<std::uint8_t, 37> bits{};
  CHECK(modbus_read_bits(plc.peer(), 0x130, 1, bits.data()) == 1);
  CHECK(bits[0] == 1);
  std::array<std::uint8_t, 37> pattern{};
  modbus_set_bits_from_bytes(pattern.data(), 0, 37, coil_bytes.data());
  CHECK(modbus_write_bits(plc.peer(), 0x130, 37, pattern.data()) == 37);
  CHECK(modbus_read_bits(plc.peer(), 0x130, 37, bits.data()) == 37);
  CHECK(bits == pattern);
  std::array<std::uint8_t, 22> inputs{};
  CHECK(modbus_read_input_bits(plc.peer(), 0x1C4, 22, inputs.data()) == 22);
  CHECK(modbus_get_byte_from_bits(inputs.data(), 0, 8) == 0xAC);
  CHECK(modbus_get_byte_from_bits(inputs.data(), 8, 8) == 0xDB);
  CHECK(modbus_get_byte_from_bits(inputs.data(), 16, 6) == 0x35);
  // The forklift's coils are there twice.
  CHECK(modbus_write_bit(plc.peer(), 8195, 1) == 1);
  CHECK(modbus_read_bits(plc.peer(), 0, 5, bits.data()) == 5);
  CHECK(bits[3] == 1);
}

TEST_CASE("libmodbus writes and reads registers of our server") {
  Plc plc;
  CHECK(modbus_write_register(plc.peer(), 0x160, 0x1234) == 1);
  std::array<std::uint16_t, 32> words{};
  CHECK(modbus_read_registers(plc.peer(), 0x160, 1, words.data()) == 1);
  CHECK(words[0] == 0x1234);
  const std::array<std::uint16_t, 3> table{0x022B, 0x0001, 0x0064};
  CHECK(modbus_write_registers(plc.peer(), 0x160, 3, table.data()) == 3);
  CHECK(modbus_read_registers(plc.peer(), 0x160, 32, words.data()) == 32);
  CHECK(words[2] == 0x64);
  CHECK(modbus_read_input_registers(plc.peer(), 0x108, 1, words.data()) == 1);
  CHECK(words[0] == 0x000A);
  CHECK(modbus_write_register(plc.peer(), 0x160, 0x12) == 1);
  CHECK(modbus_mask_write_register(plc.peer(), 0x160, 0xF2, 0x25) != -1);
  CHECK(modbus_read_registers(plc.peer(), 0x160, 1, words.data()) == 1);
  CHECK(words[0] == 0x17);
  const std::array<std::uint16_t, 2> pair{7, 8};
  CHECK(modbus_write_and_read_registers(plc.peer(), 0x161, 2, pair.data(), 0x160, 4, words.data()) == 4);
  CHECK(words[0] == 0x17);
  CHECK(words[2] == 8);
}

TEST_CASE("libmodbus is refused as the specification says") {
  Plc plc;
  std::vector<std::uint8_t> bits(4000);
  std::vector<std::uint16_t> words(200);
  errno = 0;
  CHECK(plc.error(modbus_read_bits(plc.peer(), 0x130, 38, bits.data())) == EMBXILADD);
  CHECK(plc.error(modbus_read_input_bits(plc.peer(), 0x1C4, 23, bits.data())) == EMBXILADD);
  CHECK(plc.error(modbus_read_registers(plc.peer(), 0x160, 33, words.data())) == EMBXILADD);
  CHECK(plc.error(modbus_read_input_registers(plc.peer(), 0x108, 2, words.data())) == EMBXILADD);
  CHECK(plc.error(modbus_write_bit(plc.peer(), 0x130 + 37, 1)) == EMBXILADD);
  CHECK(plc.error(modbus_write_bits(plc.peer(), 0x130 + 36, 2, bits.data())) == EMBXILADD);
  CHECK(plc.error(modbus_write_register(plc.peer(), 0x180, 1)) == EMBXILADD);
  CHECK(plc.error(modbus_write_registers(plc.peer(), 0x17F, 2, words.data())) == EMBXILADD);
  CHECK(plc.error(modbus_mask_write_register(plc.peer(), 0x180, 1, 1)) == EMBXILADD);
  CHECK(plc.error(modbus_write_and_read_registers(plc.peer(), 0x180, 1, words.data(), 0x160, 1, words.data())) ==
        EMBXILADD);
  // The same connection still works, whatever the unit id.
  for (const int unit : {1, 0, 255, 18}) {
    modbus_set_slave(plc.peer(), unit);
    CHECK(modbus_read_registers(plc.peer(), 0x160, 1, words.data()) == 1);
  }
}

TEST_CASE("libmodbus' raw requests with counts and lengths that lie get exception 3") {
  Plc plc;
  std::array<std::uint8_t, MODBUS_TCP_MAX_ADU_LENGTH> answer{};
  const auto ask = [&](std::vector<std::uint8_t> request) {
    REQUIRE(modbus_send_raw_request(plc.peer(), request.data(), static_cast<int>(request.size())) != -1);
    const int size = modbus_receive_confirmation(plc.peer(), answer.data());
    return size == 9 ? std::vector<int>{answer[7], answer[8]} : std::vector<int>{size};
  };
  CHECK(ask({1, 0x01, 0x01, 0x30, 0, 0}) == std::vector<int>{0x81, 3});
  CHECK(ask({1, 0x01, 0x01, 0x30, 0x07, 0xD1}) == std::vector<int>{0x81, 3});
  CHECK(ask({1, 0x03, 0x01, 0x60, 0, 0x7E}) == std::vector<int>{0x83, 3});
  CHECK(ask({1, 0x0F, 0x01, 0x30, 0x07, 0xB1, 0xF7}) == std::vector<int>{0x8F, 3});
  CHECK(ask({1, 0x10, 0x01, 0x60, 0, 0x7C, 0xF8}) == std::vector<int>{0x90, 3});
  CHECK(ask({1, 0x10, 0x01, 0x60, 0, 2, 4, 0, 1}) == std::vector<int>{0x90, 3});
  CHECK(ask({1, 0x17, 0x01, 0x60, 0, 0x7E, 0x01, 0x60, 0, 1, 2, 0, 0}) == std::vector<int>{0x97, 3});
  CHECK(ask({1, 0x42, 0, 0}) == std::vector<int>{0xC2, 1});
  std::array<std::uint16_t, 1> word{};
  CHECK(modbus_read_registers(plc.peer(), 0x160, 1, word.data()) == 1);
}

TEST_CASE("libmodbus is told the server's id") {
  Plc plc;
  std::array<std::uint8_t, 64> id{};
  const int size = modbus_report_slave_id(plc.peer(), static_cast<int>(id.size()), id.data());
  CHECK(size == 12);
  CHECK(id[0] == 180);
  CHECK(id[1] == 0xFF);
  CHECK(std::string(reinterpret_cast<const char*>(id.data()) + 2, 3) == "LMB");
}

TEST_CASE("libmodbus reads floats and integers where the register table puts them") {
  Register entry;
  entry.name = "x";
  entry.width = 32;
  entry.encoding = Encoding::floating;
  for (const float value : {123456.0f, -0.7f, 1e-20f, 0.0f}) {
    std::array<std::uint16_t, 2> words{};
    const auto put = [&](WordOrder order) {
      entry.order = order;
      REQUIRE(encode(entry, value, words));
    };
    put(WordOrder::abcd);
    CHECK(modbus_get_float_abcd(words.data()) == value);
    put(WordOrder::cdab);
    CHECK(modbus_get_float_cdab(words.data()) == value);
    put(WordOrder::badc);
    CHECK(modbus_get_float_badc(words.data()) == value);
    put(WordOrder::dcba);
    CHECK(modbus_get_float_dcba(words.data()) == value);
  }
}

}  // namespace
}  // namespace tandem::modbus::peers
