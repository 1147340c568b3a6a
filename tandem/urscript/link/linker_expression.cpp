// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tandem/base/nearest.hpp"
#include "tandem/urscript/link/linker.hpp"

namespace tandem::urscript {

bool Linker::sequence(NodeId first, std::uint32_t* count) {
  for (NodeId child = first; child != no_node; child = at(child).next) {
    if (!expression(child)) return false;
    ++*count;
  }
  return true;
}

bool Linker::expression(NodeId id) {
  const Node& node = at(id);
  std::uint32_t count = 0;
  switch (node.kind) {
    case NodeKind::integer:
      return done(Op::constant, node, constant(static_cast<std::int32_t>(node.number)));
    case NodeKind::floating:
      return done(Op::constant, node, constant(node.number));
    case NodeKind::text:
      if (node.text.size() > longest_text) return fail(node, "this string is too long");
      return done(Op::constant, node, constant(node.text));
    case NodeKind::truth:
      return done(Op::constant, node, constant(node.op == 1));
    case NodeKind::none:
      return done(Op::constant, node, constant(None{}));
    case NodeKind::name:
      return name(node);
    case NodeKind::list:
      return sequence(node.first, &count) && done(Op::make_list, node, count);
    case NodeKind::pose:
      return sequence(node.first, &count) && done(Op::make_pose, node);
    case NodeKind::call:
      return call(node, false);
    case NodeKind::start:
      return call(at(node.first), true);
    case NodeKind::method:
      return method(node);
    case NodeKind::index:
      return expression(node.first) && sequence(at(node.first).next, &count) && done(Op::index, node, count);
    case NodeKind::member:
      if (!expression(node.first)) return false;
      code_.names.push_back(node.text);
      return done(Op::member, node, static_cast<std::uint32_t>(code_.names.size() - 1));
    case NodeKind::negate:
      return expression(node.first) && done(Op::negate, node);
    case NodeKind::invert:
      return expression(node.first) && done(Op::invert, node);
    case NodeKind::binary:
      return expression(node.first) && expression(node.last) && done(Op::binary, node, node.op);
    case NodeKind::both:
    case NodeKind::either:
      return short_circuit(node);
    default:
      return fail(node, "this is not a value");
  }
}

bool Linker::short_circuit(const Node& node) {
  if (!expression(node.first)) return false;
  const bool both = node.kind == NodeKind::both;
  const std::uint32_t jump = emit(both ? Op::jump_if_false_or_drop : Op::jump_if_true_or_drop, node);
  if (!expression(node.last)) return false;
  emit(Op::as_truth, node);
  land(jump);
  return true;
}

bool Linker::name(const Node& node) {
  if (const auto slot = slot_of(node.text)) {
    emit(slot->global ? Op::load_global : Op::load_local, node, slot->index);
    return true;
  }
  return unknown_variable(node);
}

bool Linker::unknown_variable(const Node& node) {
  const std::string text = fmt::format("the variable '{}' is never given a value", printable(node.text));
  return warn(node, text, text);
}

bool Linker::unknown_function(const Node& node) {
  std::vector<std::string_view> known = builtins_.names();
  for (const auto& [name, index] : functions_) known.push_back(name);
  const std::string_view close = nearest(node.text, known);
  return warn(node,
              fmt::format("unknown function '{}'{}", printable(node.text),
                          close.empty() ? "" : fmt::format("; did you mean '{}'?", close)),
              name_not_found(node.text));
}

bool Linker::call(const Node& node, bool as_thread) {
  if (as_thread && code_.secondary) return fail(node, "a secondary program cannot run threads");
  if (!as_thread && node.text == "struct") return make_struct(node);
  Binding binding;
  const auto user = functions_.find(node.text);
  if (user != functions_.end()) {
    const Function& function = code_.functions[user->second];
    if (as_thread && !function.is_thread)
      return fail(node, fmt::format("'{}' is a function, 'run' needs a thread", printable(node.text)));
    if (!as_thread && function.is_thread)
      return fail(node, fmt::format("'{}' is a thread, start it with 'run'", printable(node.text)));
    if (const auto mistake = bind(node, function.parameters, function.has_default, binding))
      return fail(*mistake->at, mistake->text);
    if (!arguments(node)) return false;
    code_.calls.push_back(std::move(binding));
    emit(as_thread ? Op::start : Op::call, node, static_cast<std::uint32_t>(code_.calls.size() - 1), user->second);
    return true;
  }
  const Builtin* builtin = as_thread ? nullptr : builtins_.find(node.text);
  if (builtin == nullptr) return unknown_function(node);
  if (code_.secondary && builtin->takes_time) {
    return fail(node, fmt::format("a secondary program cannot call '{}', which takes time", printable(node.text)));
  }
  std::vector<std::string> parameters;
  std::vector<bool> optional;
  for (const Parameter& parameter : builtin->parameters) {
    parameters.push_back(parameter.name);
    optional.push_back(parameter.otherwise.has_value());
  }
  if (const auto mistake = bind(node, parameters, optional, binding))
    return warn(*mistake->at, mistake->text, mistake->text);
  if (!arguments(node)) return false;
  call_builtin(node, *builtin, std::move(binding));
  return true;
}

void Linker::call_builtin(const Node& node, const Builtin& builtin, Binding binding) {
  const auto used = used_builtins_.emplace(&builtin, static_cast<std::uint32_t>(code_.builtins.size()));
  if (used.second) code_.builtins.push_back(&builtin);
  code_.calls.push_back(std::move(binding));
  emit(Op::call_builtin, node, static_cast<std::uint32_t>(code_.calls.size() - 1), used.first->second);
}

// Which argument goes to which parameter, or what is wrong with them.
std::optional<Linker::Mistake> Linker::bind(const Node& call, std::span<const std::string> parameters,
                                            const std::vector<bool>& optional, Binding& binding) const {
  binding.argument.assign(parameters.size(), Binding::left_out);
  for (NodeId id = call.first; id != no_node; id = at(id).next) {
    const Node& argument = at(id);
    std::size_t parameter = binding.count;
    if (!argument.text.empty()) {
      parameter =
          static_cast<std::size_t>(std::find(parameters.begin(), parameters.end(), argument.text) - parameters.begin());
      if (parameter == parameters.size()) {
        const std::vector<std::string_view> known(parameters.begin(), parameters.end());
        return Mistake{&argument, fmt::format("'{}' has no parameter '{}'{}", printable(call.text),
                                              printable(argument.text), suggestion(argument.text, known))};
      }
    } else if (parameter >= parameters.size()) {
      return Mistake{&argument,
                     fmt::format("'{}' takes at most {} arguments", printable(call.text), parameters.size())};
    }
    if (binding.argument[parameter] != Binding::left_out) {
      return Mistake{&argument, fmt::format("the parameter '{}' of '{}' is given twice",
                                            printable(parameters[parameter]), printable(call.text))};
    }
    binding.argument[parameter] = binding.count++;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (binding.argument[i] == Binding::left_out && !optional[i]) {
      return Mistake{&call,
                     fmt::format("'{}' needs its parameter '{}'", printable(call.text), printable(parameters[i]))};
    }
  }
  return std::nullopt;
}

// The values of the arguments in the order they were written.
bool Linker::arguments(const Node& call) {
  for (NodeId id = call.first; id != no_node; id = at(id).next) {
    if (!expression(at(id).first)) return false;
  }
  return true;
}

bool Linker::make_struct(const Node& node) {
  std::vector<std::string> names;
  for (NodeId id = node.first; id != no_node; id = at(id).next) {
    if (at(id).text.empty()) return fail(at(id), "every member of a struct needs a name");
    if (std::find(names.begin(), names.end(), at(id).text) != names.end()) {
      return fail(at(id), fmt::format("the member '{}' is given twice", printable(at(id).text)));
    }
    if (names.size() >= 1'000) return fail(at(id), "a struct has at most 1000 members");
    names.push_back(at(id).text);
    if (!expression(at(id).first)) return false;
  }
  code_.structs.push_back(std::move(names));
  emit(Op::make_struct, node, static_cast<std::uint32_t>(code_.structs.size() - 1));
  return true;
}

// Emits the indices on the way from the variable to the place, outermost first.
bool Linker::place(NodeId id, Place& where, NodeId& base) {
  std::vector<NodeId> chain;
  for (base = id; at(base).kind == NodeKind::index || at(base).kind == NodeKind::member; base = at(base).first)
    chain.push_back(base);
  if (at(base).kind != NodeKind::name) return fail(at(base), "this needs a variable");
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    Step step;
    if (at(*link).kind == NodeKind::member) {
      step.member = at(*link).text;
    } else if (!sequence(at(at(*link).first).next, &step.indices)) {
      return false;
    }
    where.indices += step.indices;
    where.steps.push_back(std::move(step));
  }
  return true;
}

bool Linker::method(const Node& node) {
  MethodCall called;
  called.name = node.text;
  NodeId base = no_node;
  if (!place(node.first, called.place, base)) return false;
  for (NodeId id = at(node.first).next; id != no_node; id = at(id).next) {
    if (!at(id).text.empty()) return fail(at(id), "the arguments of a method have no names");
    if (!expression(at(id).first)) return false;
    ++called.arguments;
  }
  const auto slot = slot_of(at(base).text);
  if (!slot) return name(at(base));
  code_.methods.push_back(std::move(called));
  emit(slot->global ? Op::method_global : Op::method_local, node, slot->index,
       static_cast<std::uint32_t>(code_.methods.size() - 1));
  return true;
}

}  // namespace tandem::urscript
