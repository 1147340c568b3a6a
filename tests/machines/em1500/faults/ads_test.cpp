// SPDX-License-Identifier: Apache-2.0
// The faults A1 to A18 of an ADS device, played to the EM1500 bridge on an idle link and on one that streams.
#include <bit>

#include "tandem/machines/em1500/options.hpp"
#include "tandem/protocols/ads/client/client.hpp"
#include "tests/machines/em1500/rig.hpp"

using namespace tandem;
using namespace tandem::em1500;
using namespace tandem::em1500::faults;
using Effect = Row::Effect;
using Script = ads::FaultScript;

namespace {

// The bridge meets the fault when it connects.
void reconnect(Rig& rig) { rig.proxy.cut(net::Cut::rst); }

// A row for a fault of the wire that hits the next answers: those to the set-up of a new link, and on an idle link
// the answer to "are you there?".
Row answers(Script::Kind kind, std::string_view shows) {
  return {.strike =
              [=](Rig& rig) {
                rig.wire.script.next(kind, 2);
                if (rig.mode == Mode::streaming) reconnect(rig);
                CHECK(eventually([&] { return rig.wire.script.happened(kind) >= 2; }));
              },
          .shows = {shows}};
}

std::vector<ads::PlcTypes::Field> fields(const char* type, int count) {
  std::vector<ads::PlcTypes::Field> all;
  for (int i = 0; i < count; ++i) all.push_back({"axis" + std::to_string(i), type});
  return all;
}

// The usual program, but for the type of its pose.
BenchPlc::Declare with_pose_of(const char* type, int count) {
  return [=](ads::SymbolTable& table) {
    table.types().structure("ST_Other", fields(type, count));
    table.add(std::string(symbol_pose), "ST_Other");
    table.add(std::string(symbol_rx_counter), "DINT");
    table.add(std::string(symbol_timeout), "BOOL");
  };
}

// The same variables at other addresses.
void declare_moved(ads::SymbolTable& table) {
  table.add("MAIN.aNew", "ARRAY [0..99] OF LREAL");
  declare_usual(table);
}

// An online change of the type of the pose.
void change_pose(Rig& rig, const char* type) {
  rig.plc->run([&](ads::Server&, ads::SymbolTable& table) {
    table.types().structure("ST_Longer", fields("LREAL", 7));
    CHECK(table.change(symbol_pose, type));
  });
  let_flow(rig);
}

void remove(Rig& rig, std::string_view symbol) {
  rig.plc->run([&](ads::Server&, ads::SymbolTable& table) { CHECK(table.remove(symbol)); });
  let_flow(rig);  // the PLC tells of a change in its cycle
}

void raw_frame(Rig& rig, std::uint32_t tcp_length, std::uint32_t ams_length) {
  std::vector<std::uint8_t> bytes;
  ads::finish_frame(bytes, ads::begin_frame(bytes, ads::AmsHeader{}));
  ByteWriter(bytes).little_at(2, tcp_length);
  ByteWriter(bytes).little_at(ads::tcp_header_size + 20, ams_length);
  rig.proxy.inject_to_client(bytes);
}

// The bytes of a number the wrong way round. Its last byte is set first: by chance it would make every axis a number
// next to zero, which nobody can tell from a platform that stands.
double swapped(double value) {
  const std::uint64_t bits = (std::bit_cast<std::uint64_t>(value) & ~std::uint64_t{0xff}) | 0x47;
  return std::bit_cast<double>(__builtin_bswap64(bits));
}

}  // namespace

TEST_CASE("A01 the PLC is in STOP or in CONFIG") {
  play({.strike = [](Rig& rig) { rig.plc->idle(true); },
        .effect = Effect::stale,
        .shows = {"the PLC is in state stop"},
        .lift = [](Rig& rig) { rig.plc->idle(false); }});
  // In CONFIG there is nobody behind AMS port 851.
  play({.strike =
            [](Rig& rig) {
              rig.wire.script.next(Script::ams_error, Script::always);
              rig.plc->idle(true);
            },
        .shows = {"0x6"},
        .lift =
            [](Rig& rig) {
              rig.wire.script.next(Script::ams_error, 0);
              rig.plc->idle(false);
            }});
}

TEST_CASE("A01 the task stands at a breakpoint while the link is set up anew") {
  play({.strike =
            [](Rig& rig) {
              rig.plc->halted = true;
              pass(400ms);
              reconnect(rig);
            },
        .shows = {"the PLC runs but sends no samples"},
        .lift = [](Rig& rig) { rig.plc->halted = false; },
        .not_idle = "there it stands already"});
}

