// SPDX-License-Identifier: Apache-2.0
#include "tandem/sim/world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "tandem/sim/mujoco_guard.hpp"

namespace tandem::sim {
namespace {

const char* words(int warning) {
  switch (warning) {
    case mjWARN_INERTIA:
      return "the inertia matrix is singular";
    case mjWARN_CONTACTFULL:
      return "more contacts than nconmax";
    case mjWARN_CNSTRFULL:
      return "more constraints than njmax";
    case mjWARN_BADQPOS:
      return "a position is not finite or too large";
    case mjWARN_BADQVEL:
      return "a velocity is not finite or too large";
    case mjWARN_BADQACC:
      return "an acceleration is not finite or too large";
    case mjWARN_BADCTRL:
      return "a control is not finite or too large";
    default:
      return "unknown warning";
  }
}

}  // namespace

struct World::Impl {
  ModelPointer model;
  DataPointer data;
  Snapshot good;  // the state before the step under way
  std::string cause;
  bool changed = false;                  // by hand, since the first half of a step was last run
  std::vector<Contact> contacts;         // of the last step
  std::vector<double> wanted, required;  // work space of forces_for, one number per degree of freedom

  // Visits the arrays that decide the future. The warm start of the solver is one of them:
  // without it a restored world drifts away in the last bits.
  template <typename Visit>
  void for_state(Visit visit) const {
    const mjModel& m = *model;
    mjData& d = *data;
    visit(&d.time, 1);
    visit(d.qpos, m.nq);
    visit(d.qvel, m.nv);
    visit(d.act, m.na);
    visit(d.qacc_warmstart, m.nv);
    visit(d.ctrl, m.nu);
    visit(d.qfrc_applied, m.nv);
    visit(d.xfrc_applied, 6 * m.nbody);
    visit(d.mocap_pos, 3 * m.nmocap);
    visit(d.mocap_quat, 4 * m.nmocap);
  }

  std::size_t state_size() const {
    std::size_t size = 0;
    for_state([&](const double*, int count) { size += static_cast<std::size_t>(count); });
    return size;
  }

  void copy_to(std::vector<double>& numbers) const {
    auto to = numbers.begin();
    for_state([&](const double* from, int count) { to = std::copy_n(from, count, to); });
  }

  void copy_from(const std::vector<double>& numbers) {
    auto from = numbers.begin();
    for_state([&](double* to, int count) {
      std::copy_n(from, count, to);
      from += count;
    });
  }

  void forget_warnings() {
    for (mjWarningStat& warning : data->warning) warning = {};
  }

  // MuJoCo answers a bad number with a reset to the initial state; the counter is all that shows it.
  int warned() const {
    for (int i = 0; i < mjNWARNING; ++i)
      if (i != mjWARN_VGEOMFULL && data->warning[i].number != 0) return i;
    return -1;
  }

  void trip(std::string why) {
    cause = fmt::format("at {:.3f} s: {}", good.numbers.front(), why);
    forget_warnings();
    copy_from(good.numbers);
    // The controls stay for anyone who looks for the reason, except that what is not finite would trip this too.
    std::replace_if(
        data->ctrl, data->ctrl + model->nu, [](double value) { return !(std::abs(value) < mjMAXVAL); }, 0.0);
    try {
      mj_step1(model.get(), data.get());
    } catch (const std::exception&) {
      // The engine itself failed, and the cause already says so.
    }
    forget_warnings();
    changed = false;
  }

  // Runs a piece of the engine; false when it tripped.
  template <typename Run>
  bool guarded(Run run) {
    try {
      run();
    } catch (const std::exception& error) {
      trip(error.what());
      return false;
    }
    const int warning = warned();
    if (warning < 0) return true;
    const std::string told = take_warning();
    trip(told.empty() ? std::string(words(warning)) : fmt::format("{} ({})", words(warning), told));
    return false;
  }

  // Between the halves of a step, while contacts and the forces that were found for them belong together.
  void note_contacts() {
    contacts.clear();
    for (int i = 0; i < data->ncon; ++i) {
      const mjContact& contact = data->contact[i];
      if (contact.efc_address < 0) continue;
      double local[6];
      mj_contactForce(model.get(), data.get(), i, local);
      const Eigen::Map<const Eigen::Matrix3d> axes(contact.frame);  // its rows are the axes; column-major, its columns
      contacts.push_back({{model->geom_bodyid[contact.geom1]},
                          {model->geom_bodyid[contact.geom2]},
                          Eigen::Map<const Eigen::Vector3d>(contact.pos),
                          axes * Eigen::Map<const Eigen::Vector3d>(local),
                          local[0]});
    }
  }

