// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/vda5050/json_writer.hpp"
#include "tandem/protocols/vda5050/time.hpp"
#include "tandem/protocols/vda5050/write.hpp"

namespace tandem::vda5050 {
namespace {

void write_type(JsonWriter& json, const Factsheet& sheet) {
  json.object("typeSpecification", [&] {
    json.put("seriesName", sheet.series).put("agvKinematic", sheet.kinematic).put("agvClass", sheet.vehicle_class);
    json.put("maxLoadMass", sheet.most_load);
    json.array("localizationTypes", [&] {
      for (const auto& each : sheet.localization) json.element(each);
    });
    json.array("navigationTypes", [&] {
      for (const auto& each : sheet.navigation) json.element(each);
    });
  });
  json.object("physicalParameters", [&] {
    json.put("speedMin", sheet.least_speed).put("speedMax", sheet.most_speed);
    json.put("accelerationMax", sheet.most_acceleration).put("decelerationMax", sheet.most_deceleration);
    json.put("heightMin", sheet.height).put("heightMax", sheet.height);
    json.put("width", sheet.width).put("length", sheet.length);
  });
}

void write_limits(JsonWriter& json, const Factsheet& sheet) {
  json.object("protocolLimits", [&] {
    json.object("maxStringLens", [&] {
      json.put("msgLen", limits::payload).put("topicSerialLen", limits::id).put("topicElemLen", limits::id);
      json.put("idLen", limits::id);
    });
    json.object("maxArrayLens", [&] {
      json.put("order.nodes", limits::nodes).put("order.edges", limits::nodes);
      json.put("node.actions", limits::actions).put("edge.actions", limits::actions);
      json.put("actions.actionsParameters", limits::parameters).put("instantActions", limits::actions);
      json.put("trajectory.knotVector", 2 * limits::points).put("trajectory.controlPoints", limits::points);
    });
    json.object("timing", [&] {
      json.put("minOrderInterval", sheet.order_interval).put("minStateInterval", sheet.state_interval);
      json.put("defaultStateInterval", sheet.default_state_interval);
      if (sheet.visualization_interval > 0) json.put("visualizationInterval", sheet.visualization_interval);
    });
  });
}

void write_features(JsonWriter& json, const Factsheet& sheet) {
  json.object("protocolFeatures", [&] {
    json.array("optionalParameters", [&] {
      for (const OptionalFact& fact : sheet.optional_parameters) {
        json.object(
            [&] { json.put("parameter", fact.parameter).put("support", fact.required ? "REQUIRED" : "SUPPORTED"); });
      }
    });
    json.array("agvActions", [&] {
      for (const ActionFact& action : sheet.actions) {
        json.object([&] {
          json.put("actionType", action.type);
          json.array("actionScopes", [&] {
            for (const Scope scope : action.scopes) json.element(text_of(scope));
          });
          json.array("actionParameters", [&] {
            for (const ActionParameterFact& parameter : action.parameters) {
              json.object([&] {
                json.put("key", parameter.key).put("valueDataType", parameter.type);
                json.put("isOptional", parameter.optional);
              });
            }
          });
          json.array("blockingTypes", [&] {
            for (const Blocking blocking : action.blocking) json.element(text_of(blocking));
          });
        });
      }
    });
  });
}

void write_geometry(JsonWriter& json, const Factsheet& sheet) {
  json.object("agvGeometry", [&] {
    json.array("wheelDefinitions", [&] {
      for (const WheelFact& wheel : sheet.wheels) {
        json.object([&] {
          json.put("type", wheel.type).put("isActiveDriven", wheel.driven).put("isActiveSteered", wheel.steered);
          json.object("position", [&] { json.put("x", wheel.x).put("y", wheel.y); });
          json.put("diameter", wheel.diameter).put("width", wheel.width);
        });
      }
    });
  });
}

}  // namespace

std::string write_factsheet(const Identity& identity, const Stamp& stamp, const Factsheet& sheet) {
  JsonWriter json;
  json.object([&] {
    json.put("headerId", stamp.header_id).put("timestamp", timestamp_of(stamp.time));
    json.put("version", text_of(identity.version)).put("manufacturer", identity.manufacturer);
    json.put("serialNumber", identity.serial_number);
    write_type(json, sheet);
    write_limits(json, sheet);
    write_features(json, sheet);
    write_geometry(json, sheet);
    json.object("loadSpecification", [] {});
  });
  return std::move(json).take();
}

}  // namespace tandem::vda5050
