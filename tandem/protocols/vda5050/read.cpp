// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/vda5050/read.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <span>
#include <utility>

#include "tandem/base/json_depth.hpp"
#include "tandem/protocols/vda5050/problems.hpp"

namespace tandem::vda5050 {
namespace {

using Json = nlohmann::json;

std::string seen(const Json& value) {
  constexpr std::size_t most = 60;
  if (value.is_object()) return "an object";
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > most) text = text.substr(0, most) + "...";
  return text;
}

struct Range {
  double least = -std::numeric_limits<double>::max(), most = std::numeric_limits<double>::max();
};
constexpr Range not_negative{0};
constexpr Range any_angle{-std::numbers::pi - 1e-6, std::numbers::pi + 1e-6};  // rad; writers round pi up

template <typename Choice>
struct Word {
  std::string_view text;
  Choice choice;
};
constexpr std::array blocking_words{Word<Blocking>{"NONE", Blocking::none}, Word<Blocking>{"SOFT", Blocking::soft},
                                    Word<Blocking>{"HARD", Blocking::hard}};
constexpr std::array orientation_words{Word<OrientationType>{"TANGENTIAL", OrientationType::tangential},
                                       Word<OrientationType>{"GLOBAL", OrientationType::global}};
constexpr std::array corridor_words{Word<CorridorReference>{"KINEMATICCENTER", CorridorReference::kinematic_center},
                                    Word<CorridorReference>{"CONTOUR", CorridorReference::contour}};

constexpr std::array connection_words{Word<ConnectionState>{"ONLINE", ConnectionState::online},
                                      Word<ConnectionState>{"OFFLINE", ConnectionState::offline},
                                      Word<ConnectionState>{"CONNECTIONBROKEN", ConnectionState::broken}};

// The first thing that is wrong in a message; nothing is read after it.
struct Trouble {
  std::string text, field;
  bool found() const { return !text.empty(); }
};

// The fields of one JSON object, read one after the other.
class Fields {
 public:
  Fields(const Json& object, std::string path, Trouble& trouble)
      : object_(object), path_(std::move(path)), trouble_(trouble) {
    if (!object_.is_object()) wrong("", fmt::format("expected an object, got {}", seen(object_)));
  }

  bool good() const { return !trouble_.found(); }
  bool has(const char* key) const { return raw(key) != nullptr; }
  bool holds_null(const char* key) const {
    return object_.is_object() && object_.contains(key) && object_.find(key)->is_null();
  }
  // Null if it is absent; an explicit null is the same.
  const Json* raw(const char* key) const {
    if (!object_.is_object()) return nullptr;
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }

  std::string id(const char* key) { return text(key, true, limits::id, true); }
  std::string text(const char* key, bool required, std::size_t most = limits::text, bool filled = false) {
    const Json* value = find(key, required);
    if (value == nullptr) return {};
    if (!value->is_string()) return wrong(key, fmt::format("expected a string, got {}", seen(*value))), std::string();
    const auto& text = value->get_ref<const std::string&>();
    if (text.size() > most)
      return wrong(key, fmt::format("expected at most {} bytes, got {}", most, text.size())), std::string();
    if (filled && text.empty()) return wrong(key, "expected a string, got an empty one"), std::string();
    return text;
  }

  std::optional<double> number(const char* key, Range range = {}, bool required = false) {
    const Json* value = find(key, required);
    if (value == nullptr) return std::nullopt;
    const double number = value->is_number() ? value->get<double>() : NAN;
    if (std::isfinite(number) && number >= range.least && number <= range.most) return number;
    const bool bounded = range.most < Range{}.most;
    wrong(key, fmt::format("expected a number{}, got {}",
                           bounded                       ? fmt::format(" in {} to {}", range.least, range.most)
                           : range.least > Range{}.least ? fmt::format(" >= {}", range.least)
                                                         : "",
                           seen(*value)));
    return std::nullopt;
  }
  double must(const char* key, Range range = {}) { return number(key, range, true).value_or(0); }

