// SPDX-License-Identifier: Apache-2.0
// Recordings for Python: what is in an MCAP file, its messages one by one, and whole topics as columns of numbers.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "tandem/app/recordings/schema_text.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/base/utf8.hpp"
#include "tandem/python/binding.hpp"
#include "tandem/python/failure.hpp"
#include "tandem/python/messages.hpp"
#include "tandem/record/mcap_reader.hpp"
#include "tandem/ros2/messages/registry.hpp"

namespace tandem::python {
namespace {

namespace py = pybind11;
using ros2::DynamicField;
using ros2::DynamicKind;
using ros2::DynamicMessage;
using ros2::DynamicType;

// All values of one field, message after message.
struct ValueColumn {
  std::string path;
  DynamicKind kind{};
  bool single = true;  // exactly one in each message
  std::string packed;  // numbers, in this computer's byte order
  std::vector<std::string> texts;
  std::vector<std::int64_t> counts;  // in each message; of those that are not single
};

// One column for each field that is no message, as the type has them; fields below a list end in [].
class ColumnTree {
 public:
  ColumnTree(const DynamicType& type, std::vector<ValueColumn>& columns) : columns_(columns) {
    root_ = branch(type, type.root(), "", true);
  }

  struct Branch {
    std::vector<std::variant<std::size_t, std::unique_ptr<Branch>>> fields;  // a column, or what is below
  };
  const Branch& root() const { return *root_; }

 private:
  std::unique_ptr<Branch> branch(const DynamicType& type, const DynamicMessage& message, const std::string& path,
                                 bool single) {
    auto made = std::make_unique<Branch>();
    for (const DynamicField& field : message.fields) {
      const bool alone = field.shape == ros2::DynamicShape::single;
      std::string below = path + (path.empty() ? "" : ".") + field.name;
      if (field.kind == DynamicKind::message) {
        if (!alone) below += "[]";
        made->fields.emplace_back(branch(type, type.messages[field.message], below, single && alone));
      } else {
        made->fields.emplace_back(columns_.size());
        columns_.push_back({below, field.kind, single && alone, {}, {}, {}});
      }
    }
    return made;
  }

  std::vector<ValueColumn>& columns_;
  std::unique_ptr<Branch> root_;
};

class ColumnVisitor final : public ros2::Visitor {
 public:
  ColumnVisitor(const ColumnTree& tree, std::vector<ValueColumn>& columns) : tree_(tree), columns_(columns) {}

  void begin_message(const DynamicMessage& message) override {
    const ColumnTree::Branch* branch =
        open_.empty() ? &tree_.root() : std::get<std::unique_ptr<ColumnTree::Branch>>(below()).get();
    open_.push_back({&message, branch, 0});
  }
  void end_message(const DynamicMessage&) override { open_.pop_back(); }
  bool field(const DynamicField& field) override {
    open_.back().field = static_cast<std::size_t>(&field - open_.back().message->fields.data());
    if (field.kind != DynamicKind::message) column_ = &columns_[std::get<std::size_t>(below())];
    return true;
  }
  void boolean(bool value) override { pack<std::uint8_t>(value); }
  void byte(std::uint8_t value) override { pack(value); }
  void integer(std::int64_t value) override { pack_integer(value); }
  void natural(std::uint64_t value) override { pack_integer(static_cast<std::int64_t>(value)); }
  void real(double value) override {
    column_->kind == DynamicKind::float32 ? pack(static_cast<float>(value)) : pack(value);
  }
  void text(std::string_view value) override { column_->texts.emplace_back(value); }
  void wide_text(std::u16string_view value) override { column_->texts.push_back(utf8_from_utf16(value)); }

 private:
  struct OpenMessage {
    const DynamicMessage* message;
    const ColumnTree::Branch* branch;
    std::size_t field;
  };

