// SPDX-License-Identifier: Apache-2.0
// The loops behind kernel::Kernels, written once for any number of lanes; see lanes.hpp for how to include it.
#pragma once

#include "tandem/kinematics/lanes.hpp"
#include "tandem/kinematics/stewart/kernels.hpp"

namespace tandem::stewart::kernel {
namespace {

template <typename T>
struct Rotation {
  T xx, xy, xz, yx, yy, yz, zx, zy, zz;
};

template <typename T>
inline Rotation<T> rotation_of(bool zyx, T sr, T cr, T sp, T cp, T sy, T cy) {
  if (zyx) {
    const T a = sp * sr, b = sp * cr;
    return {cy * cp, cy * a - sy * cr, cy * b + sy * sr, sy * cp, sy * a + cy * cr, sy * b - cy * sr,
            -sp,     cp * sr,          cp * cr};
  }
  const T a = sr * sp, b = cr * sp;
  return {cp * cy,          -(cp * sy),       sp,     cr * sy + a * cy, cr * cy - a * sy, -(sr * cp),
          sr * sy - b * cy, sr * cy + b * sy, cr * cp};
}

inline Rotation<double> rotation_of(const State& q) {
  const double s = 2 / (q.qw * q.qw + q.qx * q.qx + q.qy * q.qy + q.qz * q.qz);
  const double x = s * q.qx, y = s * q.qy, z = s * q.qz;
  return {1 - (y * q.qy + z * q.qz), x * q.qy - z * q.qw,       x * q.qz + y * q.qw,
          x * q.qy + z * q.qw,       1 - (x * q.qx + z * q.qz), y * q.qz - x * q.qw,
          x * q.qz - y * q.qw,       y * q.qz + x * q.qw,       1 - (x * q.qx + y * q.qy)};
}

// One pose, a leg per lane: the six legs fill this many vectors.
constexpr int leg_vectors = (6 + lanes - 1) / lanes;

void lengths_one(const Legs& legs, const double* pose, bool zyx, double* lengths) {
  double s[4], c[4];  // of z, which no one wants, and of the three angles: loaded as they lie
  if constexpr (lanes <= 4) {
    for (int i = 0; i < 4; i += lanes) {
      Vector sine, cosine;
      sine_cosine(load(pose + 2 + i), sine, cosine);
      for (int k = 0; k < lanes; ++k) s[i + k] = sine[k], c[i + k] = cosine[k];
    }
  } else {
    Vector angles = all(0), sine, cosine;
    for (int k = 1; k < 4; ++k) angles[k] = pose[k + 2];
    sine_cosine(angles, sine, cosine);
    for (int k = 1; k < 4; ++k) s[k] = sine[k], c[k] = cosine[k];
  }
  const Rotation<double> r = rotation_of(zyx, s[1], c[1], s[2], c[2], s[3], c[3]);
  for (int v = 0; v < leg_vectors; ++v) {
    const int i = v * lanes;
    const Vector bx = load(legs.bx + i), by = load(legs.by + i), bz = load(legs.bz + i);
    const Vector x = (pose[0] - load(legs.ax + i)) + r.xx * bx + r.xy * by + r.xz * bz;
    const Vector y = (pose[1] - load(legs.ay + i)) + r.yx * bx + r.yy * by + r.yz * bz;
    const Vector z = (pose[2] - load(legs.az + i)) + r.zx * bx + r.zy * by + r.zz * bz;
    const Vector length = square_root(x * x + y * y + z * z);
    __builtin_memcpy(lengths + i, &length, sizeof(double) * (6 - i < lanes ? 6 - i : lanes));
  }
}

// The Newton equations of one pose, a leg per lane: sum of column[k] * twist[k] = right.
struct Equations {
  Vector column[6][leg_vectors];
  Vector right[leg_vectors];
};

// Equations at the state, for squared lengths: half the gradient of |d|^2 is (d, Rb x d). Returns the largest error.
inline double equations_at(const Legs& legs, const double* squares, const State& state, Equations& e) {
  const Rotation<double> r = rotation_of(state);
  Vector worst = all(0);
  for (int v = 0; v < leg_vectors; ++v) {
    const int i = v * lanes;
    const Vector bx = load(legs.bx + i), by = load(legs.by + i), bz = load(legs.bz + i);
    const Vector gx = r.xx * bx + r.xy * by + r.xz * bz;
    const Vector gy = r.yx * bx + r.yy * by + r.yz * bz;
    const Vector gz = r.zx * bx + r.zy * by + r.zz * bz;
    const Vector dx = gx + (state.x - load(legs.ax + i));
    const Vector dy = gy + (state.y - load(legs.ay + i));
    const Vector dz = gz + (state.z - load(legs.az + i));
    e.column[0][v] = dx;
    e.column[1][v] = dy;
    e.column[2][v] = dz;
    e.column[3][v] = gy * dz - gz * dy;
    e.column[4][v] = gz * dx - gx * dz;
    e.column[5][v] = gx * dy - gy * dx;
    const Vector error = load(squares + i) - (dx * dx + dy * dy + dz * dz);
    e.right[v] = 0.5 * error;
    worst = larger(worst, magnitude(error));
  }
  return largest_of(worst);
}

// Gauss-Jordan elimination without a search for pivots; the order of the legs sees to them near home. Returns the
// determinant; a pivot of zero gives infinities, which end the iteration as not converged.
inline double solve(Equations& e, double* twist) {
  double determinant = 1;
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    const double pivot = e.column[k][k / lanes][k % lanes];
    const double inverse = 1 / pivot;
    determinant *= pivot;
    Vector factor[leg_vectors];
    for (int v = 0; v < leg_vectors; ++v) factor[v] = e.column[k][v] * inverse;
    factor[k / lanes][k % lanes] = 0;
#pragma GCC unroll 6
    for (int j = k + 1; j < 6; ++j) {
      const double top = e.column[j][k / lanes][k % lanes];
      for (int v = 0; v < leg_vectors; ++v) e.column[j][v] -= factor[v] * top;
    }
    const double top = e.right[k / lanes][k % lanes];
    for (int v = 0; v < leg_vectors; ++v) e.right[v] -= factor[v] * top;
    twist[k] = inverse;
  }
  for (int k = 0; k < 6; ++k) twist[k] *= e.right[k / lanes][k % lanes];
  return determinant;
}

// Turns by the twist's rotation to second order, which keeps Newton's convergence.
inline void apply(const double* t, State& s) {
  const double hx = 0.5 * t[3], hy = 0.5 * t[4], hz = 0.5 * t[5];
  s = {s.x + t[0],
       s.y + t[1],
       s.z + t[2],
       s.qw - hx * s.qx - hy * s.qy - hz * s.qz,
       s.qx + hx * s.qw + hy * s.qz - hz * s.qy,
       s.qy + hy * s.qw + hz * s.qx - hx * s.qz,
       s.qz + hz * s.qw + hx * s.qy - hy * s.qx};
}

Ending pose_one(const Legs& legs, const double* lengths, State& state, int limit) {
  alignas(64) double squares[8];
  for (int i = 0; i < 8; ++i) squares[i] = lengths[legs.leg[i]] * lengths[legs.leg[i]];
  Ending ending{0, false, 0};
  Equations e;
  equations_at(legs, squares, state, e);
  while (ending.iterations < limit) {
    double twist[6];
    ending.determinant = solve(e, twist);
    ++ending.iterations;
    apply(twist, state);
    const double error = equations_at(legs, squares, state, e);
    if (error <= legs.tolerance) {
      ending.converged = true;
      break;
    }
    if (!(error < 1e6)) break;  // also NaN
  }
  return ending;
}

// Columns of a vector's worth of poses, a pose per lane. Where fewer are left, they are worked on in the copies, the
// first of them repeated.
struct Block {
  const double* in[6];
  double* out[6];
  alignas(64) double in_copy[6][lanes];
  alignas(64) double out_copy[6][lanes];
};

inline void fill(Block& block, int k, std::size_t used) {
  for (std::size_t i = 0; i < lanes; ++i) {
    block.in_copy[k][i] = block.in[k][i < used ? i : 0];
    block.out_copy[k][i] = block.out[k][i < used ? i : 0];
  }
  block.in[k] = block.in_copy[k];
  block.out[k] = block.out_copy[k];
}

inline void empty(const Block& block, int k, std::size_t used, double* to) {
  for (std::size_t i = 0; i < used; ++i) to[i] = block.out_copy[k][i];
}

// Lengths of one vector of poses; returns their largest angles. On a flat top the joints have no z, as on most.
template <bool flat>
inline Vector lengths_block(const Legs& legs, const Block& block, bool zyx) {
  const Vector px = load(block.in[0]), py = load(block.in[1]), pz = load(block.in[2]);
  const Vector roll = load(block.in[3]), pitch = load(block.in[4]), yaw = load(block.in[5]);
  Vector sr, cr, sp, cp, sy, cy;
  sine_cosine(roll, sr, cr);
  sine_cosine(pitch, sp, cp);
  sine_cosine(yaw, sy, cy);
  const Rotation<Vector> r = rotation_of(zyx, sr, cr, sp, cp, sy, cy);
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i) {
    const double bx = legs.bx[i], by = legs.by[i];
    Vector x = (px - legs.ax[i]) + r.xx * bx + r.xy * by;
    Vector y = (py - legs.ay[i]) + r.yx * bx + r.yy * by;
    Vector z = (pz - legs.az[i]) + r.zx * bx + r.zy * by;
    if constexpr (!flat) {
      const double bz = legs.bz[i];
      x += r.xz * bz;
      y += r.yz * bz;
      z += r.zz * bz;
    }
    store(block.out[i], square_root(x * x + y * y + z * z));
  }
  return larger(larger(magnitude(roll), magnitude(pitch)), magnitude(yaw));
}

