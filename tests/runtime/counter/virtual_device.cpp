// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/counter/virtual_device.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/runtime/counter/description.hpp"

namespace tandem::counter {

CounterDevice::CounterDevice(const machines::VirtualSetup& setup)
    : period_(duration_of(1 / setup.options.number("cycle_hz"))), plug_(setup.plug), host_(setup.listen) {
  const int port = setup.port != 0 ? setup.port : setup.standard_ports ? standard_port : 0;
  auto listener = net::TcpListener::listen(setup.listen, static_cast<std::uint16_t>(port));
  if (!listener) throw std::invalid_argument(listener.error().text);
  listener_ = std::move(*listener);
  port_ = listener_.local().port;
}

std::string CounterDevice::url() const { return fmt::format("count://{}:{}", host_, port_); }

void CounterDevice::run(std::stop_token stop) {
  while (!stop.stop_requested()) {
    if (plug_.take_back_in()) turn_away();
    if (plug_.cut()) {
      system_clock().sleep_until(system_clock().now() + 5ms);
      continue;
    }
    auto socket = listener_.accept(system_clock().now() + 20ms);
    if (!socket) continue;
    ++connections_;
    if (trouble_ != Trouble::refuse) serve(std::move(*socket), stop);
  }
}

void CounterDevice::serve(net::TcpSocket socket, const std::stop_token& stop) {
  std::uint32_t sequence = 1;
  partial_ = 0;
  std::vector<std::uint8_t> out;
  Instant next = system_clock().now();
  while (!stop.stop_requested()) {
    if (trouble_ == Trouble::restart) {
      trouble_ = Trouble::none;
      count_ = 0;
      return socket.reset();
    }
    if (plug_.cut()) {
      if (!plug_.pulled()) return socket.reset();
      system_clock().sleep_until(system_clock().now() + 5ms);
      continue;
    }
    if (trouble_ == Trouble::refuse || !take_commands(socket)) return;
    if (trouble_ != Trouble::silent) {
      out.clear();
      ByteWriter writer(out);
      writer.little(sequence++);
      writer.little(count_);
      writer.little(trouble_ == Trouble::nan ? std::numeric_limits<double>::quiet_NaN() : 0.001 * count_);
      if (!socket.write_all(out, system_clock().now() + period_)) return;
    }
    next = std::max(next + period_, system_clock().now());
    system_clock().sleep_until(next);
  }
}

void CounterDevice::turn_away() {
  while (auto caller = listener_.accept(Instant{})) caller->reset();
}

bool CounterDevice::take_commands(net::TcpSocket& socket) {
  std::array<std::uint8_t, 256> bytes;
  const auto count = socket.read_now(bytes);
  if (!count) return false;
  partial_ += *count;
  const auto whole = static_cast<std::uint32_t>(partial_ / command_size);
  partial_ %= command_size;
  commands_ += whole;
  count_ += whole;
  return true;
}

}  // namespace tandem::counter
