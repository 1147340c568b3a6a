// SPDX-License-Identifier: Apache-2.0
// Reads and writes the settings of an autopilot. No thread, no socket: frames in, messages out, time passed in.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/mavlink/codec/frame.hpp"
#include "tandem/protocols/mavlink/link/outlet.hpp"
#include "tandem/protocols/mavlink/messages/parameters.hpp"
#include "tandem/protocols/mavlink/services/parameter.hpp"

namespace tandem::mavlink {

class ParameterClient {
 public:
  struct Options {
    Address target{1, 1};
    ParameterEncoding encoding = ParameterEncoding::cast;
    Duration retry = 700ms;
    int tries = 5;
    int most_at_once = 10;  // missing ones asked for together
  };
  enum class Status : std::uint8_t {
    unknown,  // no such request
    pending,
    done,
    refused,    // the echo of a write holds another value
    timed_out,  // no answer to the last try
  };

  ParameterClient() : ParameterClient(Options{}) {}
  explicit ParameterClient(const Options& options) : options_(options) {}

  // Asks for all; what is lost on the way is asked for again, one by one.
  void list(Instant now);
  Status list_status() const { return list_; }
  std::size_t listed() const { return listed_; }
  std::size_t expected() const { return seen_.size(); }  // 0 until the first has come

  // One request each; the number asks for its status. A name longer than 16 characters is refused.
  std::uint32_t read(std::string_view name, Instant now);
  std::uint32_t write(std::string_view name, double value, Instant now);
  // Of a type that the list has not reported.
  std::uint32_t write(const Parameter& parameter, Instant now);
  Status status(std::uint32_t request) const;

  // Null when it has not come yet.
  const Parameter* find(std::string_view name) const;
  const std::map<std::string, Parameter, std::less<>>& all() const { return known_; }

  void poll(Instant now, Outlet& outlet);
  // True when the frame was a parameter of the target.
  bool handle(const Frame& frame, Instant now);

 private:
  struct Request {
    std::uint32_t number = 0;
    bool write = false;
    Parameter parameter;
    Status status = Status::pending;
    int tries = 0;
    Instant next{};
  };
  std::uint32_t add(Request request, Instant now);
  void poll_list(Instant now, Outlet& outlet);
  void note_index(const ParamValue& value, Instant now);
  void settle(const ParamValue& value);

  static constexpr std::size_t most_requests = 64;   // remembered, finished ones included
  static constexpr std::size_t most_known = 20'000;  // names; no autopilot has as many

  Options options_;
  std::map<std::string, Parameter, std::less<>> known_;
  std::vector<Request> requests_;
  std::uint32_t next_number_ = 1;

  Status list_ = Status::unknown;
  std::vector<bool> seen_;
  std::size_t listed_ = 0;
  int list_tries_ = 0;  // without anything new
  Instant list_next_{};
};

}  // namespace tandem::mavlink
