// SPDX-License-Identifier: Apache-2.0
// A tandem behind the control socket that does nothing, and what every answer to a client has to be.
#pragma once

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "tandem/runtime/control/protocol.hpp"

namespace tandem::fuzz {

inline constexpr std::string_view control_client = "user 1, process 2";

inline void require(bool holds) {
  if (!holds) std::abort();
}

struct ControlStub final : runtime::Controlled {
  runtime::SystemStatus status() const override { return {}; }
  std::string control_page() const override { return "http://127.0.0.1:8088/?token=0123"; }
  Result<std::string> command(std::string_view what, std::string_view machine, std::string_view by) override {
    require(runtime::is_told(what) && by == control_client);
    if (machine.size() % 2 == 1) return Error{Fault::not_found, std::string(machine)};
    return std::string(machine);
  }
};

// One line, with or without its end.
inline void check_control_answer(std::string_view line) {
  const auto read = nlohmann::json::parse(line, nullptr, false);
  require(read.is_object() && read.contains("ok") && read["ok"].is_boolean());
  require(read["ok"] == true || read["error"].is_string());
}

}  // namespace tandem::fuzz
