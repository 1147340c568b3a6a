// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/solve.hpp"

#include <cmath>
#include <optional>

#include "tandem/kinematics/ur/inverse.hpp"
#include "tandem/machines/query.hpp"
#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {
namespace {

using namespace machines::query;
using Vector6 = Eigen::Matrix<double, 6, 1>;

constexpr std::array<std::string_view, 6> models = {"ur3e", "ur5e", "ur10e", "ur16e", "ur20", "ur30"};

// Nothing when the field is absent.
Result<std::optional<Vector6>> optional_six(const Json& query, const std::string& field) {
  if (!query.contains(field)) return std::optional<Vector6>{};
  Vector6 six;
  if (auto read = read_list(query[field], field, {six.data(), 6}); !read) return std::move(read).error();
  return std::optional<Vector6>(six);
}

Result<Vector6> six(const Json& query, const std::string& field, const char* meaning) {
  const auto value = optional_six(query, field);
  if (!value) return value.error();
  if (!value->has_value()) return wrong(fmt::format("{}: missing; expected {}", field, meaning));
  return **value;
}

constexpr const char* joints_meaning = "6 joint angles, base first (rad)";
constexpr const char* pose_meaning = "[x, y, z, rx, ry, rz] of the tool in the base frame (m, rotation vector in rad)";

// Which arm, and where its tool centre point is.
struct QueriedArm {
  const kinematics::ur::Model* model = &arm_model;
  Pose X_flange_tcp = Pose::Identity();
};

Result<QueriedArm> arm_from(const Json& query) {
  QueriedArm arm;
  if (query.contains("model")) {
    const Json& name = query["model"];
    arm.model = name.is_string() ? kinematics::ur::model_named(name.get_ref<const std::string&>()) : nullptr;
    if (arm.model == nullptr) {
      const std::string text = name.is_string() ? name.get<std::string>() : seen(name);
      return wrong(fmt::format("model: unknown arm '{}'{}", printable(text), suggestion(text, models)));
    }
  }
  const auto tcp = optional_six(query, "tcp");
  if (!tcp) return tcp.error();
  if (tcp->has_value()) arm.X_flange_tcp = kinematics::ur::pose_from_vector(**tcp);
  return arm;
}

Json list(const Vector6& v) { return Json(std::vector<double>(v.begin(), v.end())); }

// Only said when there is something to say.
template <typename Singular>
void add_singularities(Json& answer, const Singular& found) {
  Json singular = Json::array();
  if (found.wrist_singular) singular.push_back("wrist");
  if (found.shoulder_singular) singular.push_back("shoulder");
  if (found.elbow_singular) singular.push_back("elbow");
  if (!singular.empty()) answer["singular"] = singular;
}

Result<std::string> fk(std::string_view text, const machines::Progress&) {
  constexpr std::array<std::string_view, 3> fields = {"q", "model", "tcp"};
  const auto query = object_from(text, fields);
  if (!query) return query.error();
  const auto q = six(*query, "q", joints_meaning);
  if (!q) return q.error();
  const auto arm = arm_from(*query);
  if (!arm) return arm.error();
  Json answer = {
      {"pose", list(kinematics::ur::vector_from_pose(kinematics::ur::forward(*arm->model, *q) * arm->X_flange_tcp))}};
  if (const auto joint = kinematics::ur::outside_limits(*arm->model, *q))
    answer["outside_limits"] = kinematics::ur::joint_names[static_cast<std::size_t>(*joint)];
  return answer.dump();
}

Result<std::string> ik(std::string_view text, const machines::Progress&) {
  constexpr std::array<std::string_view, 4> fields = {"pose", "qnear", "model", "tcp"};
  const auto query = object_from(text, fields);
  if (!query) return query.error();
  const auto pose = six(*query, "pose", pose_meaning);
  if (!pose) return pose.error();
  const auto near = optional_six(*query, "qnear");
  if (!near) return near.error();
  const auto arm = arm_from(*query);
  if (!arm) return arm.error();
  const auto found = kinematics::ur::nearest(*arm->model, kinematics::ur::pose_from_vector(*pose),
                                             near->value_or(home()), arm->X_flange_tcp);
  if (!found) return found.error();
  Json answer = {{"q", list(found->q)}};
  add_singularities(answer, *found);
  return answer.dump();
}

Result<std::string> all_ik(std::string_view text, const machines::Progress&) {
  constexpr std::array<std::string_view, 3> fields = {"pose", "model", "tcp"};
  const auto query = object_from(text, fields);
  if (!query) return query.error();
  const auto pose = six(*query, "pose", pose_meaning);
  if (!pose) return pose.error();
  const auto arm = arm_from(*query);
  if (!arm) return arm.error();
  const Pose X_base_flange = kinematics::ur::pose_from_vector(*pose) * arm->X_flange_tcp.inverse();
  kinematics::ur::Solutions solutions;
  if (kinematics::ur::all_solutions(*arm->model, X_base_flange, solutions) == 0)
    return kinematics::ur::why_unreachable(*arm->model, X_base_flange);
  Json rows = Json::array();
  for (int k = 0; k < solutions.count; ++k) rows.push_back(list(solutions.q[static_cast<std::size_t>(k)]));
  Json answer = {{"solutions", rows}};
  add_singularities(answer, solutions);
  return answer.dump();
}

constexpr machines::Query all_queries[] = {
    {"fk",
     "q: 6 joint angles (rad) -> pose: [x, y, z, rx, ry, rz] of the tool in the controller's base frame (m, rotation "
     "vector in rad). All three take model (ur3e, ur5e, ur10e, ur16e, ur20, ur30) and tcp, a pose on the flange",
     R"({"q": [1.19, -1.13, 1.05, -1.60, -1.52, 1.05]})", fk},
    {"ik",
     "pose: of the tool; qnear: 6 joint angles, upright unless given -> q: the solution nearest to qnear within the "
     "joint limits; singular: what is singular there, if anything",
     R"({"pose": [-0.2, -0.3, 0.3, 0, 3.14159, 0], "qnear": [0, -1.57, 1.57, -1.57, -1.57, 0]})", ik},
    {"all_ik", "pose: of the tool -> solutions: all up to 8, angles within +-pi; singular, if anything",
     R"({"pose": [-0.2, -0.3, 0.3, 0, 3.14159, 0]})", all_ik},
};

}  // namespace

std::span<const machines::Query> queries() { return all_queries; }

}  // namespace tandem::ur3e
