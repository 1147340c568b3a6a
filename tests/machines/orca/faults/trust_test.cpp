// SPDX-License-Identifier: Apache-2.0
// The rows of the fault table about who may be believed: signatures, replays, and others with our own address.
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/machines/orca/fake_vehicle.hpp"

using namespace tandem;
using namespace tandem::orca;
using rig::FakeVehicle;
using rig::Rig;

namespace {

// A key of 32 equal bytes in a file of its own.
class TrustKey {
 public:
  explicit TrustKey(std::uint8_t byte) : byte_(byte) {
    std::string name = (std::filesystem::temp_directory_path() / "tandem-trust-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
    const std::string file = folder_ / "key";
    std::ofstream out(file);
    for (int i = 0; i < 32; ++i) out << fmt::format("{:02x}", byte);
    out.close();
    REQUIRE(chmod(file.c_str(), 0600) == 0);
  }
  ~TrustKey() { std::filesystem::remove_all(folder_); }
  TrustKey(const TrustKey&) = delete;
  TrustKey& operator=(const TrustKey&) = delete;

  std::string setting() const { return fmt::format("signing_key={}", (folder_ / "key").string()); }
  mavlink::SigningOptions signing() const {
    mavlink::SigningOptions signing{.link = 1};
    signing.key.fill(byte_);
    return signing;
  }

 private:
  std::uint8_t byte_;
  std::filesystem::path folder_;
};

// A frame that was made once and can be sent again as it was.
class Recording final : public mavlink::Outlet {
 public:
  explicit Recording(const mavlink::ChannelOptions& options) : channel_(options) {}
  bool send_payload(const mavlink::MessageInfo& info, Bytes payload) override {
    mavlink::FrameBuffer buffer;
    const Bytes bytes = channel_.make(buffer, info, payload);
    bytes_.assign(bytes.begin(), bytes.end());
    return true;
  }
  void play(mavlink::Link& link) const {
    mavlink::Parser parser;
    parser.feed(bytes_);
    const auto frame = parser.next();
    REQUIRE(frame);
    link.forward(*frame);
  }