  // JSON Schema's integer: 2.0 is one.
  std::uint32_t unsigned_integer(const char* key) {
    constexpr double most = std::numeric_limits<std::uint32_t>::max();
    const Json* value = find(key, true);
    if (value == nullptr) return 0;
    const double number = value->is_number() ? value->get<double>() : NAN;
    if (std::isfinite(number) && number >= 0 && number <= most && number == std::floor(number))
      return static_cast<std::uint32_t>(number);
    return wrong(key, fmt::format("expected an unsigned 32-bit integer, got {}", seen(*value))), 0;
  }

  std::optional<bool> boolean(const char* key, bool required = false) {
    const Json* value = find(key, required);
    if (value == nullptr) return std::nullopt;
    if (value->is_boolean()) return value->get<bool>();
    return wrong(key, fmt::format("expected true or false, got {}", seen(*value))), std::nullopt;
  }

  template <typename Choice, std::size_t count>
  Choice choice(const char* key, const std::array<Word<Choice>, count>& words, bool required) {
    const Json* value = find(key, required);
    if (value == nullptr) return words[0].choice;
    std::string expected;
    for (const auto& word : words) {
      if (value->is_string() && value->get_ref<const std::string&>() == word.text) return word.choice;
      expected += fmt::format("{}{}", expected.empty() ? "" : ", ", word.text);
    }
    return wrong(key, fmt::format("expected one of {}, got {}", expected, seen(*value))), words[0].choice;
  }

  const Json* object(const char* key) { return find(key, false); }

  // Calls `read(fields)` with each element.
  template <typename Read>
  void each(const char* key, bool required, std::size_t most, Read read) {
    const Json* list = array(key, required, most);
    if (list == nullptr) return;
    for (std::size_t i = 0; i < list->size() && good(); ++i) {
      Fields element((*list)[i], fmt::format("{}[{}]", path(key), i), trouble_);
      if (good()) read(element);
    }
  }

  std::vector<double> numbers(const char* key, std::size_t most, Range range) {
    std::vector<double> all;
    const Json* list = array(key, true, most);
    if (list == nullptr) return all;
    for (std::size_t i = 0; i < list->size() && good(); ++i) {
      const Json& value = (*list)[i];
      const double number = value.is_number() ? value.get<double>() : NAN;
      if (std::isfinite(number) && number >= range.least && number <= range.most)
        all.push_back(number);
      else
        wrong(fmt::format("{}[{}]", key, i),
              fmt::format("expected a number in {} to {}, got {}", range.least, range.most, seen(value)));
    }
    return all;
  }

  Fields inside(const Json& object, const char* key) { return {object, path(key), trouble_}; }

  void wrong(std::string_view key, std::string text) {
    if (trouble_.found()) return;
    trouble_.field = path(key);
    trouble_.text = fmt::format("{}: {}", trouble_.field.empty() ? "message" : trouble_.field, text);
  }

 private:
  std::string path(std::string_view key) const {
    if (key.empty()) return path_;
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  }

  const Json* find(const char* key, bool required) {
    if (!good()) return nullptr;
    const Json* const found = raw(key);
    if (found == nullptr && required)
      wrong(key, fmt::format("expected a value, got {}", holds_null(key) ? "null" : "nothing"));
    return found;
  }

  const Json* array(const char* key, bool required, std::size_t most) {
    const Json* list = find(key, required);
    if (list == nullptr) return nullptr;
    if (!list->is_array()) return wrong(key, fmt::format("expected an array, got {}", seen(*list))), nullptr;
    if (list->size() > most)
      return wrong(key, fmt::format("expected at most {} elements, got {}", most, list->size())), nullptr;
    return list;
  }

