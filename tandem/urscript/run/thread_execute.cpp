// SPDX-License-Identifier: Apache-2.0
// The instructions one by one.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/base/nearest.hpp"
#include "tandem/urscript/run/thread.hpp"
#include "tandem/urscript/values/arithmetic.hpp"
#include "tandem/urscript/values/places.hpp"

namespace tandem::urscript {

void Thread::execute(const Instruction& instruction) {
  if (instruction.op < Op::jump) return execute_data(instruction);
  if (instruction.op <= Op::give_back) return execute_flow(instruction);
  execute_thread(instruction);
}

void Thread::execute_data(const Instruction& instruction) {
  const Code& code = shared_->code;
  const std::uint32_t a = instruction.a;
  switch (instruction.op) {
    case Op::constant:
      return push(code.constants[a]);
    case Op::load_local:
      return load(local(a), code.functions[frames_.back().function].locals[a]);
    case Op::load_global:
      return load(global(a), code.globals[a]);
    case Op::refuse:
      return fail(code.names[a]);
    case Op::store_local: {
      Value value = pop();
      local(a) = std::move(value);
      return;
    }
    case Op::store_global:
      global(a) = pop();
      return;
    case Op::store_in_local: {
      Value variable = std::move(local(a));
      store_in(variable, code.functions[frames_.back().function].locals[a], instruction);
      local(a) = std::move(variable);
      return;
    }
    case Op::store_in_global:
      return store_in(global(a), code.globals[a], instruction);
    case Op::method_local: {
      Value variable = std::move(local(a));
      call_method_of(variable, code.functions[frames_.back().function].locals[a], instruction);
      local(a) = std::move(variable);
      return;
    }
    case Op::method_global:
      return call_method_of(global(a), code.globals[a], instruction);
    case Op::drop:
      return drop(1);
    case Op::make_list: {
      std::vector<Value> items(std::make_move_iterator(stack_.end() - a), std::make_move_iterator(stack_.end()));
      drop(a);
      return push(Value::make_list(std::move(items)));
    }
    case Op::make_pose:
      return make_pose();
    case Op::make_struct:
      return make_struct(code.structs[a]);
    case Op::index: {
      auto found = element(stack_[stack_.size() - a - 1], top(a));
      drop(a + 1);
      return push(std::move(found));
    }
    case Op::member:
      return push(member(pop(), code.names[a]));
    case Op::negate:
      return push(negated(pop()));
    case Op::invert: {
      auto truth = condition_of(pop());
      if (!truth) return fail("'not': " + truth.error().text);
      return push(Value(!*truth));
    }
    case Op::binary: {
      const Value right = pop();
      const Value left = pop();
      cost_ += (left.weight() + right.weight()) / 8;
      if (left.depth() > 1 && right.depth() > 1 && right.list() != nullptr &&
          !right.list()->empty()) {  // a product of matrices
        const std::size_t width = right.weight() / right.list()->size();
        cost_ += static_cast<std::uint32_t>(std::min<std::size_t>(left.weight() * width / 8, 1'000'000));
      }
      return push(apply(static_cast<Operator>(a), left, right));
    }
    default: {  // as_truth
      auto truth = condition_of(pop());
      if (!truth) return fail("'and' and 'or': " + truth.error().text);
      return push(Value(*truth));
    }
  }
}

void Thread::make_pose() {
  PoseValue pose;
  const std::span<const Value> numbers = top(6);
  for (std::size_t i = 0; i < 6; ++i) {
    auto number = number_of(numbers[i]);
    if (!number) return fail(fmt::format("element {} of a pose: {}", i, number.error().text));
    pose[i] = *number;
  }
  drop(6);
  push(Value(pose));
}

void Thread::make_struct(const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, Value>> members;
  const std::size_t first = stack_.size() - names.size();
  for (std::size_t i = 0; i < names.size(); ++i) members.emplace_back(names[i], std::move(stack_[first + i]));
  drop(names.size());
  push(Value::make_struct(std::move(members)));
}

void Thread::execute_flow(const Instruction& instruction) {
  const std::uint32_t a = instruction.a;
  switch (instruction.op) {
    case Op::jump:
      counter_ = a;
      return;
    case Op::jump_if_false: {
      auto truth = condition_of(pop());
      if (!truth) return fail("condition: " + truth.error().text);
      if (!*truth) counter_ = a;
      return;
    }
    case Op::jump_if_false_or_drop:
      return keep_or_drop(instruction, false);
    case Op::jump_if_true_or_drop:
      return keep_or_drop(instruction, true);
    case Op::jump_if_given:
      if (!local(instruction.b).is_unset()) counter_ = a;
      return;
    case Op::next_item:
      return next_item(instruction);
    case Op::call: {
      std::vector<Value> arguments = bound(shared_->code.calls[a]);
      return enter(instruction.b, std::move(arguments));
    }
    case Op::call_builtin:
      return call_builtin(instruction);
    case Op::start: {
      auto handle = shared_->threads.start(instruction.b, bound(shared_->code.calls[a]));
      if (!handle) return fail(handle.error().text);
      return push(Value(*handle));
    }
    default:
      return give_back();
  }
}

void Thread::keep_or_drop(const Instruction& instruction, bool keep_when) {
  auto truth = condition_of(pop());
  if (!truth) return fail("'and' and 'or': " + truth.error().text);
  if (*truth != keep_when) return;
  push(Value(*truth));
  counter_ = instruction.a;
}

void Thread::next_item(const Instruction& instruction) {
  const Value& list = local(instruction.a);
  const std::int32_t position = *local(instruction.a + 1).integer();
  if (list.list() == nullptr) return fail(fmt::format("'for': expected a list, got {}", type_name(list)));
  if (static_cast<std::size_t>(position) >= list.list()->size()) {
    counter_ = instruction.b;
    return;
  }
  Value item = (*list.list())[static_cast<std::size_t>(position)];
  local(instruction.a + 1) = Value(position + 1);
  push(std::move(item));
}

void Thread::execute_thread(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::stop:
      return shared_->threads.halt();
    case Op::enter_critical:
      critical_ = true;
      return;
    case Op::exit_critical:
      critical_ = false;
      return;
    default: {  // join, kill
      auto handle = integer_of(pop());
      const bool join = instruction.op == Op::join;
      if (!handle)
        return fail(fmt::format("'{}' needs the handle of a thread: {}", join ? "join" : "kill", handle.error().text));
      if (!join) return shared_->threads.kill(*handle);
      if (*handle == handle_) return fail("a thread cannot wait for its own end");
      joined_ = *handle;
      if (shared_->threads.alive(joined_)) status_ = Status::joining;
      return;
    }
  }
}

}  // namespace tandem::urscript
