// Programs as clients send them to ports 30001 to 30003: text in pieces, cut where a program is complete.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tandem/base/bytes.hpp"
#include "tandem/protocols/ur/port_server.hpp"

namespace tandem::ur {

// Who runs the programs. One that never ends is never given.
class ScriptSink {
 public:
  virtual ~ScriptSink() = default;
  virtual void program(std::string_view text) = 0;
};

// A program is what stands from `def` or `sec` to the `end` that closes it, or a single line outside of one.
class ScriptIntake {
 public:
  // Without a sink everything is read and forgotten, as on the read-only ports.
  explicit ScriptIntake(ScriptSink* sink) : sink_(sink) {}

  // False when a program is longer than any can be.
  bool receive(Bytes bytes);
  // A program may take its time from one line to the next: only its size is bounded.
  Session::Progress progress() const { return {completed_, false}; }

 private:
  void end_line();

  ScriptSink* sink_;
  std::string program_;   // the lines of the program so far
  std::size_t line_ = 0;  // where the last line begins in program_
  int depth_ = 0;         // blocks that are open
  std::uint64_t completed_ = 0;
};

// How many blocks a line of URScript opens, less those it closes. Comments and texts are passed over.
int block_balance(std::string_view line);

}  // namespace tandem::ur
