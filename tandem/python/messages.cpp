// SPDX-License-Identifier: Apache-2.0
#include "tandem/python/messages.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "tandem/app/recordings/schema_text.hpp"
#include "tandem/app/ros/type_lookup.hpp"
#include "tandem/base/utf8.hpp"
#include "tandem/python/binding.hpp"
#include "tandem/python/failure.hpp"

namespace tandem::python {
namespace {

namespace py = pybind11;
using ros2::DynamicField;
using ros2::DynamicKind;
using ros2::DynamicMessage;
using ros2::DynamicShape;
using ros2::DynamicType;
using ros2::Value;

py::object text_object(std::string_view text) {
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace"));
}

// Makes the objects while a message is walked.
class Builder final : public ros2::Visitor {
 public:
  py::object whole;

  void begin_message(const DynamicMessage&) override { levels_.push_back({py::dict(), {}, false}); }
  void end_message(const DynamicMessage& message) override {
    const py::object fields = std::move(levels_.back().into);
    levels_.pop_back();
    put(message_tools().make(message.name, fields));
  }
  bool field(const DynamicField& field) override {
    levels_.back().key = py::str(field.name);
    return true;
  }
  std::size_t begin_list(const DynamicField& field, std::size_t count) override {
    packing_ = field.kind;
    packed_.clear();
    if (!is_packing()) levels_.push_back({py::list(), {}, true});
    return count;
  }
  void end_list(const DynamicField& field) override {
    if (ros2::number_size(field.kind) > 0) {
      packing_ = DynamicKind::message;
      return put(message_tools().array(py::bytes(packed_), dtype_of(field.kind)));
    }
    const py::object list = std::move(levels_.back().into);
    levels_.pop_back();
    put(list);
  }
  void boolean(bool value) override { is_packing() ? pack<std::uint8_t>(value) : put(py::bool_(value)); }
  void byte(std::uint8_t value) override { is_packing() ? pack(value) : put(py::int_(value)); }
  void integer(std::int64_t value) override { is_packing() ? pack_integer(value) : put(py::int_(value)); }
  void natural(std::uint64_t value) override {
    is_packing() ? pack_integer(static_cast<std::int64_t>(value)) : put(py::int_(value));
  }
  void real(double value) override {
    if (!is_packing()) return put(py::float_(value));
    packing_ == DynamicKind::float32 ? pack(static_cast<float>(value)) : pack(value);
  }
  void text(std::string_view value) override { put(text_object(value)); }
  void wide_text(std::u16string_view value) override { put(text_object(utf8_from_utf16(value))); }

 private:
  struct Level {
    py::object into;
    py::object key;
    bool list;
  };

  bool is_packing() const { return ros2::number_size(packing_) > 0; }
  template <typename T>
  void pack(T value) {
    packed_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  // The lowest bytes are the number, whatever its sign: this computer is little-endian, as are all that we build for.
  void pack_integer(std::int64_t value) {
    packed_.append(reinterpret_cast<const char*>(&value), ros2::number_size(packing_));
  }
  void put(const py::object& value) {
    if (levels_.empty()) {
      whole = value;
    } else if (levels_.back().list) {
      py::reinterpret_borrow<py::list>(levels_.back().into).append(value);
    } else {
      levels_.back().into[levels_.back().key] = value;
    }
  }

  std::vector<Level> levels_;
  DynamicKind packing_ = DynamicKind::message;
  std::string packed_;
};

// From Python to what write_message takes. The field is known as far as names are right; what is not is left to it.
class Reader {
 public:
  explicit Reader(const DynamicType& type) : type_(type) {}

  Value message(py::handle object, const DynamicMessage* message) {
    const py::object fields = py::hasattr(object, "_ros_fields") ? py::object(object.attr("_ros_fields"))
                                                                 : py::reinterpret_borrow<py::object>(object);
    if (object.is_none()) return {};
    // "auto" of a header, "now" of a time; what else is written so is refused by write_message.
    if (py::isinstance<py::str>(object)) return {Value::Kind::scalar, object.cast<std::string>()};
    if (!py::isinstance<py::dict>(fields))
      refuse(message == nullptr ? "a message" : message->name + " as a dict or a Message", object);
    Value map{Value::Kind::map};
    for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(fields)) {
      map.names.push_back(py::str(key));
      const std::size_t before = path_.size();
      path_ += (path_.empty() ? "" : ".") + map.names.back();
      map.items.push_back(field(value, known(message, map.names.back())));
      path_.resize(before);
    }
    return map;
  }