TEST_CASE("A02 the PLC starts again with the same symbols") {
  play({.strike = [](Rig& rig) { rig.restart(); }});
}

TEST_CASE("A03 the PLC starts again with another symbol table") {
  play({.strike = [](Rig& rig) { rig.restart(with_pose_of("LREAL", 7)); },
        .shows = {"MAIN.stEM1500Pose: expected 48 bytes (six LREAL), got 56 bytes of type ST_Other"},
        .lift = [](Rig& rig) { rig.restart(); }});
  play({.strike = [](Rig& rig) { rig.restart(with_pose_of("REAL", 6)); },
        .shows = {"got 24 bytes"},
        .lift = [](Rig& rig) { rig.restart(); }});
  play({.strike = [](Rig& rig) { rig.restart(declare_moved); }});
}

TEST_CASE("A04 an online change while the PLC runs") {
  play({.strike = [](Rig& rig) { rig.plc->run([](ads::Server&, ads::SymbolTable& table) { table.renew(); }); },
        .effect = Effect::none});
  play({.strike = [](Rig& rig) { change_pose(rig, "ST_Longer"); },
        .shows = {"MAIN.stEM1500Pose: expected 48 bytes"},
        .lift = [](Rig& rig) { change_pose(rig, "ST_Pose"); }});
}

TEST_CASE("A05 a symbol is deleted") {
  play({.strike = [](Rig& rig) { remove(rig, symbol_pose); },
        .shows = {"MAIN.stEM1500Pose"},
        .lift = [](Rig& rig) { rig.restart(); }});
  // What the bridge can do without, it does without.
  for (const std::string_view extra : {symbol_rx_counter, symbol_timeout}) {
    play({.strike = [=](Rig& rig) { remove(rig, extra); }, .effect = Effect::none});
  }
}

TEST_CASE("A06 handles become invalid") {
  const auto renew = [](Rig& rig) {
    for (int i = 0; i < 3; ++i) {
      rig.plc->run([](ads::Server&, ads::SymbolTable& table) { table.renew(); });
      pass(60ms);
    }
  };
  play({.strike = renew, .effect = Effect::none});
  // The same where the PLC gives no notifications, and a failed read is all that tells.
  play({.before = [](Rig& rig) { rig.wire.refuses_subscriptions = true; },
        .strike =
            [=](Rig& rig) {
              CHECK(rig.connected());
              if (rig.mode == Mode::streaming) CHECK(rig.link.flows());
              renew(rig);
            },
        .effect = Effect::none});
}

TEST_CASE("A07 notifications with handles of an earlier session") {
  play({.strike =
            [](Rig& rig) {
              rig.wire.script.next(Script::stale_handle, 20);
              CHECK(eventually([&] { return rig.wire.script.happened(Script::stale_handle) >= 20; }));
            },
        .effect = Effect::none,
        .not_idle = "an idle link has no notifications"});
  play({.strike =
            [](Rig& rig) {
              rig.wire.captures = true;
              pass(200ms);
              rig.wire.captures = false;
              const std::uint64_t connects = rig.link.account.connects;
              reconnect(rig);
              CHECK(eventually([&] { return rig.link.account.connects > connects; }));
              CHECK(rig.link.flows());
              rig.proxy.inject_to_client(rig.wire.captured());
            },
        .not_idle = "an idle link has no notifications"});
}

TEST_CASE("A08 notifications whose count or size lies") {
  for (const auto kind : {Script::lying_sample_size, Script::lying_sample_count}) {
    play({.strike =
              [=](Rig& rig) {
                rig.wire.script.next(kind, 20);
                CHECK(eventually([&] { return rig.wire.script.happened(kind) >= 20; }));
              },
          .effect = Effect::none,
          .not_idle = "an idle link has no notifications"});
  }
}

TEST_CASE("A09 answers with a wrong invoke id") {
  play(answers(Script::wrong_invoke_id, "no answer before the deadline"));
}

TEST_CASE("A10 answers that are too short or too long") {
  play(answers(Script::short_answer, "inconsistent lengths"));
  play(answers(Script::long_answer, "inconsistent lengths"));
}

TEST_CASE("A11 packets whose lengths cannot be") {
  play(answers(Script::huge_length, "2147483647"));
  play(answers(Script::zero_length, "AMS/TCP length"));
  play(answers(Script::length_mismatch, "contradicts AMS/TCP length"));
  for (const std::uint32_t length : {0u, 31u, 0x7FFF'FFFFu, 0xFFFF'FFFFu}) {
    play({.strike = [=](Rig& rig) { raw_frame(rig, length, length - 32); }, .shows = {"AMS"}});
  }
}

