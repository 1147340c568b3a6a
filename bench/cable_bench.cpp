// SPDX-License-Identifier: Apache-2.0
// Cable robot: tensions beside an Eigen pseudo-inverse with clamping, and how many of the poses that can be held each
// finds, with Clp as the judge; lengths beside eight bare square roots; pose from lengths and conditioning beside plain
// Eigen. Exit code 1 when a ratio or the coverage is not what it should be.
#include <benchmark/benchmark.h>
#include <coin/Clp_C_Interface.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <random>
#include <vector>

#include "bench/side_by_side.hpp"
#include "tandem/kinematics/cable/pose.hpp"
#include "tandem/kinematics/cable/tension/tension.hpp"

using namespace tandem;
using namespace tandem::cables;

namespace {

constexpr std::size_t count = 500;

const Robot& robot() { return Robot::standard(); }

// As it is usually written.
namespace peer {

Eigen::MatrixXd structure(const Pose& pose) {
  Eigen::MatrixXd all(6, robot().cables());
  for (int i = 0; i < robot().cables(); ++i) {
    const Eigen::Vector3d arm = pose.linear() * robot().cable(i).platform;
    const Eigen::Vector3d along = (robot().cable(i).frame - pose.translation() - arm).normalized();
    all.col(i) << along, arm.cross(along);
  }
  return all;
}

Eigen::VectorXd unclamped(const Pose& pose, const Wrench& outer) {
  const Eigen::MatrixXd all = structure(pose);
  const TensionRange& range = robot().design().tension;
  const Eigen::VectorXd middle = Eigen::VectorXd::Constant(all.cols(), 0.5 * (range.least + range.most));
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(all, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd inverse = svd.singularValues().cwiseInverse();
  const Eigen::MatrixXd pseudo = svd.matrixV() * inverse.asDiagonal() * svd.matrixU().transpose();
  return middle + pseudo * (-outer - all * middle);
}

Eigen::VectorXd tensions(const Pose& pose, const Wrench& outer) {
  const TensionRange& range = robot().design().tension;
  return unclamped(pose, outer).cwiseMax(range.least).cwiseMin(range.most);
}

Pose pose(const PerCable& lengths, Pose pose) {
  for (int step = 0; step < 20; ++step) {
    Eigen::MatrixXd slopes(robot().cables(), 6);
    Eigen::VectorXd errors(robot().cables());
    for (int i = 0; i < robot().cables(); ++i) {
      const Eigen::Vector3d arm = pose.linear() * robot().cable(i).platform;
      const Eigen::Vector3d span = pose.translation() + arm - robot().cable(i).frame;
      errors[i] = lengths[i] - span.norm();
      slopes.row(i) << span.normalized().transpose(), arm.cross(span.normalized()).transpose();
    }
    const Eigen::VectorXd twist = slopes.colPivHouseholderQr().solve(errors);
    pose.translation() += twist.head<3>();
    const Eigen::Vector3d turn = twist.tail<3>();
    if (turn.norm() > 0) pose.linear() = Eigen::AngleAxisd(turn.norm(), turn.normalized()) * pose.linear();
    if (twist.norm() < 1e-10) break;
  }
  return pose;
}

double conditioning(const Pose& pose) {
  Eigen::MatrixXd all = structure(pose);
  all.bottomRows(3) /= robot().scale();
  const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(all).singularValues();
  return values[5] / values[0];
}

}  // namespace peer

struct Load {
  Pose pose;
  Wrench outer;
  PerCable lengths;
  Pose near;
};

class Source {
 public:
  explicit Source(unsigned seed) : engine_(seed) {}
  Load next() {
    Load load;
    load.pose = pose_from(robot().design().home + box(0.25), turned(0.6));
    load.outer = weight(robot(), load.pose);
    load.outer.head<3>() += box(8);
    load.outer.tail<3>() += box(0.3);
    load.lengths = lengths(robot(), load.pose);
    load.near = pose_from(load.pose.translation() + box(0.004), turned(0.01) * load.pose.linear());
    return load;
  }

