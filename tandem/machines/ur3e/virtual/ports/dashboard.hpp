// SPDX-License-Identifier: Apache-2.0
// The dashboard of the virtual controller: what a person at the pendant could do, by text.
#pragma once

#include "tandem/machines/ur3e/virtual/controller.hpp"
#include "tandem/protocols/ur/dashboard/dashboard.hpp"
#include "tandem/protocols/ur/rtde/rtde.hpp"

namespace tandem::ur3e {

// One version everywhere: RTDE, the version message of 30001, the dashboard.
inline constexpr ur::rtde::ControllerVersion software_version{5, 12, 2, 1101534};
inline constexpr const char* software_date = "Jul 06 2022";
inline constexpr const char* serial_number = "20225300001";

class Dashboard final : public ur::dashboard::Target {
 public:
  explicit Dashboard(Controller& controller) : controller_(controller) {}

  // Words that act on the robot or its programs are refused in local control.
  std::optional<std::string> perform(const ur::dashboard::Command& command) override {
    return perform(command, loopback);
  }
  // A program that is played may connect to this client.
  std::optional<std::string> perform(const ur::dashboard::Command& command, std::uint32_t client);
  ur::dashboard::View view() const override;

 private:
  std::optional<std::string> play(std::uint32_t client);

  Controller& controller_;
  std::string user_role_ = "PROGRAMMER";
  std::string operational_mode_ = "NONE";
};

// One client's way to it. A client that came in local control is refused until it connects again, as on a real one.
class DashboardClient final : public net::Session {
 public:
  DashboardClient(Dashboard& dashboard, bool remote, std::uint32_t client)
      : target_(dashboard, remote, client), session_(target_) {}

  void begin(net::Outbox& out) override { session_.begin(out); }
  bool receive(Bytes bytes, net::Outbox& out) override { return session_.receive(bytes, out); }
  Progress progress() const override { return session_.progress(); }

 private:
  struct Target final : ur::dashboard::Target {
    Target(Dashboard& dashboard, bool remote, std::uint32_t client)
        : dashboard_(dashboard), remote_(remote), client_(client) {}
    std::optional<std::string> perform(const ur::dashboard::Command& command) override;
    ur::dashboard::View view() const override { return dashboard_.view(); }

    Dashboard& dashboard_;
    bool remote_;
    std::uint32_t client_;
  };

  Target target_;
  ur::dashboard::DashboardSession session_;
};

}  // namespace tandem::ur3e