  int find(mjtObj kind, const char* what, std::string_view name) const {
    const int id = mj_name2id(model.get(), kind, std::string(name).c_str());
    if (id < 0) throw std::runtime_error(fmt::format("the model has no {} \"{}\"", what, name));
    return id;
  }
};

World::World(std::string_view mjcf) : impl_(std::make_unique<Impl>()) {
  impl_->model = load_model(mjcf);
  if (impl_->model->opt.integrator == mjINT_RK4)
    throw std::runtime_error("integrator: expected Euler or implicit, got RK4");
  impl_->data.reset(mj_makeData(impl_->model.get()));
  if (!impl_->data) throw std::runtime_error("no memory for the state of the model");
  impl_->good.numbers.resize(impl_->state_size());
  impl_->contacts.reserve(static_cast<std::size_t>(impl_->model->nconmax));
  impl_->wanted.resize(static_cast<std::size_t>(impl_->model->nv));
  impl_->required.resize(static_cast<std::size_t>(impl_->model->nv));
  update();
  if (tripped()) throw std::runtime_error(fmt::format("the model cannot start: {}", cause()));
}

World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

Joint World::joint(std::string_view name) const {
  const int id = impl_->find(mjOBJ_JOINT, "joint", name);
  const int type = impl_->model->jnt_type[id];
  if (type != mjJNT_HINGE && type != mjJNT_SLIDE)
    throw std::runtime_error(fmt::format("joint \"{}\" is neither hinge nor slide", name));
  return {impl_->model->jnt_qposadr[id], impl_->model->jnt_dofadr[id]};
}

Actuator World::actuator(std::string_view name) const { return {impl_->find(mjOBJ_ACTUATOR, "actuator", name)}; }

Body World::body(std::string_view name) const { return {impl_->find(mjOBJ_BODY, "body", name)}; }

Sensor World::sensor(std::string_view name) const {
  const int id = impl_->find(mjOBJ_SENSOR, "sensor", name);
  return {impl_->model->sensor_adr[id], impl_->model->sensor_dim[id]};
}

Site World::site(std::string_view name) const { return {impl_->find(mjOBJ_SITE, "site", name)}; }

int World::bodies() const { return impl_->model->nbody; }

std::string_view World::name(Body body) const {
  const char* name = mj_id2name(impl_->model.get(), mjOBJ_BODY, body.index);
  return name ? name : "";
}

double World::timestep() const { return impl_->model->opt.timestep; }
double World::time() const { return impl_->data->time; }
double World::position(Joint joint) const { return impl_->data->qpos[joint.position]; }
double World::velocity(Joint joint) const { return impl_->data->qvel[joint.velocity]; }
double World::acceleration(Joint joint) const { return impl_->data->qacc[joint.velocity]; }
double World::constraint_force(Joint joint) const { return impl_->data->qfrc_constraint[joint.velocity]; }
double World::control(Actuator actuator) const { return impl_->data->ctrl[actuator.index]; }
double World::length(Actuator actuator) const { return impl_->data->actuator_length[actuator.index]; }
double World::force(Actuator actuator) const { return impl_->data->actuator_force[actuator.index]; }

Pose World::pose(Body body) const {
  const Eigen::Map<const Eigen::Vector3d> position(impl_->data->xpos + 3 * body.index);
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> rotation(impl_->data->xmat + 9 * body.index);
  return pose_from(position, rotation);
}

Pose World::pose(Site site) const {
  const Eigen::Map<const Eigen::Vector3d> position(impl_->data->site_xpos + 3 * site.index);
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> rotation(impl_->data->site_xmat +
                                                                                9 * site.index);
  return pose_from(position, rotation);
}

// MuJoCo's own sum is left at zero unless the model asks for it in every step.
double World::energy() const {
  const mjModel& model = *impl_->model;
  const mjData& data = *impl_->data;
  double sum = 0;
  for (int i = 1; i < model.nbody; ++i) sum -= model.body_mass[i] * mju_dot3(model.opt.gravity, data.xipos + 3 * i);
  mj_mulM(&model, &data, impl_->required.data(), data.qvel);
  return sum + mju_dot(impl_->required.data(), data.qvel, model.nv) / 2;
}

std::span<const Contact> World::contacts() const { return impl_->contacts; }

void World::forces_for(std::span<const Joint> joints, std::span<const double> accelerations,
                       std::span<double> forces) const {
  std::fill(impl_->wanted.begin(), impl_->wanted.end(), 0.0);
  for (std::size_t i = 0; i < joints.size(); ++i)
    impl_->wanted[static_cast<std::size_t>(joints[i].velocity)] = accelerations[i];
  const mjData& data = *impl_->data;
  mj_mulM(impl_->model.get(), &data, impl_->required.data(), impl_->wanted.data());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const int at = joints[i].velocity;
    forces[i] = impl_->required[static_cast<std::size_t>(at)] + data.qfrc_bias[at] - data.qfrc_passive[at];
  }
}

