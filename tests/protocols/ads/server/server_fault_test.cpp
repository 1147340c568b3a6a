// SPDX-License-Identifier: Apache-2.0
// Each fault of the script does what it says, once, and the server behaves again afterwards.
#include <doctest/doctest.h>

#include "tests/protocols/ads/golden.hpp"
#include "tests/protocols/ads/raw_client.hpp"
#include "tests/protocols/ads/server_fixture.hpp"

namespace tandem::ads::test {
namespace {

struct Faulty {
  Faulty() : plc(options()) {}
  ServerOptions options() {
    ServerOptions made;
    made.faults = &script;
    return made;
  }
  FaultScript script;
  TestPlc plc;
};

// The raw answer to a request for the state, which is 46 bytes when all is well.
Buffer state_answer(RawClient& client) {
  client.send(golden::bytes(golden::state_request));
  return client.packet();
}

TEST_CASE("a fault script without faults changes nothing") {
  Faulty faulty;
  RawClient client(faulty.plc.tcp_port);
  CHECK(state_answer(client) == golden::bytes(golden::state_response));
}

TEST_CASE("the script spoils single answers") {
  Faulty faulty;
  RawClient client(faulty.plc.tcp_port);
  const Buffer good = golden::bytes(golden::state_response);

  faulty.script.next(FaultScript::wrong_invoke_id);
  CHECK(u32_at(state_answer(client), 34) == 0x01000002);
  faulty.script.next(FaultScript::short_answer);
  CHECK(state_answer(client).size() == good.size() - 4);
  faulty.script.next(FaultScript::long_answer);
  CHECK(state_answer(client).size() == good.size() + 8);
  faulty.script.next(FaultScript::error_with_data);
  CHECK(u32_at(state_answer(client), 38) == 0x700);
  faulty.script.next(FaultScript::ams_error);
  CHECK(u32_at(state_answer(client), 30) == 6);
  faulty.script.next(FaultScript::length_mismatch);
  CHECK(u32_at(state_answer(client), 26) == 12);
  faulty.script.next(FaultScript::no_answer, 2);
  client.send(golden::bytes(golden::state_request));
  client.send(golden::bytes(golden::state_request));
  CHECK(state_answer(client) == good);
  CHECK(faulty.script.happened(FaultScript::no_answer) == 2);

  faulty.script.delay(300ms);
  faulty.script.next(FaultScript::delayed_answer);
  const Instant asked = std::chrono::steady_clock::now();
  client.send(golden::bytes(golden::state_request));
  CHECK(client.packet() == good);
  CHECK(std::chrono::steady_clock::now() - asked >= 300ms);
}

TEST_CASE("the script breaks streams and connections") {
  Faulty faulty;
  const auto answer_to = [&faulty](FaultScript::Kind kind) {
    faulty.script.next(kind);
    RawClient client(faulty.plc.tcp_port);
    client.send(golden::bytes(golden::state_request));
    Buffer answer(6);
    if (!client.socket.read_exact(answer, RawClient::soon())) answer.clear();
    return answer;
  };
  CHECK(u32_at(answer_to(FaultScript::huge_length), 2) == 0x7FFFFFFF);
  CHECK(u32_at(answer_to(FaultScript::zero_length), 2) == 0);
  CHECK(answer_to(FaultScript::garbage_answer).at(0) >= 0x80);
  CHECK(answer_to(FaultScript::close_instead_of_answer).empty());
  faulty.script.next(FaultScript::close_on_accept);
  CHECK(RawClient(faulty.plc.tcp_port).closed_by_server());
  faulty.script.next(FaultScript::silent_connection);
  RawClient silent(faulty.plc.tcp_port);
  silent.send(golden::bytes(golden::state_request));
  std::uint8_t byte = 0;
  const auto nothing = silent.socket.read_some({&byte, 1}, std::chrono::steady_clock::now() + 200ms);
  REQUIRE_FALSE(nothing.ok());
  CHECK(nothing.error().fault == Fault::timeout);
  RawClient client(faulty.plc.tcp_port);
  CHECK(state_answer(client) == golden::bytes(golden::state_response));
}

TEST_CASE("the script makes notifications lie") {
  Faulty faulty;
  RawClient client(faulty.plc.tcp_port);
  const std::uint32_t handle = client.add(0x4020, 0, 4, 3, 0, 0).handle();
  CHECK(well_formed_notification(Bytes(client.notification()).subspan(38)));
  for (const auto kind : {FaultScript::lying_sample_size, FaultScript::lying_sample_count}) {
    faulty.script.next(kind);
    Buffer packet = client.notification();
    for (int i = 0; i < 100 && well_formed_notification(Bytes(packet).subspan(38)); ++i) packet = client.notification();
    CHECK_FALSE(well_formed_notification(Bytes(packet).subspan(38)));
  }
  faulty.script.next(FaultScript::stale_handle);
  Buffer packet = client.notification();
  for (int i = 0; i < 100 && u32_at(packet, 58) == handle; ++i) packet = client.notification();
  CHECK(u32_at(packet, 58) == 0xDEAD0001);
}

}  // namespace
}  // namespace tandem::ads::test
