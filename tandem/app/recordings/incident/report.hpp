// SPDX-License-Identifier: Apache-2.0
// An explained incident for people and programs: as text, as JSON, as a page of its own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tandem/app/recordings/incident/explain.hpp"
#include "tandem/plot/figure.hpp"

namespace tandem::app::incident {

// Lines of at most 120 columns, with a line end each. What the file says is made printable.
std::string text_of(const History& history, const Incident& incident);
// One object, with line ends.
std::string json_of(const History& history, const Incident& incident);
// One HTML page, well-formed as XML, without scripts and without anything from elsewhere.
Result<std::string> html_of(const History& history, const Incident& incident);

// What is explained: "raptorlift, virtual device"; empty: unknown.
std::string subject_text(const History& history);
// State, way and standstill of one machine of an incident of all: "live, armed -> live, stopped; 0.458 m/s, ...".
std::string beside_text(const Beside& beside);
// Names and values, as all of them show the numbers: "speed at the incident", "0.812 m/s by truth".
std::vector<std::pair<std::string, std::string>> number_lines(const History& history, const Incident& incident);
// Speed, way, residual, age of the newest sample and bytes over time, the incident as a red line. Panels without data
// are left out.
plot::Figure figure_of(const History& history);

// "2026-11-19 04:30:15.123"; `local`: in the time zone of this computer, with its name.
std::string clock_text(Time time, bool local);
std::string clocks_text(Time time);  // UTC, and local where that differs

}  // namespace tandem::app::incident
