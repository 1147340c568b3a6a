// SPDX-License-Identifier: Apache-2.0
// What Fast DDS says is wrong while something is tried; it reports no other way why it refuses.
#pragma once

#include <memory>
#include <string>

namespace tandem::ros2 {

class DdsErrors {
 public:
  DdsErrors();
  ~DdsErrors();
  DdsErrors(const DdsErrors&) = delete;
  DdsErrors& operator=(const DdsErrors&) = delete;

  // All errors since the beginning, "; " between them.
  std::string text() const;

 private:
  struct Collected;
  std::shared_ptr<Collected> collected_;
};

}  // namespace tandem::ros2
