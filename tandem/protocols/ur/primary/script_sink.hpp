// SPDX-License-Identifier: Apache-2.0
// Where the text goes that a client sends to ports 30001 to 30003.
#pragma once

#include <cstdint>

#include "tandem/base/bytes.hpp"

namespace tandem::ur {

// One for each connection, and gone with it: who cuts its stream into programs and has them run. What is half sent when
// the client leaves is never run.
class ScriptSink {
 public:
  virtual ~ScriptSink() = default;

  // Any piece of the stream, in order. False: it makes no sense, and the connection is to be closed.
  virtual bool receive(Bytes bytes) = 0;
  virtual std::uint64_t programs() const = 0;  // that were complete so far
};

}  // namespace tandem::ur
