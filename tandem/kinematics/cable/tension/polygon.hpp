// SPDX-License-Identifier: Apache-2.0
// Two degrees of redundancy: each cable's range is a strip of the plane of solutions, what all allow is a polygon.
#pragma once

namespace tandem::cables::tension {

// Cable i has the tension start[i] + x[i] * u + y[i] * v at the point (u, v).
struct Strips {
  int count;
  const double *x, *y, *start, *least, *most;
  double noise;  // N: a bound broken by less is not broken
};

struct Point {
  double u, v;
};

// The point of the polygon nearest to (0, 0); false when the polygon is empty. Strip by strip, the one that (0, 0)
// misses by most first: where the best point so
// far is outside the next strip, the best one lies on that strip's edge, within the strips before it. At most
// count (count - 1) / 2 cuts.
bool nearest_point(const Strips& strips, Point& point);

// The centre of the polygon's area, of its length where it has no area; false when it is empty.
bool centre_of_area(const Strips& strips, Point& point);

// One degree of redundancy, y unused: the part of the line that all strips allow; false when there is none.
bool interval(const Strips& strips, double& from, double& to);

}  // namespace tandem::cables::tension
