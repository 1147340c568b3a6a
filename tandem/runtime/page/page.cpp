// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/page/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tandem/base/nearest.hpp"
#include "tandem/runtime/page/ros_channels.hpp"
#include "tandem/runtime/page/scene_json.hpp"

namespace tandem::runtime {

namespace {

using nlohmann::json;

constexpr std::size_t most_events = 1000;  // between two ticks

constexpr std::string_view command_schema =
    R"({"type":"object","properties":{"what":{"type":"string","enum":["arm","stop","reset","unplug","plug","chaos"]},)"
    R"("machine":{"type":"string"},"terms":{"type":"string"}}})";
constexpr std::string_view clock_schema =
    R"({"type":"object","properties":{"received":{"type":"integer"},"sent":{"type":"integer"}}})";
constexpr std::string_view answer_schema =
    R"({"type":"object","properties":{"ok":{"type":"boolean"},"text":{"type":"string"}}})";

web::Response page_text(int status, std::string_view type, const std::string& text) {
  web::Response response;
  response.status = status;
  response.content_type = type;
  response.body = std::make_shared<const std::vector<std::uint8_t>>(text.begin(), text.end());
  return response;
}

// 200 when every link is live and fresh; else 503 with the causes, one line for each machine.
web::Response readiness(const SystemStatus& status) {
  bool ready = true;
  std::string text;
  for (const MachineStatus& machine : status.machines) {
    const bool fresh = machine.quality == "live";
    ready = ready && machine.state == "live" && fresh;
    const std::string& word = machine.state == "live" && !fresh ? machine.quality : machine.state;
    text += fmt::format("{}: {}{}{}\n", machine.name, word, machine.cause.empty() ? "" : ": ", machine.cause);
  }
  return page_text(ready ? 200 : 503, "text/plain; charset=utf-8", text);
}

struct PageCommand {
  std::string what, machine;
  std::string terms;  // of chaos
};

Result<PageCommand> read_command(Bytes request) {
  const json asked = json::parse(request.begin(), request.end(), nullptr, false);
  const auto text = [&](const char* key) -> std::string {
    const auto found = asked.find(key);
    return found != asked.end() && found->is_string() ? found->get<std::string>() : "";
  };
  if (!asked.is_object()) return Error{Fault::invalid, "expected a JSON object with 'what' and 'machine'"};
  if (asked.contains("machine") && !asked["machine"].is_string())
    return Error{Fault::invalid, "machine: expected a name, or \"\" for all that move"};
  PageCommand command{text("what"), text("machine"), text("terms")};
  if (command.what != "chaos" && !is_told(command.what)) {
    return Error{Fault::invalid, fmt::format("what: expected one of {}, chaos, got '{}'",
                                             fmt::join(accepted_commands, ", "), printable(command.what))};
  }
  return command;
}

}  // namespace

web::Response http_answer(const web::Request& request, const Controlled& controlled) {
  if (request.path == "/metrics")
    return page_text(200, "text/plain; version=0.0.4; charset=utf-8", metrics_text(controlled.status_with_metrics()));
  if (request.path == "/health") return page_text(200, "text/plain; charset=utf-8", "ok\n");
  if (request.path == "/ready") return readiness(controlled.status());
  if (request.path == "/status.json") return page_text(200, "application/json", json_from_status(controlled.status()));
  return page_text(404, "text/plain; charset=utf-8",
                   "not found; available: / (the page), /metrics, /health, /ready and /status.json\n");
}

web::ServerOptions server_options(const WebConfig& config) {
  web::ServerOptions options;
  options.listen = config.listen;
  options.access = {config.view_token, config.control_token, config.origins, config.certificate, config.key};
  return options;
}

std::unique_ptr<web::Server> open_server(const WebConfig& config, web::Hub& hub,
                                         std::function<void(std::string_view text)> on_trouble) {
  if (const auto problems = web_problems(config); !problems.empty())
    throw std::invalid_argument(fmt::format("{}", fmt::join(problems, "\n")));
  web::ServerOptions options = server_options(config);
  options.on_trouble = std::move(on_trouble);
  if (!options.on_trouble) options.on_trouble = [&hub](std::string_view text) { hub.tell_status(2, text); };
  std::unique_ptr<web::Server> server;
  try {
    server = std::make_unique<web::Server>(options, hub);
  } catch (const std::runtime_error& error) {
    if (!config.any_port)
      throw std::runtime_error(
          fmt::format("page: {}; choose another with {}, or --web off", error.what(), config.chosen_with));
    options.listen = options.listen.substr(0, options.listen.rfind(':')) + ":0";
    server = std::make_unique<web::Server>(options, hub);
  }
  hub.attach(*server);
  return server;
}

Page::Page(const WebConfig& config, Watched& watched, Clock& clock, const std::string& version, ros2::Context* ros,
           const OnEvent& on_event, IncidentReports* reports)
    : watched_(watched), clock_(clock) {
  web::World world;
  world.metadata = {{"tandem", version}, {"mode", "live"}};
  if (config.by_script) world.metadata.emplace("controlled_by", "script");
  world.get = [this, reports](const web::Request& request) {
    auto report = reports != nullptr ? reports->answer(request.path) : std::nullopt;
    return report ? *std::move(report) : http_answer(request, watched_);
  };
  world.call = [this](web::ClientId client, std::uint32_t service, std::string_view encoding, Bytes request,
                      const web::ServiceAnswer& answer) {
    if (service == clock_id_) return answer(clock_answer());
    call(client, encoding, request, answer);
  };
  world.tick = [this] { tick(); };
  world.time = config.tell_time;
  if (ros != nullptr) {
    RosChannelsOptions options;
    options.viewer_publishes = [this](std::string_view topic) { watched_.viewer_publishes(topic); };
    ros_ = std::make_unique<RosChannels>(std::move(options));
    ros_->fill(world);
  }
  hub_ = std::make_unique<web::Hub>(std::move(world));
  for (const LiveChannel& channel : live_channels()) {
    const std::string name = "tandem" + std::string(channel.topic.substr(channel.topic.rfind('/')));
    feeds_[static_cast<std::size_t>(channel.what)].id = hub_->add_channel(
        {std::string(channel.topic), "json", name, std::string(channel.schema), "jsonschema", channel.keep});
  }
  hub_->add_service({std::string(command_service),
                     "tandem/Command",
                     {"json", "tandem/Command", "jsonschema", std::string(command_schema)},
                     {"json", "tandem/Answer", "jsonschema", std::string(answer_schema)}});
  clock_id_ = hub_->add_service({std::string(clock_service),
                                 "tandem/Clock",
                                 {"json", "tandem/ClockRequest", "jsonschema", R"({"type":"object"})"},
                                 {"json", "tandem/Clock", "jsonschema", std::string(clock_schema)},
                                 true});
  if (ros_) ros_->attach(*hub_, *ros);
  std::function<void(std::string_view)> on_trouble;
  if (on_event) {
    on_trouble = [on_event](std::string_view text) {
      on_event({"page", "faulted", fmt::format("{}; the page keeps running", text), true});
    };
  }
  server_ = open_server(config, *hub_, std::move(on_trouble));
}

Page::~Page() {
  if (ros_) ros_->detach();
}

ros2::SampleTap* Page::topics() { return ros_.get(); }

std::uint64_t Page::stamp() const { return static_cast<std::uint64_t>(clock_.utc().time_since_epoch().count()); }

void Page::tell(const Event& event) {
  const double time = seconds(clock_.utc().time_since_epoch());
  const std::lock_guard lock(events_mutex_);
  if (events_.size() < most_events) events_.emplace_back(time, event);
}

void Page::publish(Live what) {
  compose(message_, what, watched_, seconds(clock_.utc().time_since_epoch()));
  hub_->publish(feeds_[static_cast<std::size_t>(what)].id, stamp(), as_bytes(message_), what != Live::scene);
}

void Page::publish_scene() {
  const std::string text = scene_json(watched_.scenes());
  if (text == scene_) return;
  scene_ = text;
  publish(Live::scene);
}

void Page::tick() {
  const Instant now = clock_.now();
  hub_->tell_time(stamp());
  for (const LiveChannel& channel : live_channels()) {
    Feed& feed = feeds_[static_cast<std::size_t>(channel.what)];
    if (channel.hertz == 0 || now < feed.next || !hub_->wanted(feed.id)) continue;
    const Duration every = duration_of(1 / channel.hertz);
    feed.next = std::max(feed.next + every, now + every / 2);  // keeps its rate though ticks come late
    publish(channel.what);
  }
  std::deque<std::pair<double, Event>> events;
  {
    const std::lock_guard lock(events_mutex_);
    events.swap(events_);
  }
  // A machine may learn only from its device what it shows.
  if (std::ranges::any_of(events, [](const auto& each) { return each.second.kind == "live"; })) publish_scene();
  for (const auto& [time, event] : events) {
    const std::string line = log_json(event, time);
    hub_->publish(feeds_[static_cast<std::size_t>(Live::log)].id, stamp(), as_bytes(line), false);
  }
}

void Page::call(web::ClientId client, std::string_view encoding, Bytes request, const web::ServiceAnswer& answer) {
  if (encoding != "json")
    return answer(Error{Fault::invalid, fmt::format("expected encoding json, got '{}'", printable(encoding))});
  const auto command = read_command(request);
  if (!command) return answer(command.error());
  const web::Client* who = hub_->client(client);
  const std::string by = fmt::format("page at {}", who ? who->address : "?");
  // Faults on the link of a real device that is armed take more than a click.
  const auto done = command->what == "chaos" ? watched_.inject(command->terms, command->machine, false, by)
                                             : watched_.command(command->what, command->machine, by);
  const json said = {{"ok", static_cast<bool>(done)}, {"text", done ? *done : done.error().text}};
  const std::string text = said.dump(-1, ' ', false, json::error_handler_t::replace);
  answer(std::vector<std::uint8_t>(text.begin(), text.end()));
}

std::vector<std::uint8_t> Page::clock_answer() const {
  const std::uint64_t received = stamp();
  const std::string text = fmt::format(R"({{"received":{},"sent":{}}})", received, stamp());
  return {text.begin(), text.end()};
}

void Page::run(const std::stop_token& stop) {
  publish_scene();
  server_->run(stop);
}

}  // namespace tandem::runtime
