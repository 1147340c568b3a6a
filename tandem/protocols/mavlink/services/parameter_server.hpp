// SPDX-License-Identifier: Apache-2.0
// The settings of a virtual autopilot: a table that others list, read and write.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/mavlink/codec/frame.hpp"
#include "tandem/protocols/mavlink/link/outlet.hpp"
#include "tandem/protocols/mavlink/messages/parameters.hpp"
#include "tandem/protocols/mavlink/services/parameter.hpp"

namespace tandem::mavlink {

struct ServedParameter {
  Parameter parameter;
  double lowest = std::numeric_limits<double>::lowest();
  double highest = std::numeric_limits<double>::max();
  bool read_only = false;
};

class ParameterServer {
 public:
  struct Options {
    Address own{1, 1};
    ParameterEncoding encoding = ParameterEncoding::cast;
    int listed_per_poll = 5;  // so that a list does not push everything else off the line
    bool ranges_bind = true;  // false, as ArduPilot: any number is taken, and used() keeps it within its range
  };
  // Every name once, at most 16 characters; throws std::invalid_argument otherwise.
  ParameterServer(const Options& options, std::vector<ServedParameter> table);

  const std::vector<ServedParameter>& table() const { return table_; }
  const Parameter* find(std::string_view name) const;
  // The value, within its range; 0 when there is no such name.
  double used(std::string_view name) const;
  // From within; others get it when they ask. False when there is no such name.
  bool assign(std::string_view name, double value);
  // After another client has changed one.
  std::function<void(const Parameter&)> changed;
  // After another client has tried to change an invalid one.
  std::function<void(const Parameter&)> refused;

  // Answers what is asked; a write that is out of range or not allowed is answered with the old value, and one that is
  // no number not at all.
  bool handle(const Frame& frame, Outlet& outlet);
  // Goes on with the list that was asked for on this outlet.
  void poll(Outlet& outlet);
  bool listing(const Outlet& outlet) const;
  // As an answer to no one's question.
  void tell(std::string_view name, Outlet& outlet) const;

 private:
  struct Listing {
    const Outlet* to = nullptr;
    std::size_t next = 0;  // of the table
  };
  static constexpr std::uint16_t by_name = 0xffff;

  void send(std::size_t index, std::uint16_t reported_index, Outlet& outlet) const;
  void write(const ParamSet& request, Outlet& outlet);
  void begin_list(const Outlet& outlet);

  Options options_;
  std::vector<ServedParameter> table_;
  std::map<std::string, std::size_t, std::less<>> places_;
  std::array<Listing, 8> listings_{};
};

}  // namespace tandem::mavlink
