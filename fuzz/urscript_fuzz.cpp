// SPDX-License-Identifier: Apache-2.0
// Any bytes as a script: parsed, linked, and run for a few cycles with sockets that answer a little.
#include <algorithm>
#include <cstdlib>

#include "tandem/urscript/link/program.hpp"
#include "tandem/urscript/run/interpreter.hpp"
#include "tandem/urscript/run/sockets.hpp"

namespace {

using namespace tandem;
using namespace tandem::urscript;

void require(bool holds) {
  if (!holds) std::abort();
}

struct EchoSockets final : Sockets {
  void open(std::string_view, std::string_view, std::uint16_t) override {}
  void close(std::string_view) override {}
  Status status(std::string_view name) override { return name.size() % 2 == 0 ? Status::open : Status::closed; }
  bool write(std::string_view, Bytes) override { return true; }
  std::size_t available(std::string_view) override { return left; }
  std::size_t read(std::string_view, std::span<std::uint8_t> into) override {
    const std::size_t count = std::min(left, into.size());
    std::fill_n(into.begin(), count, static_cast<std::uint8_t>('('));
    left -= count;
    return count;
  }
  std::size_t left = 100;
};

const Builtins& table() {
  static EchoSockets sockets;
  static const Builtins builtins = [] {
    Builtins made;
    add_language_library(made);
    add_socket_library(made, sockets);
    made.add_waiting("movej", {"q", Parameter("a", 1.4), Parameter("v", 1.05), Parameter("t", 0), Parameter("r", 0)},
                     [](Call& call) -> Outcome {
                       if (call.resumed()) return Value(None{});
                       call.state = 1;
                       return wait;
                     });
    return made;
  }();
  sockets.left = 100;
  return builtins;
}

void run(std::string_view text) {
  auto program = Program::parse(text);
  if (!program) return require(!program.error().text.empty());
  auto code = program->link(table());
  if (!code) return require(!code.error().text.empty());
  Limits limits;
  limits.instructions_per_cycle = 2'000;
  limits.value_bytes = 64u << 20;
  Interpreter interpreter(*code, limits);
  for (std::uint64_t cycle = 1; cycle <= 5 && interpreter.running(); ++cycle) interpreter.step({cycle});
  require(interpreter.error().has_value() == (interpreter.state() == Interpreter::State::failed));
  interpreter.stop();
  require(interpreter.thread_count() == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run({reinterpret_cast<const char*>(data), size});
  return 0;
}
