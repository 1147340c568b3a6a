// SPDX-License-Identifier: Apache-2.0
// What every machine is to the runtime, and what it is given. A new machine fills in a MachineType; a machine of this
// tree is one folder and one line in the registry, another one is handed to tandem::app::run
// (docs/adding_a_machine.md).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/quality.hpp"
#include "tandem/base/result.hpp"
#include "tandem/base/short_text.hpp"
#include "tandem/machines/device_facts.hpp"
#include "tandem/machines/options.hpp"
#include "tandem/machines/scene.hpp"
#include "tandem/net/tap.hpp"

namespace tandem::net {
class Plug;
struct Url;
}  // namespace tandem::net

namespace tandem::ros2 {
class Context;
class FullNode;
}  // namespace tandem::ros2

namespace tandem::yaml {
struct Node;
}  // namespace tandem::yaml

namespace tandem::mqtt {
struct BrokerOptions;  // tandem/protocols/mqtt/broker.hpp
class Loop;            // tandem/protocols/mqtt/client.hpp
}  // namespace tandem::mqtt

namespace tandem::machines {

// What one cycle did, for supervision, latency histograms and the status line.
struct Cycle {
  Quality quality = Quality::invalid;  // of the sample handled; stale when none came in time
  Instant readable{};                  // the sample's bytes were there
  Instant solved{};                    // converted and solved
  Instant published{};                 // handed to DDS
  ShortText<160> why;                  // when not live: the cause, in words
  bool prepared = false;               // spent on getting ready to move; its length is no gap in the samples
  bool disarm = false;                 // the device restarted or refuses commands: outputs end until the next `arm`
  bool stop = false;                   // as `disarm`, and latched: until `reset`, then `arm`
  bool protective_stop = false;        // the device has stopped itself to protect itself or others, and stays so
  std::optional<Duration> late{};      // begun this long after its turn; none: the device sets the pace
};

// Whether outputs may leave. The arm latch in runtime/ decides; the machine only obeys, and asks right before each
// output: a stop counts at once, and a permit lapses when its cycle took too long (a paused process).
class Permit {
 public:
  Permit() = default;  // nothing may leave
  Permit(const std::atomic<bool>& armed, const Clock& clock, Instant lapses, const std::atomic<bool>* stopped = nullptr,
         const std::atomic<std::uint64_t>* arms = nullptr)
      : armed_(&armed), stopped_(stopped), arms_(arms), clock_(&clock), lapses_(lapses) {}

  bool armed() const { return armed_ != nullptr && armed_->load(std::memory_order_acquire) && clock_->now() < lapses_; }
  // Why not: a stop is latched. For machines that report it to others; armed() is what counts.
  bool stopped() const { return stopped_ != nullptr && stopped_->load(std::memory_order_acquire); }
  // How often it was armed: another number than in the cycle before is another arm, however short the time between.
  std::uint64_t arms() const { return arms_ != nullptr ? arms_->load(std::memory_order_acquire) : 0; }

 private:
  const std::atomic<bool>* armed_ = nullptr;
  const std::atomic<bool>* stopped_ = nullptr;
  const std::atomic<std::uint64_t>* arms_ = nullptr;
  const Clock* clock_ = nullptr;
  Instant lapses_{};
};

// A number or words the machine shows in `tandem status`, beside state and rates.
struct Value {
  std::string name;
  std::string unit;
  std::vector<double> numbers;
  std::string text;
  std::vector<std::string> parts{};  // what each number is of: joints, wheels, axes; empty: not named
};

// A number for /metrics that is not shown to people: "tandem_writes_total" of {result: done}. Those of one name have
// one kind and one help, whichever machine they are of.
struct Metric {
  std::string_view name, kind, help;                             // of Prometheus: gauge or counter; live for ever
  std::vector<std::pair<std::string_view, std::string>> labels;  // beside `machine`
  double value = 0;
};

// "leg 1" to "leg 6": the parts of a value whose numbers have no names but their order.
inline std::vector<std::string> numbered_parts(const std::string& of, std::size_t count) {
  std::vector<std::string> parts;
  for (std::size_t i = 1; i <= count; ++i) parts.push_back(of + " " + std::to_string(i));
  return parts;
}

// One machine, one thread: connect, then cycle until it fails, then disconnect, and again.
class Machine {
 public:
  virtual ~Machine() = default;

