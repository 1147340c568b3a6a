// SPDX-License-Identifier: Apache-2.0
// `tandem doctor`: looks at this computer, its networks and ROS 2, and says in words what is in the way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tandem/app/app.hpp"
#include "tandem/app/doctor/finding.hpp"
#include "tandem/runtime/supervision/status.hpp"

namespace tandem::app::doctor {

struct DoctorArguments {
  std::vector<std::string> files;  // configurations whose devices are tried; none: the computer only
  std::optional<int> domain;
  std::string control;
  double patience = 1;  // s, for each device
};
// How one machine of a running tandem stands: its link, and why it does not move.
Findings judge_machine(const runtime::MachineStatus& machine);

int doctor(const DoctorArguments& arguments, const runtime::Registry& registry);

}  // namespace tandem::app::doctor
