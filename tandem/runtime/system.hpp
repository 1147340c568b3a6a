// SPDX-License-Identifier: Apache-2.0
// A running tandem: the machines of a configuration, their virtual devices and twins, ROS, the page, the recording, and
// the control socket.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tandem/base/thread.hpp"
#include "tandem/net/plug.hpp"
#include "tandem/runtime/chaos/injector.hpp"
#include "tandem/runtime/config/config.hpp"
#include "tandem/runtime/control/server.hpp"
#include "tandem/runtime/page/sample_fan.hpp"
#include "tandem/runtime/page/watched.hpp"
#include "tandem/runtime/supervision/device_worker.hpp"
#include "tandem/runtime/supervision/machine_node.hpp"
#include "tandem/runtime/supervision/supervisor.hpp"
#include "tandem/runtime/supervision/worker.hpp"

namespace tandem::machines {
class PrintsPose;
}

namespace tandem::mqtt {
class Loop;
}

namespace tandem::record {
class Sink;
}

namespace tandem::runtime {

class EdgeNode;
class IncidentReports;
class Page;
class RecordingWriter;

// What all machines of a demonstration stand on: drawn around them. Any thread.
class Ground {
 public:
  virtual ~Ground() = default;
  virtual std::string_view name() const = 0;
  virtual machines::Scene scene() const = 0;
  virtual machines::Picture picture() const = 0;
};

struct SystemOptions {
  Clock* clock = &system_clock();
  std::string version;
  std::string control;                          // path; empty: no control socket
  std::string state_folder;                     // for what is kept over restarts; empty: nothing is
  OnEvent on_event;                             // called from many threads
  const Ground* ground = nullptr;               // null: each machine has a ground to itself
  IncidentReports* incident_reports = nullptr;  // served by the page; outlives the system; null: none
  SupervisorOptions supervision;
};

// Everything that System would refuse, short of what is taken by others: makes every machine and throws it away, and
// checks names on ROS that collide, the page's access and where to record. Throws ConfigError; returns what works but
// is seldom meant.
std::vector<std::string> check_config(const Config& config);

class System final : public Watched {
 public:
  // Makes everything. Only the control socket answers already: machines that are not made yet are "starting". Throws
  // ConfigError for what cannot be, std::runtime_error for what is taken.
  System(const Config& config, SystemOptions options);
  ~System() override;

  void start();
  // Ends all threads, machines first so that they can take leave of their devices. Gives the names of those that
  // did not end within the limit; the destructor would wait for them.
  std::vector<std::string> stop(Duration limit);
  // After stop(): ends the file, also when a thread hangs, and that of an incident; what came of the recording. Nothing
  // where nothing is recorded.
  std::optional<RecordingStatus> finish_recording();
  // For those who record more into the same file, until it is finished; null where nothing is recorded.
  record::Sink* recording();

  std::vector<std::string> topics() const;  // that we publish, by name
  SystemStatus status() const override;
  SystemStatus status_with_metrics() const override;
  // The virtual device of a machine, once it is made; null: none. It lives as long as this.
  const machines::VirtualDevice* virtual_device(std::string_view machine) const;
  // The machine itself, once it is made, for commands of this process; null: none. It lives as long as this.
  machines::Machine* machine(std::string_view name) const;
  std::string control_page() const override;
  // The page's address for the terminal, with the token of this run; empty: none is served.
  std::string printed_page() const;
  // In the words of the machine's original program; empty where it has none, or no pose yet.
  std::string printed_pose(std::string_view machine) const;
  Result<std::string> command(std::string_view what, std::string_view machine, std::string_view by) override;
  Result<std::string> snapshot(std::string_view machine, std::string_view text, std::string_view by) override;
  Result<std::string> inject(std::string_view terms, std::string_view machine, bool i_know,
                             std::string_view by) override;
  Result<std::vector<chaos::Report>> chaos_reports(std::string_view machine) const override;
  std::vector<DrawnMachine> scenes() const override;
  std::vector<Standing> pictures() const override;
  std::vector<MachineLatency> latencies() const override;
  std::vector<MachineTruth> truths() const override;
  std::vector<ResidualAlarm> residual_alarms() const override;
  void viewer_publishes(std::string_view topic) override;