void again_where_large(const Legs& legs, const double* const* pose, bool zyx, std::size_t start, std::size_t end,
                       double* const* lengths) {
  for (std::size_t j = start; j < end; ++j) {
    const double one[6] = {pose[0][j], pose[1][j], pose[2][j], pose[3][j], pose[4][j], pose[5][j]};
    double out[6];
    lengths_of_large_angles(legs, one, zyx, out);
    for (int k = 0; k < 6; ++k) lengths[k][j] = out[k];
  }
}

void lengths_many(const Legs& legs, const double* const* pose, bool zyx, std::size_t count, double* const* lengths) {
  constexpr std::size_t chunk = 64 * lanes;
  for (std::size_t start = 0; start < count; start += chunk) {
    const std::size_t end = count - start < chunk ? count : start + chunk;
    Vector largest = all(0);
    for (std::size_t first = start; first < end; first += lanes) {
      const std::size_t used = end - first < lanes ? end - first : lanes;
      Block block;
      for (int k = 0; k < 6; ++k) {
        block.in[k] = pose[k] + first;
        block.out[k] = lengths[k] + first;
        if (used < lanes) fill(block, k, used);
      }
      largest =
          larger(legs.flat ? lengths_block<true>(legs, block, zyx) : lengths_block<false>(legs, block, zyx), largest);
      for (int k = 0; k < 6 && used < lanes; ++k) empty(block, k, used, lengths[k] + first);
    }
    if (largest_of(largest) > largest_angle) again_where_large(legs, pose, zyx, start, end, lengths);
  }
}

