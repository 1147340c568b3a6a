// SPDX-License-Identifier: Apache-2.0
// The counter's device, with the faults that tests ask for.
#pragma once

#include <atomic>
#include <cstdint>

#include "tandem/machines/machine.hpp"
#include "tandem/net/plug.hpp"
#include "tandem/net/socket.hpp"

namespace tandem::counter {

enum class Trouble : int {
  none,
  silent,   // stays connected, sends nothing
  nan,      // sends a level that is no number
  refuse,   // closes every connection at once
  restart,  // closes once, then serves from nothing
};

class CounterDevice final : public machines::VirtualDevice {
 public:
  explicit CounterDevice(const machines::VirtualSetup& setup);

  std::string url() const override;
  void run(std::stop_token stop) override;

  void trouble(Trouble trouble) { trouble_ = trouble; }
  std::uint32_t commands() const { return commands_; }  // how many came
  std::uint32_t connections() const { return connections_; }

 private:
  void serve(net::TcpSocket socket, const std::stop_token& stop);
  bool take_commands(net::TcpSocket& socket);
  void turn_away();

  Duration period_;
  net::PlugWatch plug_;
  net::TcpListener listener_;
  std::uint16_t port_ = 0;
  std::string host_;
  std::atomic<Trouble> trouble_{Trouble::none};
  std::atomic<std::uint32_t> commands_{0}, connections_{0};
  std::uint32_t count_ = 0;
  std::size_t partial_ = 0;  // bytes of a command whose rest is still to come
};

}  // namespace tandem::counter
