// SPDX-License-Identifier: Apache-2.0
// The ways to the devices: routes, ports that are taken, and whether a device answers.
#pragma once

#include "tandem/app/doctor/finding.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/runtime/config/config.hpp"

namespace tandem::app::doctor {

// The device of one machine: its name, the way to it, and whether its ports are open, or ours where it calls us, or its
// serial line. Opens connections and closes them again; says nothing to the device.
Findings look_at_device(const runtime::MachineConfig& machine, Duration patience);

// The port that the page wants on this computer; virtual devices beside their machines take free ones.
Findings look_at_ports(const runtime::Config& config);

// The MQTT broker: connects to it as a client of another name, subscribes to nothing and leaves. Nothing without one.
Findings look_at_broker(const mqtt::BrokerOptions& broker, Duration patience);

}  // namespace tandem::app::doctor
