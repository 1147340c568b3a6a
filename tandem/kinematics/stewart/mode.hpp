// SPDX-License-Identifier: Apache-2.0
// Where home's assembly mode surely is: shared by the searches for one pose and for many.
#pragma once

namespace tandem::stewart {

// Home's mode ends where the determinant changes its sign. For some lengths a second pose has the same sign, but it is
// turned far from home and nearly singular: for the EM1500 with legs within +-0.4 m by more than 55 degrees and below
// 0.17 of home's determinant (1500 starts for each of 8000 sets of lengths), while home's own mode, there, is well
// conditioned. So beyond the first turn only a large determinant counts as home.
inline constexpr double near_turn = 0.9;  // rad
inline constexpr double far_turn = 1.1;   // rad
inline constexpr double near_determinant =
    0.01;  // relative to home's; below it a small error of the legs may cross over
inline constexpr double far_determinant = 0.25;
// Above this determinant the pose beyond the singularity that has the same lengths is turned too far to be meant.
inline constexpr double alone_determinant = 0.75;

constexpr bool surely_home(double turn, double determinant) {
  return turn < near_turn && determinant > alone_determinant;
}

}  // namespace tandem::stewart
