// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/app.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <optional>

#include "tandem/app/commands.hpp"
#include "tandem/app/commands/chaos.hpp"
#include "tandem/app/commands/learn.hpp"
#include "tandem/app/commands/option_checks.hpp"
#include "tandem/app/commands/option_text.hpp"
#include "tandem/app/commands/prove.hpp"
#include "tandem/app/commands/replay.hpp"
#include "tandem/app/doctor/doctor.hpp"
#include "tandem/app/fleet/fleet.hpp"
#include "tandem/app/manual/manual.hpp"
#include "tandem/app/recordings/recordings.hpp"
#include "tandem/app/ros/ros.hpp"
#include "tandem/app/terminal/output.hpp"
#include "tandem/app/warehouse/demo.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/ros2/node.hpp"

namespace tandem::app {

namespace {

constexpr double default_trucks = 20;  // of the fleet demonstration

// Everything the command line can say; CLI11 fills it in, then the chosen body runs.
class CommandLine {
 public:
  explicit CommandLine(const runtime::Registry& registry) : registry_(registry) {
    app_.name("tandem");
    // Words behind a command are its own: a machine may be called "arm", and `tandem stop arm` must not arm.
    app_.require_subcommand(0, 1);
    app_.set_version_flag("--version", "tandem " TANDEM_VERSION);
    app_.footer(
        "Machines: " + machine_list() +
        "\n`tandem help COMMAND` explains a command, `tandem options MACHINE` lists the options of a machine.\n"
        "Tokens of the page: TANDEM_VIEW_TOKEN and TANDEM_CONTROL_TOKEN, or `view_token` and `control_token` under\n"
        "`web` in a configuration that other users cannot read; at least 16 characters (openssl rand -hex 16).\n"
        "Without them the page is on this computer only, and `tandem page` prints its address with a token.\n"
        "Not a safety function: `stop` requests a stop, wire a real emergency stop.");
    add_live();
    add_virtual();
    add_options();
    add_solve();
    add_control();
    add_snapshot();
    add_teleop();
    add_slam();
    add_doctor();
    bodies_.push_back(add_replay(app_, registry_));
    for (auto& each : add_recordings(app_)) bodies_.push_back(std::move(each));
    bodies_.push_back(add_learn(app_));
    bodies_.push_back(add_chaos(app_));
    bodies_.push_back(add_prove(app_, registry_));
    bodies_.push_back(add_fleet(app_));
    bodies_.push_back(ros::add_ros(app_));
    for (auto& each : add_manual(app_, registry_)) bodies_.push_back(std::move(each));
  }

  int run(int argc, const char* const* argv) {
    std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    // Not a success: a script whose command was empty has done nothing.
    if (arguments.empty()) {
      fmt::print("{}", app_.help());
      return usage;
    }
    if (arguments.front() == "help") {
      arguments.erase(arguments.begin());
      arguments.emplace_back("--help");
    }
    if (const int code = check_word(arguments); code != success) return code;
    if (arguments.front() == "solve") solve_.flags = take_solve_flags(arguments);
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    try {
      app_.parse(std::move(arguments));
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) return app_.exit(error);  // help was asked for
      const std::string chosen = chosen_words();
      fmt::print(stderr, "tandem{}: {}\n`tandem help{}` lists its options.\n", chosen, in_words(error), chosen);
      return usage;
    }
    for (const auto& [subcommand, body] : bodies_) {
      if (subcommand->parsed()) return body();
    }
    return usage;
  }

 private:
  using Body = std::function<int()>;

  CLI::App* add(const std::string& name, const std::string& help, const std::string& examples, Body body) {
    CLI::App* subcommand = app_.add_subcommand(name, help);
    subcommand->footer("Examples:\n" + examples);
    bodies_.emplace_back(subcommand, std::move(body));
    return subcommand;
  }

