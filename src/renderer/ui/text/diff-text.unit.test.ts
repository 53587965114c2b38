import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffWords } from './diff-text.ts'

type DiffPart = ReturnType<typeof diffWords>[number]

const short = (parts: readonly DiffPart[]) =>
  parts.map(({ kind, text }) => `${{ same: '', added: '+', removed: '-' }[kind]}${text}`)

test.for([
  ['Uses npm.', 'Uses pnpm.', ['Uses ', '-npm', '+pnpm', '.']],
  ['a b c', 'a c', ['a ', '-b ', 'c']],
  ['same', 'same', ['same']],
  ['', 'new', ['+new']],
  ['old', '', ['-old']],
  ['', '', []],
  ['One.', 'One. Two.', ['One.', '+ Two.']],
  ['猫が好きです', '犬が好きです', ['-猫', '+犬', 'が好きです']],
] as const)('%o becomes %o', ([before, after, parts]) => {
  expect(short(diffWords(before, after))).toEqual(parts)
})

test('both texts can be rebuilt from the diff', () => {
  const text = fc.array(fc.constantFrom('a', 'b', ' ', '.', 'über', '\n'), { maxLength: 40 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = diffWords(before.join(''), after.join(''))
      const without = (kind: DiffPart['kind']) =>
        parts
          .filter(part => part.kind !== kind)
          .map(part => part.text)
          .join('')
      expect([without('added'), without('removed')]).toEqual([before.join(''), after.join('')])
    }),
  )
})

test('two long texts without a common word are one removal and one addition', () => {
  const long = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word}${index}`).join('-')
  expect(diffWords(long('a'), long('b')).map(part => part.kind)).toEqual(['removed', 'added'])
})
