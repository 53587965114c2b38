import { expect, test } from 'vitest'
import { isCrowded } from './is-crowded.ts'

test('a paragraph of thousands of marks is crowded, and a long list or table is not', () => {
  for (const sign of ['*a', '*_word ', '**_', '[a', '![[', '_a_\n'])
    expect(isCrowded(sign.repeat(5_000)), sign).toBe(true)
  for (const line of [
    '- **One** of [many](a.md)\n',
    '| *a* | [b](c) |\n',
    '1. `x` _y_ **z**\n\n',
    '> *said*\n',
  ])
    expect(isCrowded(line.repeat(900)), line).toBe(false)
})

test.each(['<!--', '<?x', '<!doc', '<![CDATA['])(
  'many beginnings of HTML without an end are, such as %s',
  begin => {
    expect(isCrowded(begin.repeat(201))).toBe(true)
    expect(isCrowded(begin.repeat(200))).toBe(false)
  },
)

test('pieces of HTML that end are not, however many', () => {
  expect(isCrowded('<!-- a --><?b?><!c>'.repeat(1_000))).toBe(false)
  expect(isCrowded(Array.from({ length: 300 }, () => '- <!-- left open').join('\n'))).toBe(false)
})
