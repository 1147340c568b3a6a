// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/commands/replay.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "tandem/app/commands/option_checks.hpp"
#include "tandem/app/recordings/incident/incident.hpp"
#include "tandem/app/recordings/leaves.hpp"
#include "tandem/app/terminal/signals.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/ros2/node.hpp"
#include "tandem/runtime/replay/device.hpp"
#include "tandem/runtime/replay/file.hpp"
#include "tandem/runtime/replay/show.hpp"

namespace tandem::app {
namespace {

void say_line(const std::string& text) {
  fmt::print("{}\n", text);
  std::fflush(stdout);
}

// Until a signal, the end of the time given, or until it is over by itself.
template <typename Over>
void wait_until(Signals& signals, const std::optional<double>& for_seconds, Over over) {
  const Instant end = for_seconds ? now() + duration_of(*for_seconds) : Instant::max();
  while (!over() && now() < end && !signals.wait(50ms)) {
  }
}

// What the file says of itself that it does not hold.
void tell_drops(const record::McapReader& reader) {
  const auto end = reader.metadata("tandem_end");
  const auto dropped = end.find("dropped");
  if (dropped == end.end() || dropped->second == "0") return;
  fmt::print(stderr, "tandem: {} messages are missing in the recording: the recorder's buffer was full\n",
             printable(dropped->second, 20));
}

int replay_device(const ReplayArguments& arguments, const record::McapReader& reader, const runtime::Registry& registry,
                  Signals& signals) {
  auto recording = [&] {
    ReadingBar bar("reading the recorded frames");
    return runtime::read_field_recording(reader, arguments.machine, [&bar](double part) { bar.show(part); });
  }();
  if (!recording) return fail(recording.error().text);
  if (recording->unbegun > 0)
    fmt::print(stderr, "tandem: {} connections are skipped: the recording does not contain their beginning\n",
               recording->unbegun);
  if (recording->torn > 0)
    fmt::print(stderr, "tandem: {} connections end early: frames are missing in the recording\n", recording->torn);
  runtime::ReplayOptions options;
  options.ports = runtime::field_ports(*recording, registry);
  options.listen = arguments.listen;
  options.port = arguments.port;
  options.player.speed = arguments.speed;
  options.player.fast = arguments.fast;
  options.loop = arguments.loop;
  options.hold = arguments.hold;
  options.say = say_line;
  const std::string name = recording->machine;
  auto device = runtime::ReplayDevice::make(std::move(*recording), std::move(options));
  if (!device) {
    const bool taken = device.error().text.find("is in use by another program") != std::string::npos;
    return fail(device.error().text + (taken ? "; choose another with --port" : ""));
  }
  say_line(fmt::format("{} answers as recorded; device URL: {}", name, (*device)->url()));
  std::atomic<bool> over{false};
  std::jthread thread([&](const std::stop_token& stop) {
    (*device)->run(stop);
    over = true;
  });
  wait_until(signals, arguments.for_seconds, [&] { return over.load(); });
  thread.request_stop();
  thread.join();
  const runtime::ReplaySummary summary = (*device)->summary();
  say_line(summary.text());
  return summary.as_recorded() || arguments.loop ? success : failure;
}

runtime::WebConfig replay_web(const ReplayArguments& arguments) {
  runtime::WebConfig web;
  if (arguments.web == "off") return web;
  runtime::open_page(web);
  web.any_port = arguments.web.empty();
  if (!arguments.web.empty()) web.listen = arguments.web;
  web.plain = arguments.plain;
  runtime::tokens_from(web, [](const char* name) { return std::getenv(name); });
  return web;
}

runtime::ReplayTopicsOptions topic_choice(const ReplayArguments& arguments) {
  runtime::ReplayTopicsOptions options{.clock = arguments.clock, .all = arguments.all_topics};
  for (const std::string& topic : arguments.also) options.also.insert(topic.starts_with('/') ? topic : "/" + topic);
  return options;
}

void tell_left_out(const std::set<std::string>& topics) {
  if (topics.empty()) return;
  fmt::print(stderr, "tandem: not published, as other nodes published them or a machine subscribes to them: {}\n",
             printable(fmt::format("{}", fmt::join(topics, ", ")), 1000));
  fmt::print(stderr, "tandem: --also TOPIC publishes one of them, --all-topics all of them\n");
}

int replay_show(const ReplayArguments& arguments, const record::McapReader& reader, Signals& signals) {
  const auto range = runtime::playback_range(reader);
  if (!range) return fail(range.error().text);
  // One for each thread that reads.
  const auto second = open_recording(arguments.file, false, true);
  if (!second) return failure;
  runtime::PlaybackClock clock(*range, arguments.fast ? 100.0 : arguments.speed, arguments.loop, now());
  std::unique_ptr<ros2::Context> context;
  std::unique_ptr<runtime::ReplayTopics> topics;
  const std::filesystem::path path(arguments.file);
  runtime::IncidentReports reports(path.has_parent_path() ? path.parent_path().string() : ".", incident_page,
                                   path.filename().string());
  std::unique_ptr<runtime::ReplayPage> page;
  if (arguments.as == "ros") {
    const runtime::ReplayTopicsOptions options = topic_choice(arguments);
    for (const std::string& topic : options.also)
      if (reader.channels_of(topic).empty()) return fail(printable(topic) + " is not in the recording");
    context = context_from_environment();
    topics = std::make_unique<runtime::ReplayTopics>(reader, clock, *context, options);
    tell_left_out(topics->left_out());
  }
  const runtime::WebConfig web = replay_web(arguments);
  if (!web.listen.empty())
    page = std::make_unique<runtime::ReplayPage>(*second, clock, web, TANDEM_VERSION, arguments.file, &reports);
  if (!topics && !page) return fail("nothing to replay: both topics and page are disabled");
  clock.seek(range->start, now());  // from its beginning, however long that took
  clock.play(true, now());
  say_line(fmt::format("{}: {:.1f} s{}{}", arguments.file, static_cast<double>(range->end - range->start) * 1e-9,
                       topics ? fmt::format(", {} topics", topics->topics()) : std::string(),
                       page ? ", page " + page->printed_address() : std::string()));
  {
    std::jthread topic_thread, page_thread;
    if (topics) topic_thread = std::jthread([&](const std::stop_token& stop) { topics->run(stop); });
    if (page) page_thread = std::jthread([&](const std::stop_token& stop) { page->run(stop); });
    // With a page a viewer may want to see it again.
    wait_until(signals, arguments.for_seconds, [&] { return !page && topics->all_published(); });
  }
  if (topics) say_line(fmt::format("{} messages published", topics->published()));
  const std::uint64_t unreadable = std::max(topics ? topics->unreadable() : 0, page ? page->unreadable() : 0);
  if (unreadable > 0) return fail(runtime::unreadable_text(unreadable));
  return reader.contents().whole ? success : failure;  // what is amiss was reported when it was opened
}

}  // namespace

int replay(const ReplayArguments& arguments, const runtime::Registry& registry) {
  Signals signals;
  try {
    const auto reader = open_recording(arguments.file);
    if (!reader) return failure;
    tell_drops(*reader);
    return arguments.as == "device" ? replay_device(arguments, *reader, registry, signals)
                                    : replay_show(arguments, *reader, signals);
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

std::pair<CLI::App*, std::function<int()>> add_replay(CLI::App& program, const runtime::Registry& registry) {
  auto arguments = std::make_shared<ReplayArguments>();
  CLI::App* command = program.add_subcommand("replay", "play a recording: as ROS topics and page, or as the device");
  command->footer(
      "Examples:\n  tandem replay run.mcap\n  tandem replay run.mcap --web off --speed 10\n  tandem replay run.mcap "
      "--as device --machine lift --port 1502\nOn ROS it publishes what tandem published. Topics that a machine "
      "subscribed to, topics of other nodes, and\nall topics of `tandem record` may move a machine: they are not "
      "published without --also or --all-topics.\nAs the device it answers on the field protocol's ports as recorded, "
      "reports where a client differs, and\nexits with 0 if everything went as recorded.");
  command->add_option("FILE", arguments->file, "MCAP file that tandem recorded")->required();
  command->add_option("--as", arguments->as, "ros (topics and page), page, or device")
      ->check(choice_check({"ros", "page", "device"}));
  command->add_option("--machine", arguments->machine,
                      "machine whose device is played, by its name in the configuration");
  command->add_option("--listen", arguments->listen, "device: address to listen on; default: loopback only")
      ->type_name("ADDRESS");
  command->add_option("--port", arguments->port, "device: main port; default: as recorded; 0: any free port")
      ->type_name("N")
      ->check(port_check(0));
  command->add_option("--speed", arguments->speed, "playback speed; 1 is real time")->check(number_check(0.01, 100.0));
  command->add_flag("--fast", arguments->fast, "play as fast as possible");
  command->add_flag("--loop", arguments->loop, "start again at the end");
  command->add_flag("--hold", arguments->hold, "device: keep connections open after their recorded end");
  command->add_flag("--clock", arguments->clock, "ros: publish the recording's time on /clock");
  command->add_option("--also", arguments->also, "ros: publish this topic as well, though a machine may act on it")
      ->type_name("TOPIC");
  command->add_flag("--all-topics", arguments->all_topics,
                    "ros: publish all topics, including commands; a machine that listens may move");
  command->add_option("--web", arguments->web, "address of the page, or off; viewing beyond loopback requires a token")
      ->type_name("ADDRESS:PORT");
  command->add_flag("--plain", arguments->plain, "serve the page beyond loopback without TLS");
  add_for(*command, arguments->for_seconds);
  return {command, [arguments, &registry] { return replay(*arguments, registry); }};
}

}  // namespace tandem::app
