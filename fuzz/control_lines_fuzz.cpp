// SPDX-License-Identifier: Apache-2.0
// Any bytes as a line to the control socket: one line of JSON as its answer, and no command that is none. And any bytes
// as the status that a client reads.
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tandem/runtime/control/protocol.hpp"

namespace {

using namespace tandem;
using namespace tandem::runtime;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Stub final : Controlled {
  SystemStatus status() const override { return {}; }
  std::string control_page() const override { return "http://127.0.0.1:8088/?token=0123"; }
  Result<std::string> command(std::string_view what, std::string_view machine, std::string_view) override {
    require(is_told(what));
    if (machine.size() % 2 == 1) return Error{Fault::not_found, std::string(machine)};
    return std::string(machine);
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Stub stub;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string answer = answer_to(text, "user 1, process 2", stub);
  require(answer.ends_with('\n') && std::ranges::count(answer, '\n') == 1);
  const auto read = nlohmann::json::parse(answer, nullptr, false);
  require(read.is_object() && read.contains("ok") && read["ok"].is_boolean());
  require(read["ok"] == true || read["error"].is_string());
  if (const auto status = status_from_json(std::string(text)))
    require(status_from_json(json_from_status(*status)).ok());
  return 0;
}