  // Everything from nothing: socket, handshake, handles. Each round trip has as long as the first, until the deadline.
  virtual Result<void> connect(Instant deadline) = 0;
  // One read -> convert -> solve -> publish. An error means that the link is lost; bad or missing samples
  // are a Cycle that says so. Returns within a few periods whatever the device does.
  virtual Result<Cycle> cycle(const Permit& permit) = 0;
  virtual void disconnect() noexcept = 0;
  // Why motion is to be stopped and latched although there is no link: it was away for too long while the machine
  // moved. Asked after each connect() that failed, and given once.
  virtual std::optional<std::string> take_stop() { return std::nullopt; }

  // The expected time between samples: stale after three of them, at least 100 ms.
  virtual Duration period() const = 0;
  // Machines that take commands have an arm latch; the others are only read.
  virtual bool moves() const { return false; }
  // Called from any thread at any time.
  virtual std::vector<Value> values() const = 0;
  // The same; only for /metrics.
  virtual std::vector<Metric> metrics() const { return {}; }
  // What it looks like, and its state now. From any thread; the picture up to 60 times a second.
  virtual Scene scene() const { return {}; }
  virtual Picture picture() const { return {}; }
  // What is drawn beside a machine that has no twin: the truth of a virtual device, or a target; Scene::beside says
  // which. From any thread.
  virtual Picture beside_picture() const { return {}; }
  // Its node, for what all machines offer on ROS alike; null without ROS.
  virtual ros2::FullNode* ros_node() { return nullptr; }
};

// Where the physics of a virtual device really is, whatever the device reports: claims about motion are judged by it.
struct TrueMotion {
  std::vector<double> position;  // of what moves, in metres; of an arm its joints, in radians
  double speed = 0;              // of the whole, or of the fastest joint
  std::string_view unit = "m";   // of the position; of the speed it is this per second
};

// The device's stand-in: speaks the real protocol on a real socket, with physics behind it.
class VirtualDevice {
 public:
  virtual ~VirtualDevice() = default;
  // Where it listens, as a machine's `device:` would name it: "ads://127.0.0.1:48898".
  virtual std::string url() const = 0;
  // What `tandem virtual` prints behind the machine's name.
  virtual std::string listening() const { return "listens on " + url(); }
  // Any thread; nothing where there is no physics, or none yet.
  virtual std::optional<TrueMotion> true_motion() const { return std::nullopt; }
  // Serves until it is asked to stop; one thread does all of it.
  virtual void run(std::stop_token stop) = 0;
};

// A simulated machine that follows what the real one publishes.
class Twin {
 public:
  virtual ~Twin() = default;
  virtual void run(std::stop_token stop) = 0;
  virtual std::vector<Value> values() const = 0;  // any thread
  // Why its residual is above its limit; empty: it is not. Any thread.
  virtual std::string residual_alarm() const { return ""; }
  // The state of the twin, in the frames of its machine's scene. From any thread.
  virtual Picture picture() const { return {}; }
};

// What runs beside a machine on ROS and is neither its device nor its twin: a SLAM, a recorder of paths.
class Companion {
 public:
  virtual ~Companion() = default;
  virtual void run(std::stop_token stop) = 0;
  virtual std::vector<Value> values() const = 0;  // any thread
  // The truth of a virtual device, where the companion receives it, in the frames of the machine's scene. Any thread.
  virtual Picture truth_picture() const { return {}; }
};

struct OwnConfig;  // tandem/machines/own_config.hpp
struct OwnRead;

struct Setup {
  std::string name;              // as the configuration calls it: "platform"
  std::string device;            // URL of the device, real or virtual
  Options options;               // checked against MachineType::options
  ros2::Context* ros = nullptr;  // null: no ROS
  Clock* clock = nullptr;
  net::Tap* tap = nullptr;                    // may be null
  const mqtt::BrokerOptions* mqtt = nullptr;  // null: the configuration names no broker
  mqtt::Loop* mqtt_loop = nullptr;         // serves MQTT clients; null with a broker: the configuration is only checked
  std::shared_ptr<const OwnConfig> own{};  // of types with keys of their own
};

struct VirtualSetup {
  std::string listen = "127.0.0.1";
  bool standard_ports = true;  // false: free ports, for demo and tests
  int port = 0;                // the main port instead of the standard one; 0: as above
  Options options;
  ros2::Context* ros = nullptr;  // for devices that have a part on ROS (a camera); null: no ROS
  Clock* clock = nullptr;
  std::shared_ptr<const OwnConfig> own{};
  net::Plug* plug = nullptr;  // for all its sockets, which look at it: the physics goes on; null: never pulled
};

// How far a long answer is, 0 to 1; may be empty. Called now and then, by the thread that asked.
using Progress = std::function<void(double)>;

// One kind of question for `tandem solve`: a JSON object in, a JSON object out.
struct Query {
  std::string_view name;
  std::string_view help;     // fields in and out
  std::string_view example;  // a JSON line that works
  Result<std::string> (*answer)(std::string_view json, const Progress& progress);
  // Fields that may also be on the command line, as texts: "--out FILE" is {"out": "FILE"}.
  std::span<const std::string_view> flags = {};
};

struct RosNames;  // tandem/machines/ros_names.hpp

struct MachineType {
  std::string_view name;     // "em1500"
  std::string_view summary;  // one line
  std::string_view scheme;   // of the device URL: "ads"
  std::span<const Option> options;
  std::span<const Query> queries;
  // Reads the keys of a machine that is described by its configuration alone; then `options` are empty. Null: `options`
  // are all keys. And the same of a file of its own, for `tandem virtual`; throws yaml::FileError.
  OwnRead (*read)(const yaml::Node& keys, const std::string& file, const std::string& machine) = nullptr;
  OwnRead (*read_file)(const std::string& file) = nullptr;
  std::string_view keys_document = {};  // of such a type: the document that explains its keys
  std::string_view example_file = {};   // and a configuration with one
  // Throws std::invalid_argument if the options or the device URL are invalid.
  std::unique_ptr<Machine> (*make)(const Setup&) = nullptr;
  std::unique_ptr<VirtualDevice> (*make_virtual)(const VirtualSetup&) = nullptr;
  std::unique_ptr<Twin> (*make_twin)(const Setup&) = nullptr;  // null: none
  // Null, or gives null: none. Throws for invalid options also without ROS, where it gives null.
  std::unique_ptr<Companion> (*make_companion)(const Setup&) = nullptr;
  // Whether the virtual device, with these options, has a part on ROS; null: never.
  bool (*virtual_on_ros)(const Options&) = nullptr;
  // What it will be called on ROS with these options; null: nothing that could collide.
  RosNames (*ros_names)(const Options&) = nullptr;
  // What it is to others on the broker with these options ("uagv/v2/KIT/0001"), which only one machine can be; null, or
  // an empty answer: nothing.
  std::string (*broker_identity)(const Options&) = nullptr;
  std::span<const std::string> demo = {};                // "key=value" settings of `tandem demo` over the defaults
  std::span<const std::string> demo_beside_others = {};  // and those over them where other machines run as well
  std::span<const FieldPort> ports = {};                 // of the device; none: a recording cannot stand in for it
  // The ways to the device of this URL for `tandem doctor`; null: TCP to each of its ports.
  std::vector<Reach> (*reach)(const net::Url&) = nullptr;
  // What else a device at this URL needs, when packets to it leave from `own_address`; null: nothing.
  std::optional<Advice> (*advice)(const net::Url&, std::string_view own_address) = nullptr;
  // Writes into the URL what its host means beyond the address (an AMS NetId), for a fault proxy that stands in between
  // under another address. Both addresses are dotted; `own_address` is ours on the way to the device. Null: nothing.
  void (*write_out)(net::Url&, std::string_view device_address, std::string_view own_address) = nullptr;
  std::span<const DeviceFlag> flags = {};  // of `tandem virtual`
  const KeyDrive* keys = nullptr;          // null: `tandem teleop` does not drive it
  std::span<const OptionNote> notes = {};  // to options
  std::string_view example_name = {};      // in a configuration: "lift"; empty: as the type
  std::string_view example_device = {};    // a complete URL of a real device, for configuration files
  std::string_view demo_examples = {};     // lines in `tandem demo --help`, each with its line end
  std::string_view virtual_examples = {};  // lines in `tandem virtual --help`
};

}  // namespace tandem::machines
