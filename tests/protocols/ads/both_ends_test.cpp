// SPDX-License-Identifier: Apache-2.0
// The ADS client and the virtual PLC on one loopback.
#include <doctest/doctest.h>

#include <algorithm>

#include "tandem/protocols/ads/client/discovery.hpp"
#include "tandem/protocols/ads/client/symbol.hpp"
#include "tests/deadline.hpp"
#include "tests/protocols/ads/server_fixture.hpp"

namespace tandem::ads {
namespace {

struct Pose {
  double surge, sway, heave, roll, pitch, yaw;
};

Client connected(const test::TestPlc& plc) {
  auto client = Client::connect({"127.0.0.1", plc.tcp_port, {NetId{{5, 1, 2, 3, 1, 1}}, port::plc}, {}}, soon());
  REQUIRE(client);
  return std::move(*client);
}

TEST_CASE("the client gets through a whole session with the virtual PLC") {
  test::TestPlc plc;
  Client client = connected(plc);
  auto info = client.device_info(soon());
  REQUIRE(info);
  CHECK(info->name == "Plc30 App");
  CHECK(info->major == 3);
  auto state = client.read_state(soon());
  REQUIRE(state);
  CHECK(state->ads == AdsState::run);

  auto symbol = Symbol<Pose>::resolve(client, "MAIN.stEM1500Pose", "ST_Pose", soon());
  REQUIRE(symbol);
  const Pose pose{0.1, -0.2, 0.3, 0.01, 0.02, -0.03};
  REQUIRE(symbol->write(client, pose, soon()));
  auto back = symbol->read(client, soon());
  REQUIRE(back);
  CHECK(back->yaw == -0.03);
  CHECK(symbol->release(client, soon()));
  CHECK(!symbol->read(client, soon()));

  auto type = client.type_info("ST_Pose", soon());
  REQUIRE(type);
  REQUIRE(type->members.size() == 6);
  CHECK(type->members[5].name == "yaw");
  CHECK(type->members[5].offset == 40);
  auto symbols = client.all_symbols(soon());
  REQUIRE(symbols);
  CHECK(std::ranges::count(*symbols, std::string("MAIN.fTime"), &SymbolInfo::name) == 1);
}

TEST_CASE("a symbol that is not there or does not fit is named") {
  test::TestPlc plc;
  Client client = connected(plc);
  auto missing = Symbol<double>::resolve(client, "MAIN.nothing", "", soon());
  REQUIRE(!missing);
  CHECK(missing.error().fault == Fault::not_found);
  CHECK(missing.error().code == code::symbol_not_found);
  CHECK(missing.error().text.starts_with("MAIN.nothing: "));
  CHECK(Symbol<double>::resolve(client, "MAIN.fTime", "", soon()));
  CHECK(!Symbol<std::int64_t>::resolve(client, "MAIN.fTime", "", soon()));
  CHECK(!Symbol<float>::resolve(client, "MAIN.fTime", "", soon()));
  CHECK(Symbol<std::uint8_t>::resolve(client, "MAIN.bTimout", "", soon()));
  CHECK(Symbol<std::int32_t>::resolve(client, "MAIN.nRxCounter", "DINT", soon()));
}

TEST_CASE("a sum read of the virtual PLC gives the members that are there") {
  test::TestPlc plc;
  Client client = connected(plc);
  auto counter = client.handle_by_name("MAIN.nRxCounter", soon());
  REQUIRE(counter);
  plc.run([](Server&, SymbolTable& table) { table.write<std::int32_t>("MAIN.nRxCounter", 77); });
  std::array<std::uint8_t, 4> a{};
  std::array<std::uint8_t, 8> b{};
  std::array<SumReadItem, 2> items{SumReadItem{group::value_by_handle, *counter, a},
                                   SumReadItem{group::value_by_handle, 0xDEAD, b}};
  REQUIRE(client.sum_read(items, soon()));
  CHECK(items[0].result == 0);
  CHECK(a[0] == 77);
  CHECK(items[1].result != 0);
}

TEST_CASE("notifications bring every PLC cycle in order") {
  ServerOptions options;
  options.cycle = 2ms;
  test::TestPlc plc(options, [](SymbolTable& table, std::uint64_t i) {
    table.write<std::int32_t>("MAIN.nRxCounter", static_cast<std::int32_t>(i));
  });
  Client client = connected(plc);
  auto symbol = Symbol<std::int32_t>::resolve(client, "MAIN.nRxCounter", "", soon());
  REQUIRE(symbol);
  auto handle = symbol->subscribe(client, TransMode::server_cycle, 0s, soon());
  REQUIRE(handle);
  std::optional<std::int32_t> last;
  FileTime last_stamp = 0;
  for (int i = 0; i < 100; ++i) {
    auto next = client.next_notification(soon());
    REQUIRE(next);
    REQUIRE(next->has_value());
    CHECK((*next)->handle == *handle);
    CHECK((*next)->stamp > last_stamp);
    last_stamp = (*next)->stamp;
    const auto value = Symbol<std::int32_t>::value_of(**next);
    REQUIRE(value);
    // The first sample may be of the cycle that the subscription came in.
    if (last && i > 1) CHECK(*value == *last + 1);
    last = value;
  }
  const Duration age = system_clock().utc() - utc_from_filetime(last_stamp);
  CHECK(std::chrono::abs(age) < 5s);
  REQUIRE(client.delete_notification(*handle, soon()));
  CHECK(!client.delete_notification(*handle, soon()));
  auto none = client.next_notification(in(30ms));
  REQUIRE(none);
  CHECK(!none->has_value());
}

TEST_CASE("an online change is seen and old handles give no shifted bytes") {
  test::TestPlc plc;
  Client client = connected(plc);
  auto watch = VersionWatch::start(client, 10ms, soon());
  REQUIRE(watch);
  auto symbol = Symbol<Pose>::resolve(client, "MAIN.stEM1500Pose", "ST_Pose", soon());
  REQUIRE(symbol);
  plc.run([](Server&, SymbolTable& table) {
    table.types().structure("ST_Pose", {{"surge", "REAL"}, {"sway", "REAL"}});
    table.change("MAIN.stEM1500Pose", "ST_Pose");
  });
  bool changed = false;
  const Instant deadline = soon();
  while (!changed && in(0s) < deadline) {
    auto next = client.next_notification(deadline);
    REQUIRE(next);
    changed = next->has_value() && watch->changed(**next);
  }
  CHECK(changed);
  CHECK(!symbol->read(client, soon()));
  auto again = Symbol<Pose>::resolve(client, "MAIN.stEM1500Pose", "ST_Pose", soon());
  REQUIRE(!again);
  CHECK(again.error().text.find("expected 48 bytes, got 8") != std::string::npos);
}

TEST_CASE("every fault of the script costs what it must and no more") {
  struct Case {
    FaultScript::Kind kind;
    Fault fault;
    bool lost;  // the connection with it
  };
  const std::array cases{Case{FaultScript::no_answer, Fault::timeout, false},
                         Case{FaultScript::close_instead_of_answer, Fault::closed, true},
                         Case{FaultScript::wrong_invoke_id, Fault::timeout, false},
                         Case{FaultScript::short_answer, Fault::invalid, false},
                         Case{FaultScript::long_answer, Fault::invalid, false},
                         Case{FaultScript::error_with_data, Fault::device, false},
                         Case{FaultScript::ams_error, Fault::unreachable, false},
                         Case{FaultScript::huge_length, Fault::invalid, true},
                         Case{FaultScript::zero_length, Fault::invalid, true},
                         Case{FaultScript::length_mismatch, Fault::invalid, true},
                         Case{FaultScript::delayed_answer, Fault::timeout, false}};
  FaultScript faults;
  faults.delay(400ms);
  ServerOptions options;
  options.faults = &faults;
  test::TestPlc plc(options);
  for (const Case& fault : cases) {
    CAPTURE(static_cast<int>(fault.kind));
    Client client = connected(plc);
    std::array<std::uint8_t, 16> bytes{};
    REQUIRE(client.read(group::memory, 0, bytes, soon()));
    bytes.fill(0xEE);
    faults.next(fault.kind);
    auto read = client.read(group::memory, 0, bytes, in(200ms));
    REQUIRE(!read);
    CHECK(read.error().fault == fault.fault);
    CHECK(std::ranges::count(bytes, 0xEE) == 16);
    CHECK(client.open() != fault.lost);
    if (!fault.lost) CHECK(client.read(group::memory, 0, bytes, soon()));
  }
}

TEST_CASE("a missing route is diagnosed with the virtual PLC too") {
  FaultScript faults;
  ServerOptions options;
  options.faults = &faults;
  test::TestPlc plc(options);
  faults.next(FaultScript::close_on_accept);
  auto client = Client::connect({"127.0.0.1", plc.tcp_port, {NetId{{5, 1, 2, 3, 1, 1}}, port::plc}, {}}, soon());
  REQUIRE(client);
  auto state = client->read_state(soon());
  REQUIRE(!state);
  CHECK(state.error().text.find("no route for NetId 127.0.0.1.1.1") != std::string::npos);
  auto info = discover("127.0.0.1", soon(), plc.udp_port);
  REQUIRE(info);
  CHECK(info->address.port == port::system_service);
  CHECK(add_route("127.0.0.1", {"tandem", client->own().net_id, "Administrator", "1", "127.0.0.1"}, soon(),
                  plc.udp_port));
}

TEST_CASE("a port with nobody behind it and a notification that lies are told and survived") {
  FaultScript faults;
  ServerOptions options;
  options.cycle = 2ms;
  options.faults = &faults;
  test::TestPlc plc(options);
  auto nobody = Client::connect({"127.0.0.1", plc.tcp_port, {NetId{{5, 1, 2, 3, 1, 1}}, 1000}, {}}, soon());
  REQUIRE(nobody);
  auto state = nobody->read_state(soon());
  REQUIRE(!state);
  CHECK(state.error().code == code::no_such_port);

  Client client = connected(plc);
  auto handle = client.add_notification(group::memory, 0, 8, TransMode::server_cycle, 0s, soon());
  REQUIRE(handle);
  for (const auto kind : {FaultScript::lying_sample_size, FaultScript::lying_sample_count, FaultScript::stale_handle}) {
    faults.next(kind);
    const Instant deadline = soon();
    while (faults.happened(kind) == 0 && in(0s) < deadline) REQUIRE(client.next_notification(deadline));
    for (int i = 0; i < 10; ++i) {
      auto next = client.next_notification(soon());
      REQUIRE(next);
      REQUIRE(next->has_value());
      CHECK((*next)->handle == *handle);
      CHECK((*next)->data.size() == 8);
    }
  }
  CHECK(client.counters().notifications_malformed == 2);
  CHECK(client.counters().samples_ignored == 1);
}

}  // namespace
}  // namespace tandem::ads
