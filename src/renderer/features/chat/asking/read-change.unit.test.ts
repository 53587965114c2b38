import { expect, test } from 'vitest'
import { isNewText, readChange } from './read-change.ts'

const inLines = (diff: string) =>
  readChange(diff, isNewText(diff)).map(({ kind, text }) => `${kind} ${text}`.trimEnd())

test('a new text is shown as it is, without signs', () => {
  expect(inLines('@@ -0,0 +1,3 @@\n+# Plan\n+\n+- sail')).toEqual(['added # Plan', 'added', 'added - sail'])
})

test('a change keeps its signs, and what is left out is a gap that names its line', () => {
  const diff = '@@ -1,2 +1,2 @@\n same\n-old\n+new\n@@ -22,2 +22,3 @@\n other\n+more'
  expect(inLines(diff)).toEqual([
    'same  same',
    'removed -old',
    'added +new',
    'gap Line 22',
    'same  other',
    'added +more',
  ])
})

test.for([
  [
    'like the head of a part',
    '@@ -0,0 +1,2 @@\n+@@ -1,1 +1,1 @@\n+-x',
    ['added @@ -1,1 +1,1 @@', 'added -x'],
  ],
  ['like a note', '@@ -0,0 +1 @@\n+(nothing changes)', ['added (nothing changes)']],
  ['like one removed', '@@ -1 +1 @@\n--- a\n+++ b', ['removed --- a', 'added +++ b']],
] as const)('a line of a file that looks %s stays a line of the file', ([, diff, lines]) => {
  expect(inLines(diff)).toEqual(lines)
})

test('what Talaria says of a change is a note, also below a new text', () => {
  expect(inLines('(an empty file)')).toEqual(['note (an empty file)'])
  expect(inLines('@@ -0,0 +1 @@\n+x\n\nIt stays in UTF-16.')).toEqual([
    'added x',
    'note',
    'note It stays in UTF-16.',
  ])
})

test('a part that adds to an empty begin among others is no new text', () => {
  expect(isNewText('@@ -0,0 +1 @@\n+x\n@@ -8 +9 @@\n-y')).toBe(false)
  expect(isNewText('@@ -1 +1,2 @@\n a\n+b')).toBe(false)
})
