// SPDX-License-Identifier: Apache-2.0
#include "tandem/urscript/run/thread.hpp"

#include <fmt/format.h>

#include "tandem/base/nearest.hpp"
#include "tandem/urscript/values/arithmetic.hpp"
#include "tandem/urscript/values/places.hpp"

namespace tandem::urscript {

Thread::Thread(std::int32_t handle, Shared& shared, std::uint32_t function, std::vector<Value> arguments)
    : handle_(handle), function_(function), shared_(&shared) {
  enter(function, std::move(arguments));
}

std::uint32_t Thread::run(std::uint32_t budget) {
  std::uint32_t used = 0;
  ran = true;
  while (used < budget) {
    cost_ = 1;
    if (status_ == Status::waiting) {
      if (!may_ask_) break;
      ask_builtin();
    } else if (status_ == Status::ready) {
      execute(shared_->code.instructions[counter_++]);
    } else {
      break;
    }
    if (Payload::live_bytes() > shared_->limits.value_bytes && status_ != Status::finished) {
      fail("the values of the program use too much memory");
    }
    used += cost_;
  }
  return used;
}

void Thread::new_cycle() {
  may_ask_ = true;
  ran = false;
}

bool Thread::runnable() {
  if (status_ == Status::joining && !shared_->threads.alive(joined_)) status_ = Status::ready;
  return status_ == Status::ready || (status_ == Status::waiting && may_ask_);
}

void Thread::kill() {
  status_ = Status::finished;
  state_.reset();
  asked_ = nullptr;
}

RuntimeError Thread::here(std::string text) const {
  const Instruction& at = shared_->code.instructions[counter_ == 0 ? 0 : counter_ - 1];
  return {at.line, at.column, std::move(text)};
}

void Thread::fail(std::string text) {
  if (status_ == Status::failed) return;
  status_ = Status::failed;
  state_.reset();
  error_ = here(std::move(text));
}

void Thread::push(Value value) {
  if (stack_.size() >= shared_->limits.stack_values) return fail("stack overflow");
  cost_ += value.weight() / 8;
  stack_.push_back(std::move(value));
}

void Thread::push(Result<Value> result) {
  if (!result) return fail(std::move(result).error().text);
  push(*std::move(result));
}

Value Thread::pop() {
  Value value = std::move(stack_.back());
  stack_.pop_back();
  return value;
}

void Thread::load(const Value& variable, const std::string& name) {
  if (variable.is_unset()) return fail(fmt::format("the variable '{}' is read before it has a value", printable(name)));
  if (stack_.size() >= shared_->limits.stack_values) return fail("stack overflow");
  stack_.push_back(variable);
}

std::vector<Value> Thread::bound(const Binding& binding) {
  std::vector<Value> arguments(binding.argument.size());
  const std::size_t first = stack_.size() - binding.count;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (binding.argument[i] != Binding::left_out) arguments[i] = std::move(stack_[first + binding.argument[i]]);
  }
  drop(binding.count);
  return arguments;
}

void Thread::enter(std::uint32_t function, std::vector<Value> arguments) {
  const Function& called = shared_->code.functions[function];
  if (frames_.size() >= shared_->limits.call_depth)
    return fail(fmt::format("calls are nested more than {} deep", frames_.size()));
  if (stack_.size() + called.locals.size() > shared_->limits.stack_values) return fail("stack overflow");
  frames_.push_back({function, counter_, static_cast<std::uint32_t>(stack_.size())});
  for (Value& argument : arguments) stack_.push_back(std::move(argument));
  stack_.resize(frames_.back().base + called.locals.size());
  cost_ += static_cast<std::uint32_t>(called.locals.size() / 4);
  counter_ = called.entry;
}

void Thread::give_back() {
  Value answer = pop();
  const Frame frame = frames_.back();
  frames_.pop_back();
  stack_.resize(frame.base);
  if (frames_.empty()) return kill();
  counter_ = frame.return_to;
  stack_.push_back(std::move(answer));
}

void Thread::call_builtin(const Instruction& instruction) {
  asked_ = shared_->code.builtins[instruction.b];
  arguments_ = bound(shared_->code.calls[instruction.a]);
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (shared_->code.calls[instruction.a].argument[i] == Binding::left_out)
      arguments_[i] = *asked_->parameters[i].otherwise;
    cost_ += arguments_[i].weight() / 4;
  }
  state_.reset();
  ask_builtin();
}

void Thread::ask_builtin() {
  Call call{arguments_, shared_->cycle,         handle_, shared_->code.instructions[counter_ - 1].line,
            state_,     shared_->code.secondary};
  Outcome outcome = asked_->function(call);
  may_ask_ = false;
  if (status_ == Status::finished) return;  // killed by what it called
  if (outcome.waits()) {
    status_ = Status::waiting;
    if (shared_->code.secondary)
      fail(fmt::format("'{}' takes time, which a secondary program cannot do", asked_->name));
    return;
  }
  status_ = Status::ready;
  state_.reset();
  if (Error* error = outcome.error()) {
    const std::string prefix = asked_->name + ": ";
    return fail(error->text.starts_with(prefix) ? error->text : prefix + error->text);
  }
  asked_ = nullptr;
  push(std::move(*outcome.value()));
}

void Thread::store_in(Value& variable, const std::string& name, const Instruction& instruction) {
  const Place& place = shared_->code.places[instruction.b];
  Value value = pop();
  if (variable.is_unset()) return fail(fmt::format("the variable '{}' is read before it has a value", printable(name)));
  cost_ += variable.weight() / 16;
  auto stored = store(variable, place, top(place.indices), std::move(value));
  if (!stored) return fail(stored.error().text);
  drop(place.indices);
}

void Thread::call_method_of(Value& variable, const std::string& name, const Instruction& instruction) {
  const MethodCall& method = shared_->code.methods[instruction.b];
  if (variable.is_unset()) return fail(fmt::format("the variable '{}' is read before it has a value", printable(name)));
  cost_ += variable.weight() / 16;
  const std::span<const Value> all = top(method.place.indices + method.arguments);
  auto answer = call_method(variable, method, all.first(method.place.indices), all.last(method.arguments));
  if (!answer) return fail(answer.error().text);
  drop(all.size());
  push(*std::move(answer));
}

}  // namespace tandem::urscript
