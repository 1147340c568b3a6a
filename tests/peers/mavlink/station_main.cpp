// SPDX-License-Identifier: Apache-2.0
// Our ground station against other people's vehicle: peer_mavlink_station PORT. Arms it, reads and writes parameters,
// uploads and downloads a mission; fails when any of that does.
#include <cstdio>
#include <cstdlib>

#include "tandem/protocols/mavlink/link/heartbeat.hpp"
#include "tandem/protocols/mavlink/link/link.hpp"
#include "tandem/protocols/mavlink/link/time_sync.hpp"
#include "tandem/protocols/mavlink/services/command_client.hpp"
#include "tandem/protocols/mavlink/services/mission_client.hpp"
#include "tandem/protocols/mavlink/services/parameter_client.hpp"

namespace {

using namespace tandem;
using namespace tandem::mavlink;

struct Station {
  // Turns everything until it holds, for at most so long.
  template <typename Condition>
  bool until(const Condition& holds) {
    for (const Instant deadline = now() + 15s; now() < deadline && !holds();) {
      const Instant time = now();
      heart.poll(time, link);
      commands.poll(time, link);
      parameters.poll(time, link);
      mission.poll(time, link);
      sync.poll(time, link);
      if (const auto frame = link.receive(time + 20ms)) {
        watch.handle(*frame, now());
        commands.handle(*frame, now());
        parameters.handle(*frame, now());
        mission.handle(*frame, now(), link);
        sync.handle(*frame, now());
      }
    }
    return holds();
  }

  Link link;
  HeartbeatSender heart{Heartbeat{.type = vehicle_type::ground_station, .autopilot = autopilot::none}};
  HeartbeatWatch watch{};
  CommandClient commands{};
  ParameterClient parameters{};
  MissionClient mission{};
  TimeSyncClient sync{};
};

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s: no\n", what);
  std::exit(1);
}

}  // namespace

int main(int count, char** arguments) {
  require(count == 2, "one argument, the port");
  auto link = Link::open("tcp:127.0.0.1:" + std::string(arguments[1]));
  require(link.ok(), "a link");
  Station station{.link = std::move(*link)};
  require(station.until([&] { return station.watch.presence(now()) == Presence::live; }), "a heartbeat");

  const auto arm = station.commands.start(command_to({1, 1}, command::arm, 1));
  require(station.until([&] { return station.commands.outcome(arm).finished(); }), "an end of arming");
  require(station.commands.outcome(arm).status == CommandStatus::accepted, "armed");
  require(station.until([&] { return station.watch.armed(); }), "armed in the heartbeat");

  using Status = ParameterClient::Status;
  station.parameters.list(now());
  require(station.until([&] { return station.parameters.list_status() != Status::pending; }), "an end of the list");
  require(station.parameters.list_status() == Status::done && station.parameters.listed() == 12, "12 parameters");
  require(station.parameters.find("P7") != nullptr && station.parameters.find("P7")->value == 3.5, "P7 is 3.5");
  const auto write = station.parameters.write("P7", -2, now());
  require(station.until([&] { return station.parameters.status(write) != Status::pending; }), "an end of writing");
  require(station.parameters.status(write) == Status::done, "P7 written");

  std::vector<MissionItemInt> items(4);
  for (std::size_t i = 0; i < items.size(); ++i) items[i].x = static_cast<std::int32_t>(1000 * i) - 1;
  station.mission.upload(items, now());
  require(station.until([&] { return !station.mission.busy(); }), "an end of the upload");
  require(station.mission.status() == MissionClient::Status::done, "uploaded");
  station.mission.download(now());
  require(station.until([&] { return !station.mission.busy(); }), "an end of the download");
  require(station.mission.items().size() == 4 && station.mission.items()[3].x == 2999, "the same mission");
  require(station.until([&] { return station.sync.synced(); }), "clocks compared");
  return 0;
}
