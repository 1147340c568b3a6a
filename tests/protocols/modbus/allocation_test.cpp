// SPDX-License-Identifier: Apache-2.0
// The warm cycle of a Modbus client: no allocation.
#include <array>

#include "tandem/protocols/modbus/registers.hpp"
#include "tests/allocations.hpp"
#include "tests/protocols/modbus/fake.hpp"

namespace tandem::modbus {
namespace {

TEST_CASE("a warm cycle of writing and reading registers allocates nothing") {
  test::FakeServer server([](test::FakeDevice& device) {
    while (const auto request = device.request()) {
      const auto function = static_cast<Function>(request->pdu[0]);
      if (function == Function::write_registers) device.answer(*request, "10 00 00 00 10");
      if (function == Function::read_holding_registers)
        device.answer(*request, "03 10 00 01 00 02 00 03 00 04 00 05 00 06 00 07 00 08");
      if (function == Function::read_write_registers)
        device.answer(*request, "17 10 00 01 00 02 00 03 00 04 00 05 00 06 00 07 00 08");
      if (function == Function::write_coil) device.answer(*request, "05 20 00 FF 00");
    }
  });
  Client client = server.connect();
  std::vector<Register> rows(8);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].name = std::to_string(i);
    rows[i].address = static_cast<std::uint16_t>(2 * i);
    rows[i].width = 32;
  }
  const RegisterTable table(rows);
  std::array<std::uint16_t, 16> out{};
  std::array<std::uint16_t, 8> in{};
  std::size_t warm = 0;
  constexpr int rounds = 100;
  for (int round = 0; round < 2 * rounds; ++round) {
    if (round == rounds) warm = allocations;
    bool good = true;
    for (std::size_t i = 0; i < rows.size(); ++i) good &= table.encode(i, round, {0, out}).ok();
    good &= client.write_and_read(0, out, 16, in, soon()).ok();
    good &= client.exchange(0, out, 16, in, soon()).ok();
    good &= client.write_coil(8192, true, soon()).ok();
    good &= table.decode(1, {0, in}).ok();
    if (!good) FAIL("round ", round);
  }
  CHECK(allocations - warm == 0);
}

}  // namespace
}  // namespace tandem::modbus
