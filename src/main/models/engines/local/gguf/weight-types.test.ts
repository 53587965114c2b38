import { expect, test } from 'vitest'
import { quantisationOf, weightTypes } from './weight-types.ts'

const sizes = (...pairs: [type: number, bytes: number][]) => new Map(pairs)

test('the quantisation comes from the header, or else from most of the bytes', () => {
  expect(quantisationOf(15, sizes([0, 5], [12, 80], [14, 20]))).toBe('Q4_K_M')
  expect(quantisationOf(undefined, sizes([0, 5], [12, 80], [14, 20]))).toBe('Q4_K')
  expect(quantisationOf('Q4', sizes([23, 80], [30, 20]))).toBe('IQ4_XS')
})

test('a header value left over from the original is ignored, and a fitting one is used', () => {
  expect(quantisationOf(1, sizes([0, 5], [8, 80]))).toBe('Q8_0')
  expect(quantisationOf(1, sizes([0, 5], [1, 80]))).toBe('F16')
  expect(quantisationOf(32, sizes([0, 5], [30, 80]))).toBe('BF16')
})

test('unknown weight types are not mistaken for neighbouring ones', () => {
  expect(quantisationOf(undefined, sizes([0, 5], [99, 0]))).toBe('')
  expect(quantisationOf(39, sizes([0, 5], [99, 0]))).toBe('NVFP4')
  expect(quantisationOf(undefined, sizes())).toBe('')
})

test('the bits per weight of each type are its known ones', () => {
  const bits = Object.values(weightTypes).map(({ name, per, bytes }) => [name, (bytes * 8) / per])
  expect(Object.fromEntries(bits)).toMatchObject({
    F16: 16,
    Q4_0: 4.5,
    Q8_0: 8.5,
    Q2_K: 2.625,
    Q3_K: 3.4375,
    Q4_K: 4.5,
    Q5_K: 5.5,
    Q6_K: 6.5625,
    IQ2_XXS: 2.0625,
    IQ2_XS: 2.3125,
    IQ2_S: 2.5625,
    IQ3_XXS: 3.0625,
    IQ3_S: 3.4375,
    IQ4_NL: 4.5,
    IQ4_XS: 4.25,
    IQ1_S: 1.5625,
    IQ1_M: 1.75,
    TQ1_0: 1.6875,
    TQ2_0: 2.0625,
    MXFP4: 4.25,
  })
})