// Coordinates of a vector of poses, and the same Newton step as for one pose with the angles as unknowns.
struct Columns {
  Vector x, y, z, roll, pitch, yaw;
};

struct ManyEquations {
  Vector row[6][7];  // six coefficients and the right side, one row per leg
};

struct Angles {
  Vector sr, cr, sp, cp, sy, cy;
};

inline Vector equations_at(const Legs& legs, const Vector* squares, bool zyx, const Columns& c, Angles& a,
                           ManyEquations& e) {
  sine_cosine(c.roll, a.sr, a.cr);
  sine_cosine(c.pitch, a.sp, a.cp);
  sine_cosine(c.yaw, a.sy, a.cy);
  const Rotation<Vector> r = rotation_of(zyx, a.sr, a.cr, a.sp, a.cp, a.sy, a.cy);
  Vector worst = all(0);
  for (int i = 0; i < 6; ++i) {
    const double bx = legs.bx[i], by = legs.by[i], bz = legs.bz[i];
    const Vector gx = r.xx * bx + r.xy * by + r.xz * bz;
    const Vector gy = r.yx * bx + r.yy * by + r.yz * bz;
    const Vector gz = r.zx * bx + r.zy * by + r.zz * bz;
    const Vector dx = gx + (c.x - legs.ax[i]);
    const Vector dy = gy + (c.y - legs.ay[i]);
    const Vector dz = gz + (c.z - legs.az[i]);
    const Vector error = squares[i] - (dx * dx + dy * dy + dz * dz);
    Vector* row = e.row[i];
    row[0] = dx;
    row[1] = dy;
    row[2] = dz;
    row[3] = gy * dz - gz * dy;
    row[4] = gz * dx - gx * dz;
    row[5] = gx * dy - gy * dx;
    row[6] = 0.5 * error;
    worst = larger(worst, magnitude(error));
  }
  return worst;
}

