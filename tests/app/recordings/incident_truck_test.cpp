// SPDX-License-Identifier: Apache-2.0
// A virtual truck that loses its device while it drives: what the recording says, against its physics watched beside
// it.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "tandem/app/recordings/incident/report.hpp"
#include "tandem/net/faults/proxy.hpp"
#include "tandem/runtime/replay/device.hpp"
#include "tandem/runtime/replay/file.hpp"
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

// By the places that were seen: right too where a busy computer makes the physics miss some of its time.
double path_after(const std::vector<Seen>& seen, Time at) {
  double way = 0;
  for (std::size_t i = 1; i < seen.size(); ++i)
    if (seen[i].time > at)
      way += std::hypot(seen[i].position[0] - seen[i - 1].position[0], seen[i].position[1] - seen[i - 1].position[1]);
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

// Arms a machine with its very first live sample, so that it is in the same cycle each time; keeps the first loss.
class Eager {
 public:
  runtime::SystemOptions options() {
    runtime::SystemOptions options;
    options.on_event = [this](const runtime::Event& event) {
      if (event.kind == "live" && system_ != nullptr && !asked_.exchange(true))
        (void)system_->command("arm", "lift", "test");
      const std::lock_guard lock(mutex_);
      if (loss_.empty() && event.text.find("; disarmed") != std::string::npos) loss_ = event.text;
    };
    return options;
  }
  void arms(runtime::System& system) {
    system_ = &system;
    system.start();
  }
  std::string loss() const {
    const std::lock_guard lock(mutex_);
    return loss_;
  }

 private:
  runtime::System* system_ = nullptr;
  std::atomic<bool> asked_{false};
  mutable std::mutex mutex_;
  std::string loss_;
};

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

TEST_CASE(
    "a truck that is unplugged while it drives has an incident that says by truth how far and how long it rolled") {
  const record::Folder folder;
  const machines::MachineType* type = runtime::all_machines().find("raptorlift");
  REQUIRE(type != nullptr);
  runtime::Config config = runtime::demo_config({&type, 1});  // with its task, so that it drives
  config.machines.front().name = "lift";
  config.ros.enabled = false;
  config.black_box.folder = folder / "incidents";
  config.black_box.after = 4;
  std::vector<Seen> seen;
  std::string file;
  {
    runtime::System system(config, {});
    system.start();
    REQUIRE(soon([&] { return system.status().machines[0].samples > 20; }));
    const machines::VirtualDevice& device = *system.virtual_device("lift");
    Watch watch(device);
    const auto speed_now = [&] { return device.true_motion() ? device.true_motion()->speed : 0.0; };
    const auto find = [&] {
      for (const auto& incident : system.status().incidents)
        if (incident.cause == "lost") file = incident.file;
      return !file.empty();
    };
    REQUIRE(soon([&] {
      const std::string arm = system.status().machines[0].arm;
      if (arm == "stopped") (void)system.command("reset", "lift", "test");
      if (arm != "armed") (void)system.command("arm", "lift", "test");
      return arm == "armed" && speed_now() > 0.3;
    }));
    REQUIRE(system.command("unplug", "lift", "test"));
    REQUIRE(soon([&] { return system.status().machines[0].arm != "armed"; }));
    REQUIRE(soon([&] { return speed_now() < 2e-3; }));
    CHECK(system.status().machines[0].unplugged);
    REQUIRE(soon(find));
    const Instant stood = now();
    REQUIRE(soon([&] { return now() > stood + 1s; }));
    REQUIRE(system.command("plug", "lift", "test"));
    REQUIRE(soon([&] { return system.status().machines[0].state == "live"; }));
    CHECK(system.status().machines[0].arm != "armed");
    CHECK(speed_now() < 2e-3);
    seen = watch.end();
    CHECK(system.stop(20s).empty());
    (void)system.finish_recording();
  }
  const auto reader = record::McapReader::open(file);
  REQUIRE(reader.ok());
  const auto history = read_history(*reader, file, {});
  if (!history) FAIL(history.error().text);
  const Incident incident = explain(*history);
  CAPTURE(text_of(*history, incident));
  REQUIRE(incident.numbers.motion);
  const Motion& motion = *incident.numbers.motion;
  CHECK(motion.by_truth);
  CHECK_FALSE(motion.held);
  REQUIRE((motion.distance && motion.standstill && motion.speed));
  const double driven = path_after(seen, history->moment.at);
  CHECK(driven > 0.01);
  CHECK(driven < 0.8);  // docs/raptorlift.md: black hole, by the PLC's watchdog
  CHECK(std::abs(*motion.distance - driven) < 0.03);
  CHECK((*motion.standstill > 0.05 && *motion.standstill < 2.5));
  CHECK(std::ranges::any_of(incident.because,
                            [](const std::string& why) { return why.starts_with("unplugged by test"); }));
  CHECK_FALSE(incident.numbers.armed_again);
}

// At rest, as a task goes by the clock: the set points that the recorded device reads back would be others.
TEST_CASE("the file of an incident in the place of the device repeats the loss to a machine that is armed") {
  const record::Folder folder;
  const runtime::ConfigText text{
      "lift.yaml", "ros: { enabled: false }\nmachines: { lift: { type: raptorlift, device: virtual } }\n"};
  runtime::Config config = runtime::parse_config({&text, 1}, runtime::all_machines());
  config.black_box.folder = folder / "incidents";
  config.black_box.after = 2;
  std::string file;
  {
    Eager eager;
    runtime::System system(config, eager.options());
    eager.arms(system);
    REQUIRE(soon([&] { return system.status().machines[0].samples > 50; }));
    REQUIRE(system.status().machines[0].arm == "armed");
    REQUIRE(system.command("unplug", "lift", "test"));
    REQUIRE(soon([&] { return !system.status().incidents.empty(); }));
    file = system.status().incidents.front().file;
    CHECK(eager.loss().find("no live sample for ") != std::string::npos);
    CHECK(system.stop(20s).empty());
    (void)system.finish_recording();
  }
  const auto reader = record::McapReader::open(file);
  REQUIRE(reader.ok());
  const auto history = read_history(*reader, file, {});
  if (!history) FAIL(history.error().text);
  CHECK(history->moment.cause == "lost");
  auto recording = runtime::read_field_recording(*reader, "lift");
  if (!recording) FAIL(recording.error().text);
  runtime::ReplayOptions options;
  options.port = 0;
  options.ports = runtime::field_ports(*recording, runtime::all_machines());
  auto replay = runtime::ReplayDevice::make(std::move(*recording), std::move(options));
  if (!replay) FAIL(replay.error().text);
  config.machines.front().is_virtual = false;
  config.machines.front().device = (*replay)->url();
  config.black_box.enabled = false;
  const std::jthread again([&](const std::stop_token& stop) { (*replay)->run(stop); });
  Eager eager;
  runtime::System system(config, eager.options());
  eager.arms(system);
  CHECK(soon([&] { return !eager.loss().empty(); }));
  CHECK(system.stop(20s).empty());
  CAPTURE((*replay)->summary().text());
  // "no live sample for 210 ms: ...": the time may differ.
  const auto kind = [](const std::string& text) { return text.substr(0, text.find_first_of("0123456789")); };
  CHECK(eager.loss().find(kind(history->moment.text)) != std::string::npos);
}

TEST_CASE("an incident of all machines says of each how it moved and is explained by the fastest") {
  const record::Folder folder;
  write_scene(folder / "run.mcap");
  Time at = 0;
  {
    const auto reader = record::McapReader::open(folder / "run.mcap");
    REQUIRE(reader.ok());
    at = read_history(*reader, "run.mcap", {})->moment.at;
  }
  // Another machine whose truth is at rest, and whose name comes first.
  More more;
  more.standing = "arm";
  more.incident = {{"at", fmt::format("{}", at)}, {"machine", "all"}, {"cause", "stopped"}, {"text", "by test"}};
  write_copy(folder / "run.mcap", folder / "all.mcap", more);
  const auto reader = record::McapReader::open(folder / "all.mcap");
  REQUIRE(reader.ok());
  const auto history = read_history(*reader, "all.mcap", {});
  if (!history) FAIL(history.error().text);
  const Incident incident = explain(*history);
  const std::string text = text_of(*history, incident);
  CAPTURE(text);
  CHECK(incident.title == "all machines: a stop latched");
  CHECK(history->moment.machine == "lift");
  REQUIRE(incident.machines.size() == 2);
  CHECK(incident.machines[0].machine == "lift");
  CHECK(incident.machines[0].before == "live, armed");
  CHECK(incident.machines[0].after == "down, disarmed");
  CHECK(incident.machines[0].motion->speed.value() == doctest::Approx(speed).epsilon(0.001));
  CHECK(incident.machines[0].motion->distance.value() == doctest::Approx(way).epsilon(0.005));
  CHECK(std::abs(incident.machines[0].motion->standstill.value() - braking_time) < 0.016);
  CHECK(incident.machines[1].machine == "arm");
  CHECK(incident.machines[1].motion->distance.value() == doctest::Approx(0));
  CHECK(text.find("Machines\n  lift ") != std::string::npos);
  CHECK(json_of(*history, incident).find("\"machines\": [\n    {\n      \"machine\": \"lift\"") != std::string::npos);
  CHECK(html_of(*history, incident)->find("<h2>Machines</h2>") != std::string::npos);
  // One that is asked for alone has no table.
  const auto alone = read_history(*reader, "all.mcap", {.machine = "arm"});
  REQUIRE(alone.ok());
  CHECK(alone->all.empty());
  CHECK(explain(*alone).machines.empty());
}

}  // namespace tandem::app::incident
