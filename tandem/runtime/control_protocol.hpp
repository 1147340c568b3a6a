// The control socket's language: one JSON object per line each way.
//   {"command": "status"}                            -> {"ok": true, "status": {...}}
//   {"command": "metrics"}                           -> {"ok": true, "text": "..."}
//   {"command": "arm|stop|reset", "machine": "lift"} -> {"ok": true, "text": "..."}; without machine: all of them
//   anything else                                    -> {"ok": false, "error": "..."}
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/runtime/status.hpp"

namespace tandem::runtime {

constexpr std::size_t longest_request = 4096;  // bytes, with its end of line

// What a running tandem can be told. Called from the control thread.
class Controlled {
 public:
  virtual ~Controlled() = default;
  virtual SystemStatus status() const = 0;
  // An empty machine means all that move. The text says what was done.
  virtual Result<std::string> command(std::string_view what, std::string_view machine, std::string_view by) = 0;
};

// Any bytes in, one line out.
std::string answer_to(std::string_view request, std::string_view by, Controlled& controlled);

// --control PATH, else $TANDEM_CONTROL, else $XDG_RUNTIME_DIR/tandem/control.sock, else /tmp/tandem-<uid>/control.sock.
std::string control_path(const std::string& told);

}  // namespace tandem::runtime
