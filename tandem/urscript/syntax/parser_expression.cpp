// SPDX-License-Identifier: Apache-2.0
// Expressions, loosest first: or, and, not, comparison, + -, * / %, sign, postfix.
#include <fmt/format.h>

#include "tandem/base/nearest.hpp"
#include "tandem/urscript/syntax/parser.hpp"
#include "tandem/urscript/values/arithmetic.hpp"

namespace tandem::urscript {

namespace {

std::uint8_t code(Operator op) { return static_cast<std::uint8_t>(op); }

std::optional<Operator> comparison_of(const Token& token) {
  static constexpr Operator all[] = {Operator::equal,      Operator::not_equal, Operator::less,
                                     Operator::less_equal, Operator::greater,   Operator::greater_equal};
  for (const Operator op : all) {
    if (token.is(symbol(op))) return op;
  }
  return std::nullopt;
}

}  // namespace

Parser::Made Parser::pair(NodeKind kind, std::uint8_t op, const Token& at, NodeId left, Made right) {
  const NodeId node = make(kind, at);
  tree_.nodes[node].op = op;
  if (!adopt(node, left) || !adopt(node, right)) return std::nullopt;
  return node;
}

Parser::Made Parser::expression() {
  const Nesting nesting(*this);
  return enter(peek()) ? either() : std::nullopt;
}

Parser::Made Parser::either() {
  Made left = both();
  while (left && (here().is("or") || here().is("xor"))) {
    const Token at = take();
    const bool exclusive = at.text == "xor";
    left = pair(exclusive ? NodeKind::binary : NodeKind::either, code(Operator::exclusive_or), at, *left, both());
  }
  return left;
}

Parser::Made Parser::both() {
  Made left = inverted();
  while (left && here().is("and")) {
    const Token at = take();
    left = pair(NodeKind::both, 0, at, *left, inverted());
  }
  return left;
}

Parser::Made Parser::inverted() {
  if (!peek().is("not")) return comparison();
  const Token at = take();
  const NodeId node = make(NodeKind::invert, at);
  const Nesting nesting(*this);
  if (!enter(at) || !adopt(node, inverted())) return std::nullopt;
  return node;
}

Parser::Made Parser::comparison() {
  Made left = sum();
  while (left) {
    const auto op = comparison_of(here());
    if (!op) break;
    const Token at = take();
    left = pair(NodeKind::binary, code(*op), at, *left, sum());
  }
  return left;
}

Parser::Made Parser::sum() {
  Made left = product();
  while (left && (here().is("+") || here().is("-"))) {
    const Token at = take();
    left = pair(NodeKind::binary, code(at.text == "+" ? Operator::add : Operator::subtract), at, *left, product());
  }
  return left;
}

Parser::Made Parser::product() {
  Made left = unary();
  while (left && (here().is("*") || here().is("/") || here().is("%"))) {
    const Token at = take();
    Operator op = Operator::multiply;
    if (at.text == "/") op = Operator::divide;
    if (at.text == "%") op = Operator::modulo;
    left = pair(NodeKind::binary, code(op), at, *left, unary());
  }
  return left;
}

Parser::Made Parser::unary() {
  const Token at = peek();
  if (!at.is("-") && !at.is("+")) return postfix();
  take();
  const NodeId node = make(NodeKind::negate, at);
  const Nesting nesting(*this);
  const Made value = enter(at) ? unary() : std::nullopt;
  if (!value || at.text == "+") return value;
  if (!adopt(node, value)) return std::nullopt;
  return node;
}

Parser::Made Parser::postfix() {
  Made value = primary();
  while (value && (here().is("[") || here().is("."))) {
    const Token at = take();
    value = at.text == "[" ? subscript(*value, at) : dotted(*value, at);
  }
  return value;
}

Parser::Made Parser::subscript(NodeId value, const Token& at) {
  const Brackets brackets(*this);
  const NodeId node = make(NodeKind::index, at);
  if (!adopt(node, value)) return std::nullopt;
  do {
    if (!adopt(node, expression())) return std::nullopt;
  } while (accept(","));
  if (!expect("]", "after the index")) return std::nullopt;
  return node;
}

Parser::Made Parser::dotted(NodeId value, const Token& at) {
  const Token called = take();  // a keyword is a name here: `s.end`
  if (called.kind != TokenKind::name && called.kind != TokenKind::keyword)
    return fail(called, fmt::format("expected the name of a member, got '{}'", printable(called.text)));
  const bool is_call = here().is("(");
  const NodeId node = make(is_call ? NodeKind::method : NodeKind::member, at, called.text);
  if (!adopt(node, value)) return std::nullopt;
  if (is_call && !arguments(node)) return std::nullopt;
  return node;
}

Parser::Made Parser::primary() {
  const Token at = take();
  if (at.kind == TokenKind::integer) return make(NodeKind::integer, at);
  if (at.kind == TokenKind::floating) return make(NodeKind::floating, at);
  if (at.kind == TokenKind::text) return make(NodeKind::text, at, at.text);
  if (at.kind == TokenKind::name) {
    if (here().is("(")) return call(at);
    if (at.text == "p" && here().is("[")) return p_or_pose(at);
    return make(NodeKind::name, at, at.text);
  }
  if (at.is("[")) return list_or_pose(false);
  if (at.is("(")) return bracketed(at);
  if (at.is("True") || at.is("False")) {
    const NodeId node = make(NodeKind::truth, at);
    tree_.nodes[node].op = at.text == "True" ? 1 : 0;
    return node;
  }
  if (at.is("None")) return make(NodeKind::none, at);
  if (at.is("run")) {
    const Token called = take();
    if (called.kind != TokenKind::name || !here().is("("))
      return fail(called, "expected a thread and its brackets after 'run'");
    const NodeId node = make(NodeKind::start, at);
    if (!adopt(node, call(called))) return std::nullopt;
    return node;
  }
  const bool ended = at.kind == TokenKind::end_of_text;
  return fail(
      at, fmt::format("expected a value, got {}", ended ? "the end of the program" : "'" + printable(at.text) + "'"));
}

// One value; or several, which make a list: `set_payload(2, (0, 0, 0.1))`, as python-urx writes it.
Parser::Made Parser::bracketed(const Token& at) {
  const Brackets brackets(*this);
  Made made = expression();
  if (made && here().is(",")) {
    const NodeId list = make(NodeKind::list, at);
    if (!adopt(list, made)) return std::nullopt;
    while (accept(","))
      if (!adopt(list, expression())) return std::nullopt;
    made = list;
  }
  if (!made || !expect(")", fmt::format("to close the '(' of line {}, column {}", at.line, at.column)))
    return std::nullopt;
  return made;
}

// `p[x, y, z, rx, ry, rz]` is a pose; `p[i]` is an element of a variable named p.
Parser::Made Parser::p_or_pose(const Token& at) {
  const Token bracket = take();
  const Made made = list_or_pose(true);
  if (!made) return std::nullopt;
  const Node& list = tree_.at(*made);
  if (list.first == no_node || list.first != list.last) return made;
  const NodeId variable = make(NodeKind::name, at, at.text);
  const NodeId only = tree_.at(*made).first;
  const NodeId node = make(NodeKind::index, bracket);
  if (!adopt(node, variable) || !adopt(node, only)) return std::nullopt;
  return node;
}

Parser::Made Parser::list_or_pose(bool pose) {
  const Brackets brackets(*this);
  const Token at = tokens_[position_ - 1];
  const NodeId node = make(pose ? NodeKind::pose : NodeKind::list, at);
  std::size_t count = 0;
  if (!accept("]")) {
    do {
      if (!adopt(node, expression())) return std::nullopt;
      ++count;
    } while (accept(","));
    if (!expect("]", fmt::format("to close the '[' of line {}, column {}", at.line, at.column))) return std::nullopt;
  }
  if (pose && count != 6 && count != 1) return fail(at, fmt::format("pose: expected 6 numbers, got {}", count));
  return node;
}

Parser::Made Parser::call(const Token& at) {
  const NodeId node = make(NodeKind::call, at, at.text);
  if (!arguments(node)) return std::nullopt;
  return node;
}

bool Parser::arguments(NodeId node) {
  const Brackets brackets(*this);
  take();
  if (accept(")")) return true;
  bool named = false;
  do {
    const Token at = peek();
    std::string called;
    std::size_t after = position_ + 1;
    while (after < tokens_.size() && tokens_[after].kind == TokenKind::end_of_line) ++after;
    const bool can_be_name = at.kind == TokenKind::name || at.kind == TokenKind::keyword;
    if (can_be_name && after < tokens_.size() && tokens_[after].is("=")) {
      called = at.text;
      position_ = after + 1;
    }
    if (called.empty() && named) {
      fail(at, "an argument without a name follows one with a name");
      return false;
    }
    named = !called.empty();
    const NodeId argument = make(NodeKind::argument, at, called);
    if (!adopt(argument, expression()) || !adopt(node, argument)) return false;
  } while (accept(","));
  return expect(")", fmt::format("after the arguments of '{}'", printable(tree_.at(node).text)));
}

}  // namespace tandem::urscript
