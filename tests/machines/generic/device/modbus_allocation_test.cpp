// SPDX-License-Identifier: Apache-2.0
// The warm cycle of a link: no allocation.
#include "tests/allocations.hpp"
#include "tests/machines/generic/device/modbus_rig.hpp"

namespace tandem::generic {
namespace {

TEST_CASE("a warm scan and warm writes allocate nothing") {
  test::ServedDevice plc;
  plc.device.add(modbus::Table::holding_registers, 0, 2000);
  plc.device.add(modbus::Table::coils, 0, 100);
  plc.start();
  std::vector<Declaration> signals;
  for (int i = 0; i < 500; ++i)
    signals.push_back(
        test::output(test::signal(fmt::format("s{}", i), ModbusTable::holding, static_cast<std::uint16_t>(3 * i),
                                  i % 2 == 0 ? Type::float32 : Type::int16)));
  for (int i = 0; i < 50; ++i)
    signals.push_back(
        test::output(test::signal(fmt::format("c{}", i), ModbusTable::coil, static_cast<std::uint16_t>(i))));
  signals[3].expect = Range{0, 1};
  const auto description = test::described(signals);
  for (const int requests : {1, 4}) {
    description->limits.requests = requests;
    test::Scanned link(description, plc.url());
    const std::vector<Write> writes{{0, 1.0}, {1, 2.0}, {501, 1.0}, {502, 0.0}};
    std::vector<Written> outcomes;
    outcomes.reserve(writes.size());
    std::size_t warm = 0;
    for (int round = 0; round < 60; ++round) {
      if (round == 20) warm = allocations;
      link.now += 10ms;
      bool good = link.link->scan(link.now, link.readings, in(5s)).ok();
      good &= link.link->write(writes, outcomes, in(5s)).ok();
      good &= link.link->beat(7, in(5s)).ok();
      if (!good) FAIL("round ", round);
    }
    CHECK(allocations - warm == 0);
  }
}

}  // namespace
}  // namespace tandem::generic