 private:
  static const DynamicField* known(const DynamicMessage* message, const std::string& name) {
    if (message == nullptr) return nullptr;
    for (const DynamicField& each : message->fields)
      if (each.name == name) return &each;
    return nullptr;
  }

  Value field(py::handle object, const DynamicField* field) {
    if (field == nullptr) return {};  // its name is refused
    if (field->shape == DynamicShape::single) return element(object, *field);
    const char* dtype = dtype_of(field->kind);
    const bool bytes = PyBytes_Check(object.ptr()) || PyByteArray_Check(object.ptr());
    if (*dtype != 0 && (bytes || py::hasattr(object, "dtype")))
      return {Value::Kind::packed, message_tools().pack(object, dtype, path_).cast<std::string>()};
    if (py::isinstance<py::str>(object) || !py::isinstance<py::iterable>(object)) refuse(field->text, object);
    Value list{Value::Kind::list};
    for (const py::handle each : object) {
      const std::size_t before = path_.size();
      path_ += fmt::format("[{}]", list.items.size());
      list.items.push_back(element(each, *field));
      path_.resize(before);
    }
    return list;
  }

  Value element(py::handle given, const DynamicField& field) {
    if (field.kind == DynamicKind::message) return message(given, &type_.messages[field.message]);
    const py::object object =
        py::hasattr(given, "item") ? py::object(given.attr("item")()) : py::reinterpret_borrow<py::object>(given);
    const bool text = py::isinstance<py::str>(object);
    const bool wants_text = field.kind == DynamicKind::string || field.kind == DynamicKind::wstring;
    if (text != wants_text) refuse(field.text.substr(0, field.text.find('[')), object);
    if (text) return {Value::Kind::scalar, object.cast<std::string>(), true};
    if (py::isinstance<py::bool_>(object)) return {Value::Kind::scalar, object.cast<bool>() ? "1" : "0"};
    if (py::isinstance<py::float_>(object)) return {Value::Kind::scalar, fmt::format("{}", object.cast<double>())};
    if (py::isinstance<py::int_>(object)) return {Value::Kind::scalar, py::str(object)};
    refuse(field.text.substr(0, field.text.find('[')), object);
  }

  [[noreturn]] void refuse(const std::string& expected, py::handle object) const {
    const std::string got = py::str(py::type::handle_of(object).attr("__name__"));
    throw Failure({Fault::invalid, fmt::format("{}{}expected {}, got {} {}", path_, path_.empty() ? "" : ": ", expected,
                                               got, py::repr(object).cast<std::string>().substr(0, 80))});
  }

  const DynamicType& type_;
  std::string path_;
};

}  // namespace

const MessageTools& message_tools() {
  // Never destroyed: at exit the interpreter is gone before it.
  static const MessageTools* tools = [] {
    const py::module_ module = py::module_::import("tandem._messages");
    return new MessageTools{module.attr("make"), module.attr("array"), module.attr("pack")};
  }();
  return *tools;
}

const char* dtype_of(DynamicKind kind) {
  constexpr const char* names[] = {"?",   "<u1", "<i1", "<u1", "<i2", "<u2", "<i4", "<u4",
                                   "<i8", "<u8", "<f4", "<f8", "",    "",    ""};
  return names[static_cast<std::size_t>(kind)];
}

py::object message_from(const DynamicType& type, Bytes cdr) {
  Builder builder;
  unwrapped(ros2::walk(type, cdr, builder));
  return std::move(builder.whole);
}

std::vector<std::uint8_t> bytes_from(const DynamicType& type, py::handle message) {
  const Value value = Reader(type).message(message, &type.root());
  auto written = ros2::write_message(type, value, system_clock().utc());
  if (!written) throw Failure(within(type.name(), written.error()));
  return std::move(*written);
}

void bind_messages(py::module_& module) {
  using app::ros::FoundType;
  py::class_<FoundType>(module, "RosType")
      .def_property_readonly("name", [](const FoundType& found) { return found.type.name(); })
      .def_property_readonly("hash", [](const FoundType& found) { return found.hash; })
      .def_property_readonly("text", [](const FoundType& found) { return app::text_from_type(found.type); })
      .def("encode",
           [](const FoundType& found, const py::object& message) {
             const auto cdr = bytes_from(found.type, message);
             return py::bytes(reinterpret_cast<const char*>(cdr.data()), cdr.size());
           })
      .def("decode", [](const FoundType& found, const py::bytes& cdr) {
        const std::string_view bytes = cdr;
        return message_from(found.type, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
      });
}

}  // namespace tandem::python
