// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/runtime/supervision/status.hpp"

namespace tandem::runtime {

namespace {

std::string label(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == '"') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

class MetricsPage {
 public:
  explicit MetricsPage(const SystemStatus& status) : status_(status) {}

  template <typename Of>
  void each(std::string_view name, std::string_view kind, std::string_view help, Of of) {
    head(name, kind, help);
    for (const MachineStatus& machine : status_.machines) {
      text_ += fmt::format("{}{{machine=\"{}\"}} {}\n", name, label(machine.name), of(machine));
    }
  }

  void states() {
    head("tandem_link_state", "gauge", "1 for the current state of the link");
    for (const MachineStatus& machine : status_.machines) {
      for (const char* state : {"starting", "down", "connecting", "syncing", "live", "faulted"}) {
        text_ += fmt::format("tandem_link_state{{machine=\"{}\",state=\"{}\"}} {}\n", label(machine.name), state,
                             machine.state == state ? 1 : 0);
      }
    }
    head("tandem_arm_state", "gauge", "1 for the current state of the arm latch");
    for (const MachineStatus& machine : status_.machines) {
      if (!machine.moves) continue;
      for (const char* state : {"disarmed", "armed", "stopped"}) {
        text_ += fmt::format("tandem_arm_state{{machine=\"{}\",state=\"{}\"}} {}\n", label(machine.name), state,
                             machine.arm == state ? 1 : 0);
      }
    }
  }

  void hops() {
    head("tandem_hop_seconds", "histogram", "latency of each hop");
    for (const MachineStatus& machine : status_.machines) {
      for (const HopStatus& hop : machine.hops) {
        histogram("tandem_hop_seconds", fmt::format("machine=\"{}\",hop=\"{}\"", label(machine.name), label(hop.name)),
                  hop);
      }
    }
  }

  void lateness() {
    head("tandem_cycle_late_seconds", "histogram", "how late cycles begin");
    for (const MachineStatus& machine : status_.machines) {
      if (machine.late)
        histogram("tandem_cycle_late_seconds", fmt::format("machine=\"{}\"", label(machine.name)), *machine.late);
    }
    head("tandem_cycle_late_worst_seconds", "gauge", "the latest that a cycle has begun");
    for (const MachineStatus& machine : status_.machines) {
      if (!machine.late) continue;
      text_ += fmt::format("tandem_cycle_late_worst_seconds{{machine=\"{}\"}} {:.9g}\n", label(machine.name),
                           machine.late->worst);
    }
  }

  void values() {
    head("tandem_value", "gauge", "values of the machine, as in tandem status");
    for (const MachineStatus& machine : status_.machines) {
      for (const auto* list : {&machine.values, &machine.twin_values}) {
        const char* side = list == &machine.values ? "machine" : "twin";
        for (const auto& value : *list) {
          for (std::size_t i = 0; i < value.numbers.size(); ++i) {
            if (!std::isfinite(value.numbers[i])) continue;
            text_ +=
                fmt::format("tandem_value{{machine=\"{}\",of=\"{}\",name=\"{}\",unit=\"{}\",index=\"{}\"}} {:.9g}\n",
                            label(machine.name), side, label(value.name), label(value.unit), i, value.numbers[i]);
          }
        }
      }
    }
  }

  // What machines count beside their values: the samples of one name under one head.
  void of_machines() {
    std::vector<const machines::Metric*> heads;
    for (const MachineStatus& machine : status_.machines) {
      for (const machines::Metric& metric : machine.metrics) {
        const bool known = std::ranges::any_of(heads, [&](const auto* old) { return old->name == metric.name; });
        if (!known) heads.push_back(&metric);
      }
    }
    for (const machines::Metric* each : heads) {
      head(each->name, each->kind, each->help);
      for (const MachineStatus& machine : status_.machines) {
        for (const machines::Metric& metric : machine.metrics) {
          if (metric.name != each->name || !std::isfinite(metric.value)) continue;
          text_ += fmt::format("{}{{machine=\"{}\"", metric.name, label(machine.name));
          for (const auto& [key, value] : metric.labels) text_ += fmt::format(",{}=\"{}\"", key, label(value));
          text_ += fmt::format("}} {:.15g}\n", metric.value);
        }
      }
    }
  }

  void seen_and_kept() {
    head("tandem_page_viewers", "gauge", "clients of the page, including Foxglove");
    text_ += fmt::format("tandem_page_viewers {}\n", status_.viewers);
    const auto counter = [&](std::string_view name, std::string_view help, std::uint64_t count) {
      head(name, "counter", help);
      text_ += fmt::format("{} {}\n", name, count);
    };
    if (const auto& page = status_.page_counts) {
      counter("tandem_page_accepted_total", "clients accepted", page->accepted);
      counter("tandem_page_refused_total", "requests and sockets refused", page->refused);
      counter("tandem_page_dropped_messages_total", "messages dropped for slow viewers", page->dropped_messages);
      counter("tandem_page_given_up_total", "viewers disconnected because they did not read in time", page->given_up);
      counter("tandem_page_sent_messages_total", "messages to viewers", page->sent_messages);
      counter("tandem_page_sent_bytes_total", "bytes sent to viewers", page->sent_bytes);
    }
    if (!status_.recording) return;
    counter("tandem_recorded_messages_total", "messages in the recording", status_.recording->messages);
    counter("tandem_recorded_bytes_total", "bytes of its file", status_.recording->bytes);
    head("tandem_recording_trouble", "gauge", "1 while the recording has a problem, such as a full disk");
    text_ += fmt::format("tandem_recording_trouble {}\n", status_.recording->trouble.empty() ? 0 : 1);
    counter("tandem_recording_dropped_total", "messages lost because the disk was too slow",
            status_.recording->dropped);
  }