  const Json& object_;
  const std::string path_;
  Trouble& trouble_;
};

Header header_from(Fields& fields) {
  Header header;
  header.header_id = fields.unsigned_integer("headerId");
  header.timestamp = fields.text("timestamp", true, limits::id);
  header.version = fields.text("version", true, limits::id);
  header.manufacturer = fields.text("manufacturer", true, limits::id);
  header.serial_number = fields.text("serialNumber", true, limits::id);
  if (fields.good() && !header.version.starts_with("2."))
    fields.wrong("version", fmt::format("expected 2.x, got {}", seen(header.version)));
  return header;
}

Value value_from(const Json& json) {
  Value value;
  if (json.is_number()) {
    value.kind = Value::Kind::number;
    value.number = json.get<double>();
  } else if (json.is_boolean()) {
    value.kind = Value::Kind::boolean;
    value.boolean = json.get<bool>();
  } else if (json.is_string()) {
    value.text = json.get<std::string>();
  } else {
    value.kind = Value::Kind::json;
    value.text = json.dump();
  }
  return value;
}

Action action_from(Fields& fields) {
  Action action;
  action.type = fields.id("actionType");
  action.id = fields.id("actionId");
  action.blocking = fields.choice("blockingType", blocking_words, true);
  action.description = fields.text("actionDescription", false);
  fields.each("actionParameters", false, limits::parameters, [&](Fields& parameter) {
    std::string key = parameter.id("key");
    const bool null = parameter.holds_null("value");
    if (!parameter.has("value") && !null) parameter.wrong("value", "expected a value, got nothing");
    if (!parameter.good() || null) return;
    action.parameters.push_back({std::move(key), value_from(*parameter.raw("value"))});
    if (action.parameters.back().value.text.size() > limits::text)
      parameter.wrong("value", fmt::format("expected at most {} bytes", limits::text));
  });
  return action;
}

std::vector<Action> actions_from(Fields& fields, const char* key = "actions") {
  std::vector<Action> actions;
  fields.each(key, true, limits::actions, [&](Fields& action) { actions.push_back(action_from(action)); });
  return actions;
}

// Of an action that stops a vehicle, what can be read; none if it is another one.
std::optional<Action> stop_from(const Json& json) {
  const auto text_of = [](const Json& object, const char* key) -> std::string {
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (!object.is_object() || found == object.end() || !found->is_string()) return {};
    const auto& text = found->get_ref<const std::string&>();
    return text.size() <= limits::id ? text : std::string();
  };
  Action action;
  action.type = text_of(json, "actionType");
  if (!stops(action.type)) return std::nullopt;
  action.id = text_of(json, "actionId");
  const auto parameters = json.find("actionParameters");
  if (parameters == json.end() || !parameters->is_array()) return action;
  for (const Json& parameter : *parameters) {
    const std::string key = text_of(parameter, "key"), value = text_of(parameter, "value");
    if (key == "orderId" && !value.empty()) action.parameters.push_back({key, {Value::Kind::text, 0, false, value}});
  }
  return action;
}

// Those that can be read; of a message that is wrong itself, only those that stop. `first` is the first trouble.
void instant_actions_from(const Json& list, const char* key, Trouble& first, std::vector<Action>& actions) {
  const bool refused = first.found();
  for (std::size_t i = 0; i < list.size(); ++i) {
    Trouble trouble;
    std::optional<Action> action;
    if (i < limits::actions) {
      Fields fields(list[i], fmt::format("{}[{}]", key, i), trouble);
      if (fields.good()) action = action_from(fields);
    } else {
      trouble = {fmt::format("{}: expected at most {} elements, got {}", key, limits::actions, list.size()), key};
    }
    if (trouble.found()) action = stop_from(list[i]);
    if (trouble.found() && !first.found()) first = std::move(trouble);
    if (action && (!refused || stops(action->type))) actions.push_back(*std::move(action));
  }
}

NodePosition position_from(Fields fields) {
  NodePosition position;
  position.x = fields.must("x");
  position.y = fields.must("y");
  position.theta = fields.number("theta", any_angle);
  const auto large = fields.number("allowedDeviationXY", not_negative);
  const auto small = fields.number("allowedDeviationXy", not_negative);
  if (large && small && *large != *small)
    fields.wrong("allowedDeviationXY",
                 fmt::format("expected the same as allowedDeviationXy, got {} and {}", *large, *small));
  position.deviation = large.value_or(small.value_or(0));
  position.theta_deviation = fields.number("allowedDeviationTheta", {0, any_angle.most}).value_or(0);
  position.map_id = fields.text("mapId", true, limits::id);
  fields.text("mapDescription", false);
  return position;
}

Node node_from(Fields& fields) {
  Node node;
  node.id = fields.id("nodeId");
  node.sequence = fields.unsigned_integer("sequenceId");
  node.description = fields.text("nodeDescription", false);
  node.released = fields.boolean("released", true).value_or(false);
  if (const Json* position = fields.object("nodePosition"))
    node.position = position_from(fields.inside(*position, "nodePosition"));
  if (fields.good()) node.actions = actions_from(fields);
  return node;
}

Trajectory trajectory_from(Fields fields) {
  Trajectory trajectory;
  constexpr Range degrees{1, 100};
  const double degree = fields.number("degree", degrees).value_or(1);
  if (degree != std::floor(degree)) fields.wrong("degree", fmt::format("expected an integer, got {}", degree));
  trajectory.degree = static_cast<int>(degree);
  trajectory.knots = fields.numbers("knotVector", 2 * limits::points, {0, 1});
  fields.each("controlPoints", true, limits::points, [&](Fields& point) {
    const double x = point.must("x"), y = point.must("y"), weight = point.number("weight").value_or(1);
    if (point.good() && !(weight > 0)) point.wrong("weight", fmt::format("expected a number > 0, got {}", weight));
    trajectory.points.push_back({x, y, weight});
  });
  const std::size_t expected = trajectory.points.size() + static_cast<std::size_t>(trajectory.degree) + 1;
  if (fields.good() && trajectory.points.size() <= static_cast<std::size_t>(trajectory.degree))
    fields.wrong("controlPoints", fmt::format("expected more points than the degree {}, got {}", trajectory.degree,
                                              trajectory.points.size()));
  if (fields.good() && trajectory.knots.size() != expected)
    fields.wrong("knotVector",
                 fmt::format("expected {} knots (points + degree + 1), got {}", expected, trajectory.knots.size()));
  for (std::size_t i = 1; i < trajectory.knots.size() && fields.good(); ++i) {
    if (trajectory.knots[i] < trajectory.knots[i - 1])
      fields.wrong(fmt::format("knotVector[{}]", i),
                   fmt::format("expected a knot >= {}, got {}", trajectory.knots[i - 1], trajectory.knots[i]));
  }
  return trajectory;
}

Corridor corridor_from(Fields fields) {
  Corridor corridor;
  corridor.left = fields.must("leftWidth", not_negative);
  corridor.right = fields.must("rightWidth", not_negative);
  corridor.reference = fields.choice("corridorRefPoint", corridor_words, false);
  return corridor;
}

Edge edge_from(Fields& fields) {
  Edge edge;
  edge.id = fields.id("edgeId");
  edge.sequence = fields.unsigned_integer("sequenceId");
  edge.description = fields.text("edgeDescription", false);
  edge.released = fields.boolean("released", true).value_or(false);
  edge.start_node = fields.id("startNodeId");
  edge.end_node = fields.id("endNodeId");
  edge.max_speed = fields.number("maxSpeed", not_negative);
  edge.max_height = fields.number("maxHeight");
  edge.min_height = fields.number("minHeight");
  edge.orientation = fields.number("orientation", any_angle);
  edge.orientation_type = fields.choice("orientationType", orientation_words, false);
  edge.direction = fields.text("direction", false, limits::id);
  edge.rotation_allowed = fields.boolean("rotationAllowed");
  edge.max_rotation_speed = fields.number("maxRotationSpeed", not_negative);
  edge.length = fields.number("length", not_negative);
  if (const Json* trajectory = fields.object("trajectory"))
    edge.trajectory = trajectory_from(fields.inside(*trajectory, "trajectory"));
  if (const Json* corridor = fields.object("corridor"))
    edge.corridor = corridor_from(fields.inside(*corridor, "corridor"));
  if (fields.good()) edge.actions = actions_from(fields);
  return edge;
}

// What can still be said of a message that is refused. Values that are not of their type are left out.
std::vector<Reference> references_of(const Json& json, std::string_view topic) {
  std::vector<Reference> references{{"topic", std::string(topic)}};
  for (const char* key : {"headerId", "orderId", "orderUpdateId"}) {
    const auto found = json.is_object() ? json.find(key) : json.end();
    if (!json.is_object() || found == json.end()) continue;
    if (found->is_number_unsigned()) references.push_back({key, std::to_string(found->get<std::uint64_t>())});
    if (found->is_string() && found->get_ref<const std::string&>().size() <= limits::id)
      references.push_back({key, found->get<std::string>()});
  }
  return references;
}

Problem problem_of(std::string text, std::vector<Reference> references, std::string_view field = {}) {
  Problem problem;
  problem.type = error_type::validation;
  problem.description = std::move(text);
  problem.references = std::move(references);
  if (!field.empty()) problem.references.push_back({"field", std::string(field)});
  return problem;
}

// `read` fills the message in and notes what is wrong; a message that it keeps all the same is given with its problem.
template <typename Message, typename Read>
Parsed<Message> parse(std::string_view text, std::string_view topic, Read read) {
  const std::vector<Reference> bare{{"topic", std::string(topic)}};
  const auto refuse = [&](std::string why) { return Parsed<Message>{{}, problem_of(std::move(why), bare)}; };
  if (text.size() > limits::payload)
    return refuse(fmt::format("message: expected at most {} bytes, got {}", limits::payload, text.size()));
  if (is_deeper_than(text, limits::depth))
    return refuse(fmt::format("message: expected at most {} objects and arrays within each other", limits::depth));
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return refuse("message: expected JSON, got text that is not");
  Trouble trouble;
  Fields fields(json, "", trouble);
  Message message;
  const bool kept = fields.good() && read(fields, json, trouble, message);
  if (!trouble.found()) return {std::move(message), {}};
  Problem problem = problem_of(std::move(trouble.text), references_of(json, topic), trouble.field);
  if (kept) return {std::move(message), std::move(problem)};
  return {{}, std::move(problem)};
}

}  // namespace

