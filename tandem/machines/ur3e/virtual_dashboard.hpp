// The dashboard of the virtual controller: what a person at the pendant could do, by text.
#pragma once

#include "tandem/machines/ur3e/virtual_controller.hpp"
#include "tandem/protocols/ur/dashboard.hpp"
#include "tandem/protocols/ur/rtde.hpp"

namespace tandem::ur3e {

// One version everywhere: RTDE, the version message of 30001, the dashboard.
inline constexpr ur::rtde::ControllerVersion software_version{5, 12, 2, 1101534};
inline constexpr const char* software_date = "Jul 06 2022";
inline constexpr const char* serial_number = "20225300001";

class Dashboard final : public ur::dashboard::Target {
 public:
  explicit Dashboard(Controller& controller) : controller_(controller) {}

  std::optional<std::string> perform(const ur::dashboard::Command& command) override;
  ur::dashboard::View view() const override;

 private:
  std::optional<std::string> play();

  Controller& controller_;
  std::string user_role_ = "PROGRAMMER";
  std::string operational_mode_ = "NONE";
};

}  // namespace tandem::ur3e
