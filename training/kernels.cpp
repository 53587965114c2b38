// The parts of a training step that are not matrix products, for CPUs with AVX512-BF16. Built by kernels.py with g++ and
// called through ctypes; rows are contiguous, bf16 is uint16, and every function is checked against torch in test_fast.py.
#include "simd.h"

extern "C" {

/** sum = x + added (bf16, may be null); y = sum / rms(sum) * gain in bf16. Writes 1 / rms of each row. d % 16 == 0. */
void norm_forward(const float* x, const bf16* added, const float* gain, float* sum, bf16* y, float* inverse, i64 n,
                  i64 d, float eps, int threads) {
#pragma omp parallel for num_threads(threads)
  for (i64 i = 0; i < n; i++) {
    const float* a = x + i * d;
    float* s = sum + i * d;
    __m512 squares = _mm512_setzero_ps();
    for (i64 j = 0; j < d; j += 16) {
      __m512 v = _mm512_loadu_ps(a + j);
      if (added) v = _mm512_add_ps(v, load16(added + i * d + j));
      if (added || s != a) _mm512_storeu_ps(s + j, v);
      squares = _mm512_fmadd_ps(v, v, squares);
    }
    float r = 1.f / sqrtf(_mm512_reduce_add_ps(squares) / d + eps);
    inverse[i] = r;
    __m512 by = _mm512_set1_ps(r);
    for (i64 j = 0; j < d; j += 16)
      store16(y + i * d + j,
              _mm512_mul_ps(_mm512_mul_ps(_mm512_loadu_ps(s + j), by), _mm512_loadu_ps(gain + j)));
  }
}

/** Adds the gradient through the norm to dx, writes dx in bf16 as well, and adds to the gradient of the gain. */
void norm_backward(const bf16* dy, const float* x, const float* inverse, const float* gain, float* dx, bf16* copy,
                   float* dgain, i64 n, i64 d, int threads) {
  std::vector<float> sums(threads * d, 0.f);
#pragma omp parallel num_threads(threads)
  {
    float* own = sums.data() + omp_get_thread_num() * d;
#pragma omp for
    for (i64 i = 0; i < n; i++) {
      __m512 r = _mm512_set1_ps(inverse[i]), total = _mm512_setzero_ps();
      for (i64 j = 0; j < d; j += 16) {
        __m512 g = load16(dy + i * d + j), v = _mm512_mul_ps(_mm512_loadu_ps(x + i * d + j), r);
        _mm512_storeu_ps(own + j, _mm512_fmadd_ps(g, v, _mm512_loadu_ps(own + j)));
        total = _mm512_fmadd_ps(_mm512_mul_ps(g, _mm512_loadu_ps(gain + j)), v, total);
      }
      __m512 mean = _mm512_set1_ps(_mm512_reduce_add_ps(total) / d);
      for (i64 j = 0; j < d; j += 16) {
        __m512 g = _mm512_mul_ps(load16(dy + i * d + j), _mm512_loadu_ps(gain + j));
        __m512 v = _mm512_mul_ps(_mm512_loadu_ps(x + i * d + j), r);
        __m512 change = _mm512_mul_ps(_mm512_fnmadd_ps(v, mean, g), r);
        __m512 out = _mm512_add_ps(_mm512_loadu_ps(dx + i * d + j), change);
        _mm512_storeu_ps(dx + i * d + j, out);
        store16(copy + i * d + j, out);
      }
    }
  }
  for (int t = 0; t < threads; t++)
    for (i64 j = 0; j < d; j++) dgain[j] += sums[t * d + j];
}

/** out = silu(gate) * up, where each row of `both` holds gate and up. f % 16 == 0. */
void swiglu_forward(const bf16* both, bf16* out, i64 n, i64 f, int threads) {
  const __m512 one = _mm512_set1_ps(1.f);
#pragma omp parallel for num_threads(threads)
  for (i64 i = 0; i < n; i++)
    for (i64 j = 0; j < f; j += 16) {
      __m512 g = load16(both + i * 2 * f + j), u = load16(both + i * 2 * f + f + j);
      __m512 e = _mm512_add_ps(one, expo(_mm512_sub_ps(_mm512_setzero_ps(), g)));
      store16(out + i * f + j, _mm512_div_ps(_mm512_mul_ps(g, u), e));
    }
}

void swiglu_backward(const bf16* both, const bf16* dout, bf16* dboth, i64 n, i64 f, int threads) {
  const __m512 one = _mm512_set1_ps(1.f);
#pragma omp parallel for num_threads(threads)
  for (i64 i = 0; i < n; i++)
    for (i64 j = 0; j < f; j += 16) {
      __m512 g = load16(both + i * 2 * f + j), u = load16(both + i * 2 * f + f + j), d = load16(dout + i * f + j);
      __m512 s = _mm512_div_ps(one, _mm512_add_ps(one, expo(_mm512_sub_ps(_mm512_setzero_ps(), g))));
      __m512 silu = _mm512_mul_ps(g, s);
      __m512 slope = _mm512_fmadd_ps(silu, _mm512_sub_ps(one, s), s);
      store16(dboth + i * 2 * f + j, _mm512_mul_ps(_mm512_mul_ps(d, u), slope));
      store16(dboth + i * 2 * f + f + j, _mm512_mul_ps(d, silu));
    }
}

/** Turns logits into their gradient in place (times `scale`); returns the sum of the losses and counts hits. */
double cross_entropy(bf16* logits, const int32_t* wanted, uint8_t* hit, i64 n, i64 v, float scale, int threads) {
  double loss = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : loss)
  for (i64 i = 0; i < n; i++) {
    bf16* row = logits + i * v;
    __m512 most = _mm512_set1_ps(-FLT_MAX);
    for (i64 j = 0; j < v; j += 16) most = _mm512_max_ps(most, load16(row + j));
    float top = _mm512_reduce_max_ps(most), right = scalar(row[wanted[i]]);
    hit[i] = right >= top;
    __m512 minus = _mm512_set1_ps(-top), total = _mm512_setzero_ps();
    for (i64 j = 0; j < v; j += 16) total = _mm512_add_ps(total, expo(_mm512_add_ps(load16(row + j), minus)));
    float sum = _mm512_reduce_add_ps(total);
    loss += logf(sum) + top - right;
    __m512 by = _mm512_set1_ps(scale / sum);
    for (i64 j = 0; j < v; j += 16)
      store16(row + j, _mm512_mul_ps(expo(_mm512_add_ps(load16(row + j), minus)), by));
    float at = (expf(right - top) / sum - 1.f) * scale;
    store16(row + (wanted[i] & ~15), _mm512_mask_mov_ps(load16(row + (wanted[i] & ~15)), 1 << (wanted[i] & 15),
                                                       _mm512_set1_ps(at)));
  }
  return loss;
}

