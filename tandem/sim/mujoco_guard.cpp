// SPDX-License-Identifier: Apache-2.0
#include "tandem/sim/mujoco_guard.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <limits>
#include <mutex>
#include <stdexcept>

namespace tandem::sim {
namespace {

// Fixed space: a warning may come up inside a cycle.
thread_local std::array<char, 256> last_warning{};

// Without this MuJoCo prints, waits for a key and ends the process.
void throw_error(const char* text) { throw std::runtime_error(fmt::format("MuJoCo: {}", text)); }

// Without this MuJoCo writes MUJOCO_LOG.TXT into the working directory.
void keep_warning(const char* text) { std::strncpy(last_warning.data(), text, last_warning.size() - 1); }

std::mutex& loading() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

ModelPointer load_model(std::string_view mjcf) {
  // MuJoCo keeps the last XML in a global, so models are loaded one after the other.
  const std::lock_guard lock(loading());
  static std::once_flag installed;
  std::call_once(installed, [] {
    mju_user_error = throw_error;
    mju_user_warning = keep_warning;
  });
  if (mjcf.empty()) throw std::runtime_error("the model does not load: the text is empty");
  if (mjcf.size() > std::size_t{std::numeric_limits<int>::max()})
    throw std::runtime_error(fmt::format("model of {} bytes is larger than MuJoCo can load", mjcf.size()));

  constexpr const char* file = "model.xml";
  const auto files = std::make_unique<mjVFS>();  // 2 MB: too large for a stack
  mj_defaultVFS(files.get());
  const int added = mj_makeEmptyFileVFS(files.get(), file, static_cast<int>(mjcf.size()));
  if (added != 0) throw std::runtime_error(fmt::format("model of {} bytes: out of memory", mjcf.size()));
  std::memcpy(files->filedata[0], mjcf.data(), mjcf.size());

  std::array<char, 1000> error{};
  ModelPointer model;
  try {
    model.reset(mj_loadXML(file, files.get(), error.data(), static_cast<int>(error.size())));
  } catch (...) {
    mj_deleteVFS(files.get());
    throw;
  }
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(fmt::format("the model does not load: {}", error.data()));
  return model;
}

std::string take_warning() {
  std::string text = last_warning.data();
  last_warning.fill('\0');
  return text;
}

}  // namespace tandem::sim
