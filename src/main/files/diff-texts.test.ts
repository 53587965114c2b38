import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffTexts } from './diff-texts.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`)

test('a change is shown with three lines of context, and distant changes are separate hunks', () => {
  const before = numbers(30)
  const after = before.with(4, 'five').with(24, 'twenty-five')
  expect(diffTexts(before.join('\n'), after.join('\n'))).toBe(
    [
      '@@ -2,7 +2,7 @@',
      ' 2',
      ' 3',
      ' 4',
      '-5',
      '+five',
      ' 6',
      ' 7',
      ' 8',
      '@@ -22,7 +22,7 @@',
      ' 22',
      ' 23',
      ' 24',
      '-25',
      '+twenty-five',
      ' 26',
      ' 27',
      ' 28',
    ].join('\n'),
  )
})

test('a new file is all additions, and an emptied one all removals', () => {
  expect(diffTexts('', 'a\nb\n')).toBe('@@ -0,0 +1,2 @@\n+a\n+b')
  expect(diffTexts('a\n', '')).toBe('@@ -1 +0,0 @@\n-a')
})

test('texts that differ only in line endings are described as such', () => {
  expect(diffTexts('a\nb\n', 'a\r\nb\r\n')).toBe('Only line endings or the last line break differ.')
  expect(diffTexts('a', 'a')).toBe('')
})

test('a diff is limited in size, whatever is compared', () => {
  const diff = diffTexts(numbers(20_000).join('\n'), numbers(20_000).toReversed().join('\n'))
  expect(diff.split('\n')).toHaveLength(401)
  expect(diff).toMatch(/\[… \d+ more lines of this diff\]$/)
})

test('applying a diff to one text gives the other', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const ended = (lines: string[]) => lines.map(line => `${line}\n`).join('')
      expect(applied(before, diffTexts(ended(before), ended(after)))).toEqual(after)
    }),
  )
})

/** What `patch` would make of lines. */
function applied(before: readonly string[], diff: string): string[] {
  const after: string[] = []
  let next = 0
  for (const line of diff === '' ? [] : diff.split('\n')) {
    const head = /^@@ -(\d+)(?:,(\d+))? /.exec(line)
    if (head) {
      const start = Number(head[1]) - (head[2] === '0' ? 0 : 1)
      after.push(...before.slice(next, start))
      next = start
    } else {
      if (!line.startsWith('+')) expect(before[next++]).toBe(line.slice(1))
      if (!line.startsWith('-')) after.push(line.slice(1))
    }
  }
  return [...after, ...before.slice(next)]
}
