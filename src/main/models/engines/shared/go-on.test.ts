import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinAt } from './go-on.ts'

/** The two texts as one, where the second arrives in these pieces. */
function join(before: string, ...pieces: string[]): string {
  const seam = joinAt(before)
  return before + pieces.map(piece => seam.push(piece)).join('') + seam.end()
}

test.for([
  ['a new sentence', 'It is so.', [' And', ' more.'], 'It is so. And more.'],
  ['two words without a blank', 'It is', ['grey.'], 'It is grey.'],
  ['a blank on both sides', 'It is ', [' grey.'], 'It is grey.'],
  ['a half word that is written whole', 'An exam', ['example', ' of it.'], 'An example of it.'],
  ['the last words once more', 'One, two, three', ['two', ', three, ', 'four'], 'One, two, three, four'],
  ['the whole answer once more', 'One. Two.', ['One. ', 'Two. Thr', 'ee.'], 'One. Two. Three.'],
  ['the last line once more', '- one\n- two\n', ['- two\n', '- three'], '- one\n- two\n- three'],
  ['nothing but a repetition', 'One. Two.', ['Two.'], 'One. Two.'],
  ['a text that occurs before, but not at the end', 'a b c', ['a b', ' d'], 'a b c a b d'],
  ['a beginning within a word', 'exam', ['am I?'], 'exam am I?'],
  ['scripts without blanks', '你好世界', ['世界', '和平'], '你好世界和平'],
  ['a paragraph', 'One.', ['\n\n', 'Two.'], 'One.\n\nTwo.'],
  ['nothing', 'One.', [], 'One.'],
] as const)('%s', ([, before, pieces, joined]) => {
  expect(join(before, ...pieces)).toBe(joined)
})

test('however a text arrives, it is joined in the same way, and nothing but what both have in common is lost', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'ab', ' ', '\n', '.', '世'), {
    minLength: 1,
    maxLength: 12,
  })
  fc.assert(
    fc.property(text, text, (first, pieces) => {
      const before = first.join('')
      const after = pieces.join('')
      const joined = join(before, ...pieces)
      expect(joined).toBe(join(before, after))
      expect(joined.startsWith(before)).toBe(true)
      const bare = (given: string) => given.replace(/\s/g, '')
      const added = bare(joined).slice(bare(before).length)
      expect(bare(after).endsWith(added)).toBe(true)
      expect(bare(before).endsWith(bare(after).slice(0, bare(after).length - added.length))).toBe(true)
    }),
  )
})