 private:
  mavlink::Channel channel_;
  std::vector<std::uint8_t> bytes_;
};

// What the bridge says after half a second with a vehicle that it does not believe.
std::string refusal_of(FakeVehicle& vehicle, Clock& clock, const std::string& setting) {
  Machine bridge(rig::setup_for(vehicle.url(), clock, {setting}));
  const std::jthread speaks([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      vehicle.step();
      std::this_thread::sleep_for(5ms);
    }
  });
  const auto connected = bridge.connect(clock.now() + 700ms);
  return connected ? "" : connected.error().text;
}

bool holds_part(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("S1 a vehicle that does not sign is refused and the user is told why nothing comes") {
  const TrustKey key(7);
  FakeVehicle vehicle(system_clock());
  const std::string why = refusal_of(vehicle, system_clock(), key.setting());
  CHECK_MESSAGE(holds_part(why, "waiting for a heartbeat from 1/1"), why);
  CHECK_MESSAGE(holds_part(why, "frames refused, unsigned or signed with another key"), why);
  CHECK(vehicle.arms == 0);
}

TEST_CASE("S2 a vehicle with another key is refused likewise") {
  const TrustKey key(7), other(8);
  FakeVehicle vehicle(system_clock(), {.signing = other.signing()});
  const std::string why = refusal_of(vehicle, system_clock(), key.setting());
  CHECK_MESSAGE(holds_part(why, "frames refused, unsigned or signed with another key"), why);
}

TEST_CASE("S1 a vehicle that demands signing is named while nothing comes from it and when it does not arm") {
  const TrustKey key(7);
  Rig rig({}, {.signing = key.signing()});
  rig.vehicle.streams = false;  // as it hears no request for them
  REQUIRE(rig.connect());
  rig.run(5s);
  CHECK(rig.told("signing: required by the vehicle; set signing_key"));
  rig.vehicle.streams = true;  // a ground station with the key has asked for them
  rig.run(1s);
  rig.armed = true;
  rig.run(7s);
  CHECK_MESSAGE(rig.told("arming: "), rig.whys.back());
  CHECK_MESSAGE(rig.told("it requires signing: set signing_key"), rig.whys.back());
  CHECK(rig.vehicle.arms == 0);
}

TEST_CASE("S3 and G17 what was recorded before is not heard again while the vehicle is steered") {
  const TrustKey key(7);
  Rig rig({key.setting()}, {.signing = key.signing()});
  REQUIRE(rig.connect());
  rig.armed = true;
  rig.run(1s);
  REQUIRE(rig.state().activity == Activity::armed);
  const auto forged = rig.state().unsigned_or_forged;
  Recording recording({.own = {1, 1}, .signing = key.signing(), .clock = &rig.clock});
  recording.send(mavlink::Attitude{.time_boot_ms = 5, .roll = 1});  // signed, but from before
  rig.run(1s);
  for (int i = 0; i < 20; ++i) {
    recording.play(rig.vehicle.link());
    rig.run(40ms);
  }
  CHECK(rig.state().unsigned_or_forged >= forged + 20);
  CHECK(rig.state().activity == Activity::armed);
  CHECK(rig.state().vehicle.reboots == 0);
  CHECK(rig.disarms == 0);
  CHECK(rig.last.quality == Quality::live);
}

TEST_CASE("G17 without signing an old recording looks like a restart or a second vehicle and disarms") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.vehicle.booted -= 1h;
  rig.run(1s);
  rig.armed = true;
  rig.run(1s);
  REQUIRE(rig.state().activity == Activity::armed);
  for (std::uint32_t i = 0; i < 20; ++i) {  // between the frames of the vehicle itself
    rig.vehicle.say(mavlink::Attitude{.time_boot_ms = 60'000 + 20 * i, .roll = 1});
    rig.run(20ms);
  }
  CHECK(rig.disarms >= 1);
  CHECK(rig.told("two vehicles answer as 1/1"));
  rig.run(2s);
  CHECK_FALSE(rig.vehicle.armed);
  CHECK(rig.vehicle.arms == 1);
}

TEST_CASE("S6 after a restart with the clock put back what was recorded in between is still old") {
  const TrustKey key(9);
  ManualClock clock;
  FakeVehicle vehicle(clock, {.signing = key.signing()});
  const auto step = [&](Machine& bridge) {
    const std::jthread speaks([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        clock.advance(5ms);
        vehicle.step();
        std::this_thread::sleep_for(1ms);
      }
    });
    return bridge.connect(clock.now() + 3s).ok();
  };
  {
    Machine bridge(rig::setup_for(vehicle.url(), clock, {key.setting()}));
    REQUIRE(step(bridge));
    vehicle.step();
  }
  clock.jump_utc(-1h);
  {
    // The bridge's own frames go on growing, so the vehicle, which remembers, still hears them.
    const int heard = vehicle.heartbeats;
    Machine bridge(rig::setup_for(vehicle.url(), clock, {key.setting()}));
    REQUIRE(step(bridge));
    for (int i = 0; i < 200; ++i) {
      clock.advance(20ms);
      vehicle.step();
      REQUIRE(bridge.cycle({}).ok());
    }
    CHECK(vehicle.heartbeats >= heard + 2);
  }
}

TEST_CASE("V4 somebody with our own address is not heard and named") {
  Rig rig;
  REQUIRE(rig.connect());
  rig.run(200ms);
  for (int i = 0; i < 10; ++i) {
    Recording recording({.own = {200, 197}});
    recording.send(mavlink::CommandAck{
        .command = mavlink::command::arm, .result = 0, .target_system = 200, .target_component = 197});
    recording.play(rig.vehicle.link());
    rig.run(20ms);
  }
  CHECK(rig.state().impostors == 10);
  CHECK(rig.state().activity == Activity::idle);
  CHECK(rig.last.quality == Quality::live);
  rig.vehicle.streams = false;
  rig.run(1s);
  CHECK(rig.told("another sender uses 200/197"));
}

TEST_CASE("V9 a message of another dialect is named while it is missed") {
  Rig rig;
  rig.vehicle.streams = false;
  REQUIRE(rig.connect());
  static constexpr mavlink::MessageInfo other{30, "ATTITUDE", 77, 28, 28};
  const std::array<std::uint8_t, 28> payload{1};
  for (int i = 0; i < 30; ++i) {
    rig.vehicle.link().send_payload(other, payload);
    rig.run(40ms);
  }
  CHECK(rig.told("no attitude yet; dialect: the autopilot has another definition of message 30"));
}
