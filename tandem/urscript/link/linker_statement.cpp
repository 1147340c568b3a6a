// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tandem/urscript/link/linker.hpp"
#include "tandem/urscript/values/arithmetic.hpp"

namespace tandem::urscript {

bool Linker::block(NodeId id) {
  for (NodeId child = at(id).first; child != no_node; child = at(child).next) {
    if (!statement(child)) return false;
  }
  return true;
}

bool Linker::statement(NodeId id) {
  const Node& node = at(id);
  switch (node.kind) {
    case NodeKind::function:
      return true;  // has a body of its own
    case NodeKind::assign:
      return assign(node);
    case NodeKind::declare:
      return declare(node);
    case NodeKind::evaluate:
      return expression(node.first) && done(Op::drop, node);
    case NodeKind::branch:
      return branch(node);
    case NodeKind::loop:
      return loop(node);
    case NodeKind::for_each:
      return for_each(node);
    case NodeKind::choose:
      return choose(node);
    case NodeKind::give_back:
      return give_back(node);
    case NodeKind::leave:
    case NodeKind::again:
      return leave_or_again(node);
    case NodeKind::stop:
      return done(Op::stop, node);
    case NodeKind::enter_critical:
      return done(Op::enter_critical, node);
    case NodeKind::exit_critical:
      return done(Op::exit_critical, node);
    case NodeKind::join:
      if (code_.secondary) return fail(node, "a secondary program cannot wait for a thread");
      return expression(node.first) && done(Op::join, node);
    case NodeKind::kill:
      return expression(node.first) && done(Op::kill, node);
    default:
      return fail(node, "this is not a statement");
  }
}

bool Linker::assign(const Node& node) {
  const Node& target = at(node.first);
  if (target.kind == NodeKind::name) {
    if (!expression(node.last)) return false;
    const auto slot = slot_of(target.text);
    emit(slot->global ? Op::store_global : Op::store_local, node, slot->index);
    return true;
  }
  Place where;
  NodeId base = no_node;
  if (!place(node.first, where, base) || !expression(node.last)) return false;
  const auto slot = slot_of(at(base).text);
  const Builtin* writer = slot ? nullptr : builtins_.writer_of(at(base).text);
  if (writer != nullptr && where.steps.size() == 1 && where.indices == 1) {
    call_builtin(node, *writer, Binding{.count = 2, .argument = {0, 1}});  // the place and the value
    emit(Op::drop, node);
    return true;
  }
  if (!slot) return unknown_variable(at(base));
  code_.places.push_back(std::move(where));
  emit(slot->global ? Op::store_in_global : Op::store_in_local, node, slot->index,
       static_cast<std::uint32_t>(code_.places.size() - 1));
  return true;
}

bool Linker::declare(const Node& node) {
  if (node.first == no_node) return true;
  if (!expression(node.first)) return false;
  const bool global = node.op == 1 || function_ == main_;
  const std::uint32_t index = global ? globals_.at(node.text) : locals_.at(node.text);
  emit(global ? Op::store_global : Op::store_local, node, index);
  return true;
}

bool Linker::branch(const Node& node) {
  std::vector<std::uint32_t> ends;
  for (NodeId child = node.first; child != no_node; child = at(child).next) {
    if (at(child).kind == NodeKind::block) {  // else
      if (!block(child)) return false;
      break;
    }
    if (!expression(child)) return false;
    const std::uint32_t otherwise = emit(Op::jump_if_false, at(child));
    child = at(child).next;
    if (!block(child)) return false;
    if (at(child).next != no_node) ends.push_back(emit(Op::jump, at(child)));
    land(otherwise);
  }
  for (const std::uint32_t jump : ends) land(jump);
  return true;
}

bool Linker::loop(const Node& node) {
  loops_.push_back({here(), {}});
  if (!expression(node.first)) return false;
  loops_.back().exits.push_back(emit(Op::jump_if_false, node));
  if (!block(node.last)) return false;
  emit(Op::jump, node, loops_.back().start);
  return finish_loop();
}

bool Linker::finish_loop() {
  for (const std::uint32_t jump : loops_.back().exits) {
    Instruction& instruction = code_.instructions[jump];
    (instruction.op == Op::next_item ? instruction.b : instruction.a) = here();
  }
  loops_.pop_back();
  return true;
}

bool Linker::for_each(const Node& node) {
  const std::uint32_t list = add_local(fmt::format("list of {}:{}", node.line, node.column));
  const std::uint32_t position = add_local(fmt::format("position of {}:{}", node.line, node.column));
  if (!expression(node.first)) return false;
  emit(Op::store_local, node, list);
  emit(Op::constant, node, constant(std::int32_t{0}));
  emit(Op::store_local, node, position);
  loops_.push_back({here(), {}});
  loops_.back().exits.push_back(emit(Op::next_item, node, list));
  const auto slot = slot_of(node.text);
  emit(slot->global ? Op::store_global : Op::store_local, node, slot->index);
  if (!block(node.last)) return false;
  emit(Op::jump, node, loops_.back().start);
  return finish_loop();
}

bool Linker::choose(const Node& node) {
  const std::uint32_t value = add_local(fmt::format("switch of {}:{}", node.line, node.column));
  if (!expression(node.first)) return false;
  emit(Op::store_local, node, value);
  std::vector<std::uint32_t> ends;
  for (NodeId child = at(node.first).next; child != no_node; child = at(child).next) {
    if (at(child).kind == NodeKind::block) {  // default
      if (!block(child)) return false;
      break;
    }
    emit(Op::load_local, at(child), value);
    if (!expression(child)) return false;
    emit(Op::binary, at(child), static_cast<std::uint32_t>(Operator::equal));
    const std::uint32_t otherwise = emit(Op::jump_if_false, at(child));
    child = at(child).next;
    if (!block(child)) return false;
    ends.push_back(emit(Op::jump, at(child)));
    land(otherwise);
  }
  for (const std::uint32_t jump : ends) land(jump);
  return true;
}

bool Linker::give_back(const Node& node) {
  if (node.first == no_node) {
    emit(Op::constant, node, constant(None{}));
  } else if (!expression(node.first)) {
    return false;
  }
  emit(Op::give_back, node);
  return true;
}

bool Linker::leave_or_again(const Node& node) {
  const bool leave = node.kind == NodeKind::leave;
  if (loops_.empty()) return fail(node, fmt::format("'{}' outside of a loop", leave ? "break" : "continue"));
  const std::uint32_t jump = emit(Op::jump, node, loops_.back().start);
  if (leave) loops_.back().exits.push_back(jump);
  return true;
}

}  // namespace tandem::urscript
