// SPDX-License-Identifier: Apache-2.0
// The ports of the virtual controller, ten with a gripper, and who is behind each of them.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tandem/machines/ur3e/virtual/controller.hpp"
#include "tandem/machines/ur3e/virtual/ports/dashboard.hpp"
#include "tandem/net/port_server.hpp"
#include "tandem/protocols/ur/primary/session.hpp"
#include "tandem/protocols/ur/rtde/session.hpp"

namespace tandem::ur3e {

struct PortNumbers {  // 0: a free one
  std::uint16_t rtde = ports::rtde;
  std::uint16_t dashboard = ports::dashboard;
  std::uint16_t primary = ports::primary;
  std::uint16_t secondary = ports::secondary;
  std::uint16_t real_time = ports::real_time;
  std::uint16_t primary_read_only = ports::primary_read_only;
  std::uint16_t secondary_read_only = ports::secondary_read_only;
  std::uint16_t real_time_read_only = ports::real_time_read_only;
  std::uint16_t gripper = ports::gripper;
  std::uint16_t interpreter = ports::interpreter;
};
inline constexpr PortNumbers free_ports{0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

class Ports {
 public:
  // Listens on all of them. Throws std::runtime_error that names the port which cannot be had.
  Ports(Controller& controller, const std::string& host, const PortNumbers& numbers, net::Plug* plug = nullptr);
  Ports(const Ports&) = delete;
  Ports& operator=(const Ports&) = delete;

  // Serves clients until the deadline (system clock).
  void serve(Instant deadline);
  // After a controller cycle: everybody gets what is due.
  void cycle(Instant now);
  void close_connections();

  PortNumbers numbers() const;
  std::string url(const std::string& host) const;

 private:
  using Made = std::unique_ptr<net::Session>;
  std::size_t open(const std::string& host, std::uint16_t port, net::PortServer::Factory make);
  void send_messages(Instant now);

  Controller& controller_;
  net::Plug* plug_;
  Dashboard dashboard_;
  ur::RtdeController rtde_;
  ur::PrimarySource primary_source_;
  std::vector<std::unique_ptr<net::PortServer>> servers_;  // as PortNumbers, the gripper last
  std::vector<net::PortServer*> polled_;
  std::vector<net::Watch> watches_;
  std::vector<std::uint8_t> packet_;
  bool remote_ = true;  // control, in the last cycle
};

}  // namespace tandem::ur3e
