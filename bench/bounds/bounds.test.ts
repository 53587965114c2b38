import { expect, test } from 'vitest'
import { PARSERS } from './parsers.ts'
import { SHAPES } from './shapes.ts'

// How long it takes is measured by `npm run bench -- --only bounds`, and no matter here.

test('sixty shapes and more are made as long as they are wanted', () => {
  const shapes = Object.entries(SHAPES)
  expect(shapes.length).toBeGreaterThanOrEqual(60)
  for (const [name, make] of shapes) {
    const { length } = make(600)
    expect(length, name).toBeGreaterThan(590)
    expect(length, name).toBeLessThanOrEqual(600)
  }
})

test.each(PARSERS)('$what: read in every shape without an error', ({ read }) => {
  for (const make of Object.values(SHAPES)) read(make(600))
})
