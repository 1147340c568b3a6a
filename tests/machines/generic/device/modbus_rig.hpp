// SPDX-License-Identifier: Apache-2.0
// A Modbus device made of memory, on a thread of its own, that notes what it is asked; and descriptions by hand.
#pragma once

#include <doctest/doctest.h>

#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tandem/machines/generic/device/link.hpp"
#include "tandem/protocols/modbus/memory_device.hpp"
#include "tandem/protocols/modbus/server.hpp"
#include "tests/deadline.hpp"

namespace tandem::generic::test {

inline Declaration signal(const std::string& name, ModbusTable table, std::uint16_t address, Type type = Type::int16,
                          modbus::WordOrder order = modbus::WordOrder::abcd) {
  Declaration declaration;
  declaration.name = name;
  declaration.at = ModbusPlace{table, address, -1};
  declaration.type = type;
  declaration.order = order;
  return declaration;
}
inline Declaration bit(const std::string& name, std::uint16_t address, int place) {
  Declaration declaration = signal(name, ModbusTable::holding, address, Type::bit);
  declaration.at = ModbusPlace{ModbusTable::holding, address, place};
  return declaration;
}
inline Declaration output(Declaration declaration, double lowest = -1e9, double highest = 1e9) {
  declaration.write.emplace();
  declaration.write->limits = {lowest, highest};
  return declaration;
}
inline std::shared_ptr<Description> described(std::vector<Declaration> signals) {
  auto description = std::make_shared<Description>();
  description->name = "rig";
  description->cycle = 0.01;
  description->signals = std::move(signals);
  return description;
}

// Serves on a thread; the device is only touched through with().
class ServedDevice {
 public:
  modbus::MemoryDevice device;
  std::function<modbus::AnswerFate(std::vector<std::uint8_t>&)> fault;

  void start() {
    device.before_read = [this, also = device.before_read](modbus::Table table, std::uint16_t address,
                                                           std::size_t count) {
      asked_.push_back(fmt::format("read {} {} x{}", static_cast<int>(table), address, count));
      return also ? also(table, address, count) : modbus::Refusal{};
    };
    device.after_registers = [this](std::uint16_t address, std::span<const std::uint16_t> values) {
      asked_.push_back(fmt::format("write {} x{}", address, values.size()));
    };
    device.after_coils = [this](std::uint16_t address, const modbus::Bits& values) {
      asked_.push_back(fmt::format("coils {} x{}", address, values.size()));
    };
    auto listening = modbus::Server::listen(device, {.port = 0, .fault = fault});
    REQUIRE(listening);
    server_ = std::move(*listening);
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        const std::scoped_lock lock(mutex_);
        server_->poll(in(1ms));
      }
    });
  }
  std::string url() const { return fmt::format("modbus://127.0.0.1:{}", server_->port()); }
  template <typename Use>
  auto with(const Use& use) {
    const std::scoped_lock lock(mutex_);
    return use(device);
  }
  std::uint16_t word(modbus::Table table, std::uint16_t address) {
    return with([&](auto& each) { return each.word(table, address); });
  }
  void put(modbus::Table table, std::uint16_t address, std::vector<std::uint16_t> words) {
    with([&](auto& each) {
      for (std::size_t i = 0; i < words.size(); ++i)
        each.assign(table, static_cast<std::uint16_t>(address + i), words[i]);
    });
  }
  // What was asked since the last call; reads as "read TABLE ADDRESS xCOUNT", table 2 is holding.
  std::vector<std::string> take_asked() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(asked_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> asked_;
  std::unique_ptr<modbus::Server> server_;
  std::jthread thread_;
};

// A link with its readings, scanned by a clock that the test moves.
struct Scanned {
  Scanned(const std::shared_ptr<Description>& description_, const std::string& url)
      : description(description_), link(make_modbus_link({description_, url, nullptr})) {
    readings.resize(link->signals());
    REQUIRE(link->connect(soon()));
  }
  // `count` scans, a cycle apart.
  void scan(int count = 1) {
    for (int i = 0; i < count; ++i) {
      now += duration_of(description->cycle);
      const auto scanned = link->scan(now, readings, in(5s));
      REQUIRE_MESSAGE(scanned, (scanned ? "" : scanned.error().text));
      for (const Note& note : link->take_notes()) notes.push_back(note.text);
    }
  }
  std::size_t index(const std::string& name) const {
    for (std::size_t i = 0; i < link->signals().size(); ++i)
      if (link->signals()[i].name == name) return i;
    FAIL("no signal ", name);
    return 0;
  }
  double number(const std::string& name, std::size_t element = 0) const {
    return readings.numbers[link->signals()[index(name)].first + element];
  }
  std::int64_t integer(const std::string& name) const { return readings.integers[link->signals()[index(name)].first]; }
  const Reading& reading(const std::string& name) const { return readings.of[index(name)]; }
  bool good(const std::string& name) const { return reading(name).quality == SignalQuality::good; }
  std::string why(const std::string& name) const { return std::string(reading(name).why.view()); }
  std::vector<Written> write(const std::vector<std::pair<std::string, double>>& values) {
    std::vector<Write> writes;
    for (const auto& [name, value] : values) writes.push_back({index(name), value});
    std::vector<Written> outcomes;
    const auto written = link->write(writes, outcomes, in(5s));
    CHECK_MESSAGE(written, (written ? "" : written.error().text));
    CHECK(outcomes.size() == writes.size());
    return outcomes;
  }

  std::shared_ptr<Description> description;
  std::unique_ptr<Link> link;
  Readings readings;
  Instant now{1h};
  std::vector<std::string> notes;
};

}  // namespace tandem::generic::test