 private:
  double within(double a) { return std::uniform_real_distribution<double>(-a, a)(engine_); }
  Eigen::Vector3d box(double a) { return {within(a), within(a), within(a)}; }
  Eigen::Matrix3d turned(double a) { return quaternion_from_rotation_vector(box(a)).toRotationMatrix(); }
  std::mt19937_64 engine_;
};

bool closed_form_holds(const Load& load) {
  const Eigen::VectorXd t = peer::unclamped(load.pose, load.outer);
  const TensionRange& range = robot().design().tension;
  return t.minCoeff() >= range.least && t.maxCoeff() <= range.most;
}

Distribution ours(const Load& load, Aim aim) {
  return distribute(robot(), structure(robot(), load.pose), load.outer, aim);
}

struct Samples {
  Samples() {
    Source source(71);
    while (feasible.size() < count || cut.size() < count || not_feasible.size() < count) {
      const Load load = source.next();
      const bool held = ours(load, Aim::middle).feasible;
      auto& side = held ? feasible : not_feasible;
      if (side.size() < count) side.push_back(load);
      if (held && cut.size() < count && !closed_form_holds(load)) cut.push_back(load);
    }
  }
  std::vector<Load> feasible;  // as they come
  std::vector<Load> cut;       // those that the closed form misses
  std::vector<Load> not_feasible;
};

const Samples& samples() {
  static const Samples value;
  return value;
}

void peer_tensions(const std::vector<Load>& loads) {
  for (const Load& load : loads) {
    Eigen::VectorXd t = peer::tensions(load.pose, load.outer);
    benchmark::DoNotOptimize(t.data());
  }
}
void our_tensions(const std::vector<Load>& loads, Aim aim) {
  for (const Load& load : loads) {
    Distribution found = ours(load, aim);
    benchmark::DoNotOptimize(found);
  }
}

// Nothing but what must be: read the points, eight square roots, write.
void bare_lengths() {
  static double points[8][3];
  for (const Load& load : samples().feasible) {
    const Eigen::Matrix3d& r = load.pose.linear();
    const Eigen::Vector3d& p = load.pose.translation();
    double out[8];
    benchmark::DoNotOptimize(points);
    for (int i = 0; i < 8; ++i) {
      const double x = p[0] + r(0, 0) * points[i][0] + r(0, 1) * points[i][1] + r(0, 2) * points[i][2];
      const double y = p[1] + r(1, 0) * points[i][0] + r(1, 1) * points[i][1] + r(1, 2) * points[i][2];
      const double z = p[2] + r(2, 0) * points[i][0] + r(2, 1) * points[i][1] + r(2, 2) * points[i][2];
      out[i] = std::sqrt(x * x + y * y + z * z);
    }
    benchmark::DoNotOptimize(out);
  }
}
void our_lengths() {
  for (const Load& load : samples().feasible) {
    PerCable out = lengths(robot(), load.pose);
    benchmark::DoNotOptimize(out);
  }
}
void peer_pose() {
  for (const Load& load : samples().feasible) {
    Pose found = peer::pose(load.lengths, load.near);
    benchmark::DoNotOptimize(found);
  }
}
void our_pose() {
  for (const Load& load : samples().feasible) {
    PoseFit found = fit_pose(robot(), load.lengths, load.near);
    benchmark::DoNotOptimize(found);
  }
}
void peer_conditioning() {
  for (const Load& load : samples().feasible) {
    double value = peer::conditioning(load.pose);
    benchmark::DoNotOptimize(value);
  }
}
void our_conditioning() {
  for (const Load& load : samples().feasible) {
    double value = conditioning(robot(), structure(robot(), load.pose));
    benchmark::DoNotOptimize(value);
  }
}

std::vector<bench::Row> tension_rows() {
  const Samples& all = samples();
  const auto row = [](const char* what, const std::vector<Load>& loads, Aim aim, double wanted) {
    const auto pair = bench::side_by_side(
        count, [&] { peer_tensions(loads); }, [&] { our_tensions(loads, aim); }, 200);
    return bench::Row{what, pair, wanted};
  };
  return {row("tensions, middle, poses that can be held: JacobiSVD, clamped", all.feasible, Aim::middle, 8),
          row("the same where the closed form misses them", all.cut, Aim::middle, 8),
          row("tensions, least norm: the same peer", all.feasible, Aim::least, 8),
          row("tensions, barycentre: the same peer", all.feasible, Aim::barycentre, 4),
          row("why a pose cannot be held: the peer's clamped numbers", all.not_feasible, Aim::middle, 0.2)};
}

std::vector<bench::Row> geometry_rows() {
  return {{"lengths, one pose: reads, eight square roots, writes",
           bench::side_by_side(count, bare_lengths, our_lengths), 0.5},
          {"pose from lengths, warm: Gauss-Newton with Eigen's QR",
           bench::side_by_side(count, peer_pose, our_pose, 200), 1.5},
          {"conditioning: JacobiSVD", bench::side_by_side(count, peer_conditioning, our_conditioning, 200), 1.5}};
}

// By how much every range had to be wider, by linear programming: 6 equations, two bounds for each cable.
double widening_by_program(const Load& load) {
  constexpr int n = 8, rows = 6 + 2 * n;
  constexpr double infinity = std::numeric_limits<double>::max();
  Structure even = structure(robot(), load.pose);
  Wrench wanted = -load.outer;
  even.bottomRows<3>() /= robot().scale();
  wanted.tail<3>() /= robot().scale();
  double matrix[n + 1][rows] = {}, low[rows], high[rows], least[n + 1], most[n + 1], cost[n + 1] = {};
  int starts[n + 2], indices[(n + 1) * rows];
  for (int k = 0; k <= n; ++k) least[k] = -infinity, most[k] = infinity;
  for (int r = 0; r < rows; ++r) low[r] = -infinity, high[r] = infinity;
  for (int r = 0; r < 6; ++r) low[r] = high[r] = wanted[r];
  for (int k = 0; k < n; ++k) {
    for (int r = 0; r < 6; ++r) matrix[k][r] = even(r, k);
    matrix[k][6 + k] = matrix[k][6 + n + k] = 1;
    matrix[n][6 + k] = 1, matrix[n][6 + n + k] = -1;
    low[6 + k] = robot().design().tension.least;
    high[6 + n + k] = robot().design().tension.most;
  }
  cost[n] = 1;
  for (int k = 0; k <= n + 1; ++k) starts[k] = k * rows;
  for (int k = 0; k < (n + 1) * rows; ++k) indices[k] = k % rows;
  Clp_Simplex* const model = Clp_newModel();
  Clp_setLogLevel(model, 0);
  Clp_loadProblem(model, n + 1, rows, starts, indices, matrix[0], least, most, cost, low, high);
  Clp_dual(model, 0);
  const double widening = Clp_status(model) == 0 ? Clp_objectiveValue(model) : infinity;
  Clp_deleteModel(model);
  return widening;
}

// All that Clp finds, and nothing that it does not.
bool coverage(int poses) {
  Source source(72);
  int held = 0, closed = 0, found = 0, missed = 0, claimed = 0, on_border = 0;
  for (int i = 0; i < poses; ++i) {
    const Load load = source.next();
    const double widening = widening_by_program(load);
    const bool exact = ours(load, Aim::middle).feasible;
    found += exact;
    closed += closed_form_holds(load);
    if (std::abs(widening) < 1e-6) {
      ++on_border;
      continue;
    }
    held += widening < 0;
    missed += widening < 0 && !exact;
    claimed += widening > 0 && exact;
  }
  fmt::print(
      "\nof {} random poses and loads Clp can hold {} ({} on the border to 1e-6 N): exact {}, missed {}, claimed in "
      "vain {}; the closed form finds {} and misses {:.1f} %\n",
      poses, held, on_border, found, missed, claimed, closed, 100.0 * (held - closed) / std::max(1, held));
  return missed == 0 && claimed == 0;
}

}  // namespace

int main() {
  std::vector<bench::Row> rows = tension_rows();
  for (bench::Row& row : geometry_rows()) rows.push_back(std::move(row));
  const bool fast = bench::print(rows);
  const bool right = coverage(10'000);
  return fast && right ? 0 : 1;
}
