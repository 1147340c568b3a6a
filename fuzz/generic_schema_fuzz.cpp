// SPDX-License-Identifier: Apache-2.0
// Any bytes as the keys of a generic machine: a description that holds its promises, or problems that name the file.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>

#include "tandem/machines/generic/expression.hpp"
#include "tandem/machines/generic/schema/read.hpp"

namespace {

using namespace tandem::generic;

void check(bool good) {
  if (!good) std::abort();
}

void check_output(const Declaration& declaration) {
  const Output& output = *declaration.write;
  if (output.level == Output::Level::number) {
    check(std::isfinite(output.limits.lowest) && std::isfinite(output.limits.highest));
    check(output.limits.lowest < output.limits.highest);
    check(!output.rate || *output.rate > 0);
  }
  check(output.level != Output::Level::pulse || output.pulse > 0);
  check((output.idle == Output::Idle::follow) == !output.follow.empty());
  check(declaration.count == 1 && declaration.type != Type::text);
}

void check_description(const Description& description) {
  check(!description.signals.empty() && description.cycle >= 0.001);
  std::set<std::string> names;
  for (const Declaration& each : description.signals) {
    check(names.insert(each.name).second);
    check(std::isfinite(each.scale) && each.scale != 0 && std::isfinite(each.offset));
    check((description.protocol == Protocol::modbus) == std::holds_alternative<ModbusPlace>(each.at));
    if (const auto* place = std::get_if<ModbusPlace>(&each.at)) {
      check(each.type != Type::unknown && modbus_places(each) >= 1);
      check(place->address + modbus_places(each) <= 65536);
    }
    if (each.write) check_output(each);
  }
  check(description.enable.empty() || Expression::parse(description.enable).ok());
  check(!writes_table(description).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.find("file") != text.npos || text.find("urdf") != text.npos) return 0;  // nothing of this computer is read
  if (text.find("table") != text.npos && text.find("table: [") == text.npos) return 0;
  try {
    const auto read = read_description(tandem::yaml::parse(text, "a.yaml"), "a.yaml", "press");
    check((read.description == nullptr) == !read.problems.empty());
    for (const auto& problem : read.problems) check(problem.place.file == "a.yaml" && !problem.text.empty());
    if (read.description) check_description(*read.description);
  } catch (const tandem::yaml::FileError& error) {
    check(!error.problems().empty());
  }
  return 0;
}
