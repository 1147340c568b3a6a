// SPDX-License-Identifier: Apache-2.0
// What a recording holds of machines and their devices.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tandem/record/mcap_reader.hpp"
#include "tandem/runtime/replay/field_recording.hpp"

namespace tandem::runtime {

struct RecordedMachine {
  std::string name, type, device;
  std::uint64_t frames = 0;  // that passed on its sockets
};

// Those whose field frames are in the file.
std::vector<RecordedMachine> recorded_machines(const record::McapReader& reader);

// The conversations of one; an empty name means the only one. Holds all of its bytes in memory.
Result<FieldRecording> read_field_recording(const record::McapReader& reader, const std::string& machine,
                                            const std::function<void(double)>& progress = {});

}  // namespace tandem::runtime
