// SPDX-License-Identifier: Apache-2.0
// Expressions over signals, for `enable` and the virtual device: arithmetic and conditions, no assignments, no loops.
// At most 200 nodes, 32 deep. Division by zero and what is not finite give NaN.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::generic {

struct ExpressionInputs {
  std::span<const double> values{};  // of names(), in their order; NaN: not good
  std::span<const double> before{};  // the same one step earlier, for prev() and rise()
  double t = 0, dt = 0;              // s
  std::uint64_t* noise = nullptr;    // the state of noise(); null: it is 0
};

class Expression {
 public:
  // Total: any text. The error names the place and what was expected.
  static Result<Expression> parse(std::string_view text);

  // What it refers to, each once: "pressure", "safety.door_closed", "belts[1].fSpeed".
  const std::vector<std::string>& names() const { return names_; }
  const std::string& text() const { return text_; }
  bool has_memory() const;  // uses t, dt, prev, rise or noise
  bool has_noise() const;
  // Whether the value of this step counts, not only prev() of it.
  bool reads_now(std::size_t name) const;
  // Allocates nothing. Truth is 1, falsehood 0; NaN if a value that counts is not good.
  double evaluate(const ExpressionInputs& inputs) const;

  struct Node {
    std::uint8_t operation = 0;
    std::uint8_t arguments = 0;
    std::uint16_t name = 0;
    double number = 0;
  };

 private:
  std::string text_;
  std::vector<std::string> names_;
  std::vector<Node> nodes_;  // in the order of a stack machine
};

}  // namespace tandem::generic
