// SPDX-License-Identifier: Apache-2.0
#include "tandem/urscript/syntax/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tandem/base/nearest.hpp"

namespace tandem::urscript {

namespace {

constexpr std::size_t deepest_nesting = 150;   // blocks and brackets within each other
constexpr std::uint32_t deepest_tree = 1'000;  // operators in one chain
constexpr std::size_t largest_tree = 700'000;

// Statements of one word.
constexpr std::pair<std::string_view, NodeKind> lone_words[] = {{"break", NodeKind::leave},
                                                                {"continue", NodeKind::again},
                                                                {"halt", NodeKind::stop},
                                                                {"enter_critical", NodeKind::enter_critical},
                                                                {"exit_critical", NodeKind::exit_critical}};

std::string seen(const Token& token) {
  if (token.kind == TokenKind::end_of_text) return "the end of the program";
  if (token.kind == TokenKind::end_of_line) return "the end of the line";
  return fmt::format("'{}'", printable(token.text));
}

}  // namespace

const Token& Parser::here() { return brackets_ > 0 ? peek() : tokens_[position_]; }

const Token& Parser::peek() {
  while (tokens_[position_].kind == TokenKind::end_of_line) ++position_;
  return tokens_[position_];
}

Token Parser::take() {
  const Token token = peek();
  if (token.kind != TokenKind::end_of_text) ++position_;
  return token;
}

bool Parser::accept(std::string_view word) {
  if (!peek().is(word)) return false;
  ++position_;
  return true;
}

bool Parser::expect(std::string_view word, std::string_view context) {
  if (accept(word)) return true;
  fail(peek(), fmt::format("expected '{}' {}, got {}", word, context, seen(peek())));
  return false;
}

std::optional<std::string> Parser::name(std::string_view what) {
  const Token token = take();
  if (token.kind == TokenKind::name) return std::string(token.text);
  fail(token, fmt::format("expected {}, got {}", what, seen(token)));
  return std::nullopt;
}

NodeId Parser::make(NodeKind kind, const Token& at, std::string_view text) {
  Node node;
  node.kind = kind;
  node.line = at.line;
  node.column = at.column;
  node.number = at.number;
  node.text = text;
  tree_.nodes.push_back(std::move(node));
  return static_cast<NodeId>(tree_.nodes.size() - 1);
}

bool Parser::adopt(NodeId parent, Made child) {
  if (!child) return false;
  Node& above = tree_.nodes[parent];
  if (above.last == no_node) {
    above.first = *child;
  } else {
    tree_.nodes[above.last].next = *child;
  }
  above.last = *child;
  above.depth = std::max(above.depth, tree_.nodes[*child].depth + 1);
  if (above.depth <= deepest_tree && tree_.nodes.size() <= largest_tree) return true;
  error_ = error_at(above.line, above.column, "this is too long or too deeply nested");
  return false;
}

Parser::Made Parser::fail(const Token& at, std::string text) {
  if (!error_) error_ = error_at(at.line, at.column, text);
  return std::nullopt;
}

bool Parser::enter(const Token& at) {
  if (nesting_ <= deepest_nesting) return true;
  fail(at, fmt::format("blocks and brackets may be nested at most {} deep", deepest_nesting));
  return false;
}

Parser::Made Parser::block(bool in_switch) {
  const NodeId node = make(NodeKind::block, peek());
  while (!begins_block_end(peek(), in_switch)) {
    if (peek().kind == TokenKind::end_of_text) return node;  // the program that opened the block misses its end
    if (!adopt(node, statement())) return std::nullopt;
  }
  return node;
}

bool Parser::begins_block_end(const Token& token, bool in_switch) const {
  if (token.is("end") || token.is("elif") || token.is("else")) return true;
  return in_switch && (token.is("case") || token.is("default"));
}

Parser::Made Parser::statement() {
  const Nesting nesting(*this);
  const Token token = peek();
  if (!enter(token)) return std::nullopt;
  if (token.is("def") || token.is("thread") || token.is("sec")) return function();
  if (token.is("if")) return branch();
  if (token.is("while")) return loop();
  if (token.is("for")) return for_each();
  if (token.is("switch")) return choose();
  if (token.is("global") || token.is("local")) return declaration();
  if (token.is("return")) return return_statement();
  if (token.is("join") || token.is("kill")) return handle_statement();
  for (const auto& [word, kind] : lone_words) {
    if (!token.is(word)) continue;
    take();
    return make(kind, token);
  }
  return assignment_or_call();
}

Parser::Made Parser::function() {
  const Token keyword = take();
  const auto called = name("the name of the function");
  if (!called) return std::nullopt;
  const NodeId node = make(NodeKind::function, keyword, *called);
  if (keyword.text == "thread") tree_.nodes[node].op = 1;
  if (keyword.text == "sec") tree_.nodes[node].op = 2;
  if (!expect("(", "after the name of the function") || !parameters(node)) return std::nullopt;
  if (!expect(":", "after the parameters") || !adopt(node, block())) return std::nullopt;
  if (!expect("end", fmt::format("to close '{}' of line {}", printable(*called), keyword.line))) return std::nullopt;
  return node;
}

bool Parser::parameters(NodeId node) {
  if (accept(")")) return true;
  do {
    const Token at = peek();
    const auto called = name("the name of a parameter");
    if (!called) return false;
    const NodeId parameter = make(NodeKind::parameter, at, *called);
    if (accept("=") && !adopt(parameter, expression())) return false;
    if (!adopt(node, parameter)) return false;
  } while (accept(","));
  return expect(")", "after the parameters");
}

Parser::Made Parser::branch() {
  const Token keyword = take();
  const NodeId node = make(NodeKind::branch, keyword);
  if (!adopt(node, expression()) || !expect(":", "after the condition of 'if'") || !adopt(node, block()))
    return std::nullopt;
  while (accept("elif")) {
    if (!adopt(node, expression()) || !expect(":", "after the condition of 'elif'")) return std::nullopt;
    if (!adopt(node, block())) return std::nullopt;
  }
  if (accept("else") && (!expect(":", "after 'else'") || !adopt(node, block()))) return std::nullopt;
  if (!expect("end", fmt::format("to close 'if' of line {}", keyword.line))) return std::nullopt;
  return node;
}

Parser::Made Parser::loop() {
  const Token keyword = take();
  const NodeId node = make(NodeKind::loop, keyword);
  if (!adopt(node, expression()) || !expect(":", "after the condition of 'while'")) return std::nullopt;
  if (!adopt(node, block()) || !expect("end", fmt::format("to close 'while' of line {}", keyword.line)))
    return std::nullopt;
  return node;
}

Parser::Made Parser::for_each() {
  const Token keyword = take();
  const auto called = name("the name of a variable after 'for'");
  if (!called) return std::nullopt;
  const NodeId node = make(NodeKind::for_each, keyword, *called);
  const Token in = take();
  if (in.kind != TokenKind::name || in.text != "in") return fail(in, fmt::format("expected 'in', got {}", seen(in)));
  if (!adopt(node, expression()) || !expect(":", "after the list of 'for'")) return std::nullopt;
  if (!adopt(node, block()) || !expect("end", fmt::format("to close 'for' of line {}", keyword.line)))
    return std::nullopt;
  return node;
}

// Every case may have an `end` of its own or not; the first case reports which.
bool Parser::ends_case_by_end() const {
  std::size_t after = position_ + 1;
  while (tokens_[after].kind == TokenKind::end_of_line) ++after;
  return tokens_[after].is("case") || tokens_[after].is("default");
}

Parser::Made Parser::choose() {
  const Token keyword = take();
  const NodeId node = make(NodeKind::choose, keyword);
  if (!adopt(node, expression()) || !expect(":", "after the value of 'switch'")) return std::nullopt;
  if (!choices(node)) return std::nullopt;
  if (!expect("end", fmt::format("to close 'switch' of line {}", keyword.line))) return std::nullopt;
  return node;
}

bool Parser::choices(NodeId node) {
  bool with_ends = false;
  bool had_default = false;
  while (peek().is("case") || peek().is("default")) {
    const Token keyword = take();
    if (had_default) {
      fail(keyword, "'default' must be the last of a 'switch'");
      return false;
    }
    had_default = keyword.text == "default";
    if (!had_default && !adopt(node, expression())) return false;
    if (!expect(":", "after the case") || !adopt(node, block(true))) return false;
    if (peek().is("end") && (with_ends || ends_case_by_end())) {
      with_ends = true;
      take();
    }
  }
  return true;
}

Parser::Made Parser::declaration() {
  const Token keyword = take();
  const auto called = name("the name of a variable");
  if (!called) return std::nullopt;
  const NodeId node = make(NodeKind::declare, keyword, *called);
  tree_.nodes[node].op = keyword.text == "global" ? 1 : 0;
  if (here().is("=")) {
    take();
    if (!adopt(node, expression())) return std::nullopt;
  }
  return node;
}

Parser::Made Parser::return_statement() {
  const Token keyword = take();
  const NodeId node = make(NodeKind::give_back, keyword);
  const bool alone = here().kind == TokenKind::end_of_line || begins_block_end(here(), true);
  if (!alone && !adopt(node, expression())) return std::nullopt;
  return node;
}

Parser::Made Parser::handle_statement() {
  const Token keyword = take();
  const NodeId node = make(keyword.text == "join" ? NodeKind::join : NodeKind::kill, keyword);
  if (!adopt(node, expression())) return std::nullopt;
  return node;
}

Parser::Made Parser::assignment_or_call() {
  const Token at = peek();
  Made left = expression();
  if (!left) return std::nullopt;
  if (!here().is("=")) {
    // The statement `pause` has no brackets; it is a call all the same.
    if (tree_.at(*left).kind == NodeKind::name && at.text == "pause") left = make(NodeKind::call, at, at.text);
    const NodeKind kind = tree_.at(*left).kind;
    if (kind != NodeKind::call && kind != NodeKind::method && kind != NodeKind::start) {
      return fail(at, fmt::format("{}: expression without effect", seen(at)));
    }
    const NodeId node = make(NodeKind::evaluate, at);
    if (!adopt(node, left)) return std::nullopt;
    return node;
  }
  NodeId base = *left;
  while (tree_.at(base).kind == NodeKind::index || tree_.at(base).kind == NodeKind::member) base = tree_.at(base).first;
  if (tree_.at(base).kind != NodeKind::name)
    return fail(at, "only a variable, its elements and its members can be assigned to");
  take();
  const NodeId node = make(NodeKind::assign, at);
  if (!adopt(node, left) || !adopt(node, expression())) return std::nullopt;
  return node;
}

Result<SyntaxTree> Parser::program(bool statements) {
  const NodeId whole = make(NodeKind::block, peek());
  while (peek().kind != TokenKind::end_of_text) {
    if (here().is("run") && tokens_[position_ + 1].text == "program" && !tokens_[position_ + 2].is("(")) {
      position_ += 2;  // what some clients send last
      continue;
    }
    if (begins_block_end(peek(), true)) {
      fail(peek(), fmt::format("{} closes nothing", seen(peek())));
      break;
    }
    if (!adopt(whole, statement())) break;
  }
  if (error_) return *std::move(error_);
  return finish(whole, statements);
}

Result<SyntaxTree> Parser::finish(NodeId whole, bool as_statements) {
  bool only_functions = true, any_function = false;
  std::size_t statements = 0;
  for (NodeId id = tree_.at(whole).first; id != no_node; id = tree_.at(id).next) {
    ++statements;
    const bool function = tree_.at(id).kind == NodeKind::function;
    only_functions &= function;
    any_function |= function;
  }
  if (statements == 0) return Error{Fault::invalid, "the program is empty"};
  tree_.body = whole;
  tree_.name = "script";
  tree_.bare = !any_function;
  NodeId main = no_node;
  if (only_functions && !as_statements) {
    const Node& first = tree_.at(tree_.at(whole).first);
    if (statements > 1) return error_at(first.line, first.column, "several functions and no statement that runs one");
    if (first.op == 1) return error_at(first.line, first.column, "a program is a 'def' or a 'sec', not a thread");
    if (first.first != first.last) return error_at(first.line, first.column, "a program takes no parameters");
    main = tree_.at(whole).first;
    tree_.body = first.last;
    tree_.name = first.text;
    tree_.secondary = first.op == 2;
  }
  for (NodeId id = 0; id < tree_.nodes.size(); ++id) {
    if (tree_.nodes[id].kind != NodeKind::function || id == main) continue;
    if (tree_.nodes[id].op == 2)
      return error_at(tree_.nodes[id].line, tree_.nodes[id].column, "'sec' cannot be inside a program");
    tree_.functions.push_back(id);
  }
  return std::move(tree_);
}

Result<SyntaxTree> parse(std::string_view script, bool statements) {
  auto tokens = tokens_of(script);
  if (!tokens) return std::move(tokens).error();
  return Parser(*std::move(tokens)).program(statements);
}

}  // namespace tandem::urscript
