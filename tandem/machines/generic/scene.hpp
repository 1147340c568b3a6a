// SPDX-License-Identifier: Apache-2.0
// What a described device looks like on the page: its robot, else a cabinet; its signals as plots, lamps and gauges;
// its outputs as sliders and buttons.
#pragma once

#include <string>

#include "tandem/machines/generic/commands.hpp"
#include "tandem/machines/generic/posture.hpp"
#include "tandem/machines/generic/shared_readings.hpp"
#include "tandem/machines/scene.hpp"

namespace tandem::generic {

// `node` is the full name of the machine's node, where commands go; empty: without ROS, and nothing to press.
machines::Scene make_scene(const Description& description, const Urdf* urdf, const SignalList& signals,
                           const std::vector<OutputInfo>& outputs, const std::string& node);
machines::Picture picture_of(const Description& description, Posture* posture, const SharedReadings::Copy& copy);

// The signals that are sent with each picture, at most 16: plotted ones and gauges, in the order of the file.
std::vector<std::size_t> plotted(const Description& description, const std::vector<Signal>& signals);

}  // namespace tandem::generic
