// SPDX-License-Identifier: Apache-2.0
// The number of the next connection (bdSeq), kept over restarts: a late death of the last process must not match the
// birth of this one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tandem/protocols/sparkplug/topics.hpp"

namespace tandem::runtime {

// $STATE_DIRECTORY (a service), else $XDG_STATE_HOME/tandem, else ~/.local/state/tandem; empty: none of them.
std::string state_folder(const std::function<const char*(const char*)>& environment);

class StateFile {
 public:
  // The folder is made when it is not there.
  StateFile(const std::string& folder, const sparkplug::NodeName& node);

  // 0 when there is none, or nothing sensible in it.
  std::uint8_t read() const;
  // Whole or not at all. False: it cannot be written.
  bool write(std::uint8_t next) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;  // empty: none
};

}  // namespace tandem::runtime
