// SPDX-License-Identifier: Apache-2.0
// Scenes and pictures of all machines as the texts that a page reads: /tandem/scene and /tandem/picture.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tandem/machines/scene.hpp"

namespace tandem::runtime {

struct DrawnMachine {
  std::string_view name, type;  // in the configuration, and of the machine type
  bool is_virtual = false;
  bool moves = false;
  machines::Scene scene;
};

// One line: {"machines":[{"name","type","virtual","moves","scene":{...}}]}. Numbers to a micrometre; a message of a
// control that is not a JSON object is sent as an empty one.
std::string scene_json(std::span<const DrawnMachine> machines);

struct Standing {
  std::string_view name;
  machines::Picture picture;
  machines::Picture twin;  // or what else is drawn beside it; not seen: nothing, or nothing is known of it
};

// One line into `into`, which keeps its room from call to call. `time` is seconds since the epoch; numbers have six
// significant digits, and what is no number is null.
void picture_json(std::string& into, double time, std::span<const Standing> machines);
std::string picture_json(double time, std::span<const Standing> machines);

}  // namespace tandem::runtime
