// SPDX-License-Identifier: Apache-2.0
// A running tandem as those see it who show or keep it: the page and the recorder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tandem/runtime/control/protocol.hpp"
#include "tandem/runtime/page/scene_json.hpp"
#include "tandem/runtime/supervision/histogram.hpp"

namespace tandem::runtime {

struct HopBuckets {
  std::string_view name;  // "solve", "publish", "total", "late"
  std::vector<Histogram::Bucket> buckets;
};
struct MachineLatency {
  std::string_view machine;
  std::vector<HopBuckets> hops;
};
struct MachineTruth {
  std::string_view machine;
  machines::TrueMotion motion;
};
struct ResidualAlarm {
  std::string_view machine;
  std::string why;
};

// Any thread. The names live as long as the machines.
class Watched : public Controlled {
 public:
  virtual std::vector<DrawnMachine> scenes() const = 0;
  virtual std::vector<Standing> pictures() const = 0;
  virtual std::vector<MachineLatency> latencies() const = 0;
  virtual std::vector<MachineTruth> truths() const { return {}; }            // of virtual devices
  virtual std::vector<ResidualAlarm> residual_alarms() const { return {}; }  // of machines whose twin raises one
  // Told before a publisher is opened for a viewer of the page, and with an empty topic once it is.
  virtual void viewer_publishes(std::string_view /*topic*/) {}
};

}  // namespace tandem::runtime
