// SPDX-License-Identifier: Apache-2.0
// Messages of VDA 5050 as plain structs; how they look as JSON is apart (read.hpp, write.hpp). SI units, as on the
// wire. Source of names and meanings: VDA5050/VDA5050 tag 2.1.0, VDA5050_EN.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::vda5050 {

enum class Version : std::uint8_t { v2_0, v2_1 };
constexpr std::string_view text_of(Version version) { return version == Version::v2_0 ? "2.0.0" : "2.1.0"; }

enum class Blocking : std::uint8_t { none, soft, hard };
enum class ActionStatus : std::uint8_t { waiting, initializing, running, paused, finished, failed };
constexpr bool is_terminal(ActionStatus status) {
  return status == ActionStatus::finished || status == ActionStatus::failed;
}
enum class OperatingMode : std::uint8_t { automatic, semiautomatic, manual, service, teach_in };
enum class ErrorLevel : std::uint8_t { warning, fatal };
enum class EStop : std::uint8_t { none, auto_acknowledge, manual, remote };
enum class ConnectionState : std::uint8_t { online, offline, broken };
enum class Scope : std::uint8_t { instant, node, edge };

// Of messages that were received.
struct Header {
  std::uint32_t header_id = 0;
  std::string timestamp, version, manufacturer, serial_number;
};

// Any JSON value; what is neither a number, a boolean nor a text is kept as JSON.
struct Value {
  enum class Kind : std::uint8_t { number, boolean, text, json } kind = Kind::text;
  double number = 0;
  bool boolean = false;
  std::string text;
};

struct Parameter {
  std::string key;
  Value value;
};

struct Action {
  std::string type, id;
  Blocking blocking = Blocking::none;
  std::string description;
  std::vector<Parameter> parameters;

  const Value* parameter(std::string_view key) const;
};

// Of instant actions: what makes a vehicle stand. Obeyed whatever else is wrong with the message.
constexpr bool stops(std::string_view action_type) {
  return action_type == "cancelOrder" || action_type == "startPause";
}

struct NodePosition {
  double x = 0, y = 0;          // m
  std::optional<double> theta;  // rad
  double deviation = 0;         // m; 0: the vehicle's own tolerance
  double theta_deviation = 0;   // rad; 0: the vehicle's own tolerance
  std::string map_id;
};

struct Node {
  std::string id, description;
  std::uint32_t sequence = 0;
  bool released = false;
  std::optional<NodePosition> position;
  std::vector<Action> actions;
};

struct ControlPoint {
  double x = 0, y = 0, weight = 1;  // m, m, 1
};

struct Trajectory {
  int degree = 1;
  std::vector<double> knots;
  std::vector<ControlPoint> points;
};

enum class CorridorReference : std::uint8_t { kinematic_center, contour };
struct Corridor {
  double left = 0, right = 0;  // m
  CorridorReference reference = CorridorReference::kinematic_center;
};

enum class OrientationType : std::uint8_t { tangential, global };

struct Edge {
  std::string id, description, start_node, end_node;
  std::uint32_t sequence = 0;
  bool released = false;
  std::optional<double> max_speed;               // m/s
  std::optional<double> max_height, min_height;  // m, of the load handling device
  std::optional<double> orientation;             // rad
  OrientationType orientation_type = OrientationType::tangential;
  std::string direction;  // at junctions of line-guided vehicles; empty: none
  std::optional<bool> rotation_allowed;
  std::optional<double> max_rotation_speed;  // rad/s
  std::optional<double> length;              // m
  std::optional<Trajectory> trajectory;
  std::optional<Corridor> corridor;
  std::vector<Action> actions;
};

