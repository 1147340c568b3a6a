// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/counter/machine.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "tandem/base/latest.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tests/runtime/counter/description.hpp"
#include "tests/runtime/counter/virtual_device.hpp"

namespace tandem::counter {

namespace {

using namespace machines;

struct State {
  std::uint32_t sequence = 0, confirmed = 0, sent = 0;
  double level = 0;
};

class Counter final : public Machine {
 public:
  explicit Counter(const Setup& setup)
      : clock_(*setup.clock), period_(duration_of(1 / setup.options.number("cycle_hz"))) {
    const std::string rest = setup.device.substr(std::string_view("count://").size());
    const auto colon = rest.find(':');
    host_ = rest.substr(0, colon);
    if (colon != std::string::npos) std::from_chars(rest.data() + colon + 1, rest.data() + rest.size(), port_);
    if (setup.options.text("mood") == "throwing") throw std::invalid_argument("counter: mood 'throwing' cannot be");
    explodes_ = setup.options.text("mood") == "exploding";
    if (setup.ros != nullptr) node_.emplace(*setup.ros, setup.name, "/", clock_);
  }

  Result<void> connect(Instant deadline) override {
    if (explodes_) throw std::runtime_error("the counter exploded");
    auto socket = net::TcpSocket::connect(host_, port_, deadline);
    if (!socket) return within("counter", socket.error());
    socket_ = std::move(*socket);
    return {};
  }

  Result<Cycle> cycle(const Permit& permit) override {
    std::array<std::uint8_t, feedback_size> bytes;
    auto read = socket_.read_exact(bytes, clock_.now() + 2 * period_);
    if (!read && read.error().fault == Fault::timeout) return Cycle{Quality::stale, {}, {}, {}, "no feedback", false};
    if (!read) return read.error();
    Cycle cycle;
    cycle.readable = clock_.now();
    ByteReader reader(bytes);
    state_.sequence = reader.little<std::uint32_t>();
    state_.confirmed = reader.little<std::uint32_t>();
    const auto level = reader.little<double>();
    cycle.solved = cycle.published = clock_.now();
    if (!std::isfinite(level)) return cycle.why = "the level is not finite", cycle;
    state_.level = level;
    cycle.quality = Quality::live;
    cycle.disarm = state_.sequence == 0;  // counts from nothing: restarted
    if (permit.armed()) {
      out_.clear();
      ByteWriter(out_).little<std::uint32_t>(++state_.sent);
      if (auto written = socket_.write_all(out_, clock_.now() + period_); !written) return written.error();
    }
    shown_.put(state_);
    return cycle;
  }

  void disconnect() noexcept override { socket_.close(); }
  Duration period() const override { return period_; }
  bool moves() const override { return true; }
  ros2::FullNode* ros_node() override { return node_ ? &*node_ : nullptr; }
  std::vector<Value> values() const override {
    const State state = shown_.get().value_or(State{});
    return {{"level", "m", {state.level}, ""}, {"count", "", {double(state.sent), double(state.confirmed)}, ""}};
  }

 private:
  Clock& clock_;
  Duration period_;
  std::string host_;
  std::uint16_t port_ = standard_port;
  bool explodes_ = false;
  net::TcpSocket socket_;
  State state_;
  std::vector<std::uint8_t> out_;
  Latest<State> shown_;
  std::optional<ros2::FullNode> node_;
};

constexpr std::array<std::string_view, 3> moods = {"calm", "throwing", "exploding"};
constexpr std::array<double, 2> no_limits = {-1e300, 1e300};
constexpr std::array<Option, 4> options = {{
    {"cycle_hz", OptionKind::number, "100", "samples per second", 1, 1000},
    {"mood", OptionKind::choice, "calm", "how it behaves", no_limits[0], no_limits[1], 0, moods},
    {"offsets", OptionKind::numbers, "[0, 0, 0]", "three offsets, m", -1, 1, 3},
    {"loud", OptionKind::flag, "false", "says more"},
}};

Result<std::string> twice(std::string_view json, const Progress&) {
  double value = 0;
  const auto start = json.find_first_of("-.0123456789");
  const bool there = json.find("\"value\"") != std::string_view::npos && start != std::string_view::npos;
  if (!there || std::from_chars(json.data() + start, json.data() + json.size(), value).ec != std::errc()) {
    return Error{Fault::invalid, "value: expected a number"};
  }
  return fmt::format("{{\"twice\":{}}}", 2 * value);
}

constexpr std::array<FieldPort, 1> ports = {{{"", standard_port}}};
constexpr std::array<std::string_view, 2> twice_flags = {"value", "unit"};
constexpr std::array<Query, 1> queries = {
    {{"twice", "{\"value\"} -> {\"twice\"}", "{\"value\":2}", twice, twice_flags}}};

}  // namespace

const MachineType& machine_type() {
  static const MachineType type{
      .name = "counter",
      .summary = "a counter for tests",
      .scheme = "count",
      .options = options,
      .queries = queries,
      .make = [](const Setup& setup) -> std::unique_ptr<Machine> { return std::make_unique<Counter>(setup); },
      .make_virtual = [](const VirtualSetup& setup) -> std::unique_ptr<VirtualDevice> {
        return std::make_unique<CounterDevice>(setup);
      },
      .ports = ports};
  return type;
}

}  // namespace tandem::counter
