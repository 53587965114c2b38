import { expect, test } from 'vitest'
import { tryEdits } from './try-edits.ts'

test('no edit that a model distorts changes a file into anything but what was meant', () => {
  const tried = tryEdits(1, 10)
  expect(tried.length).toBeGreaterThanOrEqual(2_000)
  expect(tried.filter(({ outcome }) => outcome === 'wrong')).toEqual([])
  // Refusing everything would be no answer.
  expect(tried.filter(({ outcome }) => outcome === 'right').length).toBeGreaterThan(tried.length * 0.9)
})

test('what is not distorted is never refused', () => {
  const plain = tryEdits(2, 20).filter(({ distortion }) => distortion === 'none' || distortion === 'CRLF')
  expect(plain.filter(({ outcome }) => outcome !== 'right')).toEqual([])
})
