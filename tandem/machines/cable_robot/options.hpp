// SPDX-License-Identifier: Apache-2.0
// The cable robot's configuration keys, and what they mean to the parts of its bridge.
#pragma once

#include <span>
#include <string>

#include "tandem/machines/cable_robot/control/controller.hpp"
#include "tandem/machines/cable_robot/control/task.hpp"
#include "tandem/machines/cable_robot/device/link.hpp"
#include "tandem/machines/machine.hpp"

namespace tandem::cable_robot {

// Of the bridge; cable_robot.yaml beside this file lists them all with their defaults.
std::span<const machines::Option> bridge_options();
// "key=value" settings of `tandem demo`.
std::span<const std::string> demo_settings();

// Each throws std::invalid_argument for what cannot be.
cables::Robot robot_from(const machines::Options& options);  // of the file `geometry`, or the default
Times times_from(const machines::Options& options);
// Limits that are 0 come from the geometry.
WinchLimits winch_limits_from(const machines::Options& options, const cables::Robot& robot);
ControlOptions control_options_from(const machines::Options& options);
Task task_from(const machines::Options& options, const cables::Robot& robot);
LinkOptions link_options_from(const machines::Setup& setup, const cables::Robot& robot);

// "modbus://HOST[:1503][?unit=1]"
modbus::Peer winch_peer_from(const std::string& device);

}  // namespace tandem::cable_robot
