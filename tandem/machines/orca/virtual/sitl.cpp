// SPDX-License-Identifier: Apache-2.0
// `tandem virtual orca` with sitl: only the body, for the real ArduSub that flies it over ArduPilot's JSON interface.
#include <fmt/format.h>

#include "tandem/base/latest.hpp"
#include "tandem/machines/orca/virtual/device.hpp"
#include "tandem/machines/orca/virtual/json.hpp"
#include "tandem/machines/orca/virtual/seen.hpp"

namespace tandem::orca {
namespace {

constexpr Duration sitl_turn = 20ms;

JsonSettings json_settings_from(const VirtualDeviceSetup& setup) {
  JsonSettings settings;
  settings.listen = setup.listen;
  settings.port = setup.port != 0 ? setup.port : json_port;  // never a free one: ArduSub is the one who calls
  settings.body = setup.body;
  settings.sensors = setup.sensors;
  return settings;
}

class Sitl final : public VirtualDevice {
 public:
  explicit Sitl(const VirtualDeviceSetup& setup)
      : listen_(setup.listen), port_(json_settings_from(setup).port), physics_(json_settings_from(setup)) {
    show();
  }

  // ArduSub itself is reached where its simulation serves.
  std::string url() const override { return fmt::format("mavlink://127.0.0.1:{}?link=tcp", tcp_port); }
  std::string tcp_url() const override { return url(); }
  std::string listening() const override {
    return fmt::format("(physics) listens on udp://{}:{}; ArduSub will serve on {}", listen_, port_, url());
  }

  void run(std::stop_token stop) override {
    while (!stop.stop_requested()) {
      const Instant next = now() + sitl_turn;
      // After a trip nothing is answered until ArduSub restarts; the errors of a moment pass by themselves.
      if (auto polled = physics_.poll(next); !polled) system_clock().sleep_until(next);
      show();
    }
  }

  Truth truth() const override { return truth_from(seen_.get().value_or(Seen{})); }
  Pose estimate() const override { return Pose::Identity(); }  // only ArduSub knows

 private:
  void show() { seen_.put(seen_from(physics_.truth(), Pose::Identity())); }

  std::string listen_;
  std::uint16_t port_;
  JsonPhysics physics_;
  Latest<Seen> seen_;
};

}  // namespace

std::unique_ptr<VirtualDevice> make_virtual_sitl(const VirtualDeviceSetup& setup) {
  return std::make_unique<Sitl>(setup);
}

}  // namespace tandem::orca