// Elimination downwards, then back; the unknowns end in the seventh column. Returns the determinants.
inline Vector solve(ManyEquations& e) {
  Vector determinant = all(1), inverse[6];
#pragma GCC unroll 6
  for (int k = 0; k < 6; ++k) {
    determinant *= e.row[k][k];
    inverse[k] = 1.0 / e.row[k][k];
#pragma GCC unroll 6
    for (int i = k + 1; i < 6; ++i) {
      const Vector factor = e.row[i][k] * inverse[k];
      for (int j = k + 1; j < 7; ++j) e.row[i][j] -= factor * e.row[k][j];
    }
  }
#pragma GCC unroll 6
  for (int k = 5; k >= 0; --k) {
    for (int j = k + 1; j < 6; ++j) e.row[k][6] -= e.row[k][j] * e.row[j][6];
    e.row[k][6] *= inverse[k];
  }
  return determinant;
}

// Rates of the angles from the angular velocity in the base frame; singular where pitch is +-90 degrees.
inline void apply(const ManyEquations& e, bool zyx, const Angles& a, Columns& c) {
  const Vector wx = e.row[3][6], wy = e.row[4][6], wz = e.row[5][6];
  c.x += e.row[0][6];
  c.y += e.row[1][6];
  c.z += e.row[2][6];
  if (zyx) {
    const Vector roll = (a.cy * wx + a.sy * wy) / a.cp;
    c.roll += roll;
    c.pitch += a.cy * wy - a.sy * wx;
    c.yaw += wz + a.sp * roll;
  } else {
    const Vector yaw = (a.cr * wz - a.sr * wy) / a.cp;
    c.yaw += yaw;
    c.pitch += a.cr * wy + a.sr * wz;
    c.roll += wx - a.sp * yaw;
  }
}

// Solves one vector of poses in place until every lane is within the tolerance or the limit is reached.
struct BlockEnding {
  int iterations;
  Vector error;  // of the squared lengths, m^2; NaN where a length was NaN
  Vector determinant;
};

inline BlockEnding pose_block(const Legs& legs, const Vector* squares, bool zyx, Columns& c, int limit) {
  ManyEquations e;
  Angles a;
  BlockEnding ending{0, equations_at(legs, squares, zyx, c, a, e), all(0)};
  while (ending.iterations < limit) {
    ending.determinant = solve(e);
    apply(e, zyx, a, c);
    ++ending.iterations;
    ending.error = equations_at(legs, squares, zyx, c, a, e);
    if (largest_of(ending.error) <= legs.tolerance) break;
  }
  return ending;
}

void pose_many(const Legs& legs, const double* const* lengths, bool zyx, std::size_t count, double* const* pose,
               int* iterations, double* determinant, int limit) {
  for (std::size_t first = 0; first < count; first += lanes) {
    const std::size_t used = count - first < lanes ? count - first : lanes;
    Block block;
    Vector squares[6];
    for (int k = 0; k < 6; ++k) {
      block.in[k] = lengths[legs.leg[k]] + first;
      block.out[k] = pose[k] + first;
      if (used < lanes) fill(block, k, used);
      squares[k] = load(block.in[k]);
      squares[k] *= squares[k];
    }
    Columns c{load(block.out[0]), load(block.out[1]), load(block.out[2]),
              load(block.out[3]), load(block.out[4]), load(block.out[5])};
    const BlockEnding ending = pose_block(legs, squares, zyx, c, limit);
    const Vector result[6] = {c.x, c.y, c.z, c.roll, c.pitch, c.yaw};
    for (int k = 0; k < 6; ++k) {
      store(block.out[k], result[k]);
      if (used < lanes) empty(block, k, used, pose[k] + first);
    }
    for (std::size_t i = 0; i < used; ++i) {
      iterations[first + i] = ending.error[i] <= legs.tolerance ? ending.iterations : -1;
      determinant[first + i] = ending.determinant[i];
    }
  }
}

}  // namespace
}  // namespace tandem::stewart::kernel
