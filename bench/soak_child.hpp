// SPDX-License-Identifier: Apache-2.0
// `tandem run` as a child process: started, paused, killed, and asked over its control socket.
#pragma once

#include <csignal>
#include <filesystem>
#include <optional>
#include <string>

#include "tandem/runtime/control/client.hpp"

namespace bench {

using namespace tandem;

class Child {
 public:
  // Writes the configuration and keeps the output in that folder, as NAME.yaml and NAME.log.
  Child(std::string program, const std::filesystem::path& folder, const std::string& name, const std::string& config);
  ~Child() { kill(); }
  Child(const Child&) = delete;

  void start();
  void kill();
  void pause() const { ::kill(pid_, SIGSTOP); }
  void resume() const { ::kill(pid_, SIGCONT); }

  // Nothing while it does not answer.
  std::optional<runtime::MachineStatus> status() const;
  // "arm", "reset": whether it was done.
  bool command(const std::string& what) const;

 private:
  const std::string program_, config_, log_, control_;
  pid_t pid_ = -1;
};

}  // namespace bench
