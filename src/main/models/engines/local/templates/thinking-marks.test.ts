import { expect, test } from 'vitest'
import { cutThinkingMarks, findThinkingMarks, looksForMarks } from './thinking-marks.ts'

test.for([
  ['user', 'How far is it? /no_think', ['/no_think']],
  ['user', '/think\nHow far is it?', ['/think']],
  ['user', 'First /think, then /nothink.', ['/think', '/nothink']],
  ['system', 'Be kind.\n/no_think\nUse tools.', ['/no_think']],
  ['user', 'Look into ~/notes/think and `/no_think`, /thinking or /think/more', []],
  ['user', '[Tool Result: read_file] /no_think', []],
  ['tool', '/no_think', []],
  ['assistant', '/no_think', []],
] as const)('marks of a %s message: %j', ([role, text, found]) => {
  expect(findThinkingMarks({ role, text })).toEqual(found)
})

test('marks that a template takes out are taken out of the text, and other marks stay', () => {
  const cut = (text: string, ...removed: string[]) => cutThinkingMarks({ role: 'user', text }, removed).text
  expect(cut('How far is it? /no_think', '/no_think')).toBe('How far is it?')
  expect(cut('/no_think How far?', '/no_think')).toBe('How far?')
  expect(cut('/no_think /think', '/no_think')).toBe('/think')
  expect(cut(' How far? /no_think ')).toBe(' How far? /no_think ')
  expect(cut('See a/no_think', '/no_think')).toBe('See a/no_think')
})

test('spans of markup stay where their text is', () => {
  const text = '/no_think Use <tools> now. /no_think Then </tools>.'
  const spans = ['<tools>', '</tools>'].map(
    mark => [text.indexOf(mark), text.indexOf(mark) + mark.length] as const,
  )
  const cut = cutThinkingMarks({ role: 'system', text, markup: spans }, ['/no_think'])
  expect(cut.text).toBe('Use <tools> now.  Then </tools>.')
  expect(cut.markup?.map(([from, to]) => cut.text.slice(from, to))).toEqual(['<tools>', '</tools>'])
})

test.for([
  ["{% if '/no_think' in m.content %}", true],
  ["{% if m.content.endswith('/nothink') %}", true],
  ["{% if reasoning_effort == 'no_think' %}", false],
  ['<think>', false],
] as const)('whether a template looks for marks: %s', ([source, looks]) => {
  expect(looksForMarks(source)).toBe(looks)
})