  void live_options(CLI::App* subcommand) {
    add_for(*subcommand, live_.for_seconds);
    subcommand->add_option("--control", live_.control, "path of the control socket")->type_name("PATH");
    auto* web = subcommand
                    ->add_option("--web", live_.web,
                                 "address of the page, or off; control requires a token, viewing beyond loopback too")
                    ->type_name("ADDRESS:PORT");
    subcommand->add_option("--port", live_.port, "port of the page on this computer: --web 127.0.0.1:N")
        ->type_name("N")
        ->check(port_check())
        ->excludes(web);
    subcommand->add_flag("--plain", live_.plain,
                         "serve the page beyond loopback without TLS; tokens can be read there");
    subcommand->add_option("--record", live_.record, "record everything into this MCAP file")->type_name("FILE");
    subcommand
        ->add_option("--black-box", live_.black_box,
                     "folder of the incidents, each with the minute before it; or off; default: in the state folder")
        ->type_name("FOLDER");
    subcommand
        ->add_option("--speed", live_.speed,
                     "simulated time at most N times as fast as real time; virtual devices only, without ROS 2")
        ->type_name("N")
        ->check(CLI::Range(0.01, 1000.0));
    subcommand->add_flag("--chaos", live_.chaos,
                         "put fault proxies between all machines and their devices, for `tandem chaos`");
    subcommand->add_option("--print", live_.print, "print each machine's pose at 20 Hz, for a pipe or a file")
        ->type_name("pose")
        ->check(choice_check({"pose"}));
    subcommand->add_option("--log", live_.log_level, "lowest level that is logged")
        ->type_name("LEVEL")
        ->check(choice_check({"trace", "debug", "info", "warn", "error", "off"}));
  }

  void add_live() {
    auto* demo = add("demo", "run all machines, or these, on virtual devices",
                     "  tandem demo\n" + each_type(&machines::MachineType::demo_examples) +
                         "  tandem demo --fleet 20          # in another terminal: tandem unplug truck07\n"
                         "--fleet needs the Debian package mosquitto; ROS 2 is off and --set is for every truck.\n",
                     [this] { return run_demo(); });
    demo->add_option("MACHINE", words_, machine_list());
    demo->add_option_function<std::string>(
            "--fleet", [this](const std::string& value) { fleet_ = value; },
            fmt::format("run N forklifts under a VDA 5050 master, 1 to {}; default: {}", warehouse::most_trucks,
                        default_trucks))
        ->type_name("N")
        ->expected(0, 1);
    demo->add_option("--config", live_.files, "run the machines of these YAML files, all with `device: virtual`")
        ->type_name("FILE");
    demo->add_option("--set", live_.settings, "set an option of the machine; with several machines: MACHINE.KEY=VALUE")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    live_options(demo);
    auto* run = add("run", "run the machines of one or more configuration files",
                    "  tandem run lab.yaml\n  tandem run machines.yaml site.yaml --control /tmp/lab.sock\n",
                    [this] { return run_files(words_, live_, registry_); });
    run->add_option("CONFIG", words_, "YAML files, merged")->required();
    live_options(run);
    auto* check = add("check", "validate configuration files without starting anything", "  tandem check lab.yaml\n",
                      [this] { return check_files(words_, registry_); });
    check->add_option("CONFIG", words_, "YAML files, merged")->required();
  }

  int run_demo() {
    if (!fleet_) return app::demo(words_, live_, registry_);
    if (!words_.empty())
      return fail(fmt::format("--fleet: expected no machine, got '{}'", printable(words_.front())), usage);
    if (!live_.files.empty())
      return fail(fmt::format("--fleet: expected no --config, got '{}'", printable(live_.files.front())), usage);
    // CLI11 gives "true" for an option without its value.
    const std::optional<double> trucks = *fleet_ == "true" || fleet_->empty() ? default_trucks : number_from(*fleet_);
    if (!trucks || !(*trucks >= 1 && *trucks <= warehouse::most_trucks) || std::floor(*trucks) != *trucks)
      return fail(fmt::format("--fleet: expected a whole number from 1 to {}, got '{}'", warehouse::most_trucks,
                              printable(*fleet_)),
                  usage);
    return app::demo_fleet(static_cast<std::size_t>(*trucks), live_, registry_);
  }

