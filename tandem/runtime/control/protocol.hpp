// SPDX-License-Identifier: Apache-2.0
// The control socket's language: one JSON object per line each way.
//   {"command": "status"}                            -> {"ok": true, "status": {...}}
//   {"command": "metrics"}                           -> {"ok": true, "text": "..."}
//   {"command": "page"}                              -> {"ok": true, "text": "http://127.0.0.1:8088/?token=..."}
//   {"command": "arm|stop|reset", "machine": "lift"} -> {"ok": true, "text": "..."}; without machine: all of them
//   {"command": "unplug|plug", "machine": "lift"}    -> the same, of virtual devices; plug without machine: all
//   {"command": "snapshot", "text": "why"}           -> {"ok": true, "text": "FILE"}; machine and text may be missing
//   {"command": "chaos"}                             -> {"ok": true, "reports": [...]}; with machine: only its
//   {"command": "chaos", "machine": "lift", "terms": "delay=50ms", "i_know": false}
//                                                    -> {"ok": true, "text": "..."}; terms "clear" without machine: all
//   anything else                                    -> {"ok": false, "error": "..."}
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/runtime/chaos/report.hpp"
#include "tandem/runtime/supervision/status.hpp"

namespace tandem::runtime {

constexpr std::size_t longest_request = 4096;  // bytes, with its end of line

// What `Controlled::command` takes: of the arm latch, for the cables of virtual devices, and for the black box.
constexpr std::array<std::string_view, 6> accepted_commands = {"arm", "stop", "reset", "unplug", "plug", "snapshot"};
inline bool is_told(std::string_view what) {
  return std::find(accepted_commands.begin(), accepted_commands.end(), what) != accepted_commands.end();
}

// What a running tandem can be asked. Called from the control thread.
class Controlled {
 public:
  virtual ~Controlled() = default;
  virtual SystemStatus status() const = 0;
  // The same with what machines count for /metrics alone.
  virtual SystemStatus status_with_metrics() const { return status(); }
  // The page's address with the token to control; only for who may use the control socket. Empty: no page is served.
  virtual std::string control_page() const { return ""; }
  // An empty machine means all that move (plug: all that are unplugged). The text says what was done.
  virtual Result<std::string> command(std::string_view what, std::string_view machine, std::string_view by) = 0;
  // Writes the black box; `text` is why. The text of the answer is the file.
  virtual Result<std::string> snapshot(std::string_view machine, std::string_view text, std::string_view by);
  // Faults on the link of a machine, as chaos/terms.hpp reads them; "clear": none any more, without a machine on all
  // links. `i_know`: also of a real device that is armed.
  virtual Result<std::string> inject(std::string_view terms, std::string_view machine, bool i_know,
                                     std::string_view by);
  // Of machines with fault proxies; an empty machine means all.
  virtual Result<std::vector<chaos::Report>> chaos_reports(std::string_view machine) const;
};

// Any bytes in, one line out.
std::string answer_to(std::string_view request, std::string_view by, Controlled& controlled);

// Where to listen: --control PATH, else $TANDEM_CONTROL, else control.sock in the first of $XDG_RUNTIME_DIR/tandem,
// /tmp/tandem-<uid> and $HOME/.tandem that is ours (or can be made) and that no other user can write to.
struct ControlPlace {
  std::string path;
  std::string passed_over;  // why better places were not used; empty: there was none
};
ControlPlace control_place(const std::string& given);

// Where to ask: as above, and of the usual places (and /run/user/<uid>/tandem) the first in which a tandem of ours or
// root's listens.
std::string control_path(const std::string& given);

}  // namespace tandem::runtime
