#include "tandem/app/app.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <map>

#include "tandem/app/commands.hpp"
#include "tandem/app/doctor/doctor.hpp"
#include "tandem/app/recordings/recordings.hpp"
#include "tandem/app/replay.hpp"
#include "tandem/app/ros/ros.hpp"
#include "tandem/base/nearest.hpp"

namespace tandem::app {

namespace {

// Everything the command line can say; CLI11 fills it in, then the chosen body runs.
class CommandLine {
 public:
  explicit CommandLine(const runtime::Registry& registry) : registry_(registry) {
    app_.name("tandem");
    app_.require_subcommand(1);
    app_.set_version_flag("--version", "tandem " TANDEM_VERSION);
    app_.footer("Machines: " + machine_list() +
                "\nNot a safety function: `stop` requests a stop, wire a real emergency stop.");
    add_live();
    add_virtual();
    add_solve();
    add_control();
    add_teleop();
    add_slam();
    add_doctor();
    bodies_.push_back(add_replay(app_));
    for (auto& each : add_recordings(app_)) bodies_.push_back(std::move(each));
    bodies_.push_back(ros::add_ros(app_));
  }

  int run(int argc, const char* const* argv) {
    if (const int code = check_word(argc, argv); code != success) return code;
    std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    if (argc > 1 && arguments.front() == "solve") solve_.flags = take_solve_flags(arguments);
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    try {
      app_.parse(std::move(arguments));
    } catch (const CLI::ParseError& error) {
      return app_.exit(error) == 0 ? success : usage;
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
    subcommand->add_option("--for", live_.for_seconds, "end by itself after so many seconds")
        ->type_name("SECONDS")
        ->check(CLI::PositiveNumber & CLI::Range(1e8));
    subcommand->add_option("--control", live_.control, "path of the control socket")->type_name("PATH");
    subcommand->add_option("--web", live_.web, "where the page is served, or off; beyond this computer it needs tokens")
        ->type_name("ADDRESS:PORT");
    subcommand->add_option("--record", live_.record, "keep everything in this MCAP file")->type_name("FILE");
    subcommand->add_option("--log", live_.log_level, "how much the log tells")
        ->type_name("LEVEL")
        ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}));
  }

  void add_live() {
    auto* demo = add("demo", "run all machines, or these, on virtual devices",
                     "  tandem demo\n  tandem demo em1500 --for 20\n"
                     "  tandem demo raptorlift --record run.mcap --web 127.0.0.1:9000\n"
                     "  tandem demo orca --set slam=features --set paths=paths.png\n",
                     [this] { return app::demo(words_, live_, registry_); });
    demo->add_option("MACHINE", words_, machine_list());
    demo->add_option("--set", live_.settings, "an option of the machine; of several: MACHINE.KEY=VALUE")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    live_options(demo);
    auto* run = add("run", "run the machines of one or more configuration files",
                    "  tandem run lab.yaml\n  tandem run machines.yaml site.yaml --control /tmp/lab.sock\n",
                    [this] { return run_files(words_, live_, registry_); });
    run->add_option("CONFIG", words_, "YAML files, read as one")->required();
    live_options(run);
    auto* check = add("check", "say what is wrong with configuration files, and start nothing",
                      "  tandem check lab.yaml\n", [this] { return check_files(words_, registry_); });
    check->add_option("CONFIG", words_, "YAML files, read as one")->required();
  }

