// SPDX-License-Identifier: Apache-2.0
// libmodbus' client against the front of a described device: its own decoding of floats and long integers is the
// oracle.
#include <doctest/doctest.h>
#include <modbus/modbus.h>

#include <array>
#include <cerrno>
#include <mutex>
#include <thread>

#include "tandem/machines/generic/virtual/modbus_front.hpp"
#include "tests/deadline.hpp"

namespace tandem::generic {
namespace {

using modbus::WordOrder;

Declaration at(const char* name, ModbusTable table, std::uint16_t address, Type type,
               WordOrder order = WordOrder::abcd) {
  Declaration declaration;
  declaration.name = name;
  declaration.at = ModbusPlace{table, address, -1};
  declaration.type = type;
  declaration.order = order;
  return declaration;
}

class Peer {
 public:
  Peer() {
    auto description = std::make_shared<Description>();
    description->name = "mixer";
    description->signals = {at("abcd", ModbusTable::holding, 0, Type::float32, WordOrder::abcd),
                            at("cdab", ModbusTable::holding, 2, Type::float32, WordOrder::cdab),
                            at("badc", ModbusTable::holding, 4, Type::float32, WordOrder::badc),
                            at("dcba", ModbusTable::holding, 6, Type::float32, WordOrder::dcba),
                            at("count", ModbusTable::input, 0, Type::int32),
                            at("flags", ModbusTable::holding, 10, Type::uint16),
                            at("lamp", ModbusTable::coil, 3, Type::bit),
                            at("door", ModbusTable::discrete, 4, Type::bit)};
    machines::VirtualSetup setup;
    setup.standard_ports = false;
    front_ = make_modbus_front(description, setup);
    const double value = 123.456f;
    for (std::size_t i = 0; i < 4; ++i) front_->put(i, 0, value);
    front_->put(4, 0, -123456);
    front_->put(7, 0, 1);
    const std::string url = front_->url();
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        const std::scoped_lock lock(mutex_);
        front_->serve(in(2ms));
      }
    });
    context = modbus_new_tcp("127.0.0.1", std::stoi(url.substr(url.rfind(':') + 1)));
    REQUIRE(context != nullptr);
    modbus_set_response_timeout(context, 10, 0);
    modbus_set_slave(context, 1);
    REQUIRE(modbus_connect(context) == 0);
  }
  ~Peer() {
    modbus_close(context);
    modbus_free(context);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  double written(std::size_t signal) {
    const std::scoped_lock lock(mutex_);
    return front_->take_written(signal, 0).value_or(-1);
  }

  modbus_t* context = nullptr;

 private:
  std::mutex mutex_;
  std::unique_ptr<Front> front_;
  std::jthread thread_;
};

TEST_CASE("libmodbus reads a described device's values in every order") {
  Peer peer;
  std::array<std::uint16_t, 8> words{};
  REQUIRE(modbus_read_registers(peer.context, 0, 8, words.data()) == 8);
  CHECK(modbus_get_float_abcd(words.data()) == 123.456f);
  CHECK(modbus_get_float_cdab(words.data() + 2) == 123.456f);
  CHECK(modbus_get_float_badc(words.data() + 4) == 123.456f);
  CHECK(modbus_get_float_dcba(words.data() + 6) == 123.456f);
  REQUIRE(modbus_read_input_registers(peer.context, 0, 2, words.data()) == 2);
  CHECK(MODBUS_GET_INT32_FROM_INT16(words.data(), 0) == -123456);
  std::uint8_t bit = 0;
  REQUIRE(modbus_read_input_bits(peer.context, 4, 1, &bit) == 1);
  CHECK(bit == 1);
}

TEST_CASE("libmodbus writes a described device's values, and other places are illegal addresses") {
  Peer peer;
  // -2.5 is C0 20 00 00; modbus_set_float_cdab() of libmodbus 3.1.6 does not give what modbus_get_float_cdab() takes.
  std::array<std::uint16_t, 2> words{0x0000, 0xc020};
  REQUIRE(modbus_get_float_cdab(words.data()) == -2.5f);
  REQUIRE(modbus_write_registers(peer.context, 2, 2, words.data()) == 2);
  CHECK(peer.written(1) == -2.5);
  CHECK(peer.written(0) == -1);
  REQUIRE(modbus_write_register(peer.context, 10, 0x00f0) == 1);
  REQUIRE(modbus_mask_write_register(peer.context, 10, 0xff0f, 0x0050) == 1);
  CHECK(peer.written(5) == 0x0050);
  REQUIRE(modbus_write_bit(peer.context, 3, 1) == 1);
  CHECK(peer.written(6) == 1);
  CHECK(modbus_read_registers(peer.context, 8, 1, words.data()) == -1);
  CHECK(errno == EMBXILADD);
  CHECK(modbus_write_register(peer.context, 2, 1) == -1);  // half a number
  CHECK(errno == EMBXILADD);
  std::array<std::uint8_t, 64> id{};
  const int length = modbus_report_slave_id(peer.context, static_cast<int>(id.size()), id.data());
  REQUIRE(length > 2);
  CHECK(std::string(id.begin() + 2, id.begin() + length) == "mixer");
}

}  // namespace
}  // namespace tandem::generic
