// SPDX-License-Identifier: Apache-2.0
// 2,000 signals of a described Modbus device on one connection: CPU of reading, decoding and judging them, beside a
// bare libmodbus loop that only reads the same registers; then at 100 Hz, as a share of a core. All values change.
#include <fmt/format.h>
#include <modbus/modbus.h>

#include <array>
#include <cmath>
#include <thread>

#include "bench/cycles.hpp"
#include "bench/side_by_side.hpp"
#include "tandem/machines/generic/device/link.hpp"
#include "tandem/protocols/modbus/memory_device.hpp"
#include "tandem/protocols/modbus/server.hpp"

namespace {

using namespace tandem;
using bench::give_up;

constexpr std::size_t signal_count = 2000;
constexpr double rate = 100;              // Hz
constexpr double wanted_ratio = 1 / 1.5;  // libmodbus' time in ours
constexpr double wanted_share = 10;       // % of a core
constexpr std::size_t words_of_request = 125;

// Each read finds other values than the one before.
struct Plc {
  explicit Plc(std::size_t words) {  // of one value
    device.add(modbus::Table::holding_registers, 0, words * signal_count);
    device.before_read = [this, words](modbus::Table table, std::uint16_t address,
                                       std::size_t count) -> modbus::Refusal {
      ++reads;
      for (std::size_t i = 0; i < count; ++i) {
        const bool high = words == 2 && (address + i) % 2 == 0;  // of about 10
        const std::uint16_t word = high ? std::uint16_t{0x4120} : static_cast<std::uint16_t>(reads & 0xff);
        device.assign(table, static_cast<std::uint16_t>(address + i), word);
      }
      return {};
    };
    auto listening = modbus::Server::listen(device, {.port = 0});
    if (!listening) give_up(listening.error().text);
    server = std::move(*listening);
  }
  modbus::MemoryDevice device;
  std::unique_ptr<modbus::Server> server;
  std::uint64_t reads = 0;
};

std::shared_ptr<generic::Description> described(generic::Type type, std::size_t words) {
  auto description = std::make_shared<generic::Description>();
  description->cycle = 1 / rate;
  for (std::size_t i = 0; i < signal_count; ++i) {
    generic::Declaration signal;
    signal.name = fmt::format("signal_{}", i);
    signal.at = generic::ModbusPlace{generic::ModbusTable::holding, static_cast<std::uint16_t>(words * i), -1};
    signal.type = type;
    signal.scale = 0.1;
    signal.unit = "bar";
    signal.expect = generic::Range{-1e6, 1e6};
    description->signals.push_back(signal);
  }
  return description;
}

class Ours {
 public:
  Ours(const std::shared_ptr<generic::Description>& description, std::uint16_t port)
      : cycle_(duration_of(description->cycle)),
        link_(generic::make_modbus_link({description, fmt::format("modbus://127.0.0.1:{}", port), nullptr})) {
    readings_.resize(link_->signals());
    if (auto connected = link_->connect(bench::in(2s)); !connected) give_up(connected.error().text);
  }
  void scan() {
    now_ += cycle_;
    const auto scanned = link_->scan(now_, readings_, bench::in(500ms));
    if (!scanned || scanned->answered != signal_count) give_up("a scan without all signals");
  }
  void check() const {
    for (const auto& reading : readings_.of)
      if (reading.quality != generic::SignalQuality::good || reading.changes < 10) give_up("a signal is not read");
  }

 private:
  Duration cycle_;
  std::unique_ptr<generic::Link> link_;
  generic::Readings readings_;
  Instant now_ = system_clock().now();
};

class Bare {
 public:
  Bare(std::uint16_t port, std::size_t words) : context_(modbus_new_tcp("127.0.0.1", port)), words_(words) {
    modbus_set_slave(context_, 1);
    if (modbus_connect(context_) != 0) give_up(modbus_strerror(errno));
  }
  ~Bare() {
    modbus_close(context_);
    modbus_free(context_);
  }
  Bare(const Bare&) = delete;

  void read() {
    for (std::size_t at = 0; at < words_; at += words_of_request) {
      const auto count = static_cast<int>(std::min(words_of_request, words_ - at));
      if (modbus_read_registers(context_, static_cast<int>(at), count, values_.data() + at) != count)
        give_up(modbus_strerror(errno));
    }
  }

 private:
  modbus_t* context_;
  std::size_t words_;
  std::array<std::uint16_t, 2 * signal_count + words_of_request> values_{};
};

bench::Row beside_libmodbus(generic::Type type, std::size_t words) {
  Plc plc(words);
  const std::jthread serving = bench::polling(*plc.server);
  Ours ours(described(type, words), plc.server->port());
  Bare bare(plc.server->port(), words * signal_count);
  const auto pair = bench::side_by_side(
      signal_count, [&] { bare.read(); }, [&] { ours.scan(); }, 1000);
  ours.check();
  return {fmt::format("2,000 signals of {}, each", generic::name(type)), pair, wanted_ratio, "libmodbus, reading only"};
}

bool paced() {
  Plc plc(1);
  const std::jthread serving = bench::polling(*plc.server);
  Ours ours(described(generic::Type::int16, 1), plc.server->port());
  ours.scan();
  const double share = bench::share_of_core(rate, [&] { ours.scan(); });
  bench::report_at_most("2,000 signals at 100 Hz, share of a core", share, "%", wanted_share);
  fmt::print("2,000 signals at 100 Hz: {:.2f} % of a core, wanted at most {:g} %\n", share, wanted_share);
  return share <= wanted_share;
}

}  // namespace

int main() {
  const bool near =
      bench::print({beside_libmodbus(generic::Type::int16, 1), beside_libmodbus(generic::Type::float32, 2)});
  return paced() && near ? 0 : 1;
}