  void add_virtual() {
    auto* device =
        add("virtual", "run only the virtual device of a machine, for any client",
            "  tandem virtual em1500\n  tandem virtual em1500 --port 48899 --listen 0.0.0.0\n"
            "  tandem virtual orca --set slam=camera\n"
            "With a real ArduSub, built for its own simulation, that flies the Orca's body:\n"
            "  tandem virtual orca --sitl --print-parameters > sub.parm\n"
            "  tandem virtual orca --sitl &\n"
            "  ardusub -S --wipe -M JSON:127.0.0.1 -I0 --home 47.6302,-122.3982391,-0.1,0 "
            "--defaults sub.parm\n"
            "It waits for somebody on TCP 5760: a bridge with device \"mavlink://127.0.0.1:5760?link=tcp\",\n"
            "or mavproxy.py --master tcp:127.0.0.1:5760 --out 127.0.0.1:14550 --out 127.0.0.1:14551\n",
            [this] { return virtual_device(virtual_, registry_); });
    device->add_option("MACHINE", virtual_.machine, machine_list())->required();
    device->add_option("--port", virtual_.port, "main port instead of the protocol's standard one")
        ->type_name("N")
        ->check(CLI::Range(1, 65535));
    device->add_option("--listen", virtual_.listen, "address to listen on; this computer only unless told")
        ->type_name("ADDRESS");
    device->add_option("--set", virtual_.settings, "an option of the machine")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    auto* sitl = device->add_flag("--sitl", virtual_.sitl,
                                  "orca: only its body, on UDP 9002, for a real ArduSub (ardusub -M JSON)");
    device->add_flag("--print-parameters", virtual_.print_parameters, "with --sitl: print ArduSub's settings, and end")
        ->needs(sitl);
  }

  void add_solve() {
    std::string examples;
    for (const auto* type : registry_.types()) {
      for (const auto& query : type->queries) examples += solve_example(type->name, query);
    }
    auto* solve = add("solve", "kinematics on JSON, from arguments or one object per line of standard input", examples,
                      [this] { return app::solve(solve_, registry_); });
    solve->add_option("MACHINE", solve_.machine, machine_list())->required();
    solve->add_option("QUERY", solve_.query, "what to solve; its --FLAG VALUE are fields of every question")
        ->required();
    solve->add_option("JSON", solve_.questions, "questions; none: read standard input");
  }

  void add_control() {
    auto* status = add("status", "show a running tandem",
                       "  tandem status\n  tandem status platform --watch\n  tandem status --json | jq .\n",
                       [this] { return app::status(status_); });
    status->add_option("MACHINE", status_.machine, "only this one, by its name in the configuration");
    status->add_flag("--watch", status_.watch, "refresh until interrupted");
    status->add_flag("--json", status_.json, "one JSON object");
    status->add_flag("--metrics", status_.metrics, "Prometheus text");
    status->add_option("--control", status_.control, "path of the control socket")->type_name("PATH");
    const auto tells = [this](const std::string& name, const std::string& help, const std::string& examples,
                              const std::string& meant) {
      auto* word = add(name, help, examples, [this, name] { return command(name, machine_, status_.control); });
      word->add_option("--control", status_.control, "path of the control socket")->type_name("PATH");
      return word->add_option("MACHINE", machine_, "by its name in the configuration" + meant);
    };
    const auto both = [](std::string_view name) { return fmt::format("  tandem {0}\n  tandem {0} lift\n", name); };
    tells("arm", "let outputs leave; refused unless the link is live and no stop is latched", both("arm"),
          "; none: all that move");
    tells("stop", "request a stop; it latches until reset", both("stop"), "; none: all that move");
    tells("reset", "release a latched stop; leaves disarmed", both("reset"), "; none: all that move");
    tells("unplug", "pull the cable of a virtual device, to see what happens",
          "  tandem unplug raptorlift\n  tandem status           # says what it knows of it, and why nothing moves\n"
          "  tandem plug             # the link comes back by itself, motion only by: tandem arm raptorlift\n",
          "")
        ->required();
    tells("plug", "put the cable of a virtual device in again; it does not move before `arm`", both("plug"),
          "; none: all that are unplugged");
  }

