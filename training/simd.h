// Vectors of 16 numbers and bf16 in CPUs with AVX512-BF16.
#pragma once
#include <immintrin.h>
#include <omp.h>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

typedef uint16_t bf16;
typedef int64_t i64;

static inline __m512 widen(__m256i v) {
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(v), 16));
}
static inline __m512 load16(const bf16* p) { return widen(_mm256_loadu_si256((const __m256i*)p)); }
static inline void store16(bf16* p, __m512 v) {
  __m256bh b = _mm512_cvtneps_pbh(v);
  memcpy(p, &b, 32);
}
static inline float scalar(bf16 v) {
  uint32_t u = (uint32_t)v << 16;
  float f;
  memcpy(&f, &u, 4);
  return f;
}
/** Round to the nearest bf16, ties to even, and leave it in the upper half of each lane. */
static inline __m512i rounded(__m512 v) {
  __m512i u = _mm512_castps_si512(v);
  __m512i odd = _mm512_and_si512(_mm512_srli_epi32(u, 16), _mm512_set1_epi32(1));
  return _mm512_add_epi32(u, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
}
/** Two vectors as pairs of bf16: `low` in the lower half of each lane. */
static inline __m512i paired(__m512 low, __m512 high) {
  return _mm512_or_si512(_mm512_srli_epi32(rounded(low), 16),
                         _mm512_and_si512(rounded(high), _mm512_set1_epi32((int)0xffff0000)));
}
static inline __m512 lower(__m512i pairs) { return _mm512_castsi512_ps(_mm512_slli_epi32(pairs, 16)); }
static inline __m512 upper(__m512i pairs) {
  return _mm512_castsi512_ps(_mm512_and_si512(pairs, _mm512_set1_epi32((int)0xffff0000)));
}
static inline __m512 dot(__m512 sum, __m512i a, __m512i b) {
  return _mm512_dpbf16_ps(sum, (__m512bh)a, (__m512bh)b);
}
/** e to the power of x, within 3e-6; very small x give 0. */
static inline __m512 expo(__m512 x) {
  __m512 t = _mm512_mul_ps(_mm512_max_ps(x, _mm512_set1_ps(-100.f)), _mm512_set1_ps(1.44269504f));
  __m512 n = _mm512_roundscale_ps(t, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  __m512 f = _mm512_sub_ps(t, n);
  __m512 p = _mm512_set1_ps(1.3333558e-3f);
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(9.6181291e-3f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(5.5504109e-2f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(2.4022651e-1f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(6.9314718e-1f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(1.f));
  return _mm512_scalef_ps(p, n);
}
