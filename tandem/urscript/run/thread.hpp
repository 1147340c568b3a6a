// SPDX-License-Identifier: Apache-2.0
// One green thread of a program: its own stack, shared globals, stoppable between any two instructions.
#pragma once

#include <any>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tandem/urscript/link/code.hpp"

namespace tandem::urscript {

struct RuntimeError {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string text;
};

struct Limits {
  std::uint32_t instructions_per_cycle = 20'000;  // of all threads together
  std::uint32_t instructions_per_turn = 500;      // before the next thread has its turn, outside critical sections
  std::uint32_t busy_cycles = 50;                 // without waiting once: an infinite loop
  std::uint32_t threads = 50;
  std::uint32_t call_depth = 200;
  std::uint32_t stack_values = 20'000;   // of one thread
  std::size_t value_bytes = 256u << 20;  // of all lists, strings and structs
};

// What a thread may ask of the program it belongs to.
class Threads {
 public:
  virtual ~Threads() = default;
  virtual Result<std::int32_t> start(std::uint32_t function, std::vector<Value> arguments) = 0;
  virtual void kill(std::int32_t handle) = 0;
  virtual bool alive(std::int32_t handle) const = 0;
  virtual void halt() = 0;
};

struct Shared {
  const Code& code;
  const Limits& limits;
  Threads& threads;
  std::vector<Value> globals;
  Cycle cycle;
};

class Thread {
 public:
  enum class Status : std::uint8_t { ready, waiting, joining, finished, failed };

  // The function's parameters, Unset where its default is to be taken.
  Thread(std::int32_t handle, Shared& shared, std::uint32_t function, std::vector<Value> arguments);

  // Runs until it waits, ends, fails or has used `budget` instructions; answers how many it has used.
  std::uint32_t run(std::uint32_t budget);
  void new_cycle();  // a built-in that waits may be asked again
  bool runnable();   // ready, or no longer held up
  void kill();

  std::int32_t handle() const { return handle_; }
  std::uint32_t function() const { return function_; }  // that it was started with
  Status status() const { return status_; }
  bool critical() const { return critical_; }
  RuntimeError here(std::string text) const;
  const std::optional<RuntimeError>& error() const { return error_; }

  std::uint32_t busy_cycles = 0;  // kept by the scheduler
  bool ran = false;

 private:
  struct Frame {
    std::uint32_t function = 0;
    std::uint32_t return_to = 0;
    std::uint32_t base = 0;  // of its locals on the stack
  };

  void execute(const Instruction& instruction);
  void execute_data(const Instruction& instruction);
  void execute_flow(const Instruction& instruction);
  void execute_thread(const Instruction& instruction);
  void fail(std::string text);
  void push(Value value);
  void push(Result<Value> result);
  Value pop();
  Value& local(std::uint32_t index) { return stack_[frames_.back().base + index]; }
  Value& global(std::uint32_t index) { return shared_->globals[index]; }
  void load(const Value& variable, const std::string& name);
  std::span<const Value> top(std::size_t count) const { return std::span(stack_).last(count); }
  void drop(std::size_t count) { stack_.resize(stack_.size() - count); }
  std::vector<Value> bound(const Binding& binding);
  void enter(std::uint32_t function, std::vector<Value> arguments);
  void call_builtin(const Instruction& instruction);
  void ask_builtin();
  void give_back();
  void store_in(Value& variable, const std::string& name, const Instruction& instruction);
  void call_method_of(Value& variable, const std::string& name, const Instruction& instruction);
  void make_pose();
  void make_struct(const std::vector<std::string>& names);
  void next_item(const Instruction& instruction);
  void keep_or_drop(const Instruction& instruction, bool keep_when);

  std::int32_t handle_;
  std::uint32_t function_;
  Shared* shared_;
  Status status_ = Status::ready;
  bool critical_ = false;
  std::uint32_t counter_ = 0;  // the instruction to be executed next
  std::uint32_t cost_ = 0;     // of the instruction at hand
  std::vector<Value> stack_;
  std::vector<Frame> frames_;
  const Builtin* asked_ = nullptr;  // a built-in that has not answered yet
  bool may_ask_ = false;
  std::vector<Value> arguments_;
  std::any state_;
  std::int32_t joined_ = 0;
  std::optional<RuntimeError> error_;
};

}  // namespace tandem::urscript
