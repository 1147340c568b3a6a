// SPDX-License-Identifier: Apache-2.0
// Debian's mosquitto as a child of the demonstration, on a free loopback port. It ends with this process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "tandem/base/result.hpp"

namespace tandem::warehouse {

class BrokerProcess {
 public:
  // Takes clients when this returns. An error if mosquitto is not installed or ends at once.
  static Result<BrokerProcess> start();
  BrokerProcess(BrokerProcess&& other) noexcept;
  BrokerProcess& operator=(BrokerProcess&&) = delete;
  ~BrokerProcess();

  // How it ended, once: "signal 9", "exit status 1"; none while it runs.
  std::optional<std::string> take_end();
  // On the same port, after it has ended.
  Result<void> restart();

  std::string url() const { return "mqtt://127.0.0.1:" + std::to_string(port_); }
  pid_t process() const { return process_; }  // -1: it has ended

 private:
  BrokerProcess() = default;

  int config_ = -1;  // its configuration, in memory: nothing of it is left on disk
  std::uint16_t port_ = 0;
  pid_t process_ = -1;
};

}  // namespace tandem::warehouse