TEST_CASE("A12 an error code in front of good data") { play(answers(Script::error_with_data, "0x700")); }

TEST_CASE("A13 the PLC has no route to us") {
  play({.strike =
            [](Rig& rig) {
              rig.wire.script.next(Script::close_on_accept, Script::always);
              reconnect(rig);
              const std::uint64_t attempts = rig.link.status().attempts;
              const long lines = rig.link.events();
              pass(1s);
              CHECK(rig.link.status().attempts - attempts <= 20);
              CHECK(rig.link.events() - lines <= 2);
            },
        .shows = {"probably no route for NetId 127.0.0.1.1.1 there; add one in TwinCAT"},
        .lift = [](Rig& rig) { rig.wire.script.next(Script::close_on_accept, 0); }});
}

TEST_CASE("A14 another bridge uses our NetId") {
  play({.strike =
            [](Rig& rig) {
              for (int i = 0; i < 4; ++i) {  // the PLC drops one of the two each time the other comes
                CHECK(rig.link.flows(3));
                rig.proxy.cut(net::Cut::fin);
              }
            },
        .shows = {"does another client use the same NetId?"},
        .not_idle = "a bridge that shows nothing is taken over without a trace"});
}

TEST_CASE("A15 reads that take longer than the cycle") {
  play({.before =
            [](Rig& rig) {
              rig.wire.refuses_subscriptions = true;
              rig.wire.script.delay(30ms);
              rig.wire.script.next(Script::delayed_answer, Script::always);
            },
        .strike =
            [](Rig& rig) {
              CHECK(rig.connected());
              let_flow(rig);
              CHECK(rig.link.flows(20));
              CHECK(Duration(rig.wire.closest.load()) > 25ms);  // never two on their way
              CHECK(rig.link.status().rate < 40);
              rig.wire.script.next(Script::delayed_answer, 0);
            },
        .effect = Effect::none});
}

TEST_CASE("A16 one variable of a sum read fails") {
  play({.before = [](Rig& rig) { rig.wire.refuses_subscriptions = rig.wire.fails_counter = true; },
        .strike =
            [](Rig& rig) {
              CHECK(rig.connected());
              let_flow(rig);
              CHECK(rig.link.flows(20));
              CHECK(rig.wire.sum_reads >= 20);
            },
        .effect = Effect::none});
}

TEST_CASE("A17 a write is not answered in time") {
  for (const Mode mode : {Mode::idle, Mode::streaming}) {
    Rig rig(mode);
    auto client = ads::Client::connect(peer_from("ads://" + rig.proxy.endpoint().text()), system_clock().now() + 5s);
    REQUIRE(client);
    auto handle = client->handle_by_name(symbol_rx_counter, system_clock().now() + 5s);
    REQUIRE(handle);
    rig.wire.script.next(Script::no_answer, 1);
    const std::array<std::uint8_t, 4> value{1, 0, 0, 0};
    const auto written = client->write_handle(*handle, value, system_clock().now() + 300ms);
    REQUIRE_FALSE(written.ok());
    CHECK(ads::outcome_unknown(written.error()));
    CHECK(written.error().text.find("UNKNOWN") != std::string::npos);
    CHECK(client->read_state(system_clock().now() + 5s).ok());
    CHECK(rig.wire.writes == 1);  // and never again
  }
  // The bridge itself writes nothing, which every row of these tables looks at.
  play({.strike =
            [](Rig& rig) {
              rig.wire.script.next(Script::no_answer, 2);
              if (rig.mode == Mode::streaming) reconnect(rig);
              CHECK(eventually([&] { return rig.wire.script.happened(Script::no_answer) >= 2; }));
            },
        .shows = {"no answer before the deadline"}});
}

TEST_CASE("A18 numbers of another format") {
  // As many bytes, but twelve REAL.
  play({.strike = [](Rig& rig) { rig.restart(with_pose_of("REAL", 12)); },
        .shows = {"MAIN.stEM1500Pose: expected six LREAL, got the PLC's type ST_Other with other members"},
        .lift = [](Rig& rig) { rig.restart(); }});
  // The right type with its bytes the wrong way round.
  play({.strike =
            [](Rig& rig) {
              rig.plc->twist([](PlcPose pose) {
                for (double PlcPose::*axis : {&PlcPose::surge, &PlcPose::sway, &PlcPose::heave, &PlcPose::roll,
                                              &PlcPose::pitch, &PlcPose::yaw}) {
                  pose.*axis = swapped(pose.*axis);
                }
                return pose;
              });
              let_flow(rig);
            },
        .effect = Effect::stale,
        .shows = {"expected a number within"},
        .lift = [](Rig& rig) { rig.plc->twist({}); }});
}