  void add_virtual() {
    auto* device = add("virtual", "run only the virtual device of a machine, for any client",
                       fmt::format("  tandem virtual {}\n", registry_.names().front()) +
                           each_type(&machines::MachineType::virtual_examples),
                       [this] { return virtual_device(virtual_, registry_); });
    const auto* machine = device->add_option("MACHINE", virtual_.machine, machine_list())->required();
    device->add_option("FILE", virtual_.file, "description of the machine, of type generic");
    // Help is printed before the values are stored, so the machine is looked up among the words.
    device->footer([this, machine]() -> std::string {
      const auto* type = machine->empty() ? nullptr : registry_.find(machine->results().front());
      if (type == nullptr) return "`tandem virtual MACHINE --help` lists the options of that machine.\n";
      return option_list(*type);
    });
    device->add_option("--port", virtual_.port, "main port; default: the protocol's standard port")
        ->type_name("N")
        ->check(port_check());
    device->add_option("--listen", virtual_.listen, "address to listen on; default: loopback only")
        ->type_name("ADDRESS");
    device->add_option("--set", virtual_.settings, "set an option of the machine")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    for (const auto* type : registry_.types())
      for (const auto& flag : type->flags) add_device_flag(*device, *type, flag);
  }

  void add_device_flag(CLI::App& device, const machines::MachineType& type, const machines::DeviceFlag& flag) {
    const std::string name(flag.name), help = fmt::format("{}: {}", type.name, flag.help);
    if (device.get_option_no_throw(name) != nullptr) return;  // of several machines: the first one explains it
    const auto given = [this, name](const std::string& value) { virtual_.flags.emplace_back(name, value); };
    CLI::Option* added = flag.value.empty() ? device.add_flag_callback(
                                                  name, [given] { given(""); }, help)
                                            : device.add_option_function<std::string>(name, given, help);
    if (!flag.value.empty()) added->type_name(std::string(flag.value));
    if (!flag.needs.empty()) added->needs(device.get_option(std::string(flag.needs)));
  }

  void add_options() {
    const std::string_view first = registry_.names().front();
    auto* options = add("options", "print the options of a machine with type, range, default and meaning",
                        fmt::format("  tandem options {0}\n  tandem options {0} --yaml > {0}.yaml\n"
                                    "  tandem options --markdown      # as in docs/configuration.md\n",
                                    first),
                        [this] { return app::options(options_, registry_); });
    options->add_option("MACHINE", options_.machine, machine_list() + "; default: all");
    auto* yaml =
        options->add_flag("--yaml", options_.yaml, "print a configuration file with every option at its default");
    options->add_flag("--markdown", options_.markdown, "print the configuration reference")->excludes(yaml);
  }

  void add_solve() {
    std::string examples;
    for (const auto* type : registry_.types()) {
      for (const auto& query : type->queries) examples += solve_example(type->name, query);
    }
    auto* solve = add("solve", "solve kinematics in JSON, from arguments or one object per line of standard input",
                      examples, [this] { return app::solve(solve_, registry_); });
    solve->add_option("MACHINE", solve_.machine, machine_list())->required();
    solve->add_option("QUERY", solve_.query, "query; its --FLAG VALUE are fields of every input object")->required();
    solve->add_option("JSON", solve_.questions, "input objects; default: read standard input");
  }

  void add_control() {
    auto* status = add("status", "show a running tandem",
                       "  tandem status\n  tandem status platform --watch\n  tandem status --json | jq .\n",
                       [this] { return app::status(status_); });
    status->add_option("MACHINE", status_.machine, "show only this machine, by its name in the configuration");
    status->add_flag("--watch", status_.watch, "refresh until interrupted");
    status->add_flag("--json", status_.json, "print one JSON object");
    status->add_flag("--metrics", status_.metrics, "print Prometheus text");
    status->add_option("--control", status_.control, "path of the control socket")->type_name("PATH");
    auto* page = add("page", "print the address of the page with the control token",
                     "  tandem page\nWithout a token in its address the page is read-only. The token is valid for one "
                     "run; only the user who\nstarted tandem can print it.\n",
                     [this] { return command("page", "", status_.control); });
    page->add_option("--control", status_.control, "path of the control socket")->type_name("PATH");
    const auto tells = [this](const std::string& name, const std::string& help, const std::string& examples,
                              const std::string& meant) {
      auto* word = add(name, help, examples, [this, name] { return command(name, machine_, status_.control); });
      word->add_option("--control", status_.control, "path of the control socket")->type_name("PATH");
      return word->add_option("MACHINE", machine_, "by its name in the configuration" + meant);
    };
    const auto both = [](std::string_view name) { return fmt::format("  tandem {0}\n  tandem {0} lift\n", name); };
    tells("arm", "enable outputs; refused unless the link is live and no stop is latched", both("arm"),
          "; default: all that move");
    tells("stop", "request a stop; it latches until reset", both("stop"), "; default: all that move");
    tells("reset", "release a latched stop; leaves disarmed", both("reset"), "; default: all that move");
    tells("unplug", "disconnect a virtual device, to see what happens",
          "  tandem unplug lift\n  tandem status           # shows its state, and why nothing moves\n  tandem plug     "
          "        # the link comes back by itself; motion does not\n  tandem reset lift       # if a stop is latched: "
          "it was moving when the link was lost\n  tandem arm lift         # now it may move again\n",
          "")
        ->required();
    tells("plug", "reconnect a virtual device; it moves again only after `reset`, if a stop is latched, and `arm`",
          both("plug"), "; default: all that are unplugged");
  }

