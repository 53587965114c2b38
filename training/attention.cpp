#include "simd.h"

// Attention over packed conversations. A segment asks with the rows q0..q1 and sees the keys of its prefix (p0, length
// plen, may be empty) followed by its own (k0..k1), up to the position of each row. Heads have 32 dimensions.
struct Segment {
  i64 q0, q1, k0, k1, p0, plen;
};

/** Sixteen keys side by side for each pair of dimensions: what scores are computed from. */
static void pack_across(const bf16* const* rows, i64 count, uint32_t* out) {
  for (i64 block = 0; block * 16 < count; block++)
    for (i64 k = 0; k < 16; k++) {
      const uint32_t* row = block * 16 + k < count ? (const uint32_t*)rows[block * 16 + k] : nullptr;
      for (i64 p = 0; p < 16; p++) out[block * 256 + p * 16 + k] = row ? row[p] : 0;
    }
}
/** Two rows interleaved for each dimension: what weighted sums over rows are computed from. */
static void pack_along(const bf16* const* rows, i64 count, uint32_t* out) {
  for (i64 pair = 0; pair * 2 < count; pair++) {
    const bf16 *a = rows[pair * 2], *b = pair * 2 + 1 < count ? rows[pair * 2 + 1] : nullptr;
    for (i64 d = 0; d < 32; d++) out[pair * 32 + d] = a[d] | (b ? (uint32_t)b[d] << 16 : 0);
  }
}

struct Scratch {
  std::vector<const bf16*> keys, values;
  std::vector<uint32_t> keys_across, values_across, keys_along, values_along, weights, slopes, pairs_p, pairs_s;
  std::vector<float> scores, dkeys, dvalues;
  void gather(const Segment& s, const bf16* k, const bf16* v, i64 stride, i64 column) {
    i64 count = s.plen + s.k1 - s.k0;
    keys.resize(count);
    values.resize(count);
    for (i64 j = 0; j < count; j++) {
      i64 row = j < s.plen ? s.p0 + j : s.k0 + j - s.plen;
      keys[j] = k + row * stride + column;
      values[j] = v + row * stride + column;
    }
    i64 padded = (count + 15) / 16 * 16;
    keys_across.assign(padded * 16, 0);
    pack_across(keys.data(), count, keys_across.data());
    values_along.assign(padded * 16, 0);
    pack_along(values.data(), count, values_along.data());
  }
};

static inline __m512i spread(const uint32_t* p) { return _mm512_set1_epi32((int)*p); }
static inline __mmask16 seen(i64 position, i64 block) {
  i64 count = position + 1 - block * 16;
  return count >= 16 ? 0xffff : count <= 0 ? 0 : (__mmask16)((1u << count) - 1);
}

