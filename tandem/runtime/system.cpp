// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/system.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <exception>

#include "tandem/base/nearest.hpp"
#include "tandem/machines/kit/lines.hpp"
#include "tandem/protocols/mqtt/client.hpp"
#include "tandem/ros2/dds/security.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/runtime/config/ros_collisions.hpp"
#include "tandem/runtime/config/shared_devices.hpp"
#include "tandem/runtime/page/page.hpp"
#include "tandem/runtime/recording/recorder.hpp"
#include "tandem/runtime/ros_context.hpp"
#include "tandem/runtime/sparkplug/edge_node.hpp"

namespace tandem::runtime {

namespace {

HopStatus hop_status(std::string name, const Histogram& histogram) {
  return {std::move(name),
          histogram.count(),
          seconds(histogram.sum()),
          seconds(histogram.quantile(0.5)),
          seconds(histogram.quantile(0.99)),
          seconds(histogram.quantile(0.999)),
          histogram.up_to(hop_edges),
          seconds(histogram.worst())};
}

yaml::Place place_of(const Config& config) {
  return {config.machines.empty() ? "" : config.machines.front().place.file, 0, 0};
}

// What is wrong beside the machines.
std::vector<ConfigError::Problem> problems_around(const Config& config) {
  std::vector<ConfigError::Problem> problems;
  for (const auto& found : {web_problems(config.web), record_problems(config.record),
                            black_box_problems(config.black_box), mqtt_problems(config.mqtt, config.sparkplug)}) {
    for (const std::string& text : found) problems.push_back({place_of(config), text});
  }
  return problems;
}

// Why no ROS context could be made: the environment, or the keystore.
std::string ros_problem(const Config& config) {
  if (!config.ros.enabled) return {};
  try {
    const auto ros = ros_options(config, [](const char* name) { return std::getenv(name); });
    const auto& security = ros.options.security;
    if (!security) return {};
    const auto properties = ros2::security_properties(security->keystore, ros.options.enclave);
    if (!properties)
      return security->strategy == ros2::Security::Strategy::enforce ? properties.error().text : std::string();
    const auto good = ros2::check_security(security->keystore, ros.options.enclave);
    return good ? std::string() : good.error().text;
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

machines::VirtualSetup virtual_setup(const MachineConfig& config, ros2::Context* ros, Clock& clock,
                                     net::Plug* plug = nullptr) {
  machines::VirtualSetup setup;
  setup.standard_ports = false;
  setup.options = config.options;
  setup.ros = ros;
  setup.clock = &clock;
  setup.own = config.own;
  setup.plug = plug;
  return setup;
}

// What is known of a machine before it is made.
MachineStatus starting(const MachineConfig& config) {
  MachineStatus machine;
  machine.name = config.name;
  machine.type = config.type->name;
  machine.device = config.device;
  machine.is_virtual = config.is_virtual;
  machine.state = "starting";
  machine.cause = "waiting for its turn to be created";
  machine.quality = name(Quality::invalid);
  return machine;
}

// One that has a part on ROS cannot be made without it.
void check_virtual(const MachineConfig& config) {
  const auto& type = *config.type;
  if (type.virtual_on_ros != nullptr && type.virtual_on_ros(config.options)) return;
  (void)type.make_virtual(virtual_setup(config, nullptr, system_clock()));
}

}  // namespace

System::System(const Config& config, SystemOptions options)
    : options_(std::move(options)),
      started_(options_.clock->now()),
      incidents_(incident_folder(config.black_box, options_.state_folder)),
      publishes_clock_(config.ros.publish_clock),
      mqtt_(config.mqtt) {
  const bool chaotic = std::ranges::any_of(config.machines, &MachineConfig::chaos);
  if (SteppedTime::active() && (config.ros.enabled || !config.mqtt.url.empty() || chaotic))
    throw std::invalid_argument("simulated time: expected `ros: {enabled: false}`, no `mqtt` and no `chaos`");
  RosCollisions collisions = ros_collisions(config);
  if (!collisions.problems.empty()) throw ConfigError(std::move(collisions.problems));
  if (auto problems = shared_identity_problems(config); !problems.empty()) throw ConfigError(std::move(problems));
  if (auto problems = problems_around(config); !problems.empty()) throw ConfigError(std::move(problems));
  for (const std::string& warning : collisions.warnings)
    if (options_.on_event) options_.on_event({"", "ros", warning, true});
  for (const std::string& warning : mqtt::broker_warnings(config.mqtt))
    if (options_.on_event) options_.on_event({"", "mqtt", warning, true});
  for (const std::string& warning : shared_device_warnings(config))
    if (options_.on_event) options_.on_event({"", "device", warning, true});
  if (!mqtt_.url.empty()) mqtt_loop_ = std::make_unique<mqtt::Loop>();
  if (!config.record.file.empty() || !incidents_.empty()) {
    scribe_ = std::make_unique<RecordingWriter>(
        RecordingOptions{config.record, config.black_box, incidents_, options_.version}, *this, *options_.clock,
        [this](const Event& event) { tell(event); });
    samples_.add(scribe_->topics());
  }
  for (const MachineConfig& machine : config.machines) planned_.push_back(starting(machine));
  units_.resize(planned_.size());
  const bool tapped = scribe_ || !config.web.listen.empty();
  RosContext ros = make_ros_context(
      config,
      [words = ros_words_, terminal = options_.on_event](const Event& event) {
        const std::lock_guard lock(words->mutex);
        if (words->system != nullptr) return words->system->tell(event);
        if (terminal) terminal(event);
      },
      tapped ? &samples_ : nullptr);
  ros_ = std::move(ros.context);
  ros_text_ = std::move(ros.text);
  if (!config.web.listen.empty()) {
    WebConfig web = config.web;
    web.tell_time = publishes_clock_;
    page_ = std::make_unique<Page>(
        web, *this, *options_.clock, options_.version, ros_.get(), [this](const Event& event) { tell(event); },
        options_.incident_reports);
    if (auto* topics = page_->topics()) samples_.add(*topics);
  }
  if (!options_.control.empty()) {
    auto control = ControlServer::listen(options_.control, *this);
    if (!control) throw std::runtime_error(control.error().text);
    control_ = std::move(*control);
    launch(
        "control", true, [this](const std::stop_token& stop) { control_->run(stop); }, Time::real);
  }
  if (config.sparkplug.enabled) {
    EdgeNode::Options node{config.sparkplug, mqtt_, {}, options_.version, options_.state_folder};
    for (const MachineConfig& machine : config.machines) node.machines.push_back(machine.name);
    edge_node_ = std::make_unique<EdgeNode>(std::move(node), *mqtt_loop_, *this, *options_.clock,
                                            [this](const Event& event) { tell(event); });
  }
  for (const MachineConfig& machine : config.machines)
    add(make(machine, options_.supervision.seed + made_.load(std::memory_order_relaxed)));
}

std::vector<std::string> check_config(const Config& config) {
  std::vector<ConfigError::Problem> problems = problems_around(config);
  for (const MachineConfig& machine : config.machines) {
    const std::string device =
        machine.is_virtual ? fmt::format("{}://127.0.0.1", machine.type->scheme) : machine.device;
    try {
      const machines::Setup setup{machine.name,
                                  device,
                                  machine.options,
                                  nullptr,
                                  &system_clock(),
                                  nullptr,
                                  config.mqtt.url.empty() ? nullptr : &config.mqtt,
                                  nullptr,
                                  machine.own};
      (void)machine.type->make(setup);
      if (machine.type->make_companion != nullptr) (void)machine.type->make_companion(setup);
      if (machine.is_virtual) check_virtual(machine);
      if (machine.chaos) {
        if (const auto ways = chaos::ways_through(*machine.type, device); !ways)
          throw std::invalid_argument(ways.error().text);
      }
    } catch (const std::exception& error) {
      problems.push_back({machine.place, fmt::format("{}: {}", machine.name, error.what())});
    }
  }
  RosCollisions collisions = ros_collisions(config);
  problems.insert(problems.end(), collisions.problems.begin(), collisions.problems.end());
  for (auto& problem : shared_identity_problems(config)) problems.push_back(std::move(problem));
  if (auto wrong = ros_problem(config); !wrong.empty()) problems.push_back({place_of(config), std::move(wrong)});
  if (!config.control_socket.empty()) {
    if (const auto free = ControlServer::check(config.control_socket); !free)
      problems.push_back({config.control_place, free.error().text});
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
  for (std::string& warning : mqtt::broker_warnings(config.mqtt)) collisions.warnings.push_back(std::move(warning));
  for (std::string& warning : shared_device_warnings(config)) collisions.warnings.push_back(std::move(warning));
  return std::move(collisions.warnings);
}

System::~System() {
  {
    const std::lock_guard lock(ros_words_->mutex);
    ros_words_->system = nullptr;
  }
  stop(0s);
  tasks_.clear();  // waits
  {
    const std::lock_guard lock(nodes_mutex_);
    nodes_.clear();
  }
  for (Unit& unit : units_) unit.injector.reset();  // machines are gone, and events still reach somebody
  for (Unit& unit : units_) unit.node.reset();      // no command comes in from here on
}

System::Unit System::make(const MachineConfig& config, std::uint64_t seed) {
  Unit unit;
  unit.type = config.type->name;
  unit.device = config.device;
  unit.is_virtual = config.is_virtual;
  try {
    if (config.is_virtual) {
      unit.plug = std::make_unique<net::Plug>();
      unit.virtual_device =
          config.type->make_virtual(virtual_setup(config, ros_.get(), *options_.clock, unit.plug.get()));
      unit.device = unit.virtual_device->url();
    }
    std::optional<chaos::Hop> hop;
    if (config.chaos) {
      auto opened = chaos::Hop::open(*config.type, unit.device);
      if (!opened) throw std::invalid_argument(opened.error().text);
      hop.emplace(std::move(*opened));
    }
    const std::string device = hop ? hop->url() : unit.device;  // where the machine finds it
    net::Tap* tap = scribe_ ? scribe_->field(config.name, unit.type, device) : nullptr;
    const machines::Setup setup{
        config.name,      device,    config.options, ros_.get(), options_.clock, tap, mqtt_loop_ ? &mqtt_ : nullptr,
        mqtt_loop_.get(), config.own};
    SupervisorOptions supervision = options_.supervision;
    supervision.seed = seed;
    const OnEvent on_event = [this](const Event& event) { tell(event); };
    auto machine = config.type->make(setup);
    if (auto* speaks = dynamic_cast<machines::Speaks*>(machine.get()); speaks != nullptr && options_.on_event) {
      // To the console only: the machine has said it on /rosout itself.
      speaks->lines().heard_by([name = config.name, console = options_.on_event](bool bad, std::string_view text) {
        console({name, "log", std::string(text), bad});
      });
    }
    unit.prints = dynamic_cast<const machines::PrintsPose*>(machine.get());
    unit.supervisor =
        std::make_unique<Supervisor>(config.name, std::move(machine), *options_.clock, on_event, supervision,
                                     [this](const Incident& incident) { happened(incident); });
    if (hop)
      unit.injector = std::make_unique<chaos::Injector>(
          config.name, config.is_virtual, std::move(*hop),
          [supervisor = unit.supervisor.get(), device = unit.virtual_device.get()] {
            return look_at(*supervisor, device);
          },
          on_event);
    if (ros2::FullNode* node = unit.supervisor->ros_node()) {
      unit.node = std::make_unique<MachineNode>(
          *node, config, unit.device, unit.supervisor->moves() ? &unit.supervisor->latch() : nullptr,
          [this, name = config.name](std::string_view what) { return command(what, name, "a ROS service"); }, on_event);
      unit.node_name = node->full_name();
      const std::lock_guard lock(nodes_mutex_);
      nodes_[config.name] = unit.node.get();
    }
    // Without ROS there is no topic to follow.
    if (config.twin && config.type->make_twin != nullptr && ros_) unit.twin = config.type->make_twin(setup);
    if (config.type->make_companion != nullptr) unit.companion = config.type->make_companion(setup);
  } catch (const std::exception& error) {
    throw ConfigError({{config.place, fmt::format("{}: {}", config.name, error.what())}});
  }
  return unit;
}

// From here on others see it, with the stop that came before.
void System::add(Unit unit) {
  const std::lock_guard lock(starting_mutex_);
  const std::size_t index = made_.load(std::memory_order_relaxed);
  if (const auto stop = early_stops_.find(index); stop != early_stops_.end() && unit.supervisor->moves()) {
    unit.supervisor->latch().stop("stop requested", stop->second);
    happened({unit.supervisor->name(), "stopped", fmt::format("by {}", stop->second)});
  }
  units_[index] = std::move(unit);
  made_.store(index + 1, std::memory_order_release);
}

std::optional<RecordingStatus> System::finish_recording() { return scribe_ ? scribe_->finish() : std::nullopt; }

record::Sink* System::recording() { return scribe_ ? &scribe_->all() : nullptr; }

std::vector<std::string> System::topics() const { return ros_ ? published_topics(*ros_) : std::vector<std::string>{}; }

SystemStatus System::status() const {
  SystemStatus status;
  status.version = options_.version;
  status.uptime = seconds(options_.clock->now() - started_);
  status.ros = ros_text_;
  if (ros_) status.discovery_servers = discovery_servers_of(*ros_);
  if (control_) status.control = control_->path();
  if (page_) {
    const web::ServerCounts counts = page_->counts();
    status.page = page_->address();
    status.viewers = counts.clients;
    status.page_counts = {counts.accepted,      counts.refused,    counts.dropped_messages,
                          counts.sent_messages, counts.sent_bytes, counts.given_up};
  }
  if (scribe_) {
    status.recording = scribe_->status();
    status.black_box = scribe_->black_box();
    status.incidents = scribe_->incidents();
  }
  if (edge_node_) status.sparkplug = edge_node_->status();
  for (const Unit& unit : made()) status.machines.push_back(status_of(unit));
  status.machines.insert(status.machines.end(), planned_.begin() + static_cast<std::ptrdiff_t>(status.machines.size()),
                         planned_.end());
  return status;
}

std::string System::control_page() const { return page_ ? page_->control_address() : ""; }
std::string System::printed_page() const { return page_ ? page_->printed_address() : ""; }

SystemStatus System::status_with_metrics() const {
  SystemStatus status = this->status();
  const auto made = this->made();
  for (std::size_t i = 0; i < std::min(made.size(), status.machines.size()); ++i)
    status.machines[i].metrics = made[i].supervisor->metrics();
  return status;
}

MachineStatus System::status_of(const Unit& unit) const {
  const Supervisor& supervisor = *unit.supervisor;
  const LinkStatus link = supervisor.status();
  MachineStatus machine;
  machine.name = supervisor.name();
  machine.type = unit.type;
  machine.device = unit.device;
  machine.node = unit.node_name;
  machine.is_virtual = unit.is_virtual;
  machine.unplugged = unit.plug && unit.plug->pulled();
  if (unit.injector) {
    machine.chaos = unit.injector->status();
    machine.chaos_result = unit.injector->last_result();
  }
  machine.moves = supervisor.moves();
  machine.state = name(link.state);
  machine.cause = link.cause;
  machine.warning = link.warning;
  machine.quality = name(link.quality);
  if (machine.moves) {
    const ArmStatus arm = supervisor.latch().status();
    machine.arm = name(arm.state);
    machine.arm_cause = arm.cause;
    machine.arm_by = arm.by;
  }
  machine.rate = link.rate;
  machine.age = link.samples == 0 ? -1 : std::max(0.0, seconds(options_.clock->now() - link.last_live));
  machine.samples = link.samples;
  machine.invalid = link.invalid;
  machine.connects = link.connects;
  machine.attempts = link.attempts;
  machine.stale_episodes = link.stale_episodes;
  machine.skipped = link.skipped;
  const Hops& hops = supervisor.hops();
  machine.hops = {hop_status("solve", hops.solve), hop_status("publish", hops.publish),
                  hop_status("total", hops.total)};
  if (hops.late.count() > 0) machine.late = hop_status("late", hops.late);
  machine.values = supervisor.values();
  if (unit.twin) machine.twin_values = unit.twin->values();
  if (unit.companion) {
    for (auto& value : unit.companion->values()) machine.values.push_back(std::move(value));
  }
  return machine;
}

std::string System::printed_pose(std::string_view machine) const {
  for (const Unit& unit : made())
    if (unit.supervisor->name() == machine && unit.prints != nullptr) return unit.prints->printed_pose();
  return "";
}

const machines::VirtualDevice* System::virtual_device(std::string_view machine) const {
  for (const Unit& unit : made())
    if (unit.supervisor->name() == machine) return unit.virtual_device.get();
  return nullptr;
}

machines::Machine* System::machine(std::string_view name) const {
  for (const Unit& unit : made())
    if (unit.supervisor->name() == name) return &unit.supervisor->machine();
  return nullptr;
}

std::vector<DrawnMachine> System::scenes() const {
  std::vector<DrawnMachine> scenes;
  const Ground* const ground = options_.ground;
  if (ground != nullptr) scenes.push_back({ground->name(), "ground", true, false, ground->scene()});
  for (const Unit& unit : made()) {
    const Supervisor& supervisor = *unit.supervisor;
    scenes.push_back({supervisor.name(), unit.type, unit.is_virtual, supervisor.moves(), supervisor.scene()});
    if (ground != nullptr) scenes.back().scene.ground = ground->name();
  }
  return scenes;
}

std::vector<Standing> System::pictures() const {
  std::vector<Standing> standing;
  if (options_.ground != nullptr) standing.push_back({options_.ground->name(), options_.ground->picture(), {}});
  for (const Unit& unit : made()) {
    const Supervisor& supervisor = *unit.supervisor;
    machines::Picture twin = unit.twin ? unit.twin->picture() : supervisor.beside_picture();
    if (!twin.seen && unit.companion) twin = unit.companion->truth_picture();
    standing.push_back({supervisor.name(), supervisor.picture(), std::move(twin)});
  }
  return standing;
}

std::vector<MachineLatency> System::latencies() const {
  std::vector<MachineLatency> latencies;
  for (const Unit& unit : made()) {
    const Hops& hops = unit.supervisor->hops();
    MachineLatency latency{
        unit.supervisor->name(),
        {{"solve", hops.solve.filled()}, {"publish", hops.publish.filled()}, {"total", hops.total.filled()}}};
    if (hops.late.count() > 0) latency.hops.push_back({"late", hops.late.filled()});
    latencies.push_back(std::move(latency));
  }
  return latencies;
}

std::vector<MachineTruth> System::truths() const {
  std::vector<MachineTruth> truths;
  for (const Unit& unit : made()) {
    auto motion = unit.virtual_device ? unit.virtual_device->true_motion() : std::nullopt;
    if (motion) truths.push_back({unit.supervisor->name(), *std::move(motion)});
  }
  return truths;
}

std::vector<ResidualAlarm> System::residual_alarms() const {
  std::vector<ResidualAlarm> alarms;
  for (const Unit& unit : made()) {
    std::string why = unit.twin ? unit.twin->residual_alarm() : "";
    if (!why.empty()) alarms.push_back({unit.supervisor->name(), std::move(why)});
  }
  return alarms;
}

void System::viewer_publishes(std::string_view topic) {
  if (scribe_) scribe_->viewer_publishes(topic);
}

Result<std::string> System::command(std::string_view what, std::string_view machine, std::string_view by) {
  if (what == "snapshot") return snapshot(machine, "", by);
  auto done = carry_out(what, machine, by);
  if (scribe_) scribe_->commanded(machine, what, by, static_cast<bool>(done), done ? *done : done.error().text);
  return done;
}

Result<std::string> System::snapshot(std::string_view machine, std::string_view text, std::string_view by) {
  auto done = keep_snapshot(machine, text, by);
  if (scribe_) scribe_->commanded(machine, "snapshot", by, static_cast<bool>(done), done ? *done : done.error().text);
  return done;
}

Result<std::string> System::keep_snapshot(std::string_view machine, std::string_view text, std::string_view by) {
  if (!machine.empty() && std::ranges::find(planned_, machine, &MachineStatus::name) == planned_.end())
    return unknown(machine);
  if (incidents_.empty())
    return Error{Fault::unsupported,
                 "snapshot: the black box is off; expected `black_box: { enabled: true, folder: FOLDER }` or "
                 "--black-box FOLDER"};
  return scribe_->snapshot(
      {std::string(machine), "snapshot", text.empty() ? fmt::format("by {}", by) : fmt::format("{}, by {}", text, by)});
}

Result<std::string> System::carry_out(std::string_view what, std::string_view machine, std::string_view by) {
  Outcome outcome;
  std::vector<std::string>& told = outcome.told;
  const bool plugs = what == "plug" || what == "unplug";
  if (what == "unplug" && machine.empty()) return Error{Fault::invalid, "unplug: expected a machine, got none"};
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (!machine.empty() && machine != planned_[i].name) continue;
    if (auto early = command_early(what, i, by, outcome)) {
      told.push_back(*std::move(early));
      continue;
    }
    Unit& unit = units_[i];
    const bool meant = plugs ? unit.plug && unit.plug->pulled() : unit.supervisor->moves();
    if (machine.empty() && !meant) continue;
    told.push_back(plugs ? plug_one(what == "plug", unit, by, outcome) : command_one(what, unit, by, outcome));
  }
  if (!outcome.stopped.empty())
    happened(
        {outcome.stopped.size() == 1 ? std::string(outcome.stopped.front()) : "", "stopped", fmt::format("by {}", by)});
  if (told.empty() && !machine.empty()) return unknown(machine);
  if (told.empty())
    told.push_back(plugs ? "nothing is unplugged" : fmt::format("no machine accepts commands: nothing to {}", what));
  const std::string text = fmt::format("{}", fmt::join(told, "\n"));
  if (outcome.refused) return Error{Fault::busy, text};
  return text;
}

Error System::unknown(std::string_view machine) const {
  std::vector<std::string_view> names;
  for (const MachineStatus& each : planned_) names.push_back(each.name);
  return {Fault::not_found, fmt::format("unknown machine '{}'{}", printable(machine), suggestion(machine, names))};
}

// To a machine that is not made yet; nothing if it is. It is disarmed, and a stop is not lost: it is made with it.
std::optional<std::string> System::command_early(std::string_view what, std::size_t index, std::string_view by,
                                                 Outcome& outcome) {
  const std::lock_guard lock(starting_mutex_);
  if (index < made_.load(std::memory_order_relaxed)) return std::nullopt;
  const std::string& name = planned_[index].name;
  if (what == "stop") {
    early_stops_.try_emplace(index, by);
    return fmt::format("{}: stopped while starting; `reset`, then `arm`, to continue", name);
  }
  outcome.refused = true;
  return fmt::format("{}: starting; try again once it is live", name);
}

std::string System::plug_one(bool in, Unit& unit, std::string_view by, Outcome& outcome) {
  const std::string& name = unit.supervisor->name();
  if (!unit.plug || !unit.plug->attached()) {
    outcome.refused = true;
    return unit.plug ? fmt::format("{}: `unplug` is not supported by this virtual device", name)
                     : fmt::format("{}: `unplug` works on virtual devices only", name);
  }
  if (unit.plug->pulled() != in) return fmt::format("{}: is {} already", name, in ? "plugged in" : "unplugged");
  if (in) {
    unit.plug->insert();
    tell({name, "plugged", fmt::format("by {}; its virtual device is connected again", by)});
    if (!unit.supervisor->moves()) return fmt::format("{}: plugged in; its link reconnects by itself", name);
    const bool stopped = unit.supervisor->latch().status().state == ArmState::stopped;
    return fmt::format("{}: plugged in; its link reconnects by itself, motion needs {}", name,
                       stopped ? "`reset`, then `arm`" : "`arm`");
  }
  unit.plug->pull();
  tell({name, "unplugged",
        fmt::format("by {}; the physics of its virtual device goes on, and nothing passes until it is plugged in", by),
        true});
  return fmt::format("{}: unplugged; `plug` reconnects it", name);
}

std::string System::command_one(std::string_view what, Unit& unit, std::string_view by, Outcome& outcome) {
  Supervisor& supervisor = *unit.supervisor;
  if (!supervisor.moves()) {
    outcome.refused = outcome.refused || what == "arm";
    return fmt::format("{}: read-only, nothing to {}", supervisor.name(), what);
  }
  if (what == "arm") {
    const auto arm = [&] { return supervisor.latch().arm(by); };
    if (const auto armed = unit.injector ? unit.injector->arm(arm) : arm(); !armed) {
      outcome.refused = true;
      return fmt::format("{}: not armed: {}", supervisor.name(), armed.error().text);
    }
    tell({supervisor.name(), "armed", fmt::format("by {}", by)});
    return fmt::format("{}: armed", supervisor.name());
  }
  if (what == "stop") {
    if (supervisor.latch().stop("stop requested", by)) outcome.stopped.push_back(supervisor.name());
    tell({supervisor.name(), "stopped", fmt::format("by {}; latched until reset", by), true});
    return fmt::format("{}: stopped; `reset`, then `arm`, to continue", supervisor.name());
  }
  supervisor.latch().reset(by);
  tell({supervisor.name(), "reset", fmt::format("by {}; disarmed", by)});
  return fmt::format("{}: reset, disarmed; `arm` to continue", supervisor.name());
}

void System::happened(const Incident& incident) const {
  if (scribe_) scribe_->happened(incident);
}

void System::tell(const Event& event) const {
  if (options_.on_event) options_.on_event(event);
  if (page_) page_->tell(event);
  if (scribe_) scribe_->tell(event);
  const std::lock_guard lock(nodes_mutex_);
  if (const auto node = nodes_.find(event.machine); node != nodes_.end()) node->second->tell(event);
}

}  // namespace tandem::runtime
