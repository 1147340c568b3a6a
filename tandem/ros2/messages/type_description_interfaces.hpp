// SPDX-License-Identifier: Apache-2.0
// type_description_interfaces: types described by messages.
#pragma once

#include "tandem/ros2/messages/types.hpp"
#include "tandem/ros2/types/message.hpp"

namespace tandem::ros2::type_description_interfaces {

struct FieldType {
  static constexpr std::string_view type_name = "type_description_interfaces/msg/FieldType";
  TANDEM_FIELDS(FieldType, type_id, capacity, string_capacity, nested_type_name);
  std::uint8_t type_id = 0;
  std::uint64_t capacity = 0;
  std::uint64_t string_capacity = 0;
  BoundedString<255> nested_type_name;
};

struct Field {
  static constexpr std::string_view type_name = "type_description_interfaces/msg/Field";
  TANDEM_FIELDS(Field, name, type, default_value);
  std::string name;
  FieldType type;
  std::string default_value;
};

struct IndividualTypeDescription {
  static constexpr std::string_view type_name = "type_description_interfaces/msg/IndividualTypeDescription";
  static constexpr auto fields() {
    return Fields{field("type_name", &IndividualTypeDescription::described_name),
                  field("fields", &IndividualTypeDescription::described_fields)};
  }
  BoundedString<255> described_name;    // type_name
  std::vector<Field> described_fields;  // fields
  bool operator==(const IndividualTypeDescription&) const = default;
};

struct KeyValue {
  static constexpr std::string_view type_name = "type_description_interfaces/msg/KeyValue";
  TANDEM_FIELDS(KeyValue, key, value);
  std::string key;
  std::string value;
};

struct TypeDescription {
  static constexpr std::string_view type_name = "type_description_interfaces/msg/TypeDescription";
  TANDEM_FIELDS(TypeDescription, type_description, referenced_type_descriptions);
  IndividualTypeDescription type_description;
  std::vector<IndividualTypeDescription> referenced_type_descriptions;
};

struct TypeSource {
  static constexpr std::string_view type_name = "type_description_interfaces/msg/TypeSource";
  static constexpr auto fields() {
    return Fields{field("type_name", &TypeSource::described_name),
                  TANDEM_EACH(field, TypeSource, encoding, raw_file_contents)};
  }
  std::string described_name;  // type_name
  std::string encoding;
  std::string raw_file_contents;
  bool operator==(const TypeSource&) const = default;
};

struct GetTypeDescription {
  static constexpr std::string_view type_name = "type_description_interfaces/srv/GetTypeDescription";
  struct Request {
    static constexpr std::string_view type_name = "type_description_interfaces/srv/GetTypeDescription_Request";
    static constexpr auto fields() {
      return Fields{field("type_name", &Request::described_name), TANDEM_EACH(field, Request, type_hash),
                    field("include_type_sources", &Request::include_type_sources, 1.0)};
    }
    std::string described_name;  // type_name
    std::string type_hash;
    bool include_type_sources = true;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "type_description_interfaces/srv/GetTypeDescription_Response";
    TANDEM_FIELDS(Response, successful, failure_reason, type_description, type_sources, extra_information);
    bool successful = false;
    std::string failure_reason;
    TypeDescription type_description;
    std::vector<TypeSource> type_sources;
    std::vector<KeyValue> extra_information;
  };
};

using Messages = Types<Field, FieldType, IndividualTypeDescription, KeyValue, TypeDescription, TypeSource>;
using Services = Types<GetTypeDescription>;
using Actions = Types<>;

}  // namespace tandem::ros2::type_description_interfaces
