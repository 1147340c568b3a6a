// SPDX-License-Identifier: Apache-2.0
// Our client against somebody else's server: client_main PORT [basic]. The server holds zeros in all four tables from 0
// to 99; a basic one does not know functions 22 and 23.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string>

#include "tandem/protocols/modbus/client.hpp"

namespace {

using namespace tandem;

int failures = 0;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  ++failures;
  fmt::print("failed: {}\n", what);
}

std::string text(const Result<void>& result) { return result ? "done" : result.error().text; }

}  // namespace

int main(int argc, char** argv) {
  const auto port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 0);
  const auto soon = [] { return system_clock().now() + 10s; };
  auto client = modbus::Client::connect({"127.0.0.1", port, 1}, soon());
  if (!client) {
    fmt::print("{}\n", client.error().text);
    return 1;
  }
  std::array<std::uint16_t, 16> out{};
  std::array<std::uint16_t, 16> in{};
  for (std::uint16_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint16_t>(1000 * i + 1);

  for (int cycle = 0; cycle < 100; ++cycle) {
    out[0] = static_cast<std::uint16_t>(cycle);
    const auto pair = client->write_and_read(0, out, 0, in, soon());
    expect(pair.ok() && in == out, "write and read in one segment: " + text(pair.written) + ", " + text(pair.read));
  }
  const bool basic = argc > 2 && std::string(argv[2]) == "basic";
  auto done = client->write_register(40, 0xBEEF, soon());
  expect(done.ok(), "function 6: " + text(done));
  if (!basic) {
    done = client->exchange(20, out, 0, in, soon());
    expect(done.ok() && in == out, "function 23: " + text(done));
    done = client->mask_write(40, 0x00F0, 0x1005, soon());
    expect(done.ok(), "function 22: " + text(done));
    std::array<std::uint16_t, 1> word{};
    done = client->read_registers(40, word, soon());
    expect(done.ok() && word[0] == ((0xBEEF & 0x00F0) | (0x1005 & ~0x00F0)), "after function 22: " + text(done));
  }
  done = client->read_input_registers(0, in, soon());
  expect(done.ok() && in[3] == 0, "function 4: " + text(done));

  const std::array<bool, 11> coils{true, false, true, true, false, false, true, false, true, true, true};
  std::array<bool, 11> seen{};
  done = client->write_coils(10, coils, soon());
  expect(done.ok(), "function 15: " + text(done));
  done = client->read_coils(10, seen, soon());
  expect(done.ok() && seen == coils, "function 1: " + text(done));
  done = client->write_coil(10, false, soon());
  expect(done.ok(), "function 5: " + text(done));
  done = client->read_discrete_inputs(10, seen, soon());
  expect(done.ok() && !seen[0], "function 2: " + text(done));

  done = client->read_registers(60000, in, soon());
  expect(!done && done.error().fault == Fault::device && done.error().code == 2, "illegal address: " + text(done));
  done = client->read_registers(0, in, soon());
  expect(done.ok(), "after an exception: " + text(done));
  expect(client->counters().dropped == 0 && client->counters().rejected == 0, "no answer was wrong");
  fmt::print("{} failures\n", failures);
  return failures == 0 ? 0 : 1;
}
