// SPDX-License-Identifier: Apache-2.0
// The virtual gantry: a PLC on a real Modbus TCP socket, with the physics of two driven axes behind it.
#include <algorithm>
#include <stdexcept>

#include "machine.hpp"
#include "tandem/protocols/modbus/memory_device.hpp"
#include "tandem/protocols/modbus/server.hpp"
#include "tandem/sim/world.hpp"

namespace gantry {

constexpr auto holding = modbus::Table::holding_registers;
constexpr std::array axis_names = {"x", "y"};

// 30 kg of beam and carriage in x, 8 kg in y. The drives hold a velocity with a limited force; 0 is their brake.
const char* const model = R"(<mujoco model="gantry">
  <option timestep="0.001"/>
  <size nstack="20000" njmax="20" nconmax="4"/>
  <worldbody>
    <body><joint name="x" type="slide" axis="1 0 0" limited="true" range="-0.01 1.21" damping="20"/>
      <geom type="box" size="0.04 0.4 0.04" mass="22"/>
      <body><joint name="y" type="slide" axis="0 1 0" limited="true" range="-0.01 0.81" damping="10"/>
        <geom type="box" size="0.06 0.06 0.08" mass="8" contype="0" conaffinity="0"/></body>
    </body>
  </worldbody>
  <actuator>
    <velocity name="x" joint="x" kv="900" forcelimited="true" forcerange="-90 90"/>
    <velocity name="y" joint="y" kv="300" forcelimited="true" forcerange="-30 30"/>
  </actuator>
</mujoco>)";

class VirtualGantry final : public machines::VirtualDevice {
 public:
  explicit VirtualGantry(const machines::VirtualSetup& setup)
      : clock_(*setup.clock), host_(setup.listen == "0.0.0.0" ? "127.0.0.1" : setup.listen), world_(model) {
    for (std::size_t i = 0; i < 2; ++i) world_.place(world_.joint(axis_names[i]), travel[i] / 2);
    world_.update();
    memory_.add(holding, feedback_at, feedback_words);
    memory_.add(holding, command_at, command_words);
    memory_.after_registers = [this](auto, auto) { commanded_ = clock_.now(); };
    const auto port = static_cast<std::uint16_t>(setup.port != 0 ? setup.port : setup.standard_ports ? 1504 : 0);
    auto server = modbus::Server::listen(memory_, {.host = setup.listen, .port = port, .plug = setup.plug});
    if (!server) throw std::runtime_error("virtual gantry: " + server.error().text);
    server_ = std::move(*server);
  }

  std::string url() const override { return fmt::format("modbus://{}:{}", host_, server_->port()); }

  void run(std::stop_token stop) override {
    stepped_ = clock_.now();
    while (!stop.stop_requested()) {
      server_->poll(now() + 10ms);
      advance();
      report();
    }
  }

 private:
  double command(std::size_t row) const {
    std::array<std::uint16_t, command_words> words{};
    for (std::uint16_t i = 0; i < command_words; ++i) words[i] = memory_.word(holding, command_at + i);
    const auto value = registers().decode(row, {command_at, words});
    return value ? *value : 0;  // outside its range: standstill
  }

  void advance() {
    const Instant present = clock_.now();
    const bool wanted = command(enable) != 0, silent = present - commanded_ > duration_of(watchdog);
    tripped_ = wanted && (tripped_ || silent);  // until the machine has disabled the drives
    enabled_ = wanted && !tripped_;
    for (std::size_t i = 0; i < 2; ++i)
      world_.control(world_.actuator(axis_names[i]), enabled_ ? command(want_x + i) : 0);
    const Duration step = duration_of(world_.timestep());
    stepped_ = std::max(stepped_, present - 100ms);  // what the host held up for longer is lost
    for (; stepped_ + step <= present; stepped_ += step)
      if (!world_.step()) world_.reset();
  }

  void report() {
    beat_ = beat_ < 65535 ? beat_ + 1 : 0;
    std::array<double, feedback_words> values = {enabled_ ? 1.0 : 0.0, 0, beat_};
    for (std::size_t i = 0; i < 2; ++i) {
      values[x + i] = world_.position(world_.joint(axis_names[i]));
      values[vx + i] = world_.velocity(world_.joint(axis_names[i]));
    }
    std::array<std::uint16_t, feedback_words> words{};
    for (std::uint16_t i = 0; i < feedback_words; ++i) {
      (void)registers().encode_saturated(i, values[i], {feedback_at, words});
      memory_.assign(holding, feedback_at + i, words[i]);
    }
  }

  Clock& clock_;
  std::string host_;
  sim::World world_;
  modbus::MemoryDevice memory_;
  std::unique_ptr<modbus::Server> server_;
  Instant stepped_{}, commanded_{};
  bool enabled_ = false, tripped_ = false;
  double beat_ = 0;
};

std::unique_ptr<machines::VirtualDevice> make_virtual(const machines::VirtualSetup& setup) {
  return std::make_unique<VirtualGantry>(setup);
}

}  // namespace gantry
