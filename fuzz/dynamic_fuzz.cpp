// SPDX-License-Identifier: Apache-2.0
// Any bytes as a message of a described type: walked to an end, as the static codec would; and what was walked can be
// written again.
#include <cstdlib>

#include "tandem/ros2/messages/registry.hpp"
#include "tandem/ros2/types/dynamic.hpp"
#include "tests/ros2/messages/tree_builder.hpp"

namespace tandem::ros2 {
namespace {

// Descriptions as a stranger might send them: counts, nesting and capacities from the bytes.
void check_description(Bytes bytes) {
  ByteReader reader(bytes);
  std::vector<TypeDescription> types;
  for (int i = 0; i < 8; ++i) {
    TypeDescription type{"t/msg/T" + std::to_string(i), {}};
    for (int fields = reader.byte() % 4; fields > 0 && reader.ok(); --fields) {
      FieldDescription field;
      field.name = "f" + std::to_string(fields);
      field.type_id = reader.byte();
      field.capacity = reader.little<std::uint16_t>();
      field.string_capacity = reader.byte();
      field.nested = "t/msg/T" + std::to_string(reader.byte() % 9);
      type.fields.push_back(field);
    }
    types.push_back(type);
  }
  const Result<DynamicType> type = make_dynamic_type(types.front(), types);
  if (!type) return;
  TreeBuilder tree;
  if (walk(*type, bytes, tree)) static_cast<void>(write_message(*type, tree.root));
}

void check_known(std::size_t which, Bytes bytes) {
  static const std::vector<std::string> names = known_types();
  const Result<DynamicType> type = make_dynamic_type(*find_type(names[which % names.size()]));
  if (!type) std::abort();
  TreeBuilder tree;
  if (walk(*type, bytes, tree) && !write_message(*type, tree.root)) std::abort();
}

}  // namespace
}  // namespace tandem::ros2

// The first two bytes choose the type; the rest is its CDR with the header. Type 0 is a description itself.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem::ros2;
  if (size < 2) return 0;
  const std::size_t which = data[0] + 256u * data[1];
  const tandem::Bytes rest{data + 2, size - 2};
  if (which == 0) {
    check_description(rest);
  } else {
    check_known(which - 1, rest);
  }
  return 0;
}
