// SPDX-License-Identifier: Apache-2.0
// MuJoCo's process-wide parts, made safe: errors are thrown, warnings are kept, loading takes turns.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <string>
#include <string_view>

namespace tandem::sim {

struct ModelDeleter {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct DataDeleter {
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using ModelPointer = std::unique_ptr<mjModel, ModelDeleter>;
using DataPointer = std::unique_ptr<mjData, DataDeleter>;

// Compiles MJCF text. Throws std::runtime_error. Any thread.
ModelPointer load_model(std::string_view mjcf);

// The last thing MuJoCo warned of in this thread; taken, so that it is reported once.
std::string take_warning();

}  // namespace tandem::sim
