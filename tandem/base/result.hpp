// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value, or the error that life put in its place.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tandem {

// What kind of failure it was, for code that decides; the text is for people.
enum class Fault {
  timeout,      // the deadline passed first
  closed,       // the peer closed or reset the connection
  refused,      // nothing listens there
  unreachable,  // no route, unknown host
  invalid,      // bytes or values that do not mean what they should
  not_found,    // the device does not know the thing that was named
  device,       // the device answered with an error code of its own
  busy,         // a resource is taken: port in use, queue full, no descriptors left
  unsupported,  // understood, and not something that can be done here
};

const char* name(Fault fault);

struct [[nodiscard]] Error {
  Fault fault = Fault::invalid;
  std::string text;       // names the thing, what was expected and what was seen
  unsigned int code = 0;  // the device's own error code where it gave one
};

// The same error, told with the context in front: "platform: read MAIN.stEM1500Pose: timed out".
Error within(const std::string& context, Error error);

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return assert(ok()), *std::get_if<0>(&state_); }               // NOLINT: ok() was asked; so below
  const T& value() const& { return assert(ok()), *std::get_if<0>(&state_); }    // NOLINT
  T&& value() && { return assert(ok()), std::move(*std::get_if<0>(&state_)); }  // NOLINT
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return assert(!ok()), *std::get_if<1>(&state_); }    // NOLINT
  Error&& error() && { return assert(!ok()), std::move(*std::get_if<1>(&state_)); }  // NOLINT

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const& { return assert(!ok()), *error_; }
  Error&& error() && { return assert(!ok()), std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace tandem
