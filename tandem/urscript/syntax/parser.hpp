// SPDX-License-Identifier: Apache-2.0
// Recursive descent over the tokens of a script; internal to parse().
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tandem/urscript/syntax/lexer.hpp"
#include "tandem/urscript/syntax/syntax.hpp"

namespace tandem::urscript {

// Line ends do not separate statements: an expression simply cannot go on past one unless it must, so that
// `x = # comment` takes its value from the next line and `while True: sync() end` needs none.
class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}
  Result<SyntaxTree> program(bool statements);

 private:
  using Made = std::optional<NodeId>;  // nothing once an error has been found

  // Tokens
  const Token& here();  // past line ends within brackets only
  const Token& peek();  // past line ends
  Token take();         // past line ends
  bool accept(std::string_view word);
  bool expect(std::string_view word, std::string_view context);
  std::optional<std::string> name(std::string_view what);

  // Nodes
  NodeId make(NodeKind kind, const Token& at, std::string_view text = {});
  bool adopt(NodeId parent, Made child);
  Made fail(const Token& at, std::string text);
  bool enter(const Token& at);

  // Statements
  Made block(bool in_switch = false);
  Made statement();
  Made function();
  bool parameters(NodeId node);
  Made branch();
  Made loop();
  Made for_each();
  Made choose();
  bool choices(NodeId node);
  Made declaration();
  Made assignment_or_call();
  Made return_statement();
  Made handle_statement();
  bool begins_block_end(const Token& token, bool in_switch) const;
  bool ends_case_by_end() const;
  Result<SyntaxTree> finish(NodeId whole, bool as_statements);

  // Expressions
  Made expression();
  Made either();
  Made both();
  Made inverted();
  Made comparison();
  Made sum();
  Made product();
  Made unary();
  Made postfix();
  Made primary();
  Made list_or_pose(bool pose);
  Made p_or_pose(const Token& at);
  Made bracketed(const Token& at);
  Made call(const Token& at);
  bool arguments(NodeId node);
  Made subscript(NodeId value, const Token& at);
  Made dotted(NodeId value, const Token& at);
  Made pair(NodeKind kind, std::uint8_t op, const Token& at, NodeId left, Made right);

  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  std::size_t nesting_ = 0;   // of blocks and brackets, bounded
  std::size_t brackets_ = 0;  // open around the token here
  SyntaxTree tree_;
  std::optional<Error> error_;

  friend class Nesting;
  friend class Brackets;
};

// Counts how deep the recursion is, for as long as it lives.
class Nesting {
 public:
  explicit Nesting(Parser& parser) : parser_(parser) { ++parser_.nesting_; }
  ~Nesting() { --parser_.nesting_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  Parser& parser_;
};

// Between an opening bracket and the closing one: lines do not end there.
class Brackets {
 public:
  explicit Brackets(Parser& parser) : parser_(parser) { ++parser_.brackets_; }
  ~Brackets() { --parser_.brackets_; }
  Brackets(const Brackets&) = delete;
  Brackets& operator=(const Brackets&) = delete;

 private:
  Parser& parser_;
};

}  // namespace tandem::urscript