  const std::variant<std::size_t, std::unique_ptr<ColumnTree::Branch>>& below() const {
    return open_.back().branch->fields[open_.back().field];
  }
  template <typename T>
  void pack(T value) {
    column_->packed.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void pack_integer(std::int64_t value) {
    column_->packed.append(reinterpret_cast<const char*>(&value), ros2::number_size(column_->kind));
  }

  const ColumnTree& tree_;
  std::vector<ValueColumn>& columns_;
  std::vector<OpenMessage> open_;
  ValueColumn* column_ = nullptr;
};

std::size_t held(const ValueColumn& column) {
  const std::size_t size = ros2::number_size(column.kind);
  return size == 0 ? column.texts.size() : column.packed.size() / size;
}

py::list texts_object(const std::vector<std::string>& texts) {
  py::list list;
  for (const std::string& text : texts)
    list.append(py::reinterpret_steal<py::object>(
        PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace")));
  return list;
}

struct TopicFacts {
  std::string type, encoding;
  std::uint64_t count = 0;
};

class RecordingFile {
 public:
  explicit RecordingFile(const std::string& path) : reader_(opened(path)) {}

  const record::Contents& contents() const { return reader_.contents(); }
  std::vector<std::string> problems() const {
    std::vector<std::string> texts;
    for (const record::Problem& problem : contents().problems) texts.push_back(problem.text);
    return texts;
  }

  std::map<std::string, TopicFacts> topics() const {
    std::map<std::string, TopicFacts> found;
    for (const auto& [id, channel] : contents().channels) {
      TopicFacts& facts = found[channel.topic];
      const record::mcap::Schema* schema = reader_.schema(channel);
      if (schema != nullptr) facts.type = schema->name;
      facts.encoding = channel.encoding;
      const auto count = contents().statistics.channel_messages.find(id);
      if (count != contents().statistics.channel_messages.end()) facts.count += count->second;
    }
    return found;
  }

  const DynamicType& type_of(const std::string& topic) {
    if (const auto known = types_.find(topic); known != types_.end()) return known->second;
    for (const auto& [id, channel] : contents().channels) {
      if (channel.topic != topic) continue;
      return types_.emplace(topic, unwrapped(type_of(channel))).first->second;
    }
    throw Failure({Fault::not_found, topic + ": no such topic"});
  }

  record::Cursor cursor(const std::string& topic, std::uint64_t from, std::uint64_t to) const {
    record::Selection selection;
    selection.channels = reader_.channels_of(topic);
    selection.from = from;
    selection.to = to;
    return reader_.messages(std::move(selection));
  }

 private:
  static record::McapReader opened(const std::string& path) {
    const py::gil_scoped_release released;
    return unwrapped(record::McapReader::open(path));
  }
  Result<DynamicType> type_of(const record::mcap::Channel& channel) const {
    if (channel.encoding != "cdr")
      return Error{Fault::unsupported, fmt::format("{}: expected messages as cdr, got '{}'", printable(channel.topic),
                                                   printable(channel.encoding))};
    const record::mcap::Schema* schema = reader_.schema(channel);
    if (schema == nullptr) return Error{Fault::not_found, channel.topic + ": the file has no schema for it"};
    if (schema->encoding == "ros2msg") {
      auto own = app::type_from_text(schema->name, schema->data);
      if (own) return own;
    }
    if (const ros2::TypeSupport* ours = ros2::find_type(schema->name)) return ros2::make_dynamic_type(*ours);
    return Error{Fault::unsupported, fmt::format("{}: expected a schema as ros2msg, got '{}'", printable(channel.topic),
                                                 printable(schema->encoding))};
  }

  record::McapReader reader_;
  std::map<std::string, DynamicType> types_;
};

// The next message's bytes with its times; what cannot be read is an error once, and the next call goes on behind it.
struct MessageCursor {
  record::Cursor cursor;
  std::optional<std::tuple<std::uint64_t, std::uint64_t, py::bytes>> next() {
    auto message = unwrapped(cursor.next());
    if (!message) return std::nullopt;
    return std::tuple(message->log_time, message->publish_time,
                      py::bytes(reinterpret_cast<const char*>(message->data.data()), message->data.size()));
  }
};

// Those with one of `paths`; all where there are none. Log times (ns), publish times, {path: (dtype, values, counts)},
// and what could not be read.
py::tuple columns_of(RecordingFile& file, const std::string& topic, std::uint64_t from, std::uint64_t to) {
  const DynamicType& type = file.type_of(topic);
  std::vector<ValueColumn> columns;
  std::vector<std::uint64_t> logged, published;
  std::vector<std::string> unread;
  {
    const py::gil_scoped_release released;
    const ColumnTree tree(type, columns);
    auto cursor = file.cursor(topic, from, to);
    std::vector<std::size_t> before(columns.size());
    while (true) {
      auto message = cursor.next();
      if (!message) {
        unread.push_back(message.error().text);
        continue;
      }
      if (!*message) break;
      for (std::size_t i = 0; i < columns.size(); ++i) before[i] = held(columns[i]);
      ColumnVisitor visitor(tree, columns);
      if (auto walked = ros2::walk(type, (*message)->data, visitor); !walked) {
        unread.push_back(walked.error().text);
        for (std::size_t i = 0; i < columns.size(); ++i) {
          columns[i].packed.resize(before[i] * ros2::number_size(columns[i].kind));
          if (columns[i].texts.size() > before[i]) columns[i].texts.resize(before[i]);
        }
        continue;
      }
      logged.push_back((*message)->log_time);
      published.push_back((*message)->publish_time);
      for (std::size_t i = 0; i < columns.size(); ++i)
        if (!columns[i].single) columns[i].counts.push_back(static_cast<std::int64_t>(held(columns[i]) - before[i]));
    }
  }
  const auto packed = [](const auto& values) {
    return py::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
  };
  py::dict found;
  for (ValueColumn& column : columns) {
    const char* dtype = dtype_of(column.kind);
    py::object values = *dtype == 0 ? texts_object(column.texts) : py::object(py::bytes(column.packed));
    found[py::str(column.path)] =
        py::make_tuple(dtype, values, column.single ? py::object(py::none()) : py::object(packed(column.counts)));
    column = {};
  }
  return py::make_tuple(packed(logged), packed(published), found, unread);
}

}  // namespace

void bind_recording(py::module_& module) {
  py::class_<MessageCursor>(module, "MessageCursor").def("next", &MessageCursor::next);
  py::class_<RecordingFile>(module, "RecordingFile")
      .def(py::init<const std::string&>())
      .def_property_readonly("start", [](const RecordingFile& f) { return f.contents().statistics.start; })
      .def_property_readonly("end", [](const RecordingFile& f) { return f.contents().statistics.end; })
      .def_property_readonly("messages", [](const RecordingFile& f) { return f.contents().statistics.messages; })
      .def_property_readonly("size", [](const RecordingFile& f) { return f.contents().file_size; })
      .def_property_readonly("whole", [](const RecordingFile& f) { return f.contents().whole; })
      .def_property_readonly("problems", &RecordingFile::problems)
      .def("topics",
           [](const RecordingFile& file) {
             std::map<std::string, std::tuple<std::string, std::string, std::uint64_t>> found;
             for (const auto& [topic, facts] : file.topics()) found[topic] = {facts.type, facts.encoding, facts.count};
             return found;
           })
      .def("type_text",
           [](RecordingFile& file, const std::string& topic) { return app::text_from_type(file.type_of(topic)); })
      .def("fields",
           [](RecordingFile& file, const std::string& topic) {
             std::vector<ValueColumn> columns;
             const ColumnTree tree(file.type_of(topic), columns);
             std::vector<std::string> paths;
             for (const ValueColumn& column : columns) paths.push_back(column.path);
             return paths;
           })
      .def("decode",
           [](RecordingFile& file, const std::string& topic, const py::bytes& cdr) {
             const std::string_view bytes = cdr;
             return message_from(file.type_of(topic),
                                 {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
           })
      .def("cursor", [](const RecordingFile& file, const std::string& topic, std::uint64_t from,
                        std::uint64_t to) { return MessageCursor{file.cursor(topic, from, to)}; })
      .def("columns", &columns_of);
}

}  // namespace tandem::python
