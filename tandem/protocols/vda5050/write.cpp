// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/vda5050/write.hpp"

#include "tandem/protocols/vda5050/json_writer.hpp"
#include "tandem/protocols/vda5050/problems.hpp"
#include "tandem/protocols/vda5050/time.hpp"

namespace tandem::vda5050 {

std::string Identity::topic(std::string_view name) const {
  return fmt::format("{}/v2/{}/{}/{}", interface, manufacturer, serial_number, name);
}

std::string_view text_of(ActionStatus status) {
  switch (status) {
    case ActionStatus::waiting:
      return "WAITING";
    case ActionStatus::initializing:
      return "INITIALIZING";
    case ActionStatus::running:
      return "RUNNING";
    case ActionStatus::paused:
      return "PAUSED";
    case ActionStatus::finished:
      return "FINISHED";
    case ActionStatus::failed:
      break;
  }
  return "FAILED";
}

std::string_view text_of(OperatingMode mode) {
  switch (mode) {
    case OperatingMode::automatic:
      return "AUTOMATIC";
    case OperatingMode::semiautomatic:
      return "SEMIAUTOMATIC";
    case OperatingMode::manual:
      return "MANUAL";
    case OperatingMode::service:
      return "SERVICE";
    case OperatingMode::teach_in:
      break;
  }
  return "TEACHIN";
}

std::string_view text_of(EStop stop) {
  switch (stop) {
    case EStop::auto_acknowledge:
      return "AUTOACK";
    case EStop::manual:
      return "MANUAL";
    case EStop::remote:
      return "REMOTE";
    case EStop::none:
      break;
  }
  return "NONE";
}

std::string_view text_of(ConnectionState state) {
  if (state == ConnectionState::online) return "ONLINE";
  return state == ConnectionState::offline ? "OFFLINE" : "CONNECTIONBROKEN";
}

std::string_view text_of(ErrorLevel level) { return level == ErrorLevel::fatal ? "FATAL" : "WARNING"; }

std::string_view text_of(Blocking blocking) {
  if (blocking == Blocking::none) return "NONE";
  return blocking == Blocking::soft ? "SOFT" : "HARD";
}

std::string_view text_of(Scope scope) {
  if (scope == Scope::instant) return "INSTANT";
  return scope == Scope::node ? "NODE" : "EDGE";
}

Problem order_problem(const Order& order, std::string_view type, std::string description, std::vector<Reference> more) {
  std::vector<Reference> references{{"topic", "order"},
                                    {"headerId", std::to_string(order.header.header_id)},
                                    {"orderId", order.id},
                                    {"orderUpdateId", std::to_string(order.update)}};
  references.insert(references.end(), more.begin(), more.end());
  return problem(type, std::move(description), std::move(references));
}

Problem action_problem(const InstantActions& message, const Action& action, std::string_view type,
                       std::string description, std::vector<Reference> more) {
  std::vector<Reference> references{{"topic", "instantActions"},
                                    {"headerId", std::to_string(message.header.header_id)},
                                    {"actionId", action.id},
                                    {"actionType", action.type}};
  references.insert(references.end(), more.begin(), more.end());
  return problem(type, std::move(description), std::move(references));
}

namespace {

template <typename Fill>
std::string message(const Identity& identity, const Stamp& stamp, Fill fill) {
  JsonWriter json;
  json.object([&] {
    json.put("headerId", stamp.header_id).put("timestamp", timestamp_of(stamp.time));
    json.put("version", text_of(identity.version)).put("manufacturer", identity.manufacturer);
    json.put("serialNumber", identity.serial_number);
    fill(json);
  });
  return std::move(json).take();
}

void write(JsonWriter& json, std::string_view key, const NodePosition& position, bool whole) {
  json.object(key, [&] {
    json.put("x", position.x).put("y", position.y).put("theta", position.theta).put("mapId", position.map_id);
    if (!whole) return;
    // Both spellings: the document's and that of 2.0's schema.
    if (position.deviation > 0)
      json.put("allowedDeviationXY", position.deviation).put("allowedDeviationXy", position.deviation);
    if (position.theta_deviation > 0) json.put("allowedDeviationTheta", position.theta_deviation);
  });
}

void write(JsonWriter& json, const Trajectory& trajectory) {
  json.object("trajectory", [&] {
    json.put("degree", trajectory.degree);
    json.array("knotVector", [&] {
      for (const double knot : trajectory.knots) json.element(knot);
    });
    json.array("controlPoints", [&] {
      for (const ControlPoint& point : trajectory.points)
        json.object([&] { json.put("x", point.x).put("y", point.y).put("weight", point.weight); });
    });
  });
}

void write(JsonWriter& json, const Action& action) {
  json.object([&] {
    json.put("actionType", action.type).put("actionId", action.id).put("blockingType", text_of(action.blocking));
    json.put_filled("actionDescription", action.description);
    if (action.parameters.empty()) return;
    json.array("actionParameters", [&] {
      for (const Parameter& parameter : action.parameters) {
        json.object([&] {
          json.put("key", parameter.key);
          const Value& value = parameter.value;
          if (value.kind == Value::Kind::number) json.put("value", value.number);
          if (value.kind == Value::Kind::boolean) json.put("value", value.boolean);
          if (value.kind == Value::Kind::text) json.put("value", value.text);
          if (value.kind == Value::Kind::json) json.put_json("value", value.text);
        });
      }
    });
  });
}

void write(JsonWriter& json, std::string_view key, const std::vector<Action>& actions) {
  json.array(key, [&] {
    for (const Action& action : actions) write(json, action);
  });
}

void write_path(JsonWriter& json, const State& state) {
  json.array("nodeStates", [&] {
    for (const Node& node : state.nodes) {
      json.object([&] {
        json.put("nodeId", node.id).put("sequenceId", node.sequence).put("released", node.released);
        json.put_filled("nodeDescription", node.description);
        if (node.position) write(json, "nodePosition", *node.position, false);
      });
    }
  });
  json.array("edgeStates", [&] {
    for (const Edge& edge : state.edges) {
      json.object([&] {
        json.put("edgeId", edge.id).put("sequenceId", edge.sequence).put("released", edge.released);
        json.put_filled("edgeDescription", edge.description);
        if (edge.trajectory) write(json, *edge.trajectory);
      });
    }
  });
}

void write_place(JsonWriter& json, const State& state) {
  if (state.position) {
    json.object("agvPosition", [&] {
      const Position& position = *state.position;
      json.put("x", position.x).put("y", position.y).put("theta", position.theta).put("mapId", position.map_id);
      json.put("positionInitialized", position.initialized);
    });
  }
  if (state.velocity) {
    json.object("velocity", [&] {
      json.put("vx", state.velocity->vx).put("vy", state.velocity->vy).put("omega", state.velocity->omega);
    });
  }
}

void write_errors(JsonWriter& json, const std::vector<Problem>& problems) {
  json.array("errors", [&] {
    for (const Problem& problem : problems) {
      json.object([&] {
        json.put("errorType", problem.type).put("errorLevel", text_of(problem.level));
        json.put_filled("errorDescription", problem.description).put_filled("errorHint", problem.hint);
        json.array("errorReferences", [&] {
          for (const Reference& reference : problem.references)
            json.object([&] { json.put("referenceKey", reference.key).put("referenceValue", reference.value); });
        });
      });
    }
  });
}

void write_loads(JsonWriter& json, const std::vector<Load>& loads) {
  json.array("loads", [&] {
    for (const Load& load : loads) {
      json.object([&] {
        json.put_filled("loadId", load.id).put_filled("loadType", load.type).put_filled("loadPosition", load.position);
        json.put("weight", load.weight);
      });
    }
  });
}

}  // namespace

std::string write_state(const Identity& identity, const Stamp& stamp, const State& state) {
  return message(identity, stamp, [&](JsonWriter& json) {
    json.put("orderId", state.order_id).put("orderUpdateId", state.order_update);
    json.put("lastNodeId", state.last_node).put("lastNodeSequenceId", state.last_sequence);
    write_path(json, state);
    json.put("driving", state.driving).put("paused", state.paused).put("newBaseRequest", state.new_base_request);
    json.array("actionStates", [&] {
      for (const ActionState& action : state.actions) {
        json.object([&] {
          json.put("actionId", action.id).put("actionType", action.type).put("actionStatus", text_of(action.status));
          json.put_filled("actionDescription", action.description).put_filled("resultDescription", action.result);
        });
      }
    });
    write_place(json, state);
    if (state.loads) write_loads(json, *state.loads);
    json.object("batteryState",
                [&] { json.put("batteryCharge", state.battery.charge).put("charging", state.battery.charging); });
    json.put("operatingMode", text_of(state.mode));
    write_errors(json, state.errors);
    json.object("safetyState", [&] {
      json.put("eStop", text_of(state.safety.e_stop)).put("fieldViolation", state.safety.field_violation);
    });
  });
}

std::string write_visualization(const Identity& identity, const Stamp& stamp, const State& state) {
  return message(identity, stamp, [&](JsonWriter& json) { write_place(json, state); });
}

std::string write_connection(const Identity& identity, const Stamp& stamp, ConnectionState state) {
  return message(identity, stamp, [&](JsonWriter& json) { json.put("connectionState", text_of(state)); });
}

std::string write_order(const Identity& identity, const Stamp& stamp, const Order& order) {
  return message(identity, stamp, [&](JsonWriter& json) {
    json.put("orderId", order.id).put("orderUpdateId", order.update).put_filled("zoneSetId", order.zone_set);
    json.array("nodes", [&] {
      for (const Node& node : order.nodes) {
        json.object([&] {
          json.put("nodeId", node.id).put("sequenceId", node.sequence).put("released", node.released);
          json.put_filled("nodeDescription", node.description);
          if (node.position) write(json, "nodePosition", *node.position, true);
          write(json, "actions", node.actions);
        });
      }
    });
    json.array("edges", [&] {
      for (const Edge& edge : order.edges) {
        json.object([&] {
          json.put("edgeId", edge.id).put("sequenceId", edge.sequence).put("released", edge.released);
          json.put_filled("edgeDescription", edge.description);
          json.put("startNodeId", edge.start_node).put("endNodeId", edge.end_node);
          json.put("maxSpeed", edge.max_speed).put("maxHeight", edge.max_height).put("minHeight", edge.min_height);
          json.put("orientation", edge.orientation);
          if (edge.orientation_type == OrientationType::global) json.put("orientationType", "GLOBAL");
          json.put_filled("direction", edge.direction).put("rotationAllowed", edge.rotation_allowed);
          json.put("maxRotationSpeed", edge.max_rotation_speed).put("length", edge.length);
          if (edge.trajectory) write(json, *edge.trajectory);
          if (edge.corridor) {
            json.object("corridor", [&] {
              json.put("leftWidth", edge.corridor->left).put("rightWidth", edge.corridor->right);
              if (edge.corridor->reference == CorridorReference::contour) json.put("corridorRefPoint", "CONTOUR");
            });
          }
          write(json, "actions", edge.actions);
        });
      }
    });
  });
}

std::string write_instant_actions(const Identity& identity, const Stamp& stamp, const std::vector<Action>& actions) {
  return message(identity, stamp, [&](JsonWriter& json) { write(json, "actions", actions); });
}

}  // namespace tandem::vda5050
