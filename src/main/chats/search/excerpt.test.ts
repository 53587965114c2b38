import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCases } from '../../../../testing/count-cases.ts'
import { excerpt } from './excerpt.ts'
import { parseQuery } from './query.ts'

const long = `${'before '.repeat(80)}needle ${'after '.repeat(80)}`

test('a short text is whole, a long one is shown around what was looked for', () => {
  expect(excerpt('one\nneedle', parseQuery('needle').wanted, 100)).toEqual({
    text: 'one needle',
    marks: [[4, 10]],
  })
  const { text, marks } = excerpt(long, parseQuery('needle').wanted, 100)
  expect([text.slice(...marks[0]!), text.length]).toEqual(['needle', 102])
  expect(text).toMatch(/^…before .* needle after .*…$/)
  expect(excerpt(long, [], 100).text).toMatch(/^before .*[^…]…$/)
})

test('marks are inside whatever the text', () => {
  const text = fc.array(fc.constantFrom('needle', 'a', '🚀', '日本', '\n', 'é', '\ud800'), { maxLength: 60 })
  const { met, atLeast } = countCases<'mark'>()
  fc.assert(
    fc.property(text, fc.integer({ min: 5, max: 60 }), (parts, room) => {
      const found = excerpt(parts.join(' '), parseQuery('needle').wanted, room)
      for (const [from, to] of found.marks) {
        met('mark')
        expect(found.text.slice(from, to)).toBe('needle')
      }
      expect(found.text.length).toBeLessThanOrEqual(room + 2)
    }),
  )
  atLeast({ mark: 15 })
})