/** Adds rows of gradients to the rows of a table; one thread, because rows repeat. */
void scatter_add(float* table, const int32_t* at, const float* rows, i64 n, i64 d) {
  for (i64 i = 0; i < n; i++)
    for (i64 j = 0; j < d; j += 16) {
      float* to = table + at[i] * d + j;
      _mm512_storeu_ps(to, _mm512_add_ps(_mm512_loadu_ps(to), _mm512_loadu_ps(rows + i * d + j)));
    }
}

/** Rotates pairs of neighbours of heads of 32 in place; `sign` -1 turns back. Tables hold 16 numbers a position. */
void rotate(bf16* rows, i64 stride, const int32_t* position, const float* cosine, const float* sine, i64 n, i64 heads,
            float sign, int threads) {
#pragma omp parallel for num_threads(threads)
  for (i64 i = 0; i < n; i++) {
    __m512 c = _mm512_loadu_ps(cosine + position[i] * 16);
    __m512 s = _mm512_mul_ps(_mm512_loadu_ps(sine + position[i] * 16), _mm512_set1_ps(sign));
    for (i64 h = 0; h < heads; h++) {
      bf16* p = rows + i * stride + h * 32;
      __m512i v = _mm512_loadu_si512(p);
      __m512 a = lower(v), b = upper(v);
      _mm512_storeu_si512(p, paired(_mm512_fmsub_ps(a, c, _mm512_mul_ps(b, s)),
                                    _mm512_fmadd_ps(a, s, _mm512_mul_ps(b, c))));
    }
  }
}

}  // extern "C"
