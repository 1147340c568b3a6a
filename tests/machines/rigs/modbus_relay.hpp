// SPDX-License-Identifier: Apache-2.0
// A line to a virtual device with the habits of other people's Modbus servers; and what a machine has to do behind it.
#pragma once

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

#include "tandem/protocols/modbus/framer.hpp"
#include "tests/machines/rigs/modbus_rig.hpp"

namespace tandem::kit {

enum class Habit {
  plain,
  first_of_segment,  // pymodbus 3.7 and later: of several requests in one segment only the first is answered
  nagle,             // small segments wait until those before them are acknowledged; answers leave in two writes
  slow,              // 60 ms for every answer
};

// Serves one client at a time.
class ModbusRelay {
 public:
  ModbusRelay(const std::string& device, Habit habit)
      : habit_(habit), device_(endpoint_of(device)), listener_(std::move(*net::TcpListener::listen("127.0.0.1", 0))) {
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested())
        if (auto client = listener_.accept(in(20ms))) serve(std::move(*client), stop);
    });
  }
  std::string url() const { return fmt::format("modbus://{}", listener_.local().text()); }
  std::atomic<int> lost{0};  // requests that were not the first of their segment
  // From now on, writes of which this says so are answered and do not reach the device.
  void swallow(std::function<bool(const modbus::Request&)> which) {
    const std::lock_guard lock(mutex_);
    swallows_ = std::move(which);
  }

 private:
  void serve(net::TcpSocket client, const std::stop_token& stop) {
    auto device = net::TcpSocket::connect("127.0.0.1", device_.port, soon());
    if (!device) return;
    const int off = 0;
    if (habit_ == Habit::nagle) setsockopt(client.fd(), IPPROTO_TCP, TCP_NODELAY, &off, sizeof off);
    modbus::Framer requests;
    while (!stop.stop_requested()) {
      const auto count = client.read_some(requests.room(), in(20ms));
      if (!count && count.error().fault == Fault::timeout) continue;
      if (!count) return;
      requests.received(*count);
      bool first = true;
      for (auto frame = requests.next(); frame && *frame; frame = requests.next(), first = false) {
        if (!first && habit_ == Habit::first_of_segment)
          ++lost;
        else if (!forward(**frame, *device, client))
          return;
      }
      if (!requests.next()) return;
    }
  }

  bool forward(const modbus::Frame& request, net::TcpSocket& device, net::TcpSocket& client) {
    frame_.clear();
    const std::size_t begun = modbus::begin_frame(frame_, request.transaction, request.unit);
    frame_.insert(frame_.end(), request.pdu.begin(), request.pdu.end());
    modbus::finish_frame(frame_, begun);
    if (swallowed(request)) return client.write_all(frame_, soon()).ok();
    if (!device.write_all(frame_, soon())) return false;
    std::array<std::uint8_t, 7> head{};
    if (!device.read_exact(head, soon())) return false;
    frame_.resize(static_cast<std::size_t>(head[4] * 256 + head[5]) - 1);
    if (!device.read_exact(frame_, soon())) return false;
    if (habit_ == Habit::slow) pass(60ms);
    if (habit_ == Habit::nagle) return client.write_all(head, soon()).ok() && client.write_all(frame_, soon()).ok();
    frame_.insert(frame_.begin(), head.begin(), head.end());
    return client.write_all(frame_, soon()).ok();
  }

  // Puts the answer in the frame's place.
  bool swallowed(const modbus::Frame& frame) {
    const std::lock_guard lock(mutex_);
    const auto decoded = modbus::decode_request(frame.pdu);
    const auto* request = std::get_if<modbus::Request>(&decoded);
    const auto* write = request != nullptr ? std::get_if<modbus::WriteRegisters>(request) : nullptr;
    if (write == nullptr || !swallows_ || !swallows_(*request)) return false;
    const auto count = static_cast<std::uint16_t>(write->values.size());
    frame_.clear();
    const std::size_t begun = modbus::begin_frame(frame_, frame.transaction, frame.unit);
    modbus::encode(modbus::Answer(modbus::RegistersWritten{write->address, count}), frame_);
    modbus::finish_frame(frame_, begun);
    return true;
  }

  const Habit habit_;
  const net::Endpoint device_;
  net::TcpListener listener_;
  std::vector<std::uint8_t> frame_;
  std::mutex mutex_;
  std::function<bool(const modbus::Request&)> swallows_;
  std::jthread thread_;
};

// A machine that moves, with a device behind such a line.
template <typename Machine>
struct Behind {
  explicit Behind(Habit habit, const std::vector<std::string>& settings = {})
      : device(Machine::make(Machine::device_setup(faults))),
        device_thread([this](const std::stop_token& stop) { device->run(stop); }),
        relay(device->url(), habit),
        link(relay.url(), Machine::settings(Mode::moving, settings)) {
    link.start();
    REQUIRE_MESSAGE(link.flows(), link.all());
    Machine::urge(link);
    REQUIRE_MESSAGE(link.arm(), link.all());
  }

  typename Machine::Faults faults;
  std::unique_ptr<typename Machine::Device> device;
  std::jthread device_thread;
  ModbusRelay relay;
  typename Machine::SupervisedMachine link;
};

// Armed, it runs at its rate (Hz) for at least one second, on a host that may be busy.
template <typename Machine>
void expect_at_rate(Habit habit, double rate) {
  Behind<Machine> behind(habit);
  auto& link = behind.link;
  bool reached = false;
  for (int i = 0; i < 20 && !reached; ++i) {
    const std::uint64_t before = link.status().samples;
    const Instant since = now();
    pass(1s);
    reached = static_cast<double>(link.status().samples - before) > 0.8 * rate * seconds(now() - since);
  }
  CHECK_MESSAGE(reached, link.all());
  CHECK_MESSAGE(link.armed(), link.all());
  CHECK(Machine::speed(*behind.device) >= 0);
  CHECK(behind.relay.lost == 0);
}

// A device that takes too long is live and slow, and gives the reason once.
template <typename Machine>
void expect_slow_is_told() {
  Behind<Machine> behind(Habit::slow, {"feedback_timeout=10", "response_timeout=5"});
  auto& link = behind.link;
  CHECK_MESSAGE(eventually([&] { return !link.status().warning.empty(); }), link.all());
  const auto status = link.status();
  CHECK(status.state == runtime::LinkState::live);
  const std::string warning(status.warning.view());
  CHECK_MESSAGE(warning.find("device round trip p50 6") != std::string::npos, warning);
  CHECK_MESSAGE(link.said("slow: "), link.all());
}

}  // namespace tandem::kit