  void add_doctor() {
    auto* doctor =
        add("doctor", "say what stands in the way on this computer, its networks and ROS 2, and how to mend it",
            "  tandem doctor\n  tandem doctor lab.yaml      # tries its devices too\n",
            [this] { return doctor::doctor(doctor_, registry_); });
    doctor->add_option("CONFIG", doctor_.files, "YAML files, whose devices are tried");
    doctor->add_option("--domain", doctor_.domain, "of ROS 2")->type_name("N")->check(CLI::Range(0, 232));
    doctor->add_option("--patience", doctor_.patience, "seconds for each device")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.05, 60.0));
    doctor->add_option("--control", doctor_.control, "path of the control socket")->type_name("PATH");
  }

  void add_teleop() {
    auto* teleop =
        add("teleop", "drive a truck by the keys of this terminal; it has to be armed by `tandem arm`",
            "  tandem teleop raptorlift\n  tandem teleop raptorlift --name lift2 --namespace /lift2\n"
            "  tandem teleop raptorlift --domain 7\n"
            "Keys:\n"
            "  w s, up down        forward, back, straight on\n"
            "  a d, left right     turn left, right, at the speed there is\n"
            "  + -                 gear, 1 to 20: 0.05 to 1 m/s\n"
            "  space               stand; twice: as x\n"
            "  x                   stop the machine, latched until `tandem reset`\n"
            "  q                   stand, and end\n"
            "A key counts for 0.5 s; after the last one the truck is told to stand, and then nothing more.\n",
            [this] { return app::teleop(teleop_, registry_); });
    teleop->add_option("MACHINE", teleop_.machine, "raptorlift")->required();
    teleop->add_option("--name", teleop_.name, "which one, by its name in the configuration; none: the only one")
        ->type_name("NAME");
    teleop->add_option("--namespace", teleop_.name_space, "of its node on ROS; none: as the running tandem has it")
        ->type_name("NAME");
    teleop->add_option("--domain", teleop_.domain, "of ROS, instead of ROS_DOMAIN_ID")->check(CLI::Range(0, 232));
    teleop->add_option("--control", teleop_.control, "path of the control socket")->type_name("PATH");
  }

  void add_slam() {
    auto* slam = add("slam", "follow a camera by its images alone and publish what orb_slam3_ros would",
                     "  tandem slam\n  tandem slam --image /camera/image_rect --info /camera/camera_info\n"
                     "  tandem virtual orca --set slam=camera & tandem slam\n"
                     "Hears images (mono8, rgb8, bgr8; without distortion) and camera_info; publishes slam_status,\n"
                     "camera_pose and map_points; the service reset_slam begins another map. Poses are up to scale.\n",
                     [this] { return app::slam(slam_); });
    slam->add_option("--image", slam_.image, "topic of the images")->type_name("TOPIC");
    slam->add_option("--info", slam_.info, "topic of the camera's numbers")->type_name("TOPIC");
    slam->add_option("--namespace", slam_.name_space, "of its node on ROS")->type_name("NAME");
    slam->add_option("--domain", slam_.domain, "of ROS, instead of ROS_DOMAIN_ID")->check(CLI::Range(0, 232));
    slam->add_option("--for", slam_.for_seconds, "end by itself after so many seconds")
        ->type_name("SECONDS")
        ->check(CLI::PositiveNumber & CLI::Range(1e8));
  }

  // CLI11 would only say that something extra was there.
  int check_word(int argc, const char* const* argv) const {
    const CLI::App* at = &app_;
    for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
      const CLI::App* found = nullptr;
      std::vector<std::string_view> known;
      for (const CLI::App* each : at->get_subcommands([](const CLI::App*) { return true; })) {
        known.emplace_back(each->get_name());
        if (each->get_name() == argv[i]) found = each;
      }
      if (known.empty()) break;
      if (found == nullptr) {
        fmt::print(stderr, "tandem: unknown command '{}'{}\n", printable(argv[i]), suggestion(argv[i], known));
        return usage;
      }
      at = found;
    }
    return success;
  }

  std::string machine_list() const { return fmt::format("{}", fmt::join(registry_.names(), ", ")); }

  const runtime::Registry& registry_;
  CLI::App app_{"Keeps machines and their twins moving together: field protocols on one side, ROS 2 on the other."};
  std::vector<std::pair<CLI::App*, Body>> bodies_;
  std::vector<std::string> words_;
  std::string machine_;
  LiveArguments live_;
  SolveArguments solve_;
  VirtualArguments virtual_;
  StatusArguments status_;
  doctor::DoctorArguments doctor_;
  TeleopArguments teleop_;
  SlamArguments slam_;
};

}  // namespace

int run(int argc, const char* const* argv, const runtime::Registry& registry) {
  return CommandLine(registry).run(argc, argv);
}

const machines::MachineType* known_machine(const std::string& name, const runtime::Registry& registry) {
  const auto* type = registry.find(name);
  if (type == nullptr) {
    fmt::print(stderr, "tandem: unknown machine '{}'{}\n", printable(name), suggestion(name, registry.names()));
  }
  return type;
}

}  // namespace tandem::app
