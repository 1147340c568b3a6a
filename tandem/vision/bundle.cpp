// SPDX-License-Identifier: Apache-2.0
#include "tandem/vision/bundle.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace tandem::vision {
namespace {

using Matrix63 = Eigen::Matrix<double, 6, 3>;

double bundle_cost(const Camera& camera, const Bundle& bundle, double limit) {
  double cost = 0;
  for (const BundleSight& sight : bundle.sights) {
    const Eigen::Vector3d p = bundle.views[sight.view].X_camera_world * bundle.points[sight.point];
    const double error = p.z() > 1e-3 ? (camera.pixel_of(p) - sight.pixel).norm() : 1e3;
    cost += huber_cost(error, limit);
  }
  return cost;
}

// One step of all that is free.
struct BundleStep {
  Eigen::VectorXd views;
  std::vector<Eigen::Vector3d> points;
};

class BundleSystem {
 public:
  BundleSystem(const Camera& camera, const Bundle& bundle, double limit)
      : camera_(camera), bundle_(bundle), limit_(limit) {
    for (const BundleView& view : bundle.views) places_.push_back(view.fixed ? -1 : 6 * free_++);
    crosses_.resize(bundle.sights.size());
  }

  BundleStep solve(double damping) {
    curvature_ = Eigen::MatrixXd::Zero(6 * free_, 6 * free_);
    slope_ = Eigen::VectorXd::Zero(6 * free_);
    own_ = Eigen::VectorXd::Zero(6 * free_);
    inverses_.assign(bundle_.points.size(), Eigen::Matrix3d::Zero());
    slopes_.assign(bundle_.points.size(), Eigen::Vector3d::Zero());
    for_each_point([&](std::size_t first, std::size_t last) { eliminate(first, last, damping); });
    curvature_.diagonal() += damping * own_;
    curvature_.diagonal().array() += 1e-9;
    BundleStep step{.views = curvature_.ldlt().solve(-slope_),
                    .points = std::vector<Eigen::Vector3d>(bundle_.points.size(), Eigen::Vector3d::Zero())};
    for_each_point([&](std::size_t first, std::size_t last) {
      const int point = bundle_.sights[first].point;
      Eigen::Vector3d right = -slopes_[point];
      for (std::size_t i = first; i < last; ++i) {
        const int place = places_[bundle_.sights[i].view];
        if (place >= 0) right -= crosses_[i].transpose() * step.views.segment<6>(place);
      }
      step.points[point] = inverses_[point] * right;
    });
    return step;
  }

  Bundle after(const BundleStep& step) const {
    Bundle next = bundle_;
    for (std::size_t i = 0; i < next.views.size(); ++i) {
      if (places_[i] < 0) continue;
      next.views[i].X_camera_world = moved(next.views[i].X_camera_world, step.views.segment<6>(places_[i]));
    }
    for (std::size_t i = 0; i < next.points.size(); ++i) next.points[i] += step.points[i];
    return next;
  }

 private:
  template <typename Call>
  void for_each_point(Call call) const {
    for (std::size_t first = 0, last = 0; first < bundle_.sights.size(); first = last) {
      while (last < bundle_.sights.size() && bundle_.sights[last].point == bundle_.sights[first].point) ++last;
      call(first, last);
    }
  }

  // Adds the sights of one point, and what remains of them for the views once the point follows.
  void eliminate(std::size_t first, std::size_t last, double damping) {
    const int point = bundle_.sights[first].point;
    Eigen::Matrix3d curvature = Eigen::Matrix3d::Zero();
    Eigen::Vector3d slope = Eigen::Vector3d::Zero();
    for (std::size_t i = first; i < last; ++i) {
      const BundleSight& sight = bundle_.sights[i];
      crosses_[i].setZero();
      const Projection seen = project(camera_, bundle_.views[sight.view].X_camera_world, bundle_.points[point]);
      if (!seen.in_front) continue;
      const Eigen::Vector2d error = seen.pixel - sight.pixel;
      const double weight = huber_weight(error.norm(), limit_);
      curvature.noalias() += weight * seen.by_point.transpose() * seen.by_point;
      slope.noalias() += weight * seen.by_point.transpose() * error;
      const int place = places_[sight.view];
      if (place < 0) continue;
      const Eigen::Matrix<double, 6, 6> block = weight * seen.by_pose.transpose() * seen.by_pose;
      curvature_.block<6, 6>(place, place) += block;
      own_.segment<6>(place) += block.diagonal();
      slope_.segment<6>(place) += weight * seen.by_pose.transpose() * error;
      crosses_[i] = weight * seen.by_pose.transpose() * seen.by_point;
    }
    curvature.diagonal() *= 1 + damping;
    curvature.diagonal().array() += 1e-9;
    inverses_[point] = curvature.inverse();
    slopes_[point] = slope;
    for (std::size_t i = first; i < last; ++i) {
      const int row = places_[bundle_.sights[i].view];
      if (row < 0) continue;
      const Matrix63 led = crosses_[i] * inverses_[point];
      slope_.segment<6>(row) -= led * slope;
      for (std::size_t j = first; j < last; ++j) {
        const int column = places_[bundle_.sights[j].view];
        if (column >= 0) curvature_.block<6, 6>(row, column) -= led * crosses_[j].transpose();
      }
    }
  }

  const Camera& camera_;
  const Bundle& bundle_;
  double limit_;
  int free_ = 0;
  std::vector<int> places_;  // of each view's step, -1 where it is fixed
  Eigen::MatrixXd curvature_;
  Eigen::VectorXd slope_, own_;
  std::vector<Matrix63> crosses_;  // view by point, of each sight
  std::vector<Eigen::Matrix3d> inverses_;
  std::vector<Eigen::Vector3d> slopes_;
};

}  // namespace

void adjust(const Camera& camera, Bundle& bundle, int most_steps, double limit) {
  if (bundle.sights.empty()) return;
  double damping = 1e-4;
  double cost = bundle_cost(camera, bundle, limit);
  for (int i = 0; i < most_steps && damping < 1e4; ++i) {
    BundleSystem system(camera, bundle, limit);
    const BundleStep step = system.solve(damping);
    if (!step.views.allFinite()) return;
    Bundle next = system.after(step);
    const double next_cost = bundle_cost(camera, next, limit);
    if (!(next_cost <= cost)) {
      damping *= 100;
      continue;
    }
    const bool settled = cost - next_cost < 1e-4 * cost;
    bundle = std::move(next);
    cost = next_cost;
    damping *= 0.1;
    if (settled) return;
  }
}

}  // namespace tandem::vision