 private:
  struct Unit {
    std::string type, device;
    bool is_virtual = false;
    std::unique_ptr<net::Plug> plug;                          // of the virtual device, which looks at it
    std::unique_ptr<machines::VirtualDevice> virtual_device;  // null: a real one
    std::unique_ptr<Supervisor> supervisor;
    const machines::PrintsPose* prints = nullptr;    // the machine, if it has words of its own
    std::unique_ptr<MachineNode> node;               // null: without ROS
    std::string node_name;                           // in full; empty without ROS
    std::unique_ptr<machines::Twin> twin;            // null: none
    std::unique_ptr<machines::Companion> companion;  // null: none
    std::unique_ptr<chaos::Injector> injector;       // null: no fault proxy; looks at the supervisor and the device
  };
  // Of a thread, where time is stepped (base/stepped_time.hpp).
  enum class Time : std::uint8_t { stepped, real };
  // A thread that says when it is done, so that a hanging one can be named instead of waited for.
  struct Task {
    std::string name;
    bool outlives_machines = false;
    Time time = Time::stepped;
    std::atomic<bool> done{false};
    Thread thread;
  };

  // What ROS has to say comes from its threads, also while this is made and unmade: then it goes to the terminal only.
  struct RosWords {
    std::mutex mutex;
    const System* system = nullptr;  // guarded
  };

  Unit make(const MachineConfig& config, std::uint64_t seed);
  static chaos::Sample look_at(const Supervisor& supervisor, const machines::VirtualDevice* device);
  Result<std::string> begin_or_clear(std::string_view terms, std::string_view machine, bool i_know,
                                     std::string_view by);
  Error unknown(std::string_view machine) const;
  void add(Unit unit);
  std::span<const Unit> made() const { return {units_.data(), made_.load(std::memory_order_acquire)}; }
  // What came of a command to several machines.
  struct Outcome {
    std::vector<std::string> told;
    std::vector<std::string_view> stopped;  // that were not before
    bool refused = false;
  };
  std::optional<std::string> command_early(std::string_view what, std::size_t index, std::string_view by,
                                           Outcome& outcome);
  void make_workers();
  void start(Unit& unit, std::size_t index);
  void publish_clock(const std::stop_token& stop) const;
  void launch(std::string name, bool outlives_machines, std::function<void(const std::stop_token&)> body,
              Time time = Time::stepped);
  void wait_for(bool outlives_machines, Instant deadline);
  Result<std::string> carry_out(std::string_view what, std::string_view machine, std::string_view by);
  std::string command_one(std::string_view what, Unit& unit, std::string_view by, Outcome& outcome);
  std::string plug_one(bool in, Unit& unit, std::string_view by, Outcome& outcome);
  Result<std::string> keep_snapshot(std::string_view machine, std::string_view text, std::string_view by);
  void happened(const Incident& incident) const;
  MachineStatus status_of(const Unit& unit) const;
  void tell(const Event& event) const;

  const SystemOptions options_;
  const Instant started_;
  const std::shared_ptr<RosWords> ros_words_ = std::make_shared<RosWords>();
  SampleFan samples_;
  const std::string incidents_;              // folder; empty: no black box
  std::unique_ptr<RecordingWriter> scribe_;  // null: neither file nor black box
  std::shared_ptr<ros2::Context> ros_;
  std::string ros_text_;
  bool publishes_clock_;
  const mqtt::BrokerOptions mqtt_;
  std::unique_ptr<mqtt::Loop> mqtt_loop_;  // null: no broker
  std::unique_ptr<EdgeNode> edge_node_;    // null: no Sparkplug
  std::unique_ptr<Page> page_;             // null: none
  mutable std::mutex nodes_mutex_;
  std::map<std::string, const MachineNode*> nodes_;  // guarded: those that take events
  std::vector<MachineStatus> planned_;               // every machine as it is before it is made
  std::vector<Unit> units_;                          // as many; the first made_ of them never change again
  std::atomic<std::size_t> made_{0};
  std::mutex starting_mutex_;
  std::map<std::size_t, std::string> early_stops_;  // guarded: who stopped a machine that was not made yet
  std::unique_ptr<ControlServer> control_;
  std::vector<std::unique_ptr<Worker>> workers_;  // none: every machine has a thread to itself, and so its device
  std::vector<std::unique_ptr<DeviceWorker>> device_workers_;
  std::vector<std::unique_ptr<Task>> tasks_;
};

}  // namespace tandem::runtime
