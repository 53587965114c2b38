import { afterAll, describe, expect, test } from 'vitest'
import type { Format } from '../format-types.ts'
import { formats } from '../format-table.ts'
import { readGbnf } from '../../../../../testing/formats/gbnf-matcher.ts'
import { callConstraint } from './constraint.ts'
import { openForcedModel } from '../../../../../testing/formats/forced.ts'
import { faultsOf } from '../../../../../testing/formats/validate-arguments.ts'
import { sampleTools } from '../../../../../testing/formats/sample-tools.ts'

const all: readonly Format[] = Object.values(formats)
const marks = all.map(({ open, close }) => open + close).join('')
const model = await openForcedModel(marks.replaceAll(/[ -~\n]/g, ''))
afterAll(() => model.close())

// Only the shorter tools, because such a model keeps calling for as long as it may.
const short = sampleTools.filter(({ name }) => ['read_url', 'list_skills'].includes(name))

describe.each(all.map(format => [format.id, format] as const))(
  'llama.cpp with the grammar of %s',
  (_, format) => {
    test('agrees with the matcher of these tests', async () => {
      const { gbnf } = callConstraint(format, sampleTools)!
      const grammar = await model.compile(gbnf)
      const matcher = readGbnf(gbnf)
      for (const start of [0.1, 0.4, 0.7]) {
        const text = matcher.makeUp(drawFrom(start))
        expect([text, model.takes(grammar, text)]).toEqual([text, true])
        const wrong = text.replace(/[a-z]+(?=[^a-z]*$)/, '§')
        expect([wrong, model.takes(grammar, wrong)]).toEqual([wrong, matcher.accepts(wrong)])
      }
    })

    test('makes a model with random weights write valid calls', async () => {
      const { gbnf } = callConstraint(format, short)!
      const text = await model.write(await model.compile(gbnf), 100)
      expect([text, faultsOf(format, short, text)]).toEqual([text, []])
      expect(readGbnf(gbnf).accepts(text)).toBe(true)
    })
  },
)

/** Numbers between 0 and 1 that go up and down. */
function drawFrom(start: number): () => number {
  let at = start
  return () => (at = (at * 3.7 + 0.13) % 1)
}
