// SPDX-License-Identifier: Apache-2.0
// Any texts in a proposal: what is written is what the reader takes, and the texts come back.
#include <fuzzer/FuzzedDataProvider.h>

#include <cstddef>
#include <cstdint>

#include "fuzz/learned.hpp"

namespace {

void check(bool good) {
  if (!good) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem::generic;
  FuzzedDataProvider input(data, size);
  ProposedDevice device;
  device.machine = "press";
  device.device = "modbus://127.0.0.1:502?unit=1";
  const auto count = input.ConsumeIntegralInRange<std::size_t>(1, 8);
  for (std::size_t i = 0; i < count; ++i) {
    ProposedSignal signal;
    signal.name = signal_name_from(input.ConsumeRandomLengthString(80), device.signals);
    signal.at = "holding " + std::to_string(i);
    signal.unit = unit_from(input.ConsumeRandomLengthString(40));
    if (signal.unit.empty()) signal.names = names_in(input.ConsumeRandomLengthString(200));
    signal.reasons.push_back(input.ConsumeRandomLengthString(300));
    if (!signal.unit.empty()) signal.scale = shortest_number(input.ConsumeFloatingPointInRange<double>(0.001, 1000));
    device.remarks.push_back(input.ConsumeRandomLengthString(300));
    device.signals.push_back(std::move(signal));
  }
  check_learned(device);
  const tandem::yaml::Node root = tandem::yaml::parse(to_yaml(device), "learned.yaml");
  const tandem::yaml::Node& signals = root.items.at(0).items.at(0).items.back();
  check(signals.keys.size() == count);
  for (std::size_t i = 0; i < count; ++i) {
    check(signals.keys[i].scalar == device.signals[i].name);
    for (std::size_t k = 0; k < signals.items[i].keys.size(); ++k) {
      if (signals.items[i].keys[k].scalar == "unit") check(signals.items[i].items[k].scalar == device.signals[i].unit);
    }
  }
  return 0;
}
