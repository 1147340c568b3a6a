// The settings of a virtual autopilot: a table that others list, read and write.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/mavlink/frame.hpp"
#include "tandem/protocols/mavlink/messages/parameters.hpp"
#include "tandem/protocols/mavlink/outlet.hpp"
#include "tandem/protocols/mavlink/parameter.hpp"

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
  };
  // Every name once, at most 16 characters; throws std::invalid_argument otherwise.
  ParameterServer(const Options& options, std::vector<ServedParameter> table);

  const Parameter* find(std::string_view name) const;
  // From within; others are told when they ask. False when there is no such name.
  bool assign(std::string_view name, double value);
  // After somebody else has changed one.
  std::function<void(const Parameter&)> changed;

  // Answers what is asked; a write that is out of range, no number, or not allowed is answered with the old value.
  bool handle(const Frame& frame, Outlet& outlet);
  void poll(Outlet& outlet);

 private:
  void send(std::size_t index, Outlet& outlet) const;
  void write(const ParamSet& request, Outlet& outlet);

  Options options_;
  std::vector<ServedParameter> table_;
  std::map<std::string, std::size_t, std::less<>> places_;
  std::size_t listing_;  // the next to be listed; the size when none is
};

}  // namespace tandem::mavlink