  void add_snapshot() {
    auto* snapshot =
        add("snapshot", "write the last minute of a running tandem, and the next 10 s, into a file",
            "  tandem snapshot\n  tandem snapshot lift --text \"it jerked\"\n  tandem info $(tandem snapshot)\n",
            [this] { return app::snapshot(machine_, why_, status_.control); });
    snapshot->add_option("MACHINE", machine_, "whom it is about, by its name in the configuration; default: all");
    snapshot->add_option("--text", why_, "why, in a few words")->type_name("WHY");
    snapshot->add_option("--control", status_.control, "path of the control socket")->type_name("PATH");
  }

  void add_doctor() {
    auto* doctor = add("doctor", "diagnose this computer, its network and ROS 2, and suggest fixes",
                       "  tandem doctor\n  tandem doctor lab.yaml      # tests its devices too\n",
                       [this] { return doctor::doctor(doctor_, registry_); });
    doctor->add_option("CONFIG", doctor_.files, "YAML files, whose devices are tested");
    doctor->add_option("--domain", doctor_.domain, "ROS 2 domain ID")->type_name("N")->check(domain_check());
    doctor->add_option("--patience", doctor_.patience, "timeout for each device (s)")
        ->type_name("SECONDS")
        ->check(number_check(0.05, 60.0));
    doctor->add_option("--control", doctor_.control, "path of the control socket")->type_name("PATH");
  }

  void add_teleop() {
    const auto driven = driven_machines(registry_);
    auto* teleop =
        add("teleop", "drive a truck with the keyboard; it must be armed with `tandem arm`",
            fmt::format("  tandem teleop {0}\n  tandem teleop {0} --name lift2 --namespace /lift2\n"
                        "  tandem teleop {0} --domain 7\n",
                        driven.empty() ? "MACHINE" : driven.front()) +
                "Keys:\n  w s, up down        forward, back, straight on\n  a d, left right     turn left, right, at "
                "the current speed\n  + -                 gear, 1 to 20: 0.05 to 1 m/s\n  space               halt; "
                "twice: as x\n  x                   stop the machine, latched until `tandem reset`\n  q                "
                "   halt and exit\nA key is valid for 0.5 s; after the last one a speed of 0 is sent, then nothing.\n",
            [this] { return app::teleop(teleop_, registry_); });
    teleop->add_option("MACHINE", teleop_.machine, fmt::format("{}", fmt::join(driven, ", ")))->required();
    teleop->add_option("--name", teleop_.name, "machine by its name in the configuration; default: the only one")
        ->type_name("NAME");
    teleop
        ->add_option("--namespace", teleop_.name_space, "namespace of its ROS node; default: as in the running tandem")
        ->type_name("NAME");
    teleop->add_option("--domain", teleop_.domain, "ROS domain ID, instead of ROS_DOMAIN_ID")->check(domain_check());
    teleop->add_option("--control", teleop_.control, "path of the control socket")->type_name("PATH");
  }

  void add_slam() {
    auto* slam = add("slam", "run monocular SLAM on camera images, with the topics of orb_slam3_ros",
                     "  tandem slam\n  tandem slam --image /camera/image_rect --info /camera/camera_info\n  tandem "
                     "virtual orca --set slam=camera & tandem slam\nSubscribes to images (mono8, rgb8, bgr8; "
                     "undistorted) and camera_info; publishes slam_status, camera_pose\nand map_points; the service "
                     "reset_slam starts a new map. Poses are up to scale.\n",
                     [this] { return app::slam(slam_); });
    slam->add_option("--image", slam_.image, "topic of the images")->type_name("TOPIC");
    slam->add_option("--info", slam_.info, "topic of camera_info")->type_name("TOPIC");
    slam->add_option("--namespace", slam_.name_space, "namespace of the ROS node")->type_name("NAME");
    slam->add_option("--domain", slam_.domain, "ROS domain ID, instead of ROS_DOMAIN_ID")->check(domain_check());
    add_for(*slam, slam_.for_seconds);
  }