Parsed<Order> read_order(std::string_view json) {
  return parse<Order>(json, "order", [](Fields& fields, const Json&, Trouble&, Order& order) {
    order.header = header_from(fields);
    order.id = fields.id("orderId");
    order.update = fields.unsigned_integer("orderUpdateId");
    order.zone_set = fields.text("zoneSetId", false, limits::id);
    fields.each("nodes", true, limits::nodes, [&](Fields& node) { order.nodes.push_back(node_from(node)); });
    fields.each("edges", true, limits::nodes, [&](Fields& edge) { order.edges.push_back(edge_from(edge)); });
    return false;
  });
}

Parsed<InstantActions> read_instant_actions(std::string_view json) {
  return parse<InstantActions>(
      json, "instantActions", [](Fields& fields, const Json& object, Trouble& trouble, InstantActions& message) {
        message.header = header_from(fields);
        if (trouble.found()) {
          // The owner is all that a stop needs.
          Trouble owner;
          Fields again(object, "", owner);
          message.header.manufacturer = again.text("manufacturer", true, limits::id);
          message.header.serial_number = again.text("serialNumber", true, limits::id);
          if (owner.found()) return false;
        }
        const bool both = fields.has("actions") && fields.has("instantActions");
        if (both) fields.wrong("instantActions", "expected either actions or instantActions, got both");
        const bool refused = trouble.found();
        for (const char* key : {"actions", "instantActions"}) {
          const bool required = key == std::string_view("actions") && !fields.has("instantActions");
          const Json* const list = fields.raw(key);
          if (list == nullptr && required) fields.wrong(key, "expected a value, got nothing");
          if (list == nullptr) continue;
          if (list->is_array())
            instant_actions_from(*list, key, trouble, message.actions);
          else
            fields.wrong(key, fmt::format("expected an array, got {}", seen(*list)));
        }
        return !message.actions.empty() || !refused;
      });
}

std::optional<ConnectionState> read_connection(std::string_view text) {
  if (text.size() > limits::payload || is_deeper_than(text, limits::depth)) return std::nullopt;
  const Json json = Json::parse(text, nullptr, false);
  Trouble trouble;
  Fields fields(json, "", trouble);
  if (!fields.good()) return std::nullopt;
  const ConnectionState state = fields.choice("connectionState", connection_words, true);
  return trouble.found() ? std::nullopt : std::optional(state);
}

const Value* Action::parameter(std::string_view key) const {
  for (const Parameter& parameter : parameters) {
    if (parameter.key == key) return &parameter.value;
  }
  return nullptr;
}

}  // namespace tandem::vda5050
