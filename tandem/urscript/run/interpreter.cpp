// SPDX-License-Identifier: Apache-2.0
#include "tandem/urscript/run/interpreter.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::urscript {

Interpreter::Interpreter(std::shared_ptr<const Code> code, Limits limits)
    : code_(std::make_unique<Code>(*code)),
      limits_(limits),
      shared_{*code_, limits_, *this, std::vector<Value>(code_->globals.size()), {}} {
  threads_.push_back(std::make_unique<Thread>(++last_handle_, shared_, 0, std::vector<Value>{}));
}

void Interpreter::step(Cycle cycle) {
  if (!running()) return;
  shared_.cycle = cycle;
  for (const auto& thread : threads_) thread->new_cycle();
  std::uint32_t budget = limits_.instructions_per_cycle;
  while (running() && budget > 0 && pass(budget)) {
  }
  if (running()) {
    line_ = threads_.front()->here("").line;
    look_for_infinite_loops();
  }
  if (!running()) threads_.clear();
}

// One turn for every thread that can run; whether there was one.
bool Interpreter::pass(std::uint32_t& budget) {
  bool any = false;
  for (std::size_t i = 0; i < threads_.size() && budget > 0; ++i) {  // a turn may start further threads
    if (!threads_[i]->runnable()) continue;
    any = true;
    turn(*threads_[i], budget);
    if (!running()) return false;
  }
  std::erase_if(threads_, [](const auto& thread) { return thread->status() == Thread::Status::finished; });
  return any;
}

void Interpreter::turn(Thread& thread, std::uint32_t& budget) {
  do {
    const std::uint32_t used = thread.run(std::min(limits_.instructions_per_turn, budget));
    budget -= std::min(budget, used);
    if (!running()) return;
    if (thread.status() == Thread::Status::failed) return fail(*thread.error());
  } while (thread.critical() && thread.status() == Thread::Status::ready && budget > 0);
  if (thread.status() == Thread::Status::finished && thread.handle() == 1) end(State::finished);
}

void Interpreter::look_for_infinite_loops() {
  for (const auto& thread : threads_) {
    const bool busy = thread->status() == Thread::Status::ready;
    if (busy && !thread->ran) continue;  // did not come to its turn
    thread->busy_cycles = busy ? thread->busy_cycles + 1 : 0;
    if (thread->busy_cycles < limits_.busy_cycles) continue;
    RuntimeError error = thread->here("");
    error.text = fmt::format("infinite loop detected near line {}: a loop needs sync(), sleep() or a move", error.line);
    return fail(std::move(error));
  }
}

void Interpreter::stop() {
  if (!running()) return;
  end(State::halted);
  threads_.clear();
}

void Interpreter::fail(RuntimeError error) {
  error_ = std::move(error);
  end(State::failed);
}

void Interpreter::end(State state) {
  state_ = state;
  if (!threads_.empty()) line_ = threads_.front()->here("").line;
  for (const auto& thread : threads_) thread->kill();
}

std::size_t Interpreter::thread_count() const {
  return static_cast<std::size_t>(std::count_if(threads_.begin(), threads_.end(), [](const auto& thread) {
    return thread->status() != Thread::Status::finished;
  }));
}

const Value* Interpreter::global(std::string_view name) const {
  const auto found = std::find(code_->globals.begin(), code_->globals.end(), name);
  if (found == code_->globals.end()) return nullptr;
  return &shared_.globals[static_cast<std::size_t>(found - code_->globals.begin())];
}

Result<std::uint32_t> Interpreter::add_statements(std::string_view text, const Builtins& builtins) {
  const auto tree = parse(text, true);
  if (!tree) return tree.error();
  auto function = link_statements(*tree, builtins, *code_);
  if (function) shared_.globals.resize(code_->globals.size());
  return function;
}

void Interpreter::start_statements(std::uint32_t function) {
  threads_.push_back(std::make_unique<Thread>(statement_thread, shared_, function, std::vector<Value>{}));
}

void Interpreter::stop_statements() {
  std::erase_if(threads_, [](const auto& thread) { return thread->handle() == statement_thread; });
}

void Interpreter::forget_statements(const CodeSize& size) {
  std::erase_if(threads_, [&](const auto& thread) { return thread->function() >= size.functions; });
  cut(*code_, size);
  shared_.globals.resize(code_->globals.size());
}

Result<std::int32_t> Interpreter::start(std::uint32_t function, std::vector<Value> arguments) {
  if (thread_count() >= limits_.threads) {
    return Error{Fault::busy, fmt::format("a program has at most {} threads at once", limits_.threads)};
  }
  if (last_handle_ == INT32_MAX) return Error{Fault::busy, "no handles are left for threads"};
  threads_.push_back(std::make_unique<Thread>(++last_handle_, shared_, function, std::move(arguments)));
  return last_handle_;
}

void Interpreter::kill(std::int32_t handle) {
  if (handle == 1) return;  // the main function ends by itself or by halt
  for (const auto& thread : threads_) {
    if (thread->handle() == handle) thread->kill();
  }
}

bool Interpreter::alive(std::int32_t handle) const {
  return std::any_of(threads_.begin(), threads_.end(), [&](const auto& thread) {
    return thread->handle() == handle && thread->status() != Thread::Status::finished;
  });
}

void Interpreter::halt() { end(State::halted); }

}  // namespace tandem::urscript
