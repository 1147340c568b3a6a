// SPDX-License-Identifier: Apache-2.0
// A vector of TANDEM_LANES doubles and the few functions that the kernels need on it.
// Include it from one source per instruction set, after defining TANDEM_LANES to what that set holds in one register:
// a type wider than the registers is several times slower than plain code. Everything here is local to its source, so
// that the linker can never hand code built for one instruction set to another.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace {

constexpr int lanes = TANDEM_LANES;

typedef double Vector __attribute__((vector_size(TANDEM_LANES * 8)));
typedef long long Bits __attribute__((vector_size(TANDEM_LANES * 8)));

inline Vector all(double value) { return value - Vector{}; }

inline Vector load(const double* from) {
  Vector v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

inline void store(double* to, Vector v) { __builtin_memcpy(to, &v, sizeof v); }

inline Vector select(Bits mask, Vector yes, Vector no) {
  return reinterpret_cast<Vector>((mask & reinterpret_cast<Bits>(yes)) | (~mask & reinterpret_cast<Bits>(no)));
}

inline Vector magnitude(Vector v) { return reinterpret_cast<Vector>(reinterpret_cast<Bits>(v) & 0x7fffffffffffffffLL); }

// A comparison with NaN is false: of (NaN, b) this is b, of (a, NaN) it is NaN.
inline Vector larger(Vector a, Vector b) { return select(a > b, a, b); }

// NaN in any lane gives NaN or is passed over; infinity stays.
inline double largest_of(Vector v) {
  double largest = v[0];
  for (int i = 1; i < lanes; ++i) largest = largest > v[i] ? largest : v[i];
  return largest;
}

inline Vector square_root(Vector v) {
#if TANDEM_LANES == 8 && defined(__AVX512F__)
  return _mm512_maskz_sqrt_pd(0xff, v);  // the plain form trips a false warning of GCC 12
#elif TANDEM_LANES == 4 && defined(__AVX__)
  return _mm256_sqrt_pd(v);
#elif TANDEM_LANES == 2 && defined(__SSE2__)
  return _mm_sqrt_pd(v);
#else
  for (int i = 0; i < lanes; ++i) v[i] = __builtin_sqrt(v[i]);
  return v;
#endif
}

// Bit i is that of lane i; the mask comes from a comparison.
inline unsigned bits_of(Bits mask) {
#if TANDEM_LANES == 8 && defined(__AVX512DQ__)
  return _mm512_movepi64_mask(reinterpret_cast<__m512i>(mask));
#elif TANDEM_LANES == 4 && defined(__AVX__)
  return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask)));
#elif TANDEM_LANES == 2 && defined(__SSE2__)
  return static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<__m128d>(mask)));
#else
  unsigned bits = 0;
  for (int i = 0; i < lanes; ++i) bits |= static_cast<unsigned>(mask[i] & 1) << i;
  return bits;
#endif
}

// Sine and cosine within 2e-16 of the true value for |angle| <= 1e5: subtract the nearest multiple of pi/2 in parts,
// then a polynomial on +-pi/4, summed as a tree because one pose waits for it. The coefficients interpolate at
// Chebyshev nodes; their own error is below 2e-17.
inline void sine_cosine(Vector angle, Vector& sine, Vector& cosine) {
  constexpr double rounding = 6755399441055744.0;  // 1.5 * 2^52: adding it leaves the integer in the low bits
  const Vector shifted = angle * 0.6366197723675814 + rounding;
  const Vector turns = shifted - rounding;
  const Bits quadrant = reinterpret_cast<Bits>(shifted);
#if defined(__FMA__)
  Vector r = angle - turns * 0x1.921fb54442d18p+0;  // one rounding each
  r -= turns * 0x1.1a62633145c07p-54;
#else
  Vector r = angle - turns * 0x1.921fb544p+0;  // 33 bits: the products of the first two are exact
  r -= turns * 0x1.0b4611a6p-34;
  r -= turns * 0x1.3198a2e037073p-69;
#endif

  const Vector t = r * r, tt = t * t;
  const Vector s01 = 0x1.1111111110bb1p-7 * t - 0x1.5555555555555p-3;
  const Vector s23 = 0x1.71de37961e4dcp-19 * t - 0x1.a01a019e8357dp-13;
  const Vector s45 = 0x1.5e0af18733f9ep-33 * t - 0x1.ae600a926df9ap-26;
  const Vector c01 = 0x1.5555555555555p-5 - 0x1.6c16c16c16966p-10 * t;
  const Vector c23 = 0x1.a01a019f4e867p-16 - 0x1.27e4fa17a41bfp-22 * t;
  const Vector c45 = 0x1.1eeb68b109cf5p-29 - 0x1.907d7aec5a8a3p-37 * t;
  const Vector s = s01 + tt * (s23 + tt * s45);
  const Vector c = c01 + tt * (c23 + tt * c45);
  const Bits near_sine = reinterpret_cast<Bits>(r + (r * t) * s);
  const Bits near_cosine = reinterpret_cast<Bits>(1.0 + t * (t * c - 0.5));

  // In odd quadrants the two change places.
  const Bits exchange = (near_sine ^ near_cosine) & -(quadrant & 1);
  sine = reinterpret_cast<Vector>(near_sine ^ exchange ^ ((quadrant & 2) << 62));
  cosine = reinterpret_cast<Vector>(near_cosine ^ exchange ^ (((quadrant + 1) & 2) << 62));
}

}  // namespace
