// The nine ports of the virtual controller and who is behind each of them.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tandem/machines/ur3e/virtual_controller.hpp"
#include "tandem/machines/ur3e/virtual_dashboard.hpp"
#include "tandem/protocols/ur/port_server.hpp"
#include "tandem/protocols/ur/primary_session.hpp"
#include "tandem/protocols/ur/rtde_session.hpp"

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
};
inline constexpr PortNumbers free_ports{0, 0, 0, 0, 0, 0, 0, 0, 0};

class Ports {
 public:
  // Listens on all of them. Throws std::runtime_error that names the port which cannot be had.
  Ports(Controller& controller, const std::string& host, const PortNumbers& numbers);
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
  using Made = std::unique_ptr<ur::Session>;
  std::size_t open(const std::string& host, std::uint16_t port, std::function<Made()> make);
  void send_messages(Instant now);

  Controller& controller_;
  Dashboard dashboard_;
  ur::RtdeController rtde_;
  ur::PrimarySource primary_source_;
  std::vector<std::unique_ptr<ur::PortServer>> servers_;  // in the order of PortNumbers
  std::vector<ur::PortServer*> polled_;
  std::vector<net::Watch> watches_;
  std::vector<std::uint8_t> packet_;
};

}  // namespace tandem::ur3e