  // The command and subcommands that were read so far: " topic echo".
  std::string chosen_words() const {
    std::string words;
    for (const CLI::App* at = &app_; !at->get_subcommands().empty();) {
      at = at->get_subcommands().front();
      words += " " + at->get_name();
    }
    return words;
  }

  // What CLI11 found, with the nearest option where one is unknown.
  std::string in_words(const CLI::ParseError& error) const {
    const CLI::App* at = &app_;
    while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
    const auto left = app_.remaining(true);
    if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError) || left.empty()) return error.what();
    if (!left.front().starts_with('-'))
      return fmt::format("expected no further argument, got '{}'", printable(left.front()));
    std::vector<std::string> names;
    for (const CLI::Option* option : at->get_options()) {
      if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    return fmt::format("unknown option '{}'{}", printable(left.front()), suggestion(left.front(), known));
  }

  // CLI11 would only say that something extra was there.
  int check_word(const std::vector<std::string>& arguments) const {
    const CLI::App* at = &app_;
    for (const std::string& word : arguments) {
      if (word.starts_with('-')) break;
      const CLI::App* found = nullptr;
      std::vector<std::string_view> known;
      for (const CLI::App* each : at->get_subcommands([](const CLI::App*) { return true; })) {
        known.emplace_back(each->get_name());
        if (each->get_name() == word) found = each;
      }
      if (known.empty()) break;
      if (found == nullptr) {
        fmt::print(stderr, "tandem: unknown command '{}'{}\n", printable(word), suggestion(word, known));
        return usage;
      }
      at = found;
    }
    return success;
  }

  // What every machine adds to a help text.
  std::string each_type(std::string_view machines::MachineType::*lines) const {
    std::string all;
    for (const auto* type : registry_.types()) all += type->*lines;
    return all;
  }

  std::string machine_list() const { return fmt::format("{}", fmt::join(registry_.names(), ", ")); }

  const runtime::Registry& registry_;
  CLI::App app_{"Connects machines that speak field protocols to ROS 2 and to their simulated twins."};
  std::vector<std::pair<CLI::App*, Body>> bodies_;
  std::vector<std::string> words_;
  std::string machine_, why_;
  LiveArguments live_;
  std::optional<std::string> fleet_;  // trucks of the fleet demonstration; none: not that one
  SolveArguments solve_;
  VirtualArguments virtual_;
  OptionsArguments options_;
  StatusArguments status_;
  doctor::DoctorArguments doctor_;
  TeleopArguments teleop_;
  SlamArguments slam_;
};

}  // namespace

int run(int argc, const char* const* argv, const runtime::Registry& registry) {
  ros2::take_discovery_server_variables();  // while there is one thread
  return with_whole_output([&] { return CommandLine(registry).run(argc, argv); });
}

int run(int argc, const char* const* argv, std::span<const machines::MachineType* const> more) {
  std::optional<runtime::Registry> registry;
  try {
    registry = runtime::all_machines_and(more);
  } catch (const std::invalid_argument& error) {
    return fail(error.what(), usage);
  }
  return run(argc, argv, *registry);
}

int fail(std::string_view text, ExitCode code) {
  fmt::print(stderr, "tandem: {}\n", text);
  return code;
}

std::unique_ptr<ros2::Context> context_from_environment() {
  auto environment = ros2::context_options_from_environment();
  if (!environment) throw std::runtime_error(environment.error().text);
  for (const std::string& warning : environment->warnings) fmt::print(stderr, "tandem: {}\n", warning);
  return std::make_unique<ros2::Context>(environment->options);
}

const machines::MachineType* known_machine(const std::string& name, const runtime::Registry& registry) {
  const auto* type = registry.find(name);
  if (type == nullptr) {
    fmt::print(stderr, "tandem: unknown machine '{}'{}\n", printable(name), suggestion(name, registry.names()));
  }
  return type;
}

}  // namespace tandem::app