// nodes.size() == edges.size() + 1 and more, once check_structure() (order.hpp) has passed it.
struct Order {
  Header header;
  std::string id, zone_set;
  std::uint32_t update = 0;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

struct InstantActions {
  Header header;
  std::vector<Action> actions;
};

struct Reference {
  std::string key, value;
  friend bool operator==(const Reference&, const Reference&) = default;
};

// An entry of state.errors.
struct Problem {
  std::string type;
  ErrorLevel level = ErrorLevel::warning;
  std::string description, hint;
  std::vector<Reference> references;
  friend bool operator==(const Problem&, const Problem&) = default;
};

// Error types. The document names the first four; masters match on these texts.
namespace error_type {
inline constexpr std::string_view validation = "validationError";
inline constexpr std::string_view order = "orderError";
inline constexpr std::string_view order_update = "orderUpdateError";
inline constexpr std::string_view no_order_to_cancel = "noOrderToCancel";
inline constexpr std::string_view no_route = "noRouteError";
inline constexpr std::string_view instant_action = "instantActionError";
inline constexpr std::string_view action_failed = "orderActionError";
inline constexpr std::string_view clock_difference = "clockDifference";
inline constexpr std::string_view message_dropped = "messageDropped";
}  // namespace error_type

struct ActionState {
  std::string id, type, description;
  ActionStatus status = ActionStatus::waiting;
  std::string result;
};

struct Position {
  double x = 0, y = 0, theta = 0;  // m, m, rad, of the control point in the map
  std::string map_id;
  bool initialized = false;
};

struct Velocity {
  double vx = 0, vy = 0, omega = 0;  // m/s, m/s, rad/s, in the vehicle's frame
};

struct Battery {
  double charge = 80;  // percent
  bool charging = false;
};

struct Load {
  std::string id, type, position;
  std::optional<double> weight;  // kg
};

struct Safety {
  EStop e_stop = EStop::none;
  bool field_violation = false;
  friend bool operator==(const Safety&, const Safety&) = default;
};

// Of nodes and edges what a state repeats of them.
struct State {
  std::string order_id;
  std::uint32_t order_update = 0;
  std::string last_node;
  std::uint32_t last_sequence = 0;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  bool driving = false, paused = false, new_base_request = false;
  std::vector<ActionState> actions;
  std::optional<Position> position;
  std::optional<Velocity> velocity;
  std::optional<std::vector<Load>> loads;  // none: not known
  Battery battery;
  OperatingMode mode = OperatingMode::manual;
  std::vector<Problem> errors;
  Safety safety;
};

struct ActionParameterFact {
  std::string key, type;  // BOOL, NUMBER, INTEGER, FLOAT, STRING, OBJECT or ARRAY
  bool optional = false;
};

// An action that a vehicle knows: what an order or an instant action may ask.
struct ActionFact {
  std::string type;
  std::vector<Scope> scopes;
  std::vector<ActionParameterFact> parameters;
  std::vector<Blocking> blocking = {Blocking::none, Blocking::soft, Blocking::hard};
};

struct WheelFact {
  std::string type;  // DRIVE or FIXED
  bool driven = false, steered = false;
  double x = 0, y = 0, diameter = 0, width = 0;  // m
};

struct OptionalFact {
  std::string parameter;  // "order.edges.trajectory"
  bool required = false;
};

struct Factsheet {
  std::string series, kinematic, vehicle_class;
  double most_load = 0;  // kg
  std::vector<std::string> localization, navigation;
  double least_speed = 0, most_speed = 0;                         // m/s
  double most_acceleration = 0, most_deceleration = 0;            // m/s^2
  double height = 0, width = 0, length = 0;                       // m
  double order_interval = 0, state_interval = 0;                  // s, the least
  double default_state_interval = 0, visualization_interval = 0;  // s
  std::vector<OptionalFact> optional_parameters;
  std::vector<ActionFact> actions;
  std::vector<WheelFact> wheels;
};

// What a reader takes at most; the factsheet publishes the same numbers.
namespace limits {
inline constexpr std::size_t payload = 1u << 20;  // bytes
inline constexpr std::size_t depth = 16;          // objects and arrays within each other
inline constexpr std::size_t id = 256;            // bytes of an identifier
inline constexpr std::size_t text = 4096;         // bytes of any other text
inline constexpr std::size_t nodes = 1000;
inline constexpr std::size_t actions = 100;     // of a node, an edge or a message
inline constexpr std::size_t parameters = 100;  // of an action
inline constexpr std::size_t points = 1000;     // of a trajectory
}  // namespace limits

}  // namespace tandem::vda5050
