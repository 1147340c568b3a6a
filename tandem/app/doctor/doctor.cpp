// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/doctor/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "tandem/app/doctor/computer.hpp"
#include "tandem/app/doctor/network.hpp"
#include "tandem/app/doctor/ros_graph.hpp"
#include "tandem/app/doctor/ros_servers.hpp"
#include "tandem/ros2/node.hpp"
#include "tandem/runtime/control/client.hpp"
#include "tandem/runtime/control/protocol.hpp"
#include "tandem/runtime/ros_context.hpp"

namespace tandem::app::doctor {

namespace {

constexpr Duration shortest_broker_patience = 1s;
constexpr Duration look_around = 1500ms;  // until all others on ROS have been found

class Report {
 public:
  void add(std::string_view title, const Findings& findings) {
    fmt::print("{}\n{}\n", title, findings_text(findings));
    std::fflush(stdout);
    all_.insert(all_.end(), findings.begin(), findings.end());
  }
  int end() const {
    const auto wrong =
        std::count_if(all_.begin(), all_.end(), [](const Finding& f) { return f.grade == Grade::wrong; });
    if (wrong == 0) {
      fmt::print("No problems found.\n");
    } else {
      fmt::print("{} problem{} to fix, marked WRONG above.\n", wrong, wrong == 1 ? "" : "s");
    }
    return all_well(all_) ? success : failure;
  }

 private:
  Findings all_;
};

Findings look_at_ros(const runtime::Config& config, const DoctorArguments& arguments) {
  if (!config.ros.enabled) return {{Grade::fine, "ROS 2", "disabled in the configuration (ros: {enabled: false})"}};
  Findings findings;
  try {
    runtime::Config asked = config;
    if (arguments.domain) asked.ros.domain = arguments.domain;
    const auto ros = runtime::ros_options(asked, ros2::ros_variable);
    for (const std::string& warning : ros.warnings) findings.push_back({Grade::note, "environment", warning});
    for (auto& each : judge_discovery(ros.options, look_at_interfaces())) findings.push_back(std::move(each));
    fmt::print("(discovering ROS 2 nodes ...)\n");
    std::fflush(stdout);
    const ros2::Context context(ros.options);
    system_clock().sleep_until(system_clock().now() + look_around);
    if (!ros.options.servers.empty()) {
      const auto servers = context.discovery_servers();
      for (auto& each : judge_servers(servers, other_ids(ros.options, servers))) findings.push_back(std::move(each));
      for (auto& each : judge_domains(ros.options.domain, context.graph())) findings.push_back(std::move(each));
    }
    for (auto& each : judge_unused_servers(ros.options, ros2::ros_variable)) findings.push_back(std::move(each));
    for (auto& each : judge_graph(context.graph())) findings.push_back(std::move(each));
  } catch (const std::exception& error) {
    findings.push_back({Grade::wrong, "ROS 2", error.what(), "correct the variable or key that it names"});
  }
  return findings;
}

Findings look_at_running(const std::string& path) {
  const auto status = runtime::ask_status(path);
  if (!status) return {{Grade::fine, "tandem", fmt::format("not running ({})", status.error().text)}};
  Findings findings;
  for (const auto& machine : status->machines)
    for (auto& each : judge_machine(machine)) findings.push_back(std::move(each));
  return findings;
}

}  // namespace

Findings judge_machine(const runtime::MachineStatus& machine) {
  Findings findings;
  const bool live = machine.state == "live" && machine.quality == "live";
  if (live) {
    findings.push_back({Grade::fine, machine.name, fmt::format("live, {:.0f} samples/s", machine.rate)});
  } else {
    findings.push_back({Grade::wrong, machine.name,
                        fmt::format("{}: {}", machine.state == "live" ? machine.quality : machine.state, machine.cause),
                        machine.state == "faulted" ? "it does not recover by itself: fix the cause and restart tandem"
                                                   : "reading resumes by itself once the device answers"});
  }
  if (!machine.moves || machine.arm == "armed") return findings;
  const bool stopped = machine.arm == "stopped";
  std::string text = machine.arm;
  if (!machine.arm_by.empty()) text += fmt::format(" by {}", machine.arm_by);
  text += fmt::format(": {}; it does not move by itself", machine.arm_cause);
  std::string fix =
      fmt::format("{1}tandem arm {0}", machine.name, stopped ? "tandem reset " + machine.name + "; " : "");
  if (!live) fix = "once it is live: " + fix;
  findings.push_back({Grade::note, machine.name, std::move(text), std::move(fix)});
  return findings;
}

int doctor(const DoctorArguments& arguments, const runtime::Registry& registry) {
  const std::string control = runtime::control_path(arguments.control);
  runtime::Config config;
  if (!arguments.files.empty()) {
    try {
      config = runtime::load_config(arguments.files, registry);
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      return failure;
    }
  } else {
    open_page(config.web);
  }
  Report report;
  report.add("This computer", judge(look_at_computer(control)));
  report.add("Ports", look_at_ports(config));
  for (const auto& machine : config.machines)
    report.add(fmt::format("Machine {}", machine.name), look_at_device(machine, duration_of(arguments.patience)));
  if (!config.mqtt.url.empty())
    report.add("MQTT",
               look_at_broker(config.mqtt, std::max(duration_of(arguments.patience), shortest_broker_patience)));
  report.add("ROS 2", look_at_ros(config, arguments));
  report.add("Running now", look_at_running(control));
  return report.end();
}

}  // namespace tandem::app::doctor
