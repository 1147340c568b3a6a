// SPDX-License-Identifier: Apache-2.0
// The table of functions that a script can call and that are not written in the script.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tandem/urscript/values/value.hpp"

namespace tandem::urscript {

struct Cycle {
  std::uint64_t number = 0;
  double step = 0.002;  // s
};

// One call of a built-in. A function that answers `wait` is called again in the next cycle with the same Call: it finds
// in `state` what it left there. When its thread is killed first, the state is destroyed and nothing else happens.
struct Call {
  std::span<const Value> arguments;  // one for every parameter, defaults filled in
  Cycle cycle;
  std::int32_t thread = 0;  // handle of the calling thread; the main function's is 1
  std::uint32_t line = 0;   // of the call
  std::any& state;
  bool secondary = false;  // the program is a secondary one, which may not wait

  const Value& operator[](std::size_t index) const { return arguments[index]; }
  bool resumed() const { return state.has_value(); }
};

struct Wait {};
inline constexpr Wait wait{};

// What a built-in answers: its value, a runtime error, or that it is not done yet.
class [[nodiscard]] Outcome {
 public:
  Outcome(Value value) : state_(std::move(value)) {}
  Outcome(Error error) : state_(std::move(error)) {}
  Outcome(Wait) : state_(Wait{}) {}
  Outcome(Result<Value> result) : state_(Wait{}) {
    if (result) {
      state_ = *std::move(result);
    } else {
      state_ = std::move(result).error();
    }
  }

  bool waits() const { return std::holds_alternative<Wait>(state_); }
  Value* value() { return std::get_if<Value>(&state_); }
  Error* error() { return std::get_if<Error>(&state_); }

 private:
  std::variant<Value, Error, Wait> state_;
};

struct Parameter {
  Parameter(const char* called) : name(called) {}
  Parameter(std::string called, Value left_out) : name(std::move(called)), otherwise(std::move(left_out)) {}

  std::string name;
  std::optional<Value> otherwise;  // what it is when the call leaves it out
};

// What a function does here.
enum class Effect : std::uint8_t {
  full,
  stored,   // values are kept and can be read back, and that is all
  none,     // its arguments are checked, and that is all
  refused,  // each call is an error
};

struct Builtin {
  std::string name;
  std::vector<Parameter> parameters;
  std::function<Outcome(Call&)> function;
  bool takes_time = false;  // may answer `wait`, so a secondary program must not call it
  Effect effect = Effect::full;
};

// Addresses stay valid while the table lives; it must outlive the programs linked with it.
class Builtins {
 public:
  // Replaces a function of that name; not while a program that was linked with it runs.
  void add(std::string name, std::vector<Parameter> parameters, std::function<Outcome(Call&)> function);
  // The same for a function that may answer `wait`.
  void add_waiting(std::string name, std::vector<Parameter> parameters, std::function<Outcome(Call&)> function);

  // The same for a function that does less than its name says.
  void add_limited(std::string name, Effect effect, std::vector<Parameter> parameters,
                   std::function<Outcome(Call&)> function);

  // A name whose elements a function of two parameters writes, as old scripts do: `digital_out[1] = True`. A variable
  // of that name comes first.
  void add_written_array(std::string name, std::string function);

  const Builtin* find(std::string_view name) const;
  const Builtin* writer_of(std::string_view array) const;  // null: no such array
  std::vector<std::string_view> names() const;

 private:
  void put(Builtin builtin);
  std::map<std::string, std::unique_ptr<Builtin>, std::less<>> table_;
  std::map<std::string, std::string, std::less<>> written_arrays_;
};

// What the language library needs from its surroundings.
struct LanguageHost {
  std::function<void(std::string_view)> textmsg;  // may be empty
  std::uint64_t random_seed = 1;
};

// sync, sleep, textmsg, mathematics, lists, strings, poses: all that needs no robot.
void add_language_library(Builtins& builtins, LanguageHost host = {});

}  // namespace tandem::urscript
