import { expect, test } from 'vitest'
import { fileWord, withoutWord } from './file-word.ts'

const wordIn = (text: string) => {
  const caret = text.indexOf('|')
  return fileWord(text.replace('|', ''), caret)
}

test('an @ names a file at the start of a word, not in an address and not in the middle of a word', () => {
  expect(wordIn('@|')).toEqual({ start: 0, end: 1, query: '' })
  expect(wordIn('Sum up (@docs/pl|)')).toEqual({ start: 8, end: 16, query: 'docs/pl' })
  expect(wordIn('Zeile\n@Über|')).toMatchObject({ query: 'Über' })
  for (const none of ['ada@exam|ple.org', 'ada@|', '@no|tes', 'Hello @ |', '|@', '@a@b|'])
    expect([none, wordIn(none)]).toEqual([none, undefined])
})

test('the name takes the place of the word; alone it goes', () => {
  const chosen = (text: string) => {
    const caret = text.indexOf('|')
    const plain = text.replace('|', '')
    const made = withoutWord(plain, fileWord(plain, caret)!, 'plan.md')
    return `${made.text.slice(0, made.caret)}|${made.text.slice(made.caret)}`
  }
  expect(chosen('@pl|')).toBe('|')
  expect(chosen('Sum up @pl|')).toBe('Sum up plan.md |')
  expect(chosen('Sum up @pl|, please')).toBe('Sum up plan.md|, please')
  expect(chosen('Is @pl| old?')).toBe('Is plan.md| old?')
})
