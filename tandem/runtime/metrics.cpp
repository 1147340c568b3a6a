#include <fmt/format.h>

#include <cmath>

#include "tandem/runtime/status.hpp"

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

class Page {
 public:
  explicit Page(const SystemStatus& status) : status_(status) {}

  template <typename Of>
  void each(std::string_view name, std::string_view kind, std::string_view help, Of of) {
    head(name, kind, help);
    for (const MachineStatus& machine : status_.machines) {
      text_ += fmt::format("{}{{machine=\"{}\"}} {}\n", name, label(machine.name), of(machine));
    }
  }

  void states() {
    head("tandem_link_state", "gauge", "1 for the state the link is in");
    for (const MachineStatus& machine : status_.machines) {
      for (const char* state : {"down", "connecting", "syncing", "live", "faulted"}) {
        text_ += fmt::format("tandem_link_state{{machine=\"{}\",state=\"{}\"}} {}\n", label(machine.name), state,
                             machine.state == state ? 1 : 0);
      }
    }
    head("tandem_arm_state", "gauge", "1 for the state the arm latch is in");
    for (const MachineStatus& machine : status_.machines) {
      if (!machine.moves) continue;
      for (const char* state : {"disarmed", "armed", "stopped"}) {
        text_ += fmt::format("tandem_arm_state{{machine=\"{}\",state=\"{}\"}} {}\n", label(machine.name), state,
                             machine.arm == state ? 1 : 0);
      }
    }
  }

  void hops() {
    head("tandem_hop_seconds", "summary", "latency of each hop since the start");
    for (const MachineStatus& machine : status_.machines) {
      for (const HopStatus& hop : machine.hops) {
        const std::string labels = fmt::format("machine=\"{}\",hop=\"{}\"", label(machine.name), label(hop.name));
        text_ += fmt::format(
            "tandem_hop_seconds{{{0},quantile=\"0.5\"}} {1:.9g}\n"
            "tandem_hop_seconds{{{0},quantile=\"0.99\"}} {2:.9g}\n"
            "tandem_hop_seconds{{{0},quantile=\"0.999\"}} {3:.9g}\n"
            "tandem_hop_seconds_sum{{{0}}} {4:.9g}\n"
            "tandem_hop_seconds_count{{{0}}} {5}\n",
            labels, hop.p50, hop.p99, hop.p999, hop.sum, hop.count);
      }
    }
  }

  void values() {
    head("tandem_value", "gauge", "the machine's own numbers, as tandem status shows them");
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

  void uptime() {
    head("tandem_uptime_seconds", "gauge", "since the start");
    text_ += fmt::format("tandem_uptime_seconds {:.3f}\n", status_.uptime);
  }
  std::string take() { return std::move(text_); }

 private:
  void head(std::string_view name, std::string_view kind, std::string_view help) {
    text_ += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, kind, help);
  }

  const SystemStatus& status_;
  std::string text_;
};

}  // namespace

std::string metrics_text(const SystemStatus& status) {
  Page page(status);
  page.uptime();
  page.states();
  page.each("tandem_samples_total", "counter", "live samples", [](const auto& m) { return m.samples; });
  page.each("tandem_invalid_total", "counter", "samples that were not believed",
            [](const auto& m) { return m.invalid; });
  page.each("tandem_connects_total", "counter", "connections made", [](const auto& m) { return m.connects; });
  page.each("tandem_attempts_total", "counter", "attempts to connect", [](const auto& m) { return m.attempts; });
  page.each("tandem_stale_total", "counter", "times the samples went stale",
            [](const auto& m) { return m.stale_episodes; });
  page.each("tandem_rate_hertz", "gauge", "live samples per second",
            [](const auto& m) { return fmt::format("{:.3f}", m.rate); });
  page.each("tandem_age_seconds", "gauge", "age of the newest live sample; -1 before the first",
            [](const auto& m) { return fmt::format("{:.6f}", m.age); });
  page.hops();
  page.values();
  return page.take();
}

}  // namespace tandem::runtime