extern "C" {

void attend_forward(const bf16* q, i64 qstride, const bf16* k, const bf16* v, i64 stride, const int32_t* position,
                    const Segment* segments, i64 count, i64 heads, bf16* out, float* logsum, int threads) {
  const float scale = 1.f / sqrtf(32.f);
#pragma omp parallel for num_threads(threads)
  for (i64 h = 0; h < heads; h++) {
    static thread_local Scratch t;
    for (i64 index = 0; index < count; index++) {
      const Segment s = segments[index];
      t.gather(s, k, v, stride, h * 32);
      i64 padded = t.keys_across.size() / 16;
      t.scores.resize(8 * padded);
      t.weights.resize(8 * padded / 2);
      for (i64 first = s.q0; first < s.q1; first += 8) {
        const uint32_t* rows[8];
        i64 at[8], live = s.q1 - first < 8 ? s.q1 - first : 8;
        for (i64 r = 0; r < 8; r++) {
          i64 row = first + (r < live ? r : live - 1);
          rows[r] = (const uint32_t*)(q + row * qstride + h * 32);
          at[r] = position[row];
        }
        i64 blocks = at[live - 1] / 16 + 1;
        __m512 top[8];
        for (i64 r = 0; r < 8; r++) top[r] = _mm512_set1_ps(-FLT_MAX);
        for (i64 b = 0; b < blocks; b++) {
          __m512 sum[8];
          for (i64 r = 0; r < 8; r++) sum[r] = _mm512_setzero_ps();
          for (i64 p = 0; p < 16; p++) {
            __m512i key = _mm512_loadu_si512(t.keys_across.data() + b * 256 + p * 16);
            for (i64 r = 0; r < 8; r++) sum[r] = dot(sum[r], spread(rows[r] + p), key);
          }
          for (i64 r = 0; r < 8; r++) {
            __m512 x = _mm512_mask_mov_ps(_mm512_set1_ps(-FLT_MAX), seen(at[r], b), sum[r]);
            top[r] = _mm512_max_ps(top[r], x);
            _mm512_storeu_ps(t.scores.data() + r * padded + b * 16, x);
          }
        }
        float total[8];
        for (i64 r = 0; r < 8; r++) {
          float most = _mm512_reduce_max_ps(top[r]);
          __m512 sum = _mm512_setzero_ps(), by = _mm512_set1_ps(scale), minus = _mm512_set1_ps(-most * scale);
          for (i64 b = 0; b < blocks; b++) {
            __m512 e = expo(_mm512_fmadd_ps(_mm512_loadu_ps(t.scores.data() + r * padded + b * 16), by, minus));
            e = _mm512_maskz_mov_ps(seen(at[r], b), e);
            sum = _mm512_add_ps(sum, e);
            store16((bf16*)(t.weights.data() + r * padded / 2) + b * 16, e);
          }
          total[r] = _mm512_reduce_add_ps(sum);
          if (r < live) logsum[(first + r) * heads + h] = most * scale + logf(total[r]);
        }
        __m512 low[8], high[8];
        for (i64 r = 0; r < 8; r++) low[r] = high[r] = _mm512_setzero_ps();
        for (i64 pair = 0; pair < blocks * 8; pair++) {
          __m512i a = _mm512_loadu_si512(t.values_along.data() + pair * 32);
          __m512i b = _mm512_loadu_si512(t.values_along.data() + pair * 32 + 16);
          for (i64 r = 0; r < 8; r++) {
            __m512i w = spread(t.weights.data() + r * padded / 2 + pair);
            low[r] = dot(low[r], w, a);
            high[r] = dot(high[r], w, b);
          }
        }
        for (i64 r = 0; r < live; r++) {
          __m512 by = _mm512_set1_ps(1.f / total[r]);
          bf16* to = out + ((first + r) * heads + h) * 32;
          store16(to, _mm512_mul_ps(low[r], by));
          store16(to + 16, _mm512_mul_ps(high[r], by));
        }
      }
    }
  }
}

/**
 * Gradients of attend_forward. Keys of a prefix collect theirs in `shared` (fp32, zeroed by the caller, 2 * heads * 32 a
 * row); the segment whose own keys they are must come after all that see them, and adds them (`owner` says so).
 */
void attend_backward(const bf16* q, i64 qstride, const bf16* k, const bf16* v, i64 stride, const int32_t* position,
                     const Segment* segments, const uint8_t* owner, i64 count, i64 heads, const bf16* out,
                     const bf16* dout, const float* logsum, float* shared, bf16* dq, i64 dqstride, bf16* dk, bf16* dv,
                     i64 dstride, int threads) {
  const __m512 scale = _mm512_set1_ps(1.f / sqrtf(32.f));
#pragma omp parallel for num_threads(threads)
  for (i64 h = 0; h < heads; h++) {
    static thread_local Scratch t;
    for (i64 index = 0; index < count; index++) {
      const Segment s = segments[index];
      t.gather(s, k, v, stride, h * 32);
      i64 keys = t.keys.size(), padded = t.keys_across.size() / 16;
      t.values_across.assign(padded * 16, 0);
      pack_across(t.values.data(), keys, t.values_across.data());
      t.keys_along.assign(padded * 16, 0);
      pack_along(t.keys.data(), keys, t.keys_along.data());
      t.dkeys.assign(padded * 32, 0.f);
      t.dvalues.assign(padded * 32, 0.f);
      t.slopes.resize(16 * padded / 2);
      t.pairs_p.resize(8 * padded);
      t.pairs_s.resize(8 * padded);
      for (i64 first = s.q0; first < s.q1; first += 16) {
        i64 live = s.q1 - first < 16 ? s.q1 - first : 16;
        const bf16 *rows[16], *given[16];
        i64 at[16];
        __m512 minus[16], lean[16];
        for (i64 r = 0; r < 16; r++) {
          i64 row = first + (r < live ? r : live - 1);
          rows[r] = q + row * qstride + h * 32;
          given[r] = dout + (row * heads + h) * 32;
          at[r] = r < live ? position[row] : -1;
          const bf16* o = out + (row * heads + h) * 32;
          __m512 d = _mm512_mul_ps(load16(o), load16(given[r]));
          lean[r] = _mm512_set1_ps(_mm512_reduce_add_ps(_mm512_fmadd_ps(load16(o + 16), load16(given[r] + 16), d)));
          minus[r] = _mm512_set1_ps(-logsum[row * heads + h]);
        }
        i64 blocks = at[live - 1] / 16 + 1;
        for (i64 group = 0; group < 16; group += 8)
          for (i64 b = 0; b < blocks; b++) {
            __m512 score[8], slope[8];
            for (i64 r = 0; r < 8; r++) score[r] = slope[r] = _mm512_setzero_ps();
            for (i64 p = 0; p < 16; p++) {
              __m512i key = _mm512_loadu_si512(t.keys_across.data() + b * 256 + p * 16);
              __m512i value = _mm512_loadu_si512(t.values_across.data() + b * 256 + p * 16);
              for (i64 r = 0; r < 8; r++) {
                score[r] = dot(score[r], spread((const uint32_t*)rows[group + r] + p), key);
                slope[r] = dot(slope[r], spread((const uint32_t*)given[group + r] + p), value);
              }
            }
            for (i64 r = 0; r < 8; r++) {
              i64 row = group + r;
              score[r] = _mm512_maskz_mov_ps(seen(at[row], b), expo(_mm512_fmadd_ps(score[r], scale, minus[row])));
              slope[r] = _mm512_mul_ps(_mm512_mul_ps(score[r], _mm512_sub_ps(slope[r], lean[row])), scale);
              store16((bf16*)(t.slopes.data() + row * padded / 2) + b * 16, slope[r]);
            }
            for (i64 r = 0; r < 8; r += 2) {
              i64 pair = (group + r) / 2;
              _mm512_storeu_si512(t.pairs_p.data() + pair * padded + b * 16, paired(score[r], score[r + 1]));
              _mm512_storeu_si512(t.pairs_s.data() + pair * padded + b * 16, paired(slope[r], slope[r + 1]));
            }
          }
        for (i64 group = 0; group < live; group += 8) {
          __m512 low[8], high[8];
          for (i64 r = 0; r < 8; r++) low[r] = high[r] = _mm512_setzero_ps();
          for (i64 pair = 0; pair < blocks * 8; pair++) {
            __m512i a = _mm512_loadu_si512(t.keys_along.data() + pair * 32);
            __m512i b = _mm512_loadu_si512(t.keys_along.data() + pair * 32 + 16);
            for (i64 r = 0; r < 8; r++) {
              __m512i w = spread(t.slopes.data() + (group + r) * padded / 2 + pair);
              low[r] = dot(low[r], w, a);
              high[r] = dot(high[r], w, b);
            }
          }
          for (i64 r = 0; r < 8 && group + r < live; r++) {
            bf16* to = dq + (first + group + r) * dqstride + h * 32;
            store16(to, low[r]);
            store16(to + 16, high[r]);
          }
        }
        uint32_t asked[8 * 32], wanted[8 * 32];
        pack_along(rows, 16, asked);
        pack_along(given, 16, wanted);
        for (int side = 0; side < 2; side++) {
          const uint32_t* from = side ? asked : wanted;
          const uint32_t* weights = side ? t.pairs_s.data() : t.pairs_p.data();
          float* to = side ? t.dkeys.data() : t.dvalues.data();
          for (i64 j = 0; j < blocks * 16; j += 4) {
            __m512 sum[8];
            for (i64 x = 0; x < 8; x++) sum[x] = _mm512_loadu_ps(to + j * 32 + x * 16);
            for (i64 pair = 0; pair < 8; pair++) {
              __m512i a = _mm512_loadu_si512(from + pair * 32), b = _mm512_loadu_si512(from + pair * 32 + 16);
              for (i64 x = 0; x < 4; x++) {
                __m512i w = spread(weights + pair * padded + j + x);
                sum[x * 2] = dot(sum[x * 2], w, a);
                sum[x * 2 + 1] = dot(sum[x * 2 + 1], w, b);
              }
            }
            for (i64 x = 0; x < 8; x++) _mm512_storeu_ps(to + j * 32 + x * 16, sum[x]);
          }
        }
      }
      for (i64 j = 0; j < keys; j++)
        for (int side = 0; side < 2; side++)
          for (i64 d = 0; d < 32; d += 16) {
            __m512 g = _mm512_loadu_ps((side ? t.dvalues : t.dkeys).data() + j * 32 + d);
            i64 row = j < s.plen ? s.p0 + j : s.k0 + j - s.plen;
            float* sum = shared + (row * 2 + side) * heads * 32 + h * 32 + d;
            if (j < s.plen) {
              _mm512_storeu_ps(sum, _mm512_add_ps(_mm512_loadu_ps(sum), g));
            } else {
              if (owner[index]) g = _mm512_add_ps(g, _mm512_loadu_ps(sum));
              store16((side ? dv : dk) + row * dstride + h * 32 + d, g);
            }
          }
    }
  }
}

}  // extern "C"
