// SPDX-License-Identifier: Apache-2.0
// A virtual UR3e on free ports with its thread, and clients of it.
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tandem/machines/ur3e/virtual/device.hpp"
#include "tandem/protocols/ur/dashboard/client.hpp"
#include "tandem/protocols/ur/gripper/client.hpp"
#include "tandem/protocols/ur/primary/packet_client.hpp"
#include "tandem/protocols/ur/rtde/client.hpp"
#include "tests/deadline.hpp"

namespace tandem::ur3e {

struct Rig {
  explicit Rig(ControllerSetup controller = {}) {
    VirtualDeviceSetup setup;
    setup.controller = std::move(controller);
    setup.script = &script;
    device = std::make_unique<VirtualDevice>(setup);
    ports = device->ports();
    thread = std::jthread([this](std::stop_token stop) { device->run(stop); });
  }

  ur::RtdeClient rtde(const std::vector<std::string>& outputs, double frequency = 125) {
    auto client = ur::RtdeClient::connect("127.0.0.1", ports.rtde, in(5s));
    REQUIRE(client.ok());
    REQUIRE(client->setup_outputs(outputs, frequency, in(5s)).ok());
    REQUIRE(client->start(in(5s)).ok());
    return std::move(*client);
  }
  void send(std::uint16_t port, const std::string& text) {
    auto socket = net::TcpSocket::connect("127.0.0.1", port, in(5s));
    REQUIRE(socket.ok());
    REQUIRE(socket->write_all(as_bytes(text), in(5s)).ok());
    // The packets that come unasked are read until the program has been taken.
    std::vector<std::uint8_t> chunk(8192);
    const Instant end = in(60ms);
    while (socket->read_some(chunk, end).ok()) {
    }
  }

  PendantScript script;
  std::unique_ptr<VirtualDevice> device;
  PortNumbers ports;
  std::jthread thread;
};

// Newest values until the condition holds; false when time is up.
template <typename Holds>
bool wait_for(ur::RtdeClient& client, ur::Variables& values, Duration most, Holds holds) {
  const Instant end = in(most);
  while (system_clock().now() < end) {
    const auto got = client.receive_newest(values, end);
    if (!got) return false;
    if (holds(values.state)) return true;
  }
  return false;
}

}  // namespace tandem::ur3e