Twist World::twist(Body body) const {
  // XBODY is the frame of the body; BODY would be that of its inertia, whose axes are permuted.
  Eigen::Matrix<double, 6, 1> both;
  mj_objectVelocity(impl_->model.get(), impl_->data.get(), mjOBJ_XBODY, body.index, both.data(), 0);
  return {both.tail<3>(), both.head<3>()};
}

std::span<const double> World::values(Sensor sensor) const {
  return {impl_->data->sensordata + sensor.address, static_cast<std::size_t>(sensor.size)};
}

void World::control(Actuator actuator, double value) { impl_->data->ctrl[actuator.index] = value; }

void World::push(Body body, const Eigen::Vector3d& force, const Eigen::Vector3d& torque) {
  double* both = impl_->data->xfrc_applied + 6 * body.index;
  Eigen::Map<Eigen::Vector3d>{both} = force;
  Eigen::Map<Eigen::Vector3d>{both + 3} = torque;
}

void World::place(Joint joint, double position, double velocity) {
  impl_->data->qpos[joint.position] = position;
  impl_->data->qvel[joint.velocity] = velocity;
  impl_->changed = true;
}

void World::place(Body body, const Pose& X_world_body) {
  const mjModel& model = *impl_->model;
  const int joint = model.body_jntadr[body.index];
  if (joint < 0 || model.jnt_type[joint] != mjJNT_FREE)
    throw std::runtime_error(fmt::format("body \"{}\" has no free joint, so it cannot be placed",
                                         mj_id2name(&model, mjOBJ_BODY, body.index)));
  double* position = impl_->data->qpos + model.jnt_qposadr[joint];
  const Eigen::Quaterniond q(X_world_body.linear());
  Eigen::Map<Eigen::Vector3d>{position} = X_world_body.translation();
  Eigen::Map<Eigen::Vector4d>{position + 3} << q.w(), q.x(), q.y(), q.z();
  Eigen::Map<Eigen::Matrix<double, 6, 1>>(impl_->data->qvel + model.jnt_dofadr[joint]).setZero();
  impl_->changed = true;
}

void World::update() {
  if (tripped()) return;
  impl_->copy_to(impl_->good.numbers);
  impl_->guarded([this] { mj_step1(impl_->model.get(), impl_->data.get()); });
  impl_->changed = false;
}

bool World::step() {
  if (impl_->changed) update();
  if (tripped()) return false;
  impl_->copy_to(impl_->good.numbers);
  return impl_->guarded([this] {
    mj_step2(impl_->model.get(), impl_->data.get());
    impl_->note_contacts();
    if (impl_->warned() < 0) mj_step1(impl_->model.get(), impl_->data.get());
  });
}

bool World::tripped() const { return !impl_->cause.empty(); }
const std::string& World::cause() const { return impl_->cause; }

void World::reset() {
  mj_resetData(impl_->model.get(), impl_->data.get());
  impl_->cause.clear();
  impl_->contacts.clear();
  update();
}

Snapshot World::save() const {
  Snapshot snapshot{std::vector<double>(impl_->state_size())};
  impl_->copy_to(snapshot.numbers);
  return snapshot;
}

void World::restore(const Snapshot& snapshot) {
  if (snapshot.numbers.size() != impl_->state_size())
    throw std::runtime_error(fmt::format("snapshot: expected {1} numbers, got {0}: it is of another model",
                                         snapshot.numbers.size(), impl_->state_size()));
  impl_->copy_from(snapshot.numbers);
  impl_->cause.clear();
  impl_->forget_warnings();
  impl_->contacts.clear();
  update();
}

}  // namespace tandem::sim
