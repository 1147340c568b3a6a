// SPDX-License-Identifier: Apache-2.0
// A virtual truck that loses its device while it drives: what the recording says, against its physics watched beside
// it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tandem/app/recordings/incident/report.hpp"
#include "tandem/net/faults/proxy.hpp"
#include "tandem/runtime/system.hpp"
#include "tests/app/recordings/incident_scene.hpp"

namespace tandem::app::incident {
namespace {

struct Seen {
  Time time = 0;
  std::vector<double> position;
  double speed = 0;
};

Time utc_now() { return system_clock().utc().time_since_epoch().count(); }

template <typename Holds>
bool soon(Holds holds) {
  const Instant until = now() + 40s;
  while (!holds() && now() < until) system_clock().sleep_until(now() + 2ms);
  return holds();
}

// Watches the physics of the truck until it is told to end.
class Watch {
 public:
  explicit Watch(const machines::VirtualDevice& device)
      : thread_([this, &device](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            if (const auto motion = device.true_motion()) seen_.push_back({utc_now(), motion->position, motion->speed});
            system_clock().sleep_until(now() + 4ms);
          }
        }) {}
  std::vector<Seen> end() {
    thread_.request_stop();
    thread_.join();
    return std::move(seen_);
  }

 private:
  std::vector<Seen> seen_;
  std::jthread thread_;
};

// The integral of the speed from a time on: not by positions, as the report does it.
double way_after(const std::vector<Seen>& seen, Time at) {
  double way = 0;
  for (std::size_t i = 1; i < seen.size(); ++i) {
    if (seen[i].time <= at) continue;
    const double span = static_cast<double>(seen[i].time - std::max(at, seen[i - 1].time)) * 1e-9;
    way += span * (seen[i].speed + seen[i - 1].speed) / 2;
  }
  return way;
}

// How far that integral may be off, as the speed between two samples is only known to be one of both or between.
double doubt_after(const std::vector<Seen>& seen, Time at) {
  double doubt = 0;
  for (std::size_t i = 1; i < seen.size(); ++i)
    if (seen[i].time > at)
      doubt +=
          static_cast<double>(seen[i].time - seen[i - 1].time) * 1e-9 * std::abs(seen[i].speed - seen[i - 1].speed) / 2;
  return doubt;
}

}  // namespace

TEST_CASE("a truck that does not hear from its device any more is explained as its physics was") {
  const record::Folder folder;
  const machines::MachineType* type = runtime::all_machines().find("raptorlift");
  REQUIRE(type != nullptr);
  runtime::Config config = runtime::demo_config({&type, 1});  // with its task, so that it drives
  runtime::MachineConfig& lift = config.machines.front();
  machines::VirtualSetup setup;
  setup.standard_ports = false, setup.options = lift.options, setup.clock = &system_clock();
  const auto device = type->make_virtual(setup);
  const std::string url = device->url();
  auto proxy = net::FaultProxy::start(
      {.upstream = {0x7f000001, static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)))}});
  REQUIRE(proxy.ok());
  // Beyond a faulty line it is a real device to the program, whose physics goes on when the line does not.
  lift.name = "lift", lift.is_virtual = false;
  lift.device = fmt::format("modbus://{}", proxy->endpoint().text());
  config.ros.enabled = false;
  config.record.file = folder / "run.mcap";
  std::vector<Seen> seen;
  Time silent = 0;
  {
    const std::jthread physics([&device](const std::stop_token& stop) { device->run(stop); });
    runtime::System system(config, {});
    system.start();
    REQUIRE(soon([&] { return system.status().machines[0].samples > 20; }));
    Watch watch(*device);
    const auto speed_now = [&] { return device->true_motion() ? device->true_motion()->speed : 0.0; };
    // A computer that is far too busy disarms it before that; a person would begin again.
    REQUIRE(soon([&] {
      const std::string arm = system.status().machines[0].arm;
      if (arm == "stopped") (void)system.command("reset", "lift", "test");
      if (arm != "armed") (void)system.command("arm", "lift", "test");
      return arm == "armed" && speed_now() > 0.3;
    }));
    silent = utc_now();
    proxy->apply(net::Faults::both({.black_hole = true}));
    REQUIRE(soon([&] { return system.status().machines[0].arm != "armed"; }));
    REQUIRE(soon([&] { return speed_now() < 2e-3; }));
    const Instant stood = now();
    REQUIRE(soon([&] { return now() > stood + 1s; }));
    proxy->clear();
    REQUIRE(soon([&] { return system.status().machines[0].state == "live"; }));
    seen = watch.end();
    CHECK(system.stop(10s).empty());
    (void)system.finish_recording();
  }
  More more;
  for (const Seen& each : seen) more.truth.emplace_back(each.time, truth_cdr("m", each.position, each.speed));
  write_copy(folder / "run.mcap", folder / "with_truth.mcap", more);
  const auto reader = record::McapReader::open(folder / "with_truth.mcap");
  REQUIRE(reader.ok());
  const auto whole = read_history(*reader, "with_truth.mcap", {});
  if (!whole) FAIL(whole.error().text);
  std::vector<Moment> moments = whole->others;
  moments.push_back(whole->moment);
  std::erase_if(moments, [&](const Moment& moment) { return moment.at < silent; });
  REQUIRE_FALSE(moments.empty());
  const Time at = std::ranges::min_element(moments, {}, &Moment::at)->at;
  const auto history = read_history(*reader, "with_truth.mcap", {.at = at, .before = 5, .after = 60});
  if (!history) FAIL(history.error().text);
  const Incident incident = explain(*history);
  CAPTURE(text_of(*history, incident));
  CHECK(history->moment.cause == "lost");
  CHECK(history->type == "raptorlift");
  REQUIRE(incident.numbers.motion);
  const Motion& motion = *incident.numbers.motion;
  CHECK(motion.by_truth);
  REQUIRE((motion.distance && motion.standstill && motion.speed));
  const double driven = way_after(seen, history->moment.at);
  CHECK(driven > 0.01);
  // Two ways of integrating samples that are a few ms apart; a loaded computer has fewer of them.
  CHECK(std::abs(*motion.distance - driven) < 0.02 + doubt_after(seen, history->moment.at));
  CHECK(*motion.standstill > 0);
  REQUIRE(incident.numbers.last_from_device);
  CHECK(*incident.numbers.last_from_device < -0.05);  // samples are stale after 0.1 s at least
  CHECK(incident.numbers.live_again);
  CHECK_FALSE(incident.numbers.armed_again);
  CHECK(history->has_opening);
}

}  // namespace tandem::app::incident
