// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/device.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <thread>

#include "tandem/machines/orca/virtual/faults.hpp"
#include "tandem/net/url.hpp"
#include "tandem/protocols/mavlink/codec/constants.hpp"
#include "tandem/protocols/mavlink/link/link.hpp"
#include "tandem/protocols/mavlink/messages/all.hpp"

namespace tandem::orca {
namespace {

// A ground station on a real socket of a vehicle that runs.
class Station {
 public:
  explicit Station(const VirtualDeviceSetup& setup, bool tcp, const mavlink::LinkOptions& options = {})
      : vehicle(make_virtual_device(setup)),
        link_(open(tcp, options)),
        thread_([this](std::stop_token stop) { vehicle->run(stop); }) {}

  template <mavlink::Message M>
  std::optional<M> wait(Duration patience = 20s) {
    const Instant deadline = now() + patience;
    Instant beat{};
    while (now() < deadline) {
      if (now() >= beat) {
        link_.send(mavlink::Heartbeat{.type = 6, .autopilot = 8});
        beat = now() + 500ms;
      }
      const auto frame = link_.receive(std::min(deadline, now() + 100ms));
      if (!frame) continue;
      version = frame->version;
      if (auto message = frame->as<M>()) return message;
    }
    return std::nullopt;
  }
  mavlink::Link& link() { return link_; }

  std::unique_ptr<VirtualDevice> vehicle;
  mavlink::Version version = mavlink::Version::v2;

 private:
  mavlink::Link open(bool tcp, const mavlink::LinkOptions& options) const {
    const auto url = net::parse_url(tcp ? vehicle->tcp_url() : vehicle->url());
    REQUIRE(url);
    CHECK(url->value("link") == (tcp ? "tcp" : "udpout"));
    auto link = mavlink::Link::open(fmt::format("{}:{}:{}", tcp ? "tcp" : "udpout", url->host, *url->port), options);
    REQUIRE(link);
    return std::move(*link);
  }

  mavlink::Link link_;
  std::jthread thread_;
};

}  // namespace

TEST_CASE("the virtual vehicle talks and listens over UDP") {
  Station station({}, false);
  const auto heartbeat = station.wait<mavlink::Heartbeat>();
  REQUIRE(heartbeat);
  CHECK(heartbeat->type == mavlink::vehicle_type::submarine);
  CHECK(station.wait<mavlink::Attitude>());
  station.link().send(mavlink::CommandLong{.target_system = 1, .target_component = 1, .command = 31999});
  const auto ack = station.wait<mavlink::CommandAck>();
  REQUIRE(ack);
  CHECK(ack->command == 31999);
  CHECK(ack->result == 3);
  CHECK(station.vehicle->truth().time > 0);
}

TEST_CASE("the virtual vehicle serves TCP and answers in the version that it hears") {
  mavlink::LinkOptions options;
  options.channel.version = mavlink::VersionPolicy::v1;
  Station station({}, true, options);
  REQUIRE(station.wait<mavlink::Attitude>());
  REQUIRE(station.wait<mavlink::SysStatus>());
  CHECK(station.version == mavlink::Version::v1);
}

TEST_CASE("with a key only signed frames count") {
  VirtualDeviceSetup setup;
  setup.signing_key.emplace().fill(7);
  mavlink::LinkOptions options;
  mavlink::SigningOptions signing{.link = 9};
  signing.key.fill(7);
  options.channel.signing = signing;
  {
    Station trusted(setup, false, options);
    REQUIRE(trusted.wait<mavlink::Attitude>());
    CHECK(trusted.link().channel().signing()->count(mavlink::SigningVerdict::good) > 0);
  }
  Station stranger(setup, false);
  CHECK_FALSE(stranger.wait<mavlink::Attitude>(1500ms));
}

TEST_CASE("frames are broken and doubled on demand and a silent vehicle is silent") {
  VehicleFaults faults;
  VirtualDeviceSetup setup;
  setup.faults = &faults;
  Station station(setup, false);
  REQUIRE(station.wait<mavlink::Attitude>());
  faults.next(VehicleFaults::broken_frame, 2);
  faults.next(VehicleFaults::doubled_frame, 2);
  REQUIRE(station.wait<mavlink::SysStatus>());
  REQUIRE(station.wait<mavlink::SysStatus>());
  CHECK(faults.happened(VehicleFaults::broken_frame) > 0);
  CHECK(faults.happened(VehicleFaults::doubled_frame) > 0);
  CHECK(station.link().parser_counters().bad_checksum > 0);
  faults.silent = true;
  bool quiet = false;  // once what was on the way has come
  for (int i = 0; i < 40 && !quiet; ++i) quiet = !station.wait<mavlink::Attitude>(600ms);
  CHECK(quiet);
}

namespace {

// Of UDP, on loopback.
std::uint16_t free_port() {
  auto probe = net::UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(probe.ok());
  return probe->local().port;
}

}  // namespace

TEST_CASE("the body alone listens on UDP 9002 and a taken port is an error that names it") {
  auto held = net::UdpSocket::bind("127.0.0.1", 9002);
  if (!held) return;  // another program's; then there is nothing to see here
  std::string why;
  try {
    const auto sitl = make_virtual_sitl({});
  } catch (const std::runtime_error& error) {
    why = error.what();
  }
  CHECK_MESSAGE(why.find("9002") != std::string::npos, why);
}

TEST_CASE("the body alone waits for a real ArduSub") {
  VirtualDeviceSetup setup;
  setup.port = free_port();
  const auto sitl = make_virtual_sitl(setup);
  CHECK(sitl->url() == "mavlink://127.0.0.1:5760?link=tcp");
  CHECK(sitl->truth().X_map_base.translation().z() == doctest::Approx(start_height));
  std::stop_source stop;
  std::thread thread([&] { sitl->run(stop.get_token()); });
  stop.request_stop();
  thread.join();
}

TEST_CASE("a vehicle that restarts is there again on the same port with the parameters that it was told") {
  VehicleFaults faults;
  VirtualDeviceSetup setup;
  setup.faults = &faults;
  Station station(setup, true);
  REQUIRE(station.wait<mavlink::Attitude>());
  station.link().send(mavlink::ParamSet{
      .target_system = 1, .target_component = 1, .param_id = "WPNAV_SPEED", .param_value = 70, .param_type = 9});
  auto value = station.wait<mavlink::ParamValue>();
  REQUIRE(value);
  CHECK(value->param_value == 70);
  const auto connections = station.link().connections();
  faults.next(VehicleFaults::restart);
  const Instant deadline = now() + 20s;
  while (station.link().connections() == connections && now() < deadline) station.wait<mavlink::Ping>(100ms);
  CHECK(station.link().connections() > connections);
  station.link().send(mavlink::ParamRequestRead{
      .target_system = 1, .target_component = 1, .param_id = "WPNAV_SPEED", .param_index = -1});
  value = station.wait<mavlink::ParamValue>();
  REQUIRE(value);
  CHECK(value->param_value == 70);
}

}  // namespace tandem::orca
