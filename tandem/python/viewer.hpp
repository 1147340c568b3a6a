// SPDX-License-Identifier: Apache-2.0
// The page of a script's virtual arm, to look at: a machine that is never armed reads the controller beside the script.
#pragma once

#include <memory>
#include <string>

namespace tandem::runtime {
class System;
}

namespace tandem::python {

class Viewer {
 public:
  // `controller`: "rtde://HOST:PORT?..."; `listen`: "127.0.0.1:8088", another port if that one is taken. Throws
  // std::exception when no page can be served.
  Viewer(const std::string& controller, const std::string& listen);
  ~Viewer();
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  const std::string& address() const { return address_; }  // "http://127.0.0.1:8088/"

 private:
  std::unique_ptr<runtime::System> system_;
  std::string address_;
};

// A tandem that runs on this computer with a virtual arm.
struct RunningArm {
  std::string controller;  // its address; empty: there is none that may be joined
  std::string page;        // where to watch it; empty: nowhere
  std::string why_not;     // why one that runs may not be joined; empty: there is none
};
// Asks the control socket of this user. An arm that was armed there belongs to that tandem until it ends.
RunningArm find_running_arm();

}  // namespace tandem::python