  void plant() {
    if (!status_.sparkplug) return;
    const SparkplugStatus& link = *status_.sparkplug;
    const auto each = [&](std::string_view name, std::string_view kind, std::string_view help, std::uint64_t value) {
      head(name, kind, help);
      text_ += fmt::format("{} {}\n", name, value);
    };
    each("tandem_sparkplug_connected", "gauge", "1 while the MQTT broker accepts this edge node",
         link.connected ? 1 : 0);
    each("tandem_sparkplug_devices", "gauge", "machines whose birth was published", link.devices);
    each("tandem_sparkplug_connects_total", "counter", "connections to the broker", link.connects);
    each("tandem_sparkplug_sent_total", "counter", "messages to the broker", link.sent);
    each("tandem_sparkplug_dropped_total", "counter", "messages dropped because the broker took them too slowly",
         link.dropped);
    each("tandem_sparkplug_received_total", "counter", "messages from the broker", link.received);
    each("tandem_sparkplug_refused_total", "counter", "commands refused", link.refused);
    each("tandem_sparkplug_rebirths_total", "counter", "births repeated for a host", link.rebirths);
    each("tandem_sparkplug_stored", "gauge", "changes kept until a host listens", link.stored);
    each("tandem_sparkplug_store_lost_total", "counter", "changes lost because the store was full", link.store_lost);
  }

  void uptime() {
    head("tandem_uptime_seconds", "gauge", "time since the start");
    text_ += fmt::format("tandem_uptime_seconds {:.3f}\n", status_.uptime);
  }
  void discovery_servers() {
    if (status_.discovery_servers.empty()) return;
    head("tandem_discovery_server_connected", "gauge", "1 while the discovery server is connected");
    for (const DiscoveryServerStatus& each : status_.discovery_servers) {
      text_ += fmt::format("tandem_discovery_server_connected{{id=\"{}\",address=\"{}\"}} {}\n", each.id,
                           label(each.address), each.state == "connected" ? 1 : 0);
    }
    head("tandem_discovery_server_state_seconds", "gauge", "time since the discovery server was found or lost");
    for (const DiscoveryServerStatus& each : status_.discovery_servers) {
      text_ += fmt::format("tandem_discovery_server_state_seconds{{id=\"{}\",address=\"{}\"}} {:.3f}\n", each.id,
                           label(each.address), each.since);
    }
  }
  std::string take() { return std::move(text_); }

 private:
  void histogram(std::string_view name, const std::string& labels, const HopStatus& hop) {
    for (std::size_t i = 0; i < std::min(hop.up_to.size(), hop_edges.size()); ++i) {
      // The cycle goes on counting while it is read: never more than there are in all.
      text_ += fmt::format("{}_bucket{{{},le=\"{:g}\"}} {}\n", name, labels, seconds(hop_edges[i]),
                           std::min(hop.up_to[i], hop.count));
    }
    text_ += fmt::format(
        "{0}_bucket{{{1},le=\"+Inf\"}} {3}\n"
        "{0}_sum{{{1}}} {2:.9g}\n"
        "{0}_count{{{1}}} {3}\n",
        name, labels, hop.sum, hop.count);
  }
  void head(std::string_view name, std::string_view kind, std::string_view help) {
    text_ += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, kind, help);
  }

  const SystemStatus& status_;
  std::string text_;
};

}  // namespace

std::string metrics_text(const SystemStatus& status) {
  MetricsPage page(status);
  page.uptime();
  page.discovery_servers();
  page.states();
  page.each("tandem_samples_total", "counter", "live samples", [](const auto& m) { return m.samples; });
  page.each("tandem_invalid_total", "counter", "samples rejected by the gate", [](const auto& m) { return m.invalid; });
  page.each("tandem_connects_total", "counter", "connections made", [](const auto& m) { return m.connects; });
  page.each("tandem_attempts_total", "counter", "attempts to connect", [](const auto& m) { return m.attempts; });
  page.each("tandem_stale_total", "counter", "times the samples went stale",
            [](const auto& m) { return m.stale_episodes; });
  page.each("tandem_cycles_skipped_total", "counter", "cycles never begun because their turns were too long ago",
            [](const auto& m) { return m.skipped; });
  page.each("tandem_rate_hertz", "gauge", "live samples per second",
            [](const auto& m) { return fmt::format("{:.3f}", m.rate); });
  page.each("tandem_slow", "gauge", "1 while the sample rate is below 80 % of the configured rate",
            [](const auto& m) { return m.warning.empty() ? 0 : 1; });
  page.each("tandem_age_seconds", "gauge", "age of the newest live sample; -1 before the first",
            [](const auto& m) { return fmt::format("{:.6f}", m.age); });
  page.hops();
  page.lateness();
  page.seen_and_kept();
  page.plant();
  page.values();
  page.of_machines();
  return page.take();
}

}  // namespace tandem::runtime
