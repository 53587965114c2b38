import { expect, test } from 'vitest'
import { formatBytes, formatDuration } from './format-values.ts'

test.for([
  [4, '0.01 s'],
  [812, '0.81 s'],
  [8_340, '8.3 s'],
  [12_600, '13 s'],
  [185_000, '3 min 5 s'],
  [120_000, '2 min'],
  [7_200_000, '2 h'],
  [7_500_000, '2 h 5 min'],
  [6 * 86_400_000, '6 days'],
] as const)('%d ms reads %s', ([ms, expected]) => {
  expect(formatDuration(ms)).toBe(expected)
})

test.for([
  [0, '0 B'],
  [999, '999 B'],
  [3_756_864, '3.8 MB'],
  [4_100_000_000, '4.1 GB'],
] as const)('%d bytes read %s', ([bytes, expected]) => {
  expect(formatBytes(bytes)).toBe(expected)
})
