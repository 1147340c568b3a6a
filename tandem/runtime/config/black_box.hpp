// SPDX-License-Identifier: Apache-2.0
// The `black_box:` section of a configuration: how much of the last minute is kept, and where incidents are written.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/machines/options.hpp"

namespace tandem::runtime {

struct BlackBoxConfig {
  bool enabled = true;
  std::string folder;           // empty: `incidents` in the state folder
  double seconds = 60;          // kept in memory
  double after = 10;            // s that follow an incident in its file
  double megabytes = 64;        // of memory
  double keep_megabytes = 500;  // of the folder
};

std::span<const machines::Option> black_box_options();
// Why no incident could be written there; only of a folder that was chosen.
std::vector<std::string> black_box_problems(const BlackBoxConfig& config);
// Takes one value, already checked against its row; `path` is "black_box.folder".
void apply_black_box(BlackBoxConfig& config, const std::string& path, const machines::Options& options);
// What --black-box says: "off", or a folder.
void choose_black_box(BlackBoxConfig& config, std::string_view text);
// Where incidents are written; empty: nowhere, and then nothing need be kept.
std::string incident_folder(const BlackBoxConfig& config, const std::string& state_folder);

}  // namespace tandem::runtime
